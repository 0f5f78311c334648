"""lint_digests.py BUILD SOURCE...: prints "SOURCE DIGEST" for each source that is not known to be clean.

The digest covers the source, all files of the checkout that it includes as far as the compiler has told ninja, its compile
flags and .clang-tidy. Digests of clean files are names of empty files in the cache directory; see scripts/lint.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "promenade-lint"


def dependencies(build):
    """{object: paths of the files it was compiled from} as ninja has recorded them."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True,
                          check=True).stdout
    found, current = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            path = Path(os.path.normpath(Path(build) / line.strip()))
            found[current].append(path)
        elif ":" in line:
            current = line.split(":")[0]
            found[current] = []
    return found


def digest_of(command, paths, config):
    digest = hashlib.sha256(config)
    # Paths of the checkout are no part of what is checked.
    digest.update(command.replace(str(ROOT), "").encode())
    for path in sorted(paths):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def main():
    build, sources = Path(sys.argv[1]).resolve(), sys.argv[2:]
    compiled = dependencies(build)
    config = (ROOT / ".clang-tidy").read_bytes()
    commands = {Path(c["file"]).resolve(): c
                for c in json.loads((build / "compile_commands.json").read_text())}
    for source in sources:
        entry = commands.get((ROOT / source).resolve())
        named = entry and re.search(r" -o (\S+)", entry["command"])
        files = compiled.get(named.group(1), []) if named else []
        ours = [p for p in files if ROOT in p.parents and p.is_file()]
        if not ours:  # never compiled: check it each time
            print(source)
            continue
        digest = digest_of(entry["command"], ours, config)
        if not (CACHE / digest).exists():
            print(source, digest)


if __name__ == "__main__":
    main()

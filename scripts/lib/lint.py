"""lint.py [--changed] [--share K/N] BUILD SOURCE...: clang-tidy over the sources, several of a folder at a time; see scripts/lint.

Most of the time of clang-tidy goes into headers of others. So sources that the unity builds compile as one file are checked as
one, and those headers are read once for all of them. Where sources cannot be compiled together, each is checked alone.

A clean source is remembered by a digest of all that was checked: the source, the files of the checkout that it includes, its
flags and .clang-tidy. Digests are names of empty files in ${XDG_CACHE_HOME:-~/.cache}/promenade-lint.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "promenade-lint"
BATCHES = ROOT / "build/lint"  # below the root, where clang-tidy finds .clang-tidy
FINDING = re.compile(r"^(/[^:\n]+):\d+:\d+: (?:error|warning): ", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def included(source, seen=None):
    """The source and all files of the checkout that it includes, whatever #if says."""
    seen = set() if seen is None else seen
    if source in seen:
        return seen
    seen.add(source)
    for name in INCLUDE.findall(source.read_text()):
        # A message's header is generated from its .proto.
        proto = ROOT / "proto" / name.replace(".pb.h", ".proto")
        for path in (source.parent / name, ROOT / "server" / name, ROOT / "tests" / name, proto):
            if path.is_file():
                included(path.resolve(), seen)
                break
    if source.suffix == ".proto":
        for name in re.findall(r'^import\s+"(promenade/[^"]+)"', source.read_text(), re.M):
            included(ROOT / "proto" / name, seen)
    return seen


def digest_of(source, flags):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    # The place of the checkout is no part of what is checked.
    digest.update(" ".join(flags).replace(str(ROOT), "").encode())
    for path in sorted(included(source)):
        digest.update(str(path.relative_to(ROOT)).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def of_late(commits=30):
    """Sources that the last commits have changed, or whose header of the same name they have."""
    log = subprocess.run(["git", "log", f"-{commits}", "--name-only", "--pretty=format:", "--", "server"],
                         cwd=ROOT, capture_output=True, text=True)
    return {(ROOT / name).with_suffix(".cpp") for name in log.stdout.split()}


def in_share(source, share):
    """Whether it is one of the K-th of N shares of all sources, share being "K/N"."""
    k, n = (int(number) for number in share.split("/"))
    name = hashlib.sha256(str(source.relative_to(ROOT)).encode()).digest()
    return int.from_bytes(name[:4], "big") % n == k - 1


def flags_of(entry):
    """The flags of an entry of compile_commands.json that matter to what the code means."""
    words = shlex.split(entry["command"])
    launcher = next((i + 1 for i, word in enumerate(words) if word.endswith("ccache")), 0)
    words = words[launcher + 1:]
    flags, skip = [], False
    for word in words:
        if skip or word in ("-c", entry["file"]):
            skip = False
        elif word == "-o":
            skip = True
        else:
            flags.append(word)
    return flags


def sources_of(entry):
    """The files that an entry compiles: several in a unity build."""
    file = Path(entry["file"])
    if file.parent.name != "Unity":
        return [file.resolve()]
    return [Path(name).resolve() for name in re.findall(r'^#include "(.*)"', file.read_text(), re.M)]


def clang_tidy(path, flags, *options):
    """@return (whether it found nothing, what it said)"""
    run = subprocess.run(["clang-tidy-14", "--quiet", "--warnings-as-errors=*", *options, str(path), "--", "-xc++", *flags],
                         cwd=ROOT, capture_output=True, text=True)
    # Standard error holds counts of warnings that were left out, and why clang-tidy could not run.
    said = run.stdout if run.returncode == 0 or run.stdout else run.stdout + run.stderr
    return run.returncode == 0, said


def blamed(found, batch):
    """Sources of a batch that findings name; all of them if a finding is in a header that they share."""
    named = {Path(path) for path in FINDING.findall(found)}
    return named if named and named <= set(batch) else set(batch)


def clean_sources(name, batch, flags):
    """Checks sources that have the same flags. @return (those that are clean, what was found, seconds)"""
    started, clean, said = time.monotonic(), [], []
    if len(batch) > 1:
        unity = BATCHES / name
        unity.write_text("".join(f'#include "{source}"\n' for source in batch))
        # To include sources is what the file is for.
        together, found = clang_tidy(unity, flags, "--checks=-bugprone-suspicious-include")
        if together:
            return batch, "", time.monotonic() - started
        if "[clang-diagnostic-error" not in found:
            dirty = blamed(found, batch)
            return [source for source in batch if source not in dirty], found, time.monotonic() - started
    for source in batch:
        ok, text = clang_tidy(source, flags)
        if ok:
            clean.append(source)
        else:
            said.append(text)
    if len(batch) > 1 and not said:
        said = [f"{found}note: only together; each alone is clean, which took longer to find out\n"]
    return clean, "".join(said), time.monotonic() - started


def batches_of(todo, entries):
    """[(name, sources, flags)] from {source: flags}: sources that are compiled as one file are checked as one."""
    found = []
    for entry in entries:
        sources = [source for source in sources_of(entry) if source in todo]
        if sources:
            folder = "_".join(sources[0].relative_to(ROOT).parts[:2])
            found.append((f"{folder}_{len(found)}.cpp", sources, todo[sources[0]]))
    return sorted(found, key=lambda batch: -len(batch[1]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("build")
    parser.add_argument("sources", nargs="+")
    asked = parser.parse_args()
    sources = [Path(source).resolve() for source in asked.sources]
    late = of_late()
    sources = [source for source in sources if in_share(source, asked.share) or source in late]
    entries = json.loads((Path(asked.build) / "compile_commands.json").read_text())
    commands = {source: flags_of(entry) for entry in entries for source in sources_of(entry)}
    for source in sources:
        if source not in commands:
            sys.exit(f"error: {source.relative_to(ROOT)} is in no target of {asked.build}; is it in a CMakeLists.txt?")

    for folder in (CACHE, BATCHES):
        folder.mkdir(parents=True, exist_ok=True)
    digests = {source: digest_of(source, commands[source]) for source in sources}
    todo = {source: flags for source, flags in commands.items()  # in the order of the CMakeLists.txt
            if source in digests and not (asked.changed and (CACHE / digests[source]).exists())}
    print(f"==> Checking {len(todo)} of {len(sources)} files", flush=True)
    dirty = len(todo)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(clean_sources, *batch): batch for batch in batches_of(todo, entries)}
        for job in concurrent.futures.as_completed(jobs):
            clean, said, seconds = job.result()
            for source in clean:
                (CACHE / digests[source]).touch()
            dirty -= len(clean)
            name, batch, _ = jobs[job]
            print(f"{said}    {len(clean)} of {len(batch)} clean, {seconds:.0f} s: {name}", flush=True)
    sys.exit(1 if dirty else 0)


if __name__ == "__main__":
    main()

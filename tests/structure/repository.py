"""Where the repository's files are. Walks folders, because an unpacked archive has no git."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Made by builds, editors and tools; not ours.
NOT_OURS = {".git", "build", "node_modules", "dist", "gen", "__pycache__", ".cache", ".vscode"}


def files(*suffixes, under="."):
    """Our files with one of the suffixes (all files without any), as paths relative to ROOT."""
    found = []
    for folder, folders, names in os.walk(ROOT / under):
        folders[:] = sorted(f for f in folders if f not in NOT_OURS)
        for name in sorted(names):
            path = (Path(folder) / name).relative_to(ROOT)
            if not suffixes or path.suffix in suffixes:
                found.append(path)
    return found


def text(path):
    # Replaced, because a fuzzer's corpus holds bytes that are no text.
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")

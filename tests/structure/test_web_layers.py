"""Folders of web/src import downward only (docs/architecture: the order below), files in no circle, and no folder is full."""

import posixpath
import re
import unittest
from collections import Counter

from repository import files, text

# From the ground up: a folder may import from itself and from those before it. `gen` is made from proto/.
ORDER = ["gen", "net", "state", "scene", "ui"]
# Packages that only these folders know. Others see numbers and not what draws them.
PACKAGES = {"three": {"scene"}}
MOST_FILES = 25  # of one folder, without those of folders in it
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]|new URL\(['"]([^'"]+)['"]""")


def layer(path):
    """The folder below web/src that a path (as text) is in; None above them, as main.ts."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 else None


def violations(path, source):
    """Imports that a file (its path as text, from the root) may not have, with the reason."""
    found = []
    own = layer(path)
    if own is None:
        return found
    for match in IMPORT.finditer(source):
        name = match.group(1) or match.group(2)
        if name.startswith("."):
            target = layer(posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) + ".ts")
            if target not in ORDER:
                found.append(f"{name}: outside of {', '.join(ORDER)}")
            elif ORDER.index(target) > ORDER.index(own):
                found.append(f"{name}: {target} is above {own}")
        else:
            package = name.split("/")[0]
            if package in PACKAGES and own not in PACKAGES[package]:
                found.append(f"{name}: only {', '.join(sorted(PACKAGES[package]))} may know {package}")
    return found


def imports(path, source):
    """The sources of the page that a file names in imports, types too; paths as text, from the root."""
    names = (match.group(1) or match.group(2) for match in IMPORT.finditer(source))
    return {posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) + ".ts" for name in names if name.startswith(".")}


def circles(graph):
    """Ways from a file back to itself, one for each file that closes one. @param graph {file: files that it imports}"""
    found, done = [], set()

    def follow(file, way):
        if file in way:
            found.append(" -> ".join([*way[way.index(file):], file]))
        elif file not in done:
            for target in sorted(graph.get(file, ())):
                follow(target, [*way, file])
            done.add(file)

    for file in graph:
        follow(file, [])
    return found


class WebLayers(unittest.TestCase):
    def setUp(self):
        self.sources = [p for p in files(".ts", under="web/src") if "/gen/" not in str(p)]

    def test_every_folder_has_its_place_in_the_order(self):
        folders = {layer(str(path)) for path in self.sources} - {None}
        self.assertGreater(len(self.sources), 50)
        self.assertEqual(folders - set(ORDER), set())

    def test_imports_point_downward(self):
        found = [f"{path}: {violation}" for path in self.sources
                 for violation in violations(str(path), text(path))]
        self.assertEqual(found, [])

    def test_no_files_import_each_other_in_a_circle(self):
        self.assertEqual(circles({str(path): imports(str(path), text(path)) for path in self.sources}), [])
        self.assertEqual(circles({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"b"}}), ["b -> d -> b"])

    def test_folders_are_small(self):
        counts = Counter(path.parent for path in self.sources)
        self.assertEqual([f"{folder}: {count}" for folder, count in counts.items() if count > MOST_FILES], [])

    def test_violations_are_found(self):
        self.assertTrue(violations("web/src/net/a.ts", "import { b } from '../state/b';"))
        self.assertTrue(violations("web/src/state/a.ts", "import * as THREE from 'three';"))
        self.assertTrue(violations("web/src/state/a.ts", "export { b } from '../../test/b';"))
        self.assertTrue(violations("web/src/scene/a/b.ts", "const c = await import('../../ui/c');"))
        self.assertFalse(violations("web/src/ui/a.ts", "import { b } from '../net/b';"))
        self.assertFalse(violations("web/src/scene/a/b.ts", "import 'three/addons/c.js';\nimport './d';"))


if __name__ == "__main__":
    unittest.main()

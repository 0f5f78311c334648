"""Promises about every file: its length, and nothing left lying in it."""

import re
import unittest

from repository import files, text

CODE = (".h", ".cpp", ".inc", ".ts", ".py", ".proto", ".sh", ".mjs", ".css", ".html")
MAX_LINES = 600
MOST_IN_A_FOLDER = 25
# Split so that this file does not find itself.
LEFT = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r")\b")
# A home, a temporary folder of one machine: they say where something was made, not what it is.
MACHINE = re.compile(r"(?<![\w.])/(home/\w+|root|work)/")


class Files(unittest.TestCase):
    def test_lie_in_folders_of_at_most_25_sources(self):
        """A header and its source count once. Files of subfolders count for these."""
        folders = {}
        for path in [*files(".h", ".cpp", ".inc", under="server"), *files(".ts", ".css", under="web/src")]:
            if "gen" not in path.parts:
                folders.setdefault(path.parent, set()).add(path.stem)
        full = {str(folder): len(names) for folder, names in folders.items() if len(names) > MOST_IN_A_FOLDER}
        self.assertEqual(full, {})

    def test_hold_one_concept_in_at_most_600_lines(self):
        long = {str(p): n for p in files(*CODE) if p.suffix != ".css" and (n := text(p).count("\n")) > MAX_LINES}
        self.assertEqual(long, {})

    def test_have_nothing_left_to_do(self):
        found = [f"{p}: {m.group()}" for p in files(*CODE) for m in [LEFT.search(text(p))] if m]
        self.assertEqual(found, [])

    def test_of_the_page_do_not_print_to_the_console(self):
        found = [str(p) for p in files(".ts", under="web/src") if "console." + "log(" in text(p)]
        self.assertEqual(found, [])

    def test_name_no_path_of_one_machine(self):
        found = [f"{p}: {m.group()}" for p in files(*CODE, ".md", ".json", ".txt", ".yaml")
                 for m in [MACHINE.search(text(p))] if m]
        self.assertEqual(found, [])

    def test_lock_file_of_the_page_names_no_registry(self):
        """Packages come from the registry that the machine is set up for."""
        self.assertNotIn('"resolved"', text("web/package-lock.json"))

    def test_headers_have_a_guard_and_sources_are_listed_in_cmake(self):
        unguarded = [str(p) for p in files(".h") if "#pragma once" not in text(p)]
        self.assertEqual(unguarded, [])
        lists = {p.parent: text(p) for p in files(".txt") if p.name == "CMakeLists.txt"}
        unlisted = []
        for path in files(".cpp"):
            folder = path.parent
            while folder not in lists:
                folder = folder.parent
            name = re.escape(str(path.relative_to(folder).with_suffix("")))
            # A loop may list names to which it adds the suffix.
            here = re.search(rf"\b{name}(?![\w./-])|\b{name}\.cpp\b", lists[folder])
            elsewhere = any(f"{path.parent.name}/{path.name}" in content for content in lists.values())
            if not here and not elsewhere:
                unlisted.append(f"{path} not in {folder}/CMakeLists.txt")
        self.assertEqual(unlisted, [])


if __name__ == "__main__":
    unittest.main()

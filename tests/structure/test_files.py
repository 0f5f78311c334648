"""Promises about every file: its length, and nothing left lying in it."""

import re
import unittest

from repository import files, text

CODE = (".h", ".cpp", ".inc", ".ts", ".py", ".proto", ".sh", ".mjs", ".css", ".html")
MAX_LINES = 600
# Split so that this file does not find itself.
LEFT = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r")\b")
# A home, a temporary folder of one machine: they say where something was made, not what it is.
MACHINE = re.compile(r"(?<![\w.])/(home/\w+|root|work)/")


def own_names(source):
    """Types, constants and functions that a source defines in an anonymous namespace; functions with parameters."""
    found = set()
    for body in re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", source, re.S | re.M):
        found |= set(re.findall(r"^(?:struct|class|enum class) (\w+)", body, re.M))
        for line in re.findall(r"^constexpr .*?;", body, re.M):
            found |= set(re.findall(r"\b(k[A-Z]\w*)(?=\[|\s*[={])", line))
        found |= set(re.findall(r"^(?:[\w:]+(?:<[^\n]*>)?[ &*]+)+(\w+\(.*)", body, re.M))
    return found


def clashes(sources):
    """Names that two sources of a folder of server/ define for themselves."""
    defined = {}
    for path, source in sources.items():
        for name in own_names(source):
            defined.setdefault((path.split("/")[1], name), []).append(path)
    return sorted(f"{name}: {', '.join(paths)}" for (_, name), paths in defined.items() if len(paths) > 1)


class Files(unittest.TestCase):
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

    def test_of_a_folder_give_their_own_names_to_what_is_theirs_alone(self):
        """Unity builds (presets asan and tsan, scripts/lint) compile sources of a folder as one file."""
        sources = {str(path): text(path) for path in files(".cpp", under="server")}
        self.assertGreater(len(sources), 10)
        self.assertEqual(clashes(sources), [])

    def test_names_that_clash_are_found(self):
        def source(body):
            return f"namespace {{\n{body}\n}}  // namespace\n"
        first = source("struct Reader {\n};\nconstexpr double kStep = 1, kMost = 2;\ndouble now() {")
        self.assertEqual(len(clashes({"server/a/x.cpp": first, "server/a/y.cpp": first})), 4)
        self.assertEqual(clashes({"server/a/x.cpp": first, "server/b/y.cpp": first}), [])
        self.assertEqual(clashes({"server/a/x.cpp": first, "server/a/y.cpp": source("double now(int at) {")}), [])


if __name__ == "__main__":
    unittest.main()

"""README.md and the documentation say what is so."""

import os
import re
import subprocess
import unittest
from pathlib import Path

from repository import ROOT, files, text

README = text("README.md")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)


class Readme(unittest.TestCase):
    def test_first_screen_shows_the_two_commands_each_alone_and_a_picture(self):
        self.assertEqual([body for _, body in BLOCKS[:2]], ["./scripts/serve\n", "./scripts/test\n"])
        picture = re.search(r"!\[.+\]\((\S+)\)", README)
        self.assertLess(README[:picture.start()].count("\n"), 25)
        self.assertTrue((ROOT / picture.group(1)).is_file(), picture.group(1))

    def test_python_client_is_the_file_that_a_test_runs(self):
        blocks = [body for language, body in BLOCKS if language == "python"]
        self.assertEqual(blocks, [text("docs/examples/04_follow_frames.py")])

    def test_picture_of_the_house_names_every_folder_of_the_server_and_every_family(self):
        picture = text("docs/images/house.svg")
        rooms = {f"{p.parts[1]}/" for p in files(".cpp", under="server")}
        families = set(re.findall(r'\.name = "(\w+)"', text("server/control/registry.cpp")))
        self.assertGreater(len(families), 4)
        self.assertEqual([name for name in sorted(rooms | families)
                          if not re.search(rf"\b{name}", picture)], [])

    def test_names_every_script_scene_and_folder(self):
        scripts = [f"./scripts/{p.name}" for p in files(under="scripts") if "lib" not in p.parts]
        scenes = [f"`{p.stem}`" for p in files(".json", under="server/data/scenes")]
        folders = {f"`{p.parts[0]}/`" for p in files() if len(p.parts) > 1}
        modules = {f"`{p.parts[1]}`" for p in files(".cpp", under="server")}
        expected = {*scripts, *scenes, *modules, *(f for f in folders if not f.startswith("`."))}
        missing = {name for name in expected if not re.search(re.escape(name) + r"(?![\w-])", README)}
        self.assertEqual(missing, set())

    def test_names_only_test_folders_that_exist(self):
        row = re.search(r"^\| `tests/` \|(.*)", README, re.M).group(1)
        empty = [n for n in re.findall(r"`(\w+)`", row) if not files(under=f"tests/{n}")]
        self.assertEqual(empty, [])

    def test_names_only_scenes_that_exist(self):
        section = README.split("## Scenes")[1].split("##")[0]
        named = set(re.findall(r"^\| `([\w-]+)` \|", section, re.M))
        self.assertEqual(named, {p.stem for p in files(".json", under="server/data/scenes")})

    def test_options_of_the_command_line_exist(self):
        program = os.environ.get("PROMENADE_BINARY", ROOT / "build/release/server/app/promenade")
        rows = re.findall(r"^\| `promenade (\w+(?: gait)?)([^`]*)` \|", README, re.M)
        self.assertGreaterEqual(len(rows), 5)
        for command, rest in rows:
            shown = subprocess.run([program, *command.split(), "--help"], capture_output=True, text=True)
            self.assertEqual(shown.returncode, 0, command)
            for option in re.findall(r"--[\w-]+", rest):
                self.assertRegex(shown.stdout, rf"{option}\b", f"promenade {command}")


class Documentation(unittest.TestCase):
    def test_rows_of_bench_that_are_named_in_full_are_explained(self):
        page, rows = text("docs/benchmarks.md"), set()
        for path in [*files(".cpp", under="server/study/bench"), Path("server/app/bench_served.cpp")]:
            rows |= set(re.findall(r"(?:at_least|at_most|measured)\(\s*\"([a-z0-9-]+)\"", text(path)))
            rows |= set(re.findall(r"\"(heap-[a-z0-9-]+)\"", text(path)))
        self.assertGreater(len(rows), 24)
        self.assertEqual({row for row in rows if f"`{row}`" not in page}, set())
        self.assertNotIn("(value)", page)

    def test_links_lead_somewhere(self):
        dead = []
        for path in files(".md"):
            for target in re.findall(r"\]\(([^)\s]+)\)", text(path)):
                file = target.split("#")[0]
                if not re.match(r"\w+:", target) and file:
                    if not (ROOT / path.parent / file).exists():
                        dead.append(f"{path}: {target}")
        self.assertEqual(dead, [])

    def test_index_lists_every_page(self):
        for folder in ("docs", "docs/decisions"):
            index = text(f"{folder}/README.md")
            pages = [p for p in files(".md", under=folder)
                     if p.parent == Path(folder) and p.name != "README.md"]
            self.assertEqual([p.name for p in pages if f"({p.name})" not in index], [], folder)


if __name__ == "__main__":
    unittest.main()

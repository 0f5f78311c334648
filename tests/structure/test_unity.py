"""Promises about the groups of sources that unity builds compile as one file (cmake/UnityGroups.cmake)."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from repository import ROOT

ANONYMOUS = "#include <vector>\n\nnamespace promenade {\nnamespace {\n\n%s\n\n}  // namespace\n}  // namespace promenade\n"


def groups(sources, size=8):
    """The group of each source, by its contents."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, source in enumerate(sources):
            path = Path(folder) / f"source_{number}.cpp"
            path.write_text(ANONYMOUS % source)
            paths.append(f'"{path}"')
        script = Path(folder) / "groups.cmake"
        script.write_text("cmake_minimum_required(VERSION 3.25)\n"
                          f'include("{ROOT}/cmake/UnityGroups.cmake")\n'
                          f"promenade_unity_groups(groups {size} {' '.join(paths)})\n"
                          'message("${groups}")\n')
        run = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
        return [int(group) for group in run.stderr.strip().split(";")]


class Unity(unittest.TestCase):
    def test_sources_of_different_names_are_one_group(self):
        self.assertEqual(groups(["constexpr double kOne = 1;", "constexpr double kTwo = 2;", "double now() {\n}"]), [1, 1, 1])

    def test_sources_that_would_clash_come_into_different_groups(self):
        for clash in ("constexpr double kStep = 1;", "constexpr int kMany[] = {1, 2};", "struct Reader {\n};",
                      "class Reader {\n};", "enum class Kind { kOne };", "double now() {\n}",
                      "std::vector<int> all_of(const Vec3& place,\n                        int many) {\n}",
                      "constexpr double kFirst = 1,\n                 kSecond = 2;", "constexpr Row kRow{1, 2};"):
            self.assertEqual(groups([clash, clash]), [1, 2], clash)

    def test_aliases_clash_where_they_mean_something_else(self):
        self.assertEqual(groups(["using Code = Error::Code;", "using Code = Error::Code;", "using Code = int;"]), [1, 1, 2])
        self.assertEqual(groups(["namespace todo = tasks;", "namespace todo = errands;"]), [1, 2])

    def test_functions_clash_by_the_types_of_their_parameters(self):
        self.assertEqual(groups(["void write(const Push& push) {\n}", "void write(const Stop& stop) {\n}"]), [1, 1])
        self.assertEqual(groups(["void write(const Push& push) {\n}", "int write(const Push& other) {\n}"]), [1, 2])

    def test_a_name_that_is_used_is_not_defined(self):
        self.assertEqual(groups(["constexpr double kStep = 1;", "double twice() {\n  return 2 * kStep;\n}"]), [1, 1])

    def test_a_group_has_as_many_sources_as_it_may(self):
        self.assertEqual(groups(["int a() {\n}", "int b() {\n}", "int c() {\n}"], size=2), [1, 1, 2])


if __name__ == "__main__":
    unittest.main()

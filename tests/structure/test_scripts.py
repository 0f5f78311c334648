"""The commands a person types: they run, say what they do and refuse what they do not know."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from repository import ROOT, files, text

sys.path.insert(0, str(ROOT / "scripts/lib"))
import lint  # noqa: E402
import summary  # noqa: E402

COMMANDS = [p for p in files(under="scripts") if "lib" not in p.parts]


class Scripts(unittest.TestCase):
    def test_are_executable_and_parse(self):
        self.assertGreaterEqual(len(COMMANDS), 4)
        for path in [*COMMANDS, ".ci/run"]:
            self.assertTrue(os.access(ROOT / path, os.X_OK), path)
            first = text(path).split("\n", 1)[0]
            self.assertIn(first, ("#!/usr/bin/env bash", "#!/usr/bin/env python3"), path)
            if first.endswith("bash"):
                subprocess.run(["bash", "-n", ROOT / path], check=True)
            else:
                compile(text(path), str(path), "exec")

    def test_help_says_how_and_installs_nothing(self):
        for script, option in (("test", "--quick"), ("check", "--fuzz-seconds"), ("lint", "--changed"),
                               ("film-strip", "--style"), ("serve", "--port")):
            run = subprocess.run([ROOT / "scripts" / script, "--help"], capture_output=True,
                                 text=True, cwd="/", timeout=20)
            self.assertIn(option, run.stdout, script)
            self.assertNotIn("==>", run.stdout, f"{script} does something")

    def test_unknown_option_is_named_with_what_is_allowed(self):
        run = subprocess.run([ROOT / "scripts/test", "--fast"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("--fast", run.stderr)
        self.assertIn("--quick", run.stderr)

    def test_a_share_that_is_none_is_named_with_what_is_allowed(self):
        for script in ("test", "check", "lint"):
            for share in ("4/3", "0/2", "third", ""):
                run = subprocess.run([ROOT / "scripts" / script, "--share", share], capture_output=True, text=True)
                self.assertEqual(run.returncode, 1, script)
                self.assertIn(f'--share is "{share}"; allowed: K/N', run.stderr, script)

    def test_shares_of_sources_are_the_whole_when_put_together(self):
        sources = [ROOT / path for path in files(".cpp", under="server")]
        shares = [[path for path in sources if lint.in_share(path, f"{k}/3")] for k in (1, 2, 3)]
        self.assertEqual(sorted(sum(shares, [])), sorted(sources))
        self.assertLess(max(map(len, shares)), 0.45 * len(sources))

    def test_continuous_integration_runs_the_tests_and_every_check(self):
        self.assertRegex(text(".ci/run"), r"(?m)^part tests \./scripts/test ")
        checks = re.findall(r"(?m)^run_(\w+)\(\) \{", text("scripts/check"))
        checks.remove("tests")
        self.assertEqual(sorted(checks), ["asan", "fuzz", "lint", "tsan"])
        in_ci = re.search(r"(?m)^for check in ([\w ]+); do part \"\$check\" \./scripts/check", text(".ci/run"))
        self.assertEqual(sorted(in_ci.group(1).split()), sorted(checks))

    def test_rooms_of_several_threads_are_checked_by_the_thread_sanitizer(self):
        """It leaves out the other tests of rooms, and tells them by their names."""
        run = re.compile(re.search(r"(?m)^several_threads='(.*)'$", text("scripts/check")).group(1))
        found = 0
        for path in files(".cpp", under="tests/unit/world"):
            for suite, name, body in re.findall(r"(?ms)^TEST(?:_[FP])?\((\w+), (\w+)\) \{(.*?)^\}", text(path)):
                if re.search(r"threads = [2-9]|threads : |thread\b|settings_for\([^)]*, [2-9]\)", body):
                    found += 1
                    self.assertRegex(f"{suite}.{name}", run, path)
        self.assertGreater(found, 10)


class Setup(unittest.TestCase):
    """Functions of scripts/lib/setup.sh, each in a shell of its own."""

    def shell(self, body, path=None):
        environment = dict(os.environ, **({"PATH": path} if path else {}))
        return subprocess.run(["/bin/bash", "-c", f". {ROOT}/scripts/lib/setup.sh; {body}"],
                              capture_output=True, text=True, env=environment)

    def test_asks_apt_only_for_what_is_missing(self):
        run = self.shell("missing_packages dpkg no-such-package-here bash")
        self.assertEqual(run.stdout.split(), ["no-such-package-here"])

    def test_without_apt_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as empty:
            for tool in ("dirname", "mkdir"):
                os.symlink(f"/usr/bin/{tool}", Path(empty) / tool)
            run = self.shell("ensure_packages cmake", path=empty)
        self.assertEqual(run.returncode, 1)
        self.assertIn("apt-get is not here", run.stderr)
        self.assertIn("cmake", run.stderr)

    def test_a_step_runs_once_for_its_input(self):
        with tempfile.TemporaryDirectory() as folder:
            step = f'once s "$1" {folder}/result bash -c "echo ran; touch {folder}/result"'
            run = self.shell(f"STATE_DIR={folder}; f() {{ {step}; }}; f one; f one; echo -; f two;"
                             f" echo -; rm {folder}/result; f two")
        self.assertEqual(run.stdout.split(), ["ran", "-", "ran", "-", "ran"], run.stderr)

    def test_a_failed_step_runs_again(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "result").touch()
            step = f"once s one {folder}/result bash -c 'echo ran; false'"
            run = self.shell(f"STATE_DIR={folder}; ({step}) || true; ({step}) || true")
        self.assertEqual(run.stdout.split(), ["ran", "ran"], run.stderr)

    def test_digest_changes_with_contents_and_names(self):
        with tempfile.TemporaryDirectory() as folder:
            run = self.shell(f"cd {folder}; mkdir a; echo 1 > a/x; digest a; digest a;"
                             " echo 2 > a/x; digest a; mv a/x a/y; digest a;"
                             " mkdir a/node_modules; echo 3 > a/node_modules/z; digest a")
        same, again, contents, name, ignored = run.stdout.split()
        self.assertEqual(same, again)
        self.assertEqual(len({same, contents, name}), 3)
        self.assertEqual(name, ignored)


class Summary(unittest.TestCase):
    def count(self, status, junit=None, log=None):
        passed, failed, skipped = self.counted(status, junit, log)
        return passed, len(failed), skipped

    def counted(self, status, junit=None, log=None):
        with tempfile.TemporaryDirectory() as folder:
            if junit is not None:
                Path(folder, "suite.xml").write_text(junit)
            if log is not None:
                Path(folder, "suite.log").write_text(log)
            return summary.count(Path(folder), "suite", status)

    def test_counts_cases_of_ctest_and_of_vitest(self):
        ctest = ('<testsuite><testcase name="a" status="run"/><testcase name="b" status="fail">'
                 '<failure message=""/></testcase><testcase name="c" status="notrun">'
                 "<skipped/></testcase></testsuite>")
        self.assertEqual(self.count(8, junit=ctest), (1, 1, 1))
        vitest = '<testsuites><testsuite><testcase name="a"/></testsuite></testsuites>'
        self.assertEqual(self.count(0, junit=vitest), (1, 0, 0))

    def test_counts_the_lines_of_a_log(self):
        log = "ok, here we go\n  ok    pushes (1.2 s)\n  FAIL  walks\n        not ok at all\n"
        self.assertEqual(self.count(1, log=log), (1, 1, 0))

    def test_says_what_failed_and_the_end_of_what_it_said(self):
        junit = ('<testsuite><testcase name="walks" status="fail"><failure message=""/>'
                 "<system-out>begun\nfell over\n</system-out></testcase></testsuite>")
        self.assertEqual(self.counted(8, junit=junit)[1], ["walks\n        begun\n        fell over"])
        log = "  again pushes\n        late\n  FAIL  pushes\n        late again\n  ok    other\n"
        self.assertEqual(self.counted(1, log=log)[1], ["pushes\n        late again"])

    def test_a_suite_that_fails_without_a_failed_case_counts_a_failure(self):
        self.assertEqual(self.count(1, log="  ok    pushes\n"), (1, 1, 0))
        self.assertEqual(self.count(1, log="Segmentation fault\n"), (0, 1, 0))
        self.assertEqual(self.count(0, junit="<testsuite><testca"), (0, 1, 0))

    def test_a_suite_without_cases_counts_as_one(self):
        self.assertEqual(self.count(0, log="all in order\n"), (1, 0, 0))


if __name__ == "__main__":
    unittest.main()

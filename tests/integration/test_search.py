"""`promenade search` as docs/search.md tells of it: objectives in, logs and files of parameters out."""

import json
import signal
import subprocess
import time
import unittest

from harness import BINARY, SLOWNESS, SOURCE, run
from test_cli import DATA, Cli

TINY = {"seeds": 1, "fresh_seeds": 1,
        "parameters": [{"path": "gbwc.speed.sagittal_gain", "factor": 3, "log": True},
                       {"path": "gbwc.placement.forward_gain", "low": 0.8, "high": 1.2}],
        "trials": [{"name": "walk", "walk": {"forward_mps": 0.8, "seconds": 4, "settle_s": 1},
                    "terms": [{"figure": "speed", "target": 0.8, "scale": 0.1}]}]}
GBWC = SOURCE / "server/data/controllers/gbwc.json"


class Search(Cli):
    def objective(self, **changes):
        path = self.directory / "objective.json"
        path.write_text(json.dumps({**TINY, **changes}))
        return path

    def search(self, *arguments):
        code, out, err = run("search", "gbwc", "--check-seeds", "0", *arguments, *DATA)
        self.assertEqual((code, err), (0, ""), arguments)
        return out

    def test_writes_the_file_of_parameters_and_a_log_that_makes_it_again(self):
        log, found, again = (self.directory / name for name in ("a.log", "found.json", "again.json"))
        out = self.search("--objective", self.objective(), "--budget", "9", "--population", "4",
                          "--log", log, "--out", found)
        self.assertRegex(out, r"^2 generations, 9 candidates; 9 of them now, in ")
        self.assertIn(f"wrote {found}\n", out)
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual(lines[0]["start"]["files"], [{"name": "gbwc", "text": GBWC.read_text()}])
        self.assertEqual([line["generation"]["generation"] for line in lines[1:]], [0, 1, 2])
        before, after = json.loads(GBWC.read_text()), json.loads(found.read_text())
        self.assertEqual(list(before), list(after))
        names = (("speed", "sagittal_gain"), ("placement", "forward_gain"))
        self.assertEqual([after[group].pop(name) for group, name in names], lines[-1]["generation"]["best_values"])
        for group, name in names:
            before[group].pop(name)
        self.assertEqual(before, after, "another number of the file")
        code, out, err = run("search", "--from", log, "--out", again, *DATA)
        self.assertEqual((code, out, err), (0, f"wrote {again}\n", ""))
        self.assertEqual(again.read_text(), found.read_text())

    def test_that_goes_on_has_the_log_of_one_that_was_not_stopped(self):
        parts, whole = self.directory / "parts.log", self.directory / "whole.log"
        asked = ("--objective", self.objective(), "--population", "4")
        self.search(*asked, "--budget", "5", "--threads", "1", "--log", parts)
        with parts.open("a") as file:
            file.write('{"generation": {"gen')  # as of a process that was killed
        out = self.search("--resume", parts, "--budget", "13", "--threads", "2")
        self.assertRegex(out, r"^3 generations, 13 candidates; 8 of them now")
        self.search(*asked, "--budget", "13", "--log", whole)
        self.assertEqual(parts.read_text(), whole.read_text())

    def test_ends_after_a_generation_when_interrupted(self):
        found, log = self.directory / "found.json", self.directory / "a.log"
        process = subprocess.Popen(
            [BINARY, "search", "--objective", self.objective(), "--budget", "1000000", "--log", log,
             "--out", found, "--check-seeds", "0", *map(str, DATA)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            deadline = time.monotonic() + 20 * SLOWNESS
            while time.monotonic() < deadline and (
                    not log.exists() or log.read_text().count("\n") < 3):
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20 * SLOWNESS)
        finally:
            process.kill()
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertIn(f"wrote {found}\n", out)
        self.assertEqual(len(json.loads(found.read_text())), len(json.loads(GBWC.read_text())))
        self.assertTrue(log.read_text().endswith("}\n"))

    def test_shipped_objective_is_searched_and_checked_with_other_seeds(self):
        shipped = SOURCE / "server/data/objectives/speed.json"
        code, out, err = run("search", "--objective", shipped, "--budget", "1", "--check-seeds", "1", *DATA)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\nWith 1 seed that the search did not have:\ntrial", out)
        gain = json.loads(GBWC.read_text())["speed"]["sagittal_gain"]
        row = next(line for line in out.split("\n") if line.startswith("gbwc.speed.sagittal_gain ")).split()
        for printed, value in zip(row[1:4], (gain / 3, gain * 3, gain), strict=True):
            self.assertAlmostEqual(float(printed) / value, 1, places=3)

    def test_numbers_of_several_files_are_written_into_a_directory(self):
        mixed = self.objective(parameters=[
            {"path": "gbwc.speed.sagittal_gain"}, {"path": "style.normal.step_width_m", "low": 0.05, "high": 0.2}])
        file = self.directory / "one.json"
        err = self.refusal_of("search", "--objective", mixed, "--out", file)
        self.assertIn("allowed: a directory that is there", err)
        self.search("--objective", mixed, "--budget", "1", "--out", self.directory)
        for name, folder in (("gbwc.json", "controllers"), ("normal.json", "styles")):
            self.assertEqual((self.directory / name).read_text(),
                             (SOURCE / "server/data" / folder / name).read_text(), "the start was the best")

    def test_wrong_input_is_one_line_and_exit_code_1(self):
        objective, log = self.objective(), self.directory / "a.log"
        self.search("--objective", objective, "--budget", "1", "--log", log)
        unmade, no_log = self.directory / "unmade.log", self.directory / "no.log"
        no_log.write_text('{"start": {"family": "hold"}}\n')
        for arguments, said in (
                ((), "one of --objective, --resume, --from and --figures is needed"),
                (("--objective", objective, "--resume", log), "and no more than one"),
                (("--objective", "/nowhere.json"), "/nowhere.json: no such file"),
                (("--objective", self.directory), "not a file"),
                (("--objective", objective, "--log", log), f"{log}: exists already"),
                (("--objective", objective, "--out", "/nowhere/a.json", "--log", unmade), "/nowhere is not there"),
                (("--resume", log, "--seed", "3"), "--seed cannot be given with --resume"),
                (("--resume", objective), f"{objective}:1: "),
                (("--resume", no_log), f'{no_log}:1: start.family: "hold" is not allowed, must be gbwc'),
                (("--from", log), "--out is needed")):
            with self.subTest(arguments=arguments):
                err = self.refusal_of("search", *arguments)
                self.assertIn(said, err)
                self.assertEqual(err.count("\n"), 1, err)
        self.assertFalse(unmade.exists(), "a log of nothing would be in the way")
        wrong = self.objective(trials=[{**TINY["trials"][0], "terms": [{"figure": "sped"}]}])
        self.assertIn('trials[0].terms[0].figure: is not a figure of a walk (did you mean speed?)',
                      self.refusal_of("search", "--objective", wrong))
        for option, value in (("--budget", "0"), ("--population", "3"), ("--sigma", "nan"),
                              ("--method", "gradient"), ("--take", "worst"), ("--threads", "-1")):
            self.assertIn(f"{option}: {value}",
                          self.refusal_of("search", "--objective", objective, option, value))


class SearchGait(Cli):
    """`promenade search gait` as docs/gaits.md tells of it."""

    def search(self, *arguments):
        code, out, err = run("search", "gait", "--check-starts", "0", *arguments, *DATA)
        self.assertEqual((code, err), (0, ""), arguments)
        return out

    LUXO = ("--creature", "luxo", "--objective", "hop", "--strides", "3", "--population", "6",
            "--global", "12")

    def test_finds_a_gait_whose_log_and_whose_file_make_it_again(self):
        log, found, again = (self.directory / name for name in ("a.log", "found.json", "again.json"))
        out = self.search(*self.LUXO, "--budget", "40", "--log", log, "--out", found, "--map")
        self.assertRegex(out, r"^luxo: 12 numbers, 43 candidates; 43 of them now, in ")
        self.assertIn("\nmap: ", out)
        gait = json.loads(found.read_text())
        self.assertEqual((gait["creature"], len(gait["states"])), ("luxo", 4))
        self.assertEqual(gait["origin"]["search"]["creature"], "luxo")
        self.search("--from", log, "--out", again)
        self.assertEqual(json.loads(again.read_text()), gait)
        out = self.search("--again", found)
        self.assertRegex(out, r"found again by candidate \d+\n$")
        gait["states"][0]["duration_s"] *= 1.5
        found.write_text(json.dumps(gait))
        code, _, err = run("search", "gait", "--again", found, *DATA)
        self.assertEqual(code, 1)
        self.assertIn("now comes to another", err)

    def test_that_goes_on_has_the_log_of_one_that_was_not_stopped(self):
        parts, whole = self.directory / "parts.log", self.directory / "whole.log"
        self.search(*self.LUXO, "--budget", "13", "--threads", "1", "--log", parts)
        with parts.open("a") as file:
            file.write('{"generation": {"gen')  # as of a process that was killed
        self.search("--resume", parts, "--budget", "40", "--threads", "2")
        self.search(*self.LUXO, "--budget", "40", "--log", whole)
        self.assertEqual(parts.read_text(), whole.read_text())

    def test_finds_the_moments_at_which_other_gaits_become_one(self):
        out_file = self.directory / "bound.json"
        source = SOURCE / "server/data/gaits/cat_bound.json"
        out = self.search("--entries-of", source, "--out", out_file)
        self.assertEqual(out.count("1 of 1 up"), 4, out)
        found, shipped = json.loads(out_file.read_text()), json.loads(source.read_text())
        self.assertEqual({entry["from"] for entry in found["entries"]}, {"cat_gallop", "cat_rack", "cat_trot", "cat_walk"})
        self.assertEqual(found["states"], shipped["states"])
        self.assertIn("no other gait", self.search(
            "--entries-of", SOURCE / "server/data/gaits/tripod_hop.json", "--out", out_file))

    def test_variations_are_found_again_from_their_file(self):
        source, found = SOURCE / "server/data/gaits/ant_tripod.json", self.directory / "found.json"
        self.search("--variations-of", source, "--out", found, "--count", "2", "--directions", "4", "--strides", "2",
                    "--starts", "1", "--seed", "9")
        gait = json.loads(found.read_text())
        del gait["origin"]  # else its own search runs, too
        variations = [variant for variant in gait["variants"] if variant["name"].startswith("variation-9-")]
        self.assertGreaterEqual(len(variations), 1)
        found.write_text(json.dumps(gait))
        out = self.search("--again", found)
        for variation in variations:
            number = variation["name"].split("-")[-1]
            self.assertIn(f"variant {variation['name']}: found again by direction {number}\n", out)
        variations[0]["states"][0]["duration_s"] += 0.01
        gait["symmetry"] = "NONE"
        found.write_text(json.dumps(gait))
        code, _, err = run("search", "gait", "--again", found, *DATA)
        self.assertEqual(code, 1)
        self.assertIn(f"now comes to another ant_tripod, variant {variations[0]['name']}", err)

    def test_an_option_that_would_change_nothing_is_refused(self):
        gait = SOURCE / "server/data/gaits/luxo_skip.json"
        for arguments, said in [
                (("--variant-of", gait, "--use", "FAST", "--chain", "3"),
                 "--chain would change nothing with --variant-of without --use LEAP; "
                 "it goes with --variant-of --use LEAP"),
                (("--variant-of", gait, "--hurdle", "0.1"), "--hurdle would change nothing"),
                (("--creature", "luxo", "--hurdle", "0.1"), "with --variant-of --use LEAP or --reaches-of"),
                (("--creature", "luxo", "--use", "LEAP"), "--use would change nothing with --creature; it goes with "
                 "--variant-of"),
                (("--creature", "luxo", "--weights", "1"), "--weights"),
                (("--begin", gait, "--states", "3"), "--states would change nothing with --begin; it goes with --creature"),
                (("--begin", gait, "--period", "1"), "--period"),
                (("--feedback-of", gait, "--reach", "1"), "--reach"),
                (("--try", gait, "--shove", "0.1"), "--shove"),
                (("--variations-of", gait, "--figure", "speed"), "it goes with --landscape-of"),
                (("--landscape-of", gait, "--count", "3"), "it goes with --variations-of"),
                (("--entries-of", gait, "--body", gait), "--body"),
                (("--again", gait, "--out", "x.json"), "--out would change nothing with --again"),
                (("--resume", gait, "--seed", "3"), "--seed would change nothing with --resume")]:
            with self.subTest(arguments=arguments):
                err = self.refusal_of("search", "gait", *arguments)
                self.assertIn(said, err)
                self.assertEqual(err.count("\n"), 1, err)

    def test_begins_at_a_gait(self):
        out = self.search("--begin", SOURCE / "server/data/gaits/luxo_hop.json", "--method", "cma-es",
                          "--sigma", "0.02", "--objective", "hop", "--budget", "20")
        self.assertRegex(out, r"best: candidate \d+, score 1\.\d+, a hop\n")

    def test_wrong_input_is_one_line_and_exit_code_1(self):
        for arguments, said in [
                ((), "one of --creature, --begin"),
                (("--creature", "unicorn"), '"unicorn" is not allowed'),
                (("--creature", "luxo", "--symmetry", "180"), "luxo has"),
                (("--creature", "cat", "--symmetry", "180", "--states", "3"), "an even number"),
                (("--creature", "cat", "--symmetry", "90"), "--symmetry"),
                (("--creature", "cat", "--objective", "flying"), "flying.json"),
                (("--creature", "cat", "--states", "0"), "--states"),
                (("--resume", GBWC), "gbwc.json"),
                (("--begin", GBWC), "gbwc.json"),
                (("--entries-of", GBWC), "gbwc.json"),
                (("--landscape-of", SOURCE / "server/data/gaits/luxo_hop.json", "--out", "x.csv", "--figure", "cleared"),
                 "which is of trials with a leap"),
                (("--again", GBWC), "gbwc.json")]:
            code, out, err = run("search", "gait", *arguments, *DATA)
            self.assertEqual((code, out), (1, ""), arguments)
            self.assertIn(said, err, arguments)
            self.assertLessEqual(err.count("\n"), 2, err)


if __name__ == "__main__":
    unittest.main()

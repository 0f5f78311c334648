"""`promenade report` and `promenade bench`: the rows asked for, in the JSON that is promised."""

import json
import os
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PROMENADE_BINARY"]
KEYS = {"id", "claim", "source", "asked", "got", "unit", "holds"}


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300,
                          check=False)


def rows_of(test, *arguments):
    done = run(*arguments, "--json")
    test.assertIn(done.returncode, (0, 1), done.stderr)
    rows = json.loads(done.stdout)["rows"]
    for row in rows:
        test.assertEqual(set(row), KEYS)
        test.assertIsInstance(row["holds"], bool)
    test.assertEqual(done.returncode, 0 if all(row["holds"] for row in rows) else 1)
    return {row["id"]: row for row in rows}


class Report(unittest.TestCase):
    def test_only_the_rows_asked_for(self):
        rows = rows_of(self, "report", "coros2010", "--full", "--quick", "--only", "wide-left*",
                       "--only", "step-time-0.6", "--seeds", "1")
        self.assertEqual(set(rows), {"wide-left--0.3", "wide-left-0.3", "step-time-0.6"})
        self.assertEqual(rows["wide-left-0.3"]["asked"], 0.3)
        self.assertEqual(rows["wide-left-0.3"]["unit"], "m/s")

    def test_the_same_seed_gives_the_same_figures(self):
        arguments = ("report", "coros2010", "--full", "--quick", "--only", "wide-forward-0.6",
                     "--seeds", "1")
        one, again = rows_of(self, *arguments), rows_of(self, *arguments, "--threads", "1")
        other = rows_of(self, *arguments, "--seed", "7")
        self.assertEqual(one, again)
        self.assertNotEqual(one["wide-forward-0.6"]["got"], other["wide-forward-0.6"]["got"])

    def test_of_the_walk_say_what_is_asked_and_of_how_many_trials(self):
        rows = rows_of(self, "report", "walk", "--quick", "--seeds", "2", "--only", "torque-walk", "--only", "into-wall",
                       "--only", "speed-back-0.5")
        self.assertEqual({name: row["asked"] for name, row in rows.items()},
                         {"torque-walk": 1, "into-wall": 95, "speed-back-0.5": 0.03})
        for name, trials in (("torque-walk", 20), ("into-wall", 20), ("speed-back-0.5", 2)):
            self.assertRegex(rows[name]["claim"], rf"\b{trials}\b")
        self.assertTrue(rows["torque-walk"]["holds"], rows["torque-walk"])
        other = rows_of(self, "report", "walk", "--quick", "--seeds", "2", "--seed", "7", "--only", "speed-back-0.5")
        self.assertNotEqual(rows["speed-back-0.5"]["got"], other["speed-back-0.5"]["got"])

    def test_of_the_pendulum_hold_and_write_their_curves(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = rows_of(self, "report", "kenwright2014", "--only", "leg-*", "--only", "pull-steps", "--curves", folder)
            self.assertEqual(set(rows), {"leg-steps", "leg-law", "leg-even", "leg-mass", "pull-steps"})
            for row in rows.values():
                self.assertTrue(row["holds"], row)
            with open(f"{folder}/pull-steps.csv", encoding="ascii") as file:
                points = [[float(value) for value in line.split(",")] for line in file.readlines()[1:]]
        light, heavy = ([step for mass, _, step, *_ in points if mass == kg] for kg in (50, 150))
        self.assertGreater(light[0], light[10] + 0.15, "100 N shorten the steps of the light one")
        self.assertLess(heavy[0], heavy[10] + 0.1, "and of the heavy one by less")

    def test_of_toys_ask_what_their_source_claims_and_what_goes_beyond(self):
        rows = rows_of(self, "report", "panne1996", "--quick", "--only", "named", "--only", "lasts-luxo_hop",
                       "--only", "shoved-cat_trot*", "--only", "transition-bound-*", "--only", "speed-of-cat",
                       "--only", "turning-of-monster", "--only", "way-points", "--only", "leap*", "--only", "hurdles",
                       "--only", "toys-a-core-luxo")
        self.assertEqual({name: row["asked"] for name, row in rows.items()},
                         {"named": rows["named"]["got"], "lasts-luxo_hop": 100,
                          "shoved-cat_trot": "measured", "shoved-cat_trot-feeling": 95,
                          "transition-bound-gallop": 95, "transition-bound-rack": 95,
                          "transition-bound-trot": 95, "transition-bound-walk": 95,
                          "speed-of-cat": 10, "turning-of-monster": rows["turning-of-monster"]["asked"],
                          "way-points": 100, "leap": 2, "leap-rise": 1, "leap-sizes": 5, "hurdles": 95,
                          "toys-a-core-luxo": 2000})
        self.assertTrue(rows["named"]["holds"], rows["named"])
        self.assertGreater(rows["named"]["got"], 8)
        for name in ("shoved-cat_trot", "transition-bound-trot"):
            self.assertRegex(rows[name]["claim"], r"\b3 starts\b")
        for row in rows.values():
            if row["got"] == "none":
                self.assertFalse(row["holds"], row)
        self.assertTrue(rows["leap"]["holds"], rows["leap"])
        self.assertGreater(rows["hurdles"]["got"], 80)
        self.assertGreater(rows["toys-a-core-luxo"]["got"], 10)

    def test_of_toys_say_that_rooms_and_searches_come_to_the_same(self):
        rows = rows_of(self, "report", "panne1996", "--quick", "--only", "same-bits-luxo_hop",
                       "--only", "same-bits-cat_trot", "--only", "resumed")
        self.assertEqual({name: row["asked"] for name, row in rows.items()},
                         {"same-bits-luxo_hop": 4, "same-bits-cat_trot": 4, "resumed": 6})
        for row in rows.values():
            self.assertTrue(row["holds"], row)
        hashes = {re.search(r"hash ([0-9a-f]{16})", rows[f"same-bits-{name}"]["claim"])[1]
                  for name in ("luxo_hop", "cat_trot")}
        self.assertEqual(len(hashes), 2, "of rooms that differ")

    def test_of_the_names_of_maps_shows_the_footfalls_that_are_in_doubt(self):
        done = run("report", "panne1996", "--quick", "--only", "map-cells-named")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertRegex(done.stdout, r"map-cells-named .* random cells of maps, \d+ cells in all")
        doubted = re.findall(r"^\w+, cell \d+: \w+; anew \w+; by stances \w+$", done.stdout, re.M)
        bars = re.findall(r"^  \w+ +[.#]{64}$", done.stdout, re.M)
        self.assertEqual(bool(doubted), bool(bars))

    def test_says_so_when_no_row_is_named(self):
        for command in (("report", "coros2010"), ("bench",)):
            done = run(*command, "--quick", "--only", "no-such-row")
            self.assertEqual(done.returncode, 1)
            self.assertIn("--only", done.stderr)
            self.assertEqual(done.stdout, "")


class Bench(unittest.TestCase):
    def test_memory_and_allocations(self):
        rows = rows_of(self, "bench", "--quick", "--only", "memory-character", "--only",
                       "allocations-tick")
        self.assertEqual(set(rows), {"memory-character", "allocations-tick"})
        self.assertGreater(rows["memory-character"]["got"], 5, "KB: a body is more than that")
        self.assertTrue(rows["memory-character"]["holds"], rows)
        self.assertTrue(rows["allocations-tick"]["holds"], rows)

    def test_bytes_are_asked_of_the_largest_frame(self):
        row = rows_of(self, "bench", "--quick", "--only", "bytes-*")["bytes-character-frame"]
        mean = float(re.search(r"mean ([\d.]+)", row["claim"]).group(1))
        self.assertGreaterEqual(row["got"], mean)
        self.assertTrue(row["holds"], row)

    def test_a_step_is_found_by_the_name_of_its_row(self):
        rows = rows_of(self, "bench", "--quick", "--only", "steps-240-hz")
        self.assertEqual(set(rows), {"steps-240-hz"})


if __name__ == "__main__":
    unittest.main()

"""People's stick figures, strips and the blind test of scripts/film-strip, without a server."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from repository import ROOT

sys.path.insert(0, str(ROOT / "scripts/lib"))

from strips.blind import judge  # noqa: E402
from strips.drawing import Page, Row  # noqa: E402
from strips.film import FilmError  # noqa: E402
from strips.people import People  # noqa: E402

SOLE = ("heel", "ball", "toe")


def height(figure, side):
    return min(figure.points[f"{side}_{part}"][2] for part in SOLE)


class PeopleFigures(unittest.TestCase):
    def setUp(self):
        self.people = People(ROOT / "server/data")

    def test_a_foot_that_stands_is_on_the_ground_and_none_is_below_it(self):
        for speed in (0.8, 1.2, 1.6):
            for figure in self.people.figures(speed, 50):
                self.assertAlmostEqual(min(height(figure, side) for side in figure.down), 0, places=9)
                for side in ("left", "right"):
                    self.assertGreater(height(figure, side), -0.005, f"{side} at {figure.percent} %")

    def test_half_a_cycle_later_left_and_right_have_changed(self):
        one, other = self.people.figure(1.2, 0.2), self.people.figure(1.2, 0.7)
        for part in ("hip", "knee", "ankle", *SOLE):
            for a, b in zip(one.points[f"left_{part}"][::2], other.points[f"right_{part}"][::2]):
                self.assertAlmostEqual(a, b, places=9)

    def test_steps_are_as_long_as_those_of_adults(self):
        for speed, length in ((0.8, 0.51), (1.2, 0.62), (1.6, 0.74)):
            at = self.people.figure(speed, 0).points
            self.assertAlmostEqual(at["right_ankle"][0] - at["left_ankle"][0], length, delta=0.06)


class Strips(unittest.TestCase):
    def test_the_same_figures_give_the_same_picture(self):
        def svg():
            page = Page()
            page.add(Row("People <1>", "side", People(ROOT / "server/data").figures(1.2, 8)))
            return page.svg()

        self.assertEqual(svg(), svg())
        self.assertIn("People &lt;1&gt;", svg())

    def test_the_judge_counts_what_is_wrong_and_names_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            strip = {"speed_mps": 1.2, "phase": 0}
            (folder / "key.json").write_text(json.dumps({"strips": {
                "strip-01": {"kind": "people", **strip}, "strip-02": {"kind": "simulation", **strip}}}))
            (folder / "answers.txt").write_text("strip-01 people\nstrip-02 people\n")
            self.assertIn("1 of 2 wrong", judge(folder))
            (folder / "answers.txt").write_text("strip-01 people\n")
            with self.assertRaisesRegex(FilmError, "strip-02"):
                judge(folder)


if __name__ == "__main__":
    unittest.main()

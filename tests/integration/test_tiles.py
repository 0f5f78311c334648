"""A person walks over a floor that is cut into blocks as over a plane: seams are not felt."""

import csv
import json
import math
import pathlib
import random
import shutil
import tempfile
import unittest

from harness import SOURCE, run


def cut(tile, chance, out):
    """Cuts a rectangle at random places until its parts are small: seams meet in T-junctions."""
    x0, y0, x1, y1 = tile
    if max(x1 - x0, y1 - y0) < chance.uniform(0.5, 1.3):
        out.append(tile)
        return
    share = chance.uniform(0.3, 0.7)
    if x1 - x0 >= y1 - y0:
        x = x0 + share * (x1 - x0)
        parts = (x0, y0, x, y1), (x, y0, x1, y1)
    else:
        y = y0 + share * (y1 - y0)
        parts = (x0, y0, x1, y), (x0, y, x1, y1)
    for part in parts:
        cut(part, chance, out)


def floor(seed, gap_m, turn_deg):
    """Blocks with their upper sides at level 0, in any order, turned about the vertical."""
    chance = random.Random(seed)
    tiles = []
    cut((-3, -4, 22, 4), chance, tiles)
    chance.shuffle(tiles)
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    blocks = []
    for x0, y0, x1, y1 in tiles:
        x, y, thick = (x0 + x1) / 2, (y0 + y1) / 2, chance.uniform(0.05, 0.2)
        if abs(s * x + c * y) < 2:
            blocks.append({"center_m": [c * x - s * y, s * x + c * y, -thick / 2],
                           "size_m": [x1 - x0 - gap_m, y1 - y0 - gap_m, thick], "yaw_deg": turn_deg})
    return blocks


class Tiles(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.data = self.directory / "data"
        shutil.copytree(SOURCE / "server/data", self.data)

    def steps(self, speed_mps, blocks):
        """Lengths of steps, m, once the walk is even."""
        scene = {"name": "floor", "title": "Floor", "description": "A person walks.", "hint": "None.", "seed": 1,
                 "get_up_delay_s": -1, "blocks": blocks, "no_plane": bool(blocks),
                 "characters": [{"body": "human", "style": "normal", "position_m": [0, 0], "heading_deg": 0,
                                 "speed_mps": speed_mps}]}
        (self.data / "scenes/floor.json").write_text(json.dumps(scene))
        rows = self.directory / "rows.csv"
        code, _, err = run("run", "floor", "--seconds", "15", "--csv", rows, "--data", self.data)
        self.assertEqual((code, err), (0, ""))
        lengths, last = [], None
        with rows.open() as file:
            for row in csv.DictReader(file):
                self.assertNotEqual(row["state"], "fallen")
                if row["steps"] != last and float(row["time_s"]) > 6:
                    lengths.append(float(row["step_length_m"]))
                last = row["steps"]
        self.assertGreater(len(lengths), 10)
        return lengths

    def test_steps_are_those_on_a_plane(self):
        for speed in (0.8, 1.1):
            plane = self.steps(speed, [])
            for seed, gap, turn in ((1, 0, 4), (2, 0.001, -3), (3, 0.0005, 2)):
                with self.subTest(speed=speed, seed=seed, gap=gap):
                    tiles = self.steps(speed, floor(seed, gap, turn))
                    self.assertGreater(min(tiles), min(plane) - 0.005)
                    self.assertLess(max(tiles), max(plane) + 0.005)


if __name__ == "__main__":
    unittest.main()

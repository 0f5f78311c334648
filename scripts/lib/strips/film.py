"""Simulated walks: where the joints are over some seconds, as `promenade report walk --film` writes it."""

import bisect
import csv
import statistics
import subprocess
from dataclasses import dataclass

TOUCH = 0.05  # body weights on a foot from which on it counts as on the ground
LEAST_SWING_S = 0.1  # a foot that lands has been in the air for this long: bounces are no steps


class FilmError(Exception):
    """A film that cannot be made or read; its text is for people."""


@dataclass
class Figure:
    """One picture of a strip."""

    points: dict  # name -> (forward, left, up), m; forward from the middle of the hips, up from the ground
    down: set  # sides whose foot is on the ground
    percent: float  # of the gait cycle, which the right foot's strike begins


def make_films(binary, directory, body="human", styles=(), speeds=(), controller=None):
    """Writes STYLE-SPEED.csv to `directory`. Without styles all; without speeds three around each style's own."""
    command = [binary, "report", "walk", "--film", directory, "--film-body", body]
    if controller:
        command += ["--film-controller", controller]
    for style in styles:
        command += ["--only", style]
    for speed in speeds:
        command += ["--film-speed", f"{speed:.2f}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise FilmError(done.stderr.strip())


class Film:
    """A walk that was written down."""

    def __init__(self, path):
        self.style, _, speed = path.stem.rpartition("-")
        self.speed = float(speed)
        with open(path, newline="") as file:
            self._rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        self._times = [row["time_s"] for row in self._rows]
        self.strikes = self._find_strikes("right")
        if len(self.strikes) < 3:
            raise FilmError(f"{path.name}: fewer than two whole gait cycles; did the walker fall?")

    def _find_strikes(self, side):
        """Times at which a foot lands."""
        strikes, lifted = [], None
        for row in self._rows:
            if row[f"{side}_load"] <= TOUCH:
                lifted = row["time_s"] if lifted is None else lifted
                continue
            if lifted is not None and row["time_s"] - lifted >= LEAST_SWING_S:
                strikes.append(row["time_s"])
            lifted = None
        return strikes

    def _row_at(self, time):
        """All columns at a time, linearly between the rows."""
        after = min(max(1, bisect.bisect(self._times, time)), len(self._rows) - 1)
        low, high = self._rows[after - 1], self._rows[after]
        share = (time - low["time_s"]) / (high["time_s"] - low["time_s"])
        return {key: value + share * (high[key] - value) for key, value in low.items()}

    def figures(self, count, cycles=2, phase=0.0):
        """`count` figures evenly over whole gait cycles.
        @param phase  of the cycle at which they begin, 0 to 1; needs one more cycle if it is not 0
        """
        start, end = self.strikes[0], self.strikes[cycles]
        way = [row for row in self._rows if start <= row["time_s"] <= end]
        # The camera follows straight on, so that sway to the sides is seen.
        drift = statistics.linear_regression([row["time_s"] for row in way],
                                             [(row["left_hip_y"] + row["right_hip_y"]) / 2 for row in way])
        figures = []
        for i in range(count):
            place = phase + i * cycles / count
            cycle = min(int(place), len(self.strikes) - 2)
            begin, end = self.strikes[cycle], self.strikes[cycle + 1]
            row = self._row_at(begin + (place - cycle) * (end - begin))
            x = (row["left_hip_x"] + row["right_hip_x"]) / 2
            y = drift.intercept + drift.slope * row["time_s"]
            names = [key[:-2] for key in row if key.endswith("_z")]
            figures.append(Figure(
                {name: (row[f"{name}_x"] - x, row[f"{name}_y"] - y, row[f"{name}_z"]) for name in names},
                {side for side in ("left", "right") if row[f"{side}_load"] > TOUCH},
                100 * (place % 1)))
        return figures

    @property
    def cadence(self):
        """Steps a minute, of the two cycles that are drawn."""
        return 240 / (self.strikes[2] - self.strikes[0])

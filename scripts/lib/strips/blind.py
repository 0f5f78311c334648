"""A blind test: strips of people and of the simulation, shuffled and without labels, for somebody to tell apart."""

import json
import random
import tempfile
from pathlib import Path

from strips.drawing import Page, PngWriter, Row
from strips.film import Figure, Film, FilmError, make_films

FIGURES, SCALE = 10, 130  # of a strip, over one gait cycle; px a metre
SPEEDS = (0.8, 1.6)  # m/s
KINDS = ("people", "simulation")
# The figures that were measured of people: the rest would tell at once which strip is of people.
SHOWN = ["hip", "knee", "ankle", "heel", "ball", "toe"]


def shown(figure):
    """The legs and the line between the hips."""
    names = [f"{side}_{part}" for side in ("left", "right") for part in SHOWN]
    points = {name: figure.points[name] for name in names}
    points["waist"] = tuple((a + b) / 2 for a, b in zip(points["left_hip"], points["right_hip"]))
    return Figure(points, set(), 0)


def write_strip(figures, png, path):
    page = Page(SCALE)
    page.add(Row("", "side", [shown(figure) for figure in figures], marks=False))
    png.write(page.svg(), path)


def write_blind_test(directory, count, seed, binary, people):
    """Writes strip-NN.png, half of each kind, and key.json, which says what each shows."""
    png, chance = PngWriter(), random.Random(seed)
    speeds = [round(chance.uniform(*SPEEDS), 2) for _ in range(count)]
    kinds = [KINDS[i % 2] for i in range(count)]
    chance.shuffle(kinds)
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("strip-*.png"):
        old.unlink()
    key = {"seed": seed, "strips": {}}
    with tempfile.TemporaryDirectory() as folder:
        make_films(binary, folder, styles=["normal"],
                   speeds=sorted({speed for speed, kind in zip(speeds, kinds) if kind == "simulation"}))
        for i, (speed, kind) in enumerate(zip(speeds, kinds), 1):
            phase = chance.random()
            if kind == "people":
                figures = people.figures(speed, FIGURES, cycles=1, phase=phase)
            else:
                film = Film(Path(folder) / f"normal-{speed:.2f}.csv")
                figures = film.figures(FIGURES, cycles=1, phase=phase)
            write_strip(figures, png, directory / f"strip-{i:02d}.png")
            key["strips"][f"strip-{i:02d}"] = {"kind": kind, "speed_mps": speed, "phase": round(phase, 3)}
    (directory / "key.json").write_text(json.dumps(key, indent=1) + "\n")


def judge(directory):
    """Compares answers.txt, lines such as "strip-01 people", with the key. @return what came of it, for people"""
    key = json.loads((directory / "key.json").read_text())["strips"]
    answers = {}
    for line in (directory / "answers.txt").read_text().splitlines():
        words = line.split()
        if not words:
            continue
        if len(words) != 2 or words[0] not in key or words[1] not in KINDS:
            raise FilmError(f'answers.txt: "{line}"; allowed: strip-NN, then people or simulation')
        answers[words[0]] = words[1]
    missing = sorted(set(key) - set(answers))
    if missing:
        raise FilmError(f"answers.txt: nothing about {', '.join(missing)}")
    wrong = [name for name in sorted(key) if answers[name] != key[name]["kind"]]
    lines = [f"{len(wrong)} of {len(key)} wrong; guessing gets half wrong"]
    lines += [f"{name} is {key[name]['kind']} at {key[name]['speed_mps']} m/s" for name in wrong]
    return "\n".join(lines)

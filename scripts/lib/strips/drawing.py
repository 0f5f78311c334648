"""Strips of stick figures as SVG, and SVG as PNG."""

import html
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

COLUMN_M = 0.95  # between figures
MARGIN_M = 0.16  # over the highest head
COLORS = {"left": "#2563ab", "right": "#c0392b", "trunk": "#333"}
TITLE_PX, LABEL_PX = 18, 16
HEAD_M = 0.1  # radius


@dataclass
class View:
    """Where the camera is: across the picture, and towards the camera, as (forward, left)."""

    across: tuple
    near: tuple


# From the side: from the walker's right, so that it walks to the right of the picture.
VIEWS = {"side": View((1, 0), (0, -1)), "front": View((0, 1), (1, 0)), "behind": View((0, -1), (-1, 0))}


@dataclass
class Row:
    """Figures beside each other, seen from one of VIEWS."""

    title: str
    view: str
    figures: list
    marks: bool = True  # draws a foot on the ground thicker


@dataclass
class Stroke:
    """Lines of one colour and width that are drawn together."""

    color: str
    width: float
    lines: list  # each a list of names of points


def strokes_of(figure, marks):
    """Strokes of those limbs that the figure has the points of."""
    found = []
    for side in ("left", "right"):
        bold = marks and side in figure.down
        leg = [[f"{side}_{part}" for part in ("hip", "knee", "ankle")]]
        foot = [[f"{side}_{part}" for part in ("ankle", "heel", "ball", "ankle")], [f"{side}_ball", f"{side}_toe"]]
        arm = [[f"{side}_{part}" for part in ("shoulder", "elbow", "hand")]]
        found += [Stroke(COLORS[side], 3.2 if bold else 2, leg), Stroke(COLORS[side], 2.4 if bold else 1.4, foot),
                  Stroke(COLORS[side], 1.6, arm)]
    found.append(Stroke(COLORS["trunk"], 2, [["left_hip", "waist", "right_hip", "left_hip"],
                                             ["left_shoulder", "neck", "right_shoulder"]]))
    found.append(Stroke(COLORS["trunk"], 4, [["waist", "chest", "neck"]]))
    for stroke in found:
        stroke.lines = [line for line in stroke.lines if all(name in figure.points for name in line)]
    return [stroke for stroke in found if stroke.lines]


class Page:
    """An SVG with strips below each other, whose columns are the same moments of the gait cycle."""

    def __init__(self, scale=70):
        self._scale = scale  # px a metre
        self._parts, self._height, self._width = [], 0.0, 0.0

    def _place(self, figure, view, left_px, ground_px):
        """Name -> (x, y) in pixels."""
        (ax, ay) = VIEWS[view].across
        return {name: (left_px + self._scale * (ax * x + ay * y), ground_px - self._scale * z)
                for name, (x, y, z) in figure.points.items()}

    def _draw(self, figure, row, left_px, ground_px):
        at = self._place(figure, row.view, left_px, ground_px)
        (nx, ny) = VIEWS[row.view].near

        def nearness(stroke):
            names = [name for line in stroke.lines for name in line]
            return sum(nx * figure.points[n][0] + ny * figure.points[n][1] for n in names) / len(names)

        parts = []
        for stroke in sorted(strokes_of(figure, row.marks), key=nearness):
            path = "".join("M" + "L".join(f"{at[n][0]:.1f} {at[n][1]:.1f}" for n in line) for line in stroke.lines)
            parts.append(f'<path stroke="{stroke.color}" stroke-width="{stroke.width * self._scale / 70:.1f}" d="{path}"/>')
        if "crown" in at:
            x, y = ((at["crown"][k] + at["neck"][k]) / 2 for k in (0, 1))
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{HEAD_M * self._scale:.1f}" fill="#eee" '
                         f'stroke="{COLORS["trunk"]}" stroke-width="1.6"/>')
        return parts

    def add(self, row):
        """Adds a strip below those that are there."""
        highest = max(z for figure in row.figures for _, _, z in figure.points.values())
        ground = self._height + (highest + MARGIN_M) * self._scale + (TITLE_PX if row.title else 0)
        column = COLUMN_M * self._scale
        self._width = max(self._width, column * len(row.figures))
        if row.title:
            self._parts.append(f'<text x="6" y="{self._height + 14:.0f}">{html.escape(row.title)}</text>')
        self._parts.append(f'<path stroke="#999" d="M0 {ground:.1f}h{column * len(row.figures):.0f}"/>')
        for i, figure in enumerate(row.figures):
            self._parts += self._draw(figure, row, (i + 0.5) * column, ground)
        self._height = ground + 8

    def add_percentages(self, figures):
        """Labels the columns with their places in the gait cycle."""
        for i, figure in enumerate(figures):
            self._parts.append(f'<text x="{(i + 0.5) * COLUMN_M * self._scale:.0f}" y="{self._height + 9:.0f}" fill="#555" '
                               f'text-anchor="middle" font-size="11">{figure.percent:.0f} %</text>')
        self._height += LABEL_PX

    def svg(self):
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self._width:.0f}" height="{self._height:.0f}" '
            'font-family="sans-serif" font-size="13" stroke-linecap="round" stroke-linejoin="round">',
            '<rect width="100%" height="100%" fill="#fff"/>',
            '<g fill="none">', *[part for part in self._parts if part.startswith(("<path", "<circle"))], "</g>",
            *[part for part in self._parts if part.startswith("<text")], "</svg>", ""])


class PngWriter:
    """Turns SVG into PNG with Chromium, which draws it."""

    def __init__(self):
        self._chromium = shutil.which("chromium")
        if not self._chromium:
            raise FileNotFoundError("pictures as PNG need chromium, and there is none on the path")

    def write(self, svg, path):
        size = re.search(r'width="(\d+)" height="(\d+)"', svg)
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "strip.svg"
            page.write_text(svg)
            done = subprocess.run(
                [self._chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 f"--window-size={size[1]},{size[2]}", f"--screenshot={path}", page.as_uri()],
                check=False, capture_output=True, timeout=120)
        if done.returncode != 0 or not path.exists():
            raise FileNotFoundError(f"chromium did not draw {path}")

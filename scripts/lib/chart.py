"""Line charts as SVG."""

import html
import math

COLORS = ("#2563ab", "#c0392b", "#2c8a4b", "#8a5a00", "#6b4ca8")
WIDTH, HEIGHT = 430, 250  # px, of a chart
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 28, 44  # px, around its axes


def ticks(low, high, most=6):
    """Round numbers from low to high, at most that many."""
    span = high - low or 1
    step = 10 ** math.floor(math.log10(span / most))
    step *= next(k for k in (1, 2, 5, 10, 20) if span / (step * k) <= most)
    first = math.ceil(low / step - 1e-9)
    return [(first + i) * step for i in range(int((high - first * step) / step + 1e-9) + 1)]


class Chart:
    """One pair of axes with lines."""

    def __init__(self, title, across, up):
        self.title, self.across, self.up = title, across, up
        self.lines = []  # name, points, dashed

    def add(self, name, points, dashed=False):
        self.lines.append((name, list(points), dashed))

    def _range(self, index):
        values = [point[index] for _, points, _ in self.lines for point in points]
        low, high = min(values), max(values)
        margin = 0.05 * (high - low or 1)
        return (low, high) if index == 0 else (low - margin, high + margin)

    def _free_corner(self, x0, x1, y0, y1):
        """The corner with the fewest points, for the names of the lines: (at the right, below)."""
        def crowd(right, low):
            return sum(((x - x0) / (x1 - x0) > 0.65 if right else (x - x0) / (x1 - x0) < 0.35) and
                       ((y - y0) / (y1 - y0) < 0.3 if low else (y - y0) / (y1 - y0) > 0.7)
                       for _, points, _ in self.lines for x, y in points)

        return min(((right, low) for low in (False, True) for right in (True, False)), key=lambda at: crowd(*at))

    def svg(self, left, top):
        """Its elements, with its corner at (left, top)."""
        (x0, x1), (y0, y1) = self._range(0), self._range(1)
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

        def at(x, y):
            return (left + LEFT + wide * (x - x0) / (x1 - x0 or 1), top + TOP + high * (y1 - y) / (y1 - y0 or 1))

        out = [f'<text x="{left + LEFT}" y="{top + 17}" font-weight="bold">{html.escape(self.title)}</text>']
        for x in ticks(x0, x1):
            px, py = at(x, y0)
            out.append(f'<path stroke="#ddd" d="M{px:.1f} {py:.1f}V{top + TOP}"/>')
            out.append(f'<text x="{px:.1f}" y="{py + 14:.1f}" text-anchor="middle">{x:g}</text>')
        for y in ticks(y0, y1):
            px, py = at(x0, y)
            out.append(f'<path stroke="#ddd" d="M{px:.1f} {py:.1f}h{wide}"/>')
            out.append(f'<text x="{px - 5:.1f}" y="{py + 4:.1f}" text-anchor="end">{y:g}</text>')
        out.append(f'<text x="{left + LEFT + wide / 2:.0f}" y="{top + HEIGHT - 12}" text-anchor="middle">'
                   f"{html.escape(self.across)}</text>")
        middle = top + TOP + high / 2
        out.append(f'<text transform="translate({left + 13} {middle:.0f}) rotate(-90)" text-anchor="middle">'
                   f"{html.escape(self.up)}</text>")
        right, low = self._free_corner(x0, x1, y0, y1)
        for i, (name, points, dashed) in enumerate(self.lines):
            color = COLORS[i % len(COLORS)]
            path = "L".join("{:.1f} {:.1f}".format(*at(x, y)) for x, y in points)
            dash = ' stroke-dasharray="5 4"' if dashed else ""
            out.append(f'<path fill="none" stroke="{color}" stroke-width="1.6"{dash} d="M{path}"/>')
            if name:
                px = left + (WIDTH - RIGHT - 4 if right else LEFT + 6)
                py = top + (HEIGHT - BOTTOM - 6 - 14 * (len(self.lines) - 1 - i) if low else TOP + 14 + 14 * i)
                out.append(f'<text x="{px}" y="{py}" text-anchor="{"end" if right else "start"}" '
                           f'fill="{color}">{html.escape(name)}</text>')
        return out


def page(charts, columns=2):
    """The SVG of charts beside and below each other."""
    rows = math.ceil(len(charts) / columns)
    wide, high = WIDTH * min(columns, len(charts)), HEIGHT * rows
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="sans-serif" '
           'font-size="11" fill="#333">', '<rect width="100%" height="100%" fill="#fff"/>']
    for i, chart in enumerate(charts):
        out += chart.svg(WIDTH * (i % columns), HEIGHT * (i // columns))
    return "\n".join([*out, "</svg>", ""])

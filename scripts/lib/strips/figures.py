"""Numbers beside the pictures: what can be read off the stick figures of one gait cycle, of the right leg."""

import math

COUNT = 100  # moments of the cycle
MID_STANCE = 0.3  # of the cycle
# Column -> what it is.
COLUMNS = {
    "steps/min": "steps a minute",
    "step m": "between the ankles along the way, at the strike",
    "lift %": "of the cycle, when the foot leaves the ground",
    "thigh": "greatest angle forward and backward of the vertical, deg",
    "knee": "bend at the strike, in mid-stance, greatest in swing, deg",
    "foot": "toes up at the strike, steepest toes down, deg",
    "heel cm": "above the ground in mid-stance",
    "turn": "of the pelvis about the vertical, whole range, deg",
    "lean": "of the trunk, forward, mean and half its range, deg",
    "feet cm": "between the ankles across the way, mean",
    "knees cm": "between the knees across the way, mean",
    "sway cm": "of the neck to the sides, whole range",
    "head m": "height of the crown, mean",
}


def forward_of_down(upper, lower):
    """Angle of a limb in the plane of the way, deg."""
    return math.degrees(math.atan2(lower[0] - upper[0], upper[2] - lower[2]))


def of_the_leg(figures):
    at = {name: [figure.points[f"right_{name}"] for figure in figures]
          for name in ("hip", "knee", "ankle", "heel", "ball")}
    thigh = [forward_of_down(a, b) for a, b in zip(at["hip"], at["knee"])]
    knee = [angle - forward_of_down(a, b) for angle, a, b in zip(thigh, at["knee"], at["ankle"])]
    foot = [math.degrees(math.atan2(b[2] - a[2], b[0] - a[0])) for a, b in zip(at["heel"], at["ball"])]
    middle = int(MID_STANCE * len(figures))
    lift = next((i for i in range(middle, len(figures)) if "right" not in figures[i].down), len(figures))
    left_hip = [figure.points["left_hip"] for figure in figures]
    turn = [math.degrees(math.atan2(r[0] - l[0], l[1] - r[1])) for r, l in zip(at["hip"], left_hip)]
    return {
        "step m": f"{at['ankle'][0][0] - figures[0].points['left_ankle'][0]:.2f}",
        "lift %": f"{100 * lift / len(figures):.0f}",
        "thigh": f"{round(max(thigh))}, {round(-min(thigh))}",
        "knee": f"{knee[0]:.0f}, {knee[middle]:.0f}, {max(knee[lift:], default=0):.0f}",
        "foot": f"{round(foot[0])}, {round(-min(foot))}",
        "heel cm": f"{100 * at['heel'][middle][2]:.1f}",
        "turn": f"{max(turn) - min(turn):.0f}",
    }


def of_the_body(figures):
    """What people's stick figures do not have."""
    lean = [math.degrees(math.atan2(p["neck"][0] - p["waist"][0], p["neck"][2] - p["waist"][2]))
            for p in (figure.points for figure in figures)]
    neck = [figure.points["neck"][1] for figure in figures]

    def apart(part):
        return sum(f.points[f"left_{part}"][1] - f.points[f"right_{part}"][1] for f in figures) / len(figures)

    return {
        "lean": f"{sum(lean) / len(lean):.0f} ± {(max(lean) - min(lean)) / 2:.1f}",
        "feet cm": f"{100 * apart('ankle'):.0f}",
        "knees cm": f"{100 * apart('knee'):.0f}",
        "sway cm": f"{100 * (max(neck) - min(neck)):.0f}",
        "head m": f"{sum(figure.points['crown'][2] for figure in figures) / len(figures):.2f}",
    }


def row_of(name, figures, steps_a_minute):
    row = {"": name, "steps/min": f"{steps_a_minute:.0f}", **of_the_leg(figures)}
    return {**row, **of_the_body(figures)} if "neck" in figures[0].points else row


def table(rows):
    """Text with a column for each of COLUMNS, and what they are."""
    heads = ["", *COLUMNS]
    cells = [heads] + [[row.get(head, "") for head in heads] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(heads))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells]
    return "\n".join([*lines, "", *(f"{head}: {what}" for head, what in COLUMNS.items())])

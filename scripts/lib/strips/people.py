"""People's walk as stick figures, from mean curves over the gait cycle (server/data/reference/walk.json).

Measured are list and rotation of the pelvis, the thigh against the vertical, knee and ankle; from these the legs follow
by forward kinematics, with the lengths of the project's human. Not measured, and assumed here: the pelvis does not tilt,
the legs are in planes straight ahead, and the toes lie level while the foot is on the ground. Trunk and arms were not
measured, so there are none. The pelvis is so high that the lowest point of a foot that stands is on the ground.
"""

import json
import math

from strips.film import Figure

GRAVITY = 9.81
POINTS = 51  # of a curve, over 0 to 100 % of the cycle
TOE_LIMIT_RAD = 0.9  # of the human's toe joint
TOES_STRAIGHTEN = 0.1  # of the cycle after the foot lifts, in which the toes do


class Legs:
    """Lengths of a body's pelvis, leg and foot, m, from its creature's file."""

    def __init__(self, creature):
        joint = {joint["name"]: joint for joint in creature["joints"]}
        box = {link["name"]: link["shapes"][0]["box"] for link in creature["links"]
               if "box" in link["shapes"][0]}

        def down(upper, lower):
            return joint[upper]["at_child_m"][2] - joint[lower]["at_parent_m"][2]

        self.half_width = joint["left_hip"]["at_parent_m"][1]
        waist, hip = joint["lower_back"]["at_parent_m"], joint["left_hip"]["at_parent_m"]
        self.waist = (waist[0] - hip[0], waist[2] - hip[2])  # forward and up from the middle of the hips
        self.thigh, self.shank = down("left_hip", "left_knee"), down("left_knee", "left_ankle")
        # In the plane of the foot: forward and up from the ankle.
        ankle, toe = joint["left_ankle"]["at_child_m"], joint["left_toe"]
        foot, toes = box["left_foot"], box["left_toes"]
        sole = foot["center_m"][2] - foot["half_m"][2] - ankle[2]
        middle = foot["center_m"][0] - ankle[0]
        self.heel = (middle - foot["half_m"][0], sole)
        self.ball = (middle + foot["half_m"][0], sole)
        self.toe_joint = (toe["at_parent_m"][0] - ankle[0], toe["at_parent_m"][2] - ankle[2])
        # Forward and up from the toe joint.
        self.toe = (toes["center_m"][0] + toes["half_m"][0] - toe["at_child_m"][0],
                    toes["center_m"][2] - toes["half_m"][2] - toe["at_child_m"][2])

    @property
    def leg(self):
        return self.thigh + self.shank


def turned(vector, angle):
    """A vector (forward, up) turned by an angle, rad, that lifts what is in front."""
    x, z = vector
    return x * math.cos(angle) - z * math.sin(angle), x * math.sin(angle) + z * math.cos(angle)


def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


class People:
    """Mean curves of people, and figures that follow them."""

    def __init__(self, data):
        self._speeds = json.loads((data / "reference/walk.json").read_text())["speeds"]
        for speed in self._speeds:
            speed["mean"] = {curve["name"]: curve["mean"] for curve in speed["curves"]}
        self._legs = Legs(json.loads((data / "creatures/human.json").read_text()))

    def _between(self, speed):
        """The measured speeds around one in m/s, and the share of the second: as GaitReference::band does it."""
        froude = speed / math.sqrt(GRAVITY * self._legs.leg)
        above = next((i for i, s in enumerate(self._speeds) if s["froude_speed"] >= froude), len(self._speeds) - 1)
        low, high = self._speeds[max(0, above - 1)], self._speeds[above]
        gap = high["froude_speed"] - low["froude_speed"]
        return low, high, min(max((froude - low["froude_speed"]) / gap, 0), 1) if gap > 0 else 1

    def signal(self, name, speed, phase):
        """deg, of the leg whose strike is at phase 0."""
        low, high, share = self._between(speed)
        place = (phase % 1) * (POINTS - 1)
        i, rest = int(place), place % 1

        def at(curve):
            return curve[i] + rest * (curve[i + 1] - curve[i])

        a, b = at(low["mean"][name]), at(high["mean"][name])
        return a + share * (b - a)

    def foot_off(self, speed):
        """Phase at which the foot lifts."""
        low, high, share = self._between(speed)
        return low["foot_off"] + share * (high["foot_off"] - low["foot_off"])

    @staticmethod
    def cadence(speed):
        """Steps a minute of an adult: the law of GaitReference::cadence."""
        return 107 * speed**0.43

    def _leg(self, speed, phase):
        """Points of a leg, forward and up from its hip."""
        legs, off = self._legs, self.foot_off(speed)
        phase %= 1
        hip, knee, ankle = (math.radians(self.signal(name, speed, phase)) for name in ("hip", "knee", "ankle"))
        at = {"hip": (0, 0), "knee": turned((0, -legs.thigh), hip)}
        at["ankle"] = plus(at["knee"], turned((0, -legs.shank), hip - knee))
        pitch = hip - knee + ankle  # toes up
        bent = min(max(-pitch, 0), TOE_LIMIT_RAD) * min(max(1 - (phase - off) / TOES_STRAIGHTEN, 0), 1)
        joint = plus(at["ankle"], turned(legs.toe_joint, pitch))
        at["heel"] = plus(at["ankle"], turned(legs.heel, pitch))
        at["ball"] = plus(at["ankle"], turned(legs.ball, pitch))
        at["toe"] = plus(joint, turned(legs.toe, pitch + bent))
        return at

    def figure(self, speed, phase):
        """Points as those of a film, for the side view: hips, waist and legs."""
        # Of both legs' curves, so that left and right are alike.
        right_up, right_ahead = (
            math.radians((self.signal(name, speed, phase) - self.signal(name, speed, phase + 0.5)) / 2)
            for name in ("pelvis_list", "pelvis_rotation"))
        points, standing, down = {}, [], set()
        for side, sign, leg_phase in (("right", 1, phase), ("left", -1, phase + 0.5)):
            half = self._legs.half_width
            hip = (sign * half * math.sin(right_ahead), sign * half * math.sin(right_up))
            for name, offset in self._leg(speed, leg_phase).items():
                x, z = plus(hip, offset)
                points[f"{side}_{name}"] = (x, -sign * half, z)
            if leg_phase % 1 < self.foot_off(speed):
                down.add(side)
                standing += [points[f"{side}_{part}"][2] for part in ("heel", "ball", "toe")]
        points["waist"] = (self._legs.waist[0], 0, self._legs.waist[1])
        ground = min(standing)
        return Figure({name: (x, y, z - ground) for name, (x, y, z) in points.items()}, down, 100 * (phase % 1))

    def figures(self, speed, count, cycles=2, phase=0.0):
        """`count` figures evenly over whole gait cycles."""
        return [self.figure(speed, phase + i * cycles / count) for i in range(count)]

// One moment of a walk as gait laboratories see it: joint angles, the load on each foot, and the joints' power by
// inverse dynamics. Angles are defined as in server/study/trial/walk/gait_cycle.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { forward_kinematics, kPoseSize } from '../figure/kinematics';
import { type Leg, legs_of } from '../figure/legs';
import { at, type Numbers, rotate, type Vec3 } from '../values/quaternion';
import type { Skeleton } from '../figure/skeleton';
import { kGravity_mps2 } from '../values/gravity';

export const kSignals = [
  'hip', // deg, thigh forward of the vertical
  'knee', // deg, bent
  'ankle', // deg, toes up against the shank
  'vertical_force', // body weights, on that foot
  'hip_power', // W/kg of the body, in the plane of the heading; generated is positive
  'knee_power',
  'ankle_power',
] as const;
export type Signal = (typeof kSignals)[number];

export interface GaitSample {
  readonly time_s: number;
  readonly com: Vec3; // m, world frame
  readonly asked: number; // m/s, the speed that is asked for
  readonly heading: number; // rad, the heading that is asked for
  readonly straight: boolean; // walks, in the direction that is asked for
  readonly apart: number; // m, left ankle ahead of the right one along the heading
  readonly values: readonly [Readonly<Record<Signal, number>>, Readonly<Record<Signal, number>>]; // left, right
}

/** The values that a frame and the details of its tick tell of a character. */
interface Moment {
  readonly time_s: number;
  readonly details: CharacterDetails;
  readonly poses: Float64Array; // [kPoseSize links]
  readonly pitch: Float64Array; // [links] rad, about the left
  readonly angles: readonly [LegAngles, LegAngles];
}

interface LegAngles {
  readonly hip: number; // deg
  readonly knee: number;
  readonly ankle: number;
}

const kDeg = 180 / Math.PI;
const kAside_rad = 0.35; // further off the way that is asked for, it turns
const kMiddle = 2; // of the moments that a sample is made from
const kMostSpan_s = 0.25; // of these moments: over a longer time joints do more than a parabola tells

/**
 * Weights of values at these times in the first and second derivative, at time 0, of the parabola that fits them best.
 * Positions come in whole millimetres: differences of neighbours would make noise of them.
 */
export function parabola_weights(times: readonly number[]): {
  readonly first: readonly number[];
  readonly second: readonly number[];
} {
  const sum = (power: number) => times.reduce((total, t) => total + t ** power, 0);
  const [s0, s1, s2, s3, s4] = [times.length, sum(1), sum(2), sum(3), sum(4)];
  // The inverse of the normal equations [s0 s1 s2; s1 s2 s3; s2 s3 s4], by cofactors.
  const [c00, c01, c02] = [s2 * s4 - s3 * s3, s2 * s3 - s1 * s4, s1 * s3 - s2 * s2];
  const [c11, c12, c22] = [s0 * s4 - s2 * s2, s1 * s2 - s0 * s3, s0 * s2 - s1 * s1];
  const determinant = s0 * c00 + s1 * c01 + s2 * c02;
  return {
    first: times.map((t) => (c01 + c11 * t + c12 * t * t) / determinant),
    second: times.map((t) => (2 * (c02 + c12 * t + c22 * t * t)) / determinant),
  };
}

const down = new Float64Array(3);
const offset = new Float64Array(3);

/** Angle of a link's downward axis in the plane of a heading, forward of straight down, rad. */
function forward_of_down(poses: Numbers, link: number, heading: number): number {
  rotate(poses, link * kPoseSize + 3, 0, 0, -1, down, 0);
  const ahead = at(down, 0) * Math.cos(heading) + at(down, 1) * Math.sin(heading);
  return Math.atan2(ahead, -at(down, 2));
}

/** Follows one character. Each sample comes two moments late: acceleration needs the moments around it. */
export class GaitSampler {
  private readonly legs_: readonly [Leg, Leg];
  private readonly moments_: Moment[] = [];
  private readonly weight_: number; // N

  /** @param skeleton of a body that walks on two legs */
  constructor(private readonly skeleton_: Skeleton) {
    const legs = legs_of(skeleton_);
    if (!legs) throw new Error(`${skeleton_.name} does not walk on two legs.`);
    this.legs_ = legs;
    this.weight_ = kGravity_mps2 * skeleton_.mass;
  }

  /**
   * @param root pose of the root, from root[r], and joints' coordinates from coordinates[c], as in a frame
   * @param details of the same tick
   * @return the sample of two moments before
   */
  push(
    time_s: number,
    root: Numbers,
    r: number,
    coordinates: Numbers,
    c: number,
    details: CharacterDetails,
  ): GaitSample | undefined {
    const { links } = this.skeleton_;
    const poses = new Float64Array(kPoseSize * links.length);
    forward_kinematics(this.skeleton_, root, r, coordinates, c, poses, 0);
    this.correct(poses, details.comM);
    const heading = details.desiredHeadingRad;
    const angles = ({ thigh, shank, foot }: Leg): LegAngles => ({
      hip: kDeg * forward_of_down(poses, thigh, heading),
      knee: kDeg * at(coordinates, c + (links[shank]?.coordinate ?? 0)),
      ankle: -kDeg * this.ankle_pitch(coordinates, c, foot),
    });
    this.moments_.push({
      time_s,
      details,
      poses,
      pitch: Float64Array.from(links, (_, i) => -forward_of_down(poses, i, heading)),
      angles: [angles(this.legs_[0]), angles(this.legs_[1])],
    });
    if (this.moments_.length <= 2 * kMiddle) return undefined;
    if (this.moments_.length > 2 * kMiddle + 1) this.moments_.shift();
    return this.sample(this.moments_[kMiddle] as Moment);
  }

  private ankle_pitch(coordinates: Numbers, c: number, foot: number): number {
    const link = this.skeleton_.links[foot];
    if (!link) return 0;
    return at(coordinates, c + link.coordinate + (link.joint.kind === 'ball' ? 1 : 0));
  }

  /** Shifts the links to where the centre of mass is, which comes more exactly than the root's place. */
  private correct(poses: Float64Array, com: readonly number[]): void {
    const { links, mass } = this.skeleton_;
    for (let k = 0; k < 3; ++k) {
      const here = links.reduce(
        (sum, link, i) => sum + link.mass * at(poses, i * kPoseSize + k),
        0,
      );
      const shift = (com[k] ?? here / mass) - here / mass;
      for (let i = 0; i < links.length; ++i)
        poses[i * kPoseSize + k] = at(poses, i * kPoseSize + k) + shift;
    }
  }

  private joint(poses: Numbers, link: number): Vec3 {
    const p = link * kPoseSize;
    rotate(poses, p + 3, ...(this.skeleton_.links[link]?.at_child ?? [0, 0, 0]), offset, 0);
    return [
      at(poses, p) + at(offset, 0),
      at(poses, p + 1) + at(offset, 1),
      at(poses, p + 2) + at(offset, 2),
    ];
  }

  private sample(moment: Moment): GaitSample {
    const { details, poses } = moment;
    const heading = details.desiredHeadingRad;
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    const [left, right] = this.legs_.map(({ foot }) => this.joint(poses, foot)) as [Vec3, Vec3];
    const [x = 0, y = 0, z = 0] = details.comM;
    const off = details.headingRad - heading;
    const forces = details.footForceN;
    const values = (side: 0 | 1) => ({
      ...moment.angles[side],
      vertical_force: (forces[3 * side + 2] ?? 0) / this.weight_,
      ...this.powers(side),
    });
    return {
      time_s: moment.time_s,
      com: [x, y, z],
      asked: Math.hypot(...details.desiredVelocityMps),
      heading,
      straight: details.state === 'walking' && Math.cos(off) > Math.cos(kAside_rad),
      apart: (left[0] - right[0]) * c + (left[1] - right[1]) * s,
      values: [values(0), values(1)],
    };
  }

  /**
   * Law:    M = sum over the links below the joint of (r - j) x m (a - g) + I alpha, minus (p - j) x F of the ground;
   *         P = M (omega below - omega above); r place, a acceleration and alpha angular acceleration of a link, j
   *         the joint, p centre of pressure, F force of the ground, all in the plane of the heading.
   * Source: Winter 1991, inverse dynamics of the leg
   * @return W/kg; not a number where too few frames came
   */
  private powers(side: 0 | 1): Record<'hip_power' | 'knee_power' | 'ankle_power', number> {
    const moment = this.moments_[kMiddle] as Moment;
    const unknown = { hip_power: Number.NaN, knee_power: Number.NaN, ankle_power: Number.NaN };
    const times = this.moments_.map(({ time_s }) => time_s - moment.time_s);
    if ((times[2 * kMiddle] ?? 0) - (times[0] ?? 0) > kMostSpan_s) return unknown;
    const { first, second } = parabola_weights(times);
    const { details, poses } = moment;
    const [c, s] = [Math.cos(details.desiredHeadingRad), Math.sin(details.desiredHeadingRad)];
    const ahead = (x: number, y: number) => x * c + y * s;
    const fit = (weights: readonly number[], of: (m: Moment) => number) =>
      this.moments_.reduce((sum, m, k) => sum + (weights[k] ?? 0) * of(m), 0);
    const rate = (link: number) => fit(first, ({ pitch }) => at(pitch, link));
    const leg = this.legs_[side];
    const force = [...details.footForceN.slice(3 * side, 3 * side + 3)];
    const [px, pz] = this.pressure(side, moment, ahead);
    const [fx, fz] = [ahead(force[0] ?? 0, force[1] ?? 0), force[2] ?? 0];
    const torque = (joint: number, below: readonly number[]) => {
      const centre = this.joint(poses, joint);
      const [jx, jz] = [ahead(centre[0], centre[1]), centre[2]];
      let sum = -((pz - jz) * fx - (px - jx) * fz);
      for (const i of below) {
        const p = i * kPoseSize;
        const mass = this.skeleton_.links[i]?.mass ?? 0;
        const x = (m: Moment) => ahead(at(m.poses, p), at(m.poses, p + 1));
        const z = (m: Moment) => at(m.poses, p + 2);
        const ax = fit(second, x);
        const az = fit(second, z) + kGravity_mps2;
        sum += mass * ((z(moment) - jz) * ax - (x(moment) - jx) * az);
        const turn = fit(second, ({ pitch }) => at(pitch, i));
        sum += (this.skeleton_.links[i]?.inertia[1] ?? 0) * turn;
      }
      return sum;
    };
    const power = (joint: number, above: number, below: readonly number[]) =>
      (torque(joint, below) * (rate(joint) - rate(above))) / this.skeleton_.mass;
    return {
      hip_power: power(leg.thigh, leg.pelvis, [leg.thigh, leg.shank, ...leg.distal]),
      knee_power: power(leg.shank, leg.thigh, [leg.shank, ...leg.distal]),
      ankle_power: power(leg.foot, leg.shank, leg.distal),
    };
  }

  /** Centre of pressure of a foot, m ahead and up: the mean of its contacts by their load. */
  private pressure(
    side: 0 | 1,
    { details, poses }: Moment,
    ahead: (x: number, y: number) => number,
  ): readonly [number, number] {
    const middles = this.legs_.map(({ distal }) => {
      const p = (distal[0] ?? 0) * kPoseSize;
      return [at(poses, p), at(poses, p + 1), at(poses, p + 2)] as const;
    });
    let [x, z, load] = [0, 0, 0];
    const { contactsMN: numbers } = details;
    for (let i = 0; i + 5 < numbers.length; i += 6) {
      const point = [numbers[i] ?? 0, numbers[i + 1] ?? 0, numbers[i + 2] ?? 0] as const;
      const far = middles.map((middle) => Math.hypot(...middle.map((v, k) => v - (point[k] ?? 0))));
      const up = numbers[i + 5] ?? 0;
      if ((far[side] ?? 0) > (far[1 - side] ?? 0) || up <= 0) continue;
      x += up * ahead(point[0], point[1]);
      z += up * point[2];
      load += up;
    }
    if (load > 0) return [x / load, z / load];
    const [mx, my, mz] = middles[side] as readonly [number, number, number];
    return [ahead(mx, my), mz];
  }
}

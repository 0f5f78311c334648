// What a body cannot do with a thing, told before it is asked for. As in server/behaviour/tasks/lifting.cpp and
// reaching.cpp; what depends on the way and on who stands around only shows when it is tried.
import { kWalking } from '../room/controllers';
import { kGravity_mps2 } from '../values/gravity';
import type { WorldPose } from '../frames/interpolate';
import { kPoseSize } from '../figure/kinematics';
import { at, rotate } from '../values/quaternion';
import { height_range, rest_pose } from '../figure/rest_pose';
import type { Member } from '../room/roster';
import { bounds_of, bounds_of_all } from '../figure/shapes';
import type { Skeleton } from '../figure/skeleton';
import { extent_of, origin_of } from './task';

const kHandForce_n = 400; // that a hand holds at most
const kMostOfMass = 0.6; // of one's own
const kTooWide = 0.8; // of the arm's length: half width between the hands
const kHighest = 0.97; // of the arm's length over the shoulder
const kTilt = 0.35; // of half the width of the shoulders: the chest tilts sideways for what is high

/** From the shoulder to the palm, m. */
export function arm_of({ limbs, links }: Skeleton): number {
  const [upper, lower] = limbs.find(({ kind }) => kind === 'arm')?.links ?? [];
  const [above, below] = [links[upper ?? -1], links[lower ?? -1]];
  if (!above || !below) return 0;
  const length = (a: readonly number[], b: readonly number[]) =>
    Math.hypot(...a.map((value, k) => value - (b[k] ?? 0)));
  const ends = below.shapes.flatMap((shape) =>
    shape.kind === 'box'
      ? [length(shape.center, below.at_child) + Math.max(...shape.half)]
      : shape.kind === 'sphere'
        ? [length(shape.center, below.at_child)]
        : [length(shape.from, below.at_child), length(shape.to, below.at_child)],
  );
  return length(above.at_child, below.at_parent) + Math.max(0, ...ends);
}

function kg(mass: number): string {
  return `${mass < 10 ? mass.toPrecision(2) : mass.toFixed(0)} kg`;
}

/** Why somebody cannot lift a thing; empty: nothing speaks against it. @param carried what is in the hands then */
export function why_not_lift(who: Skeleton, { id, skeleton }: Member, carried: number): string {
  if (carried === id) return 'it is carried already';
  if (carried) return 'the hands are full';
  if (skeleton.root === 'fixed') return 'it is fixed';
  const most = Math.min(kMostOfMass * who.mass, (2 * kHandForce_n) / kGravity_mps2);
  if (skeleton.mass > most) return `too heavy: ${kg(skeleton.mass)}, ${kg(most)} at most`;
  const box = bounds_of_all((skeleton.links[0]?.shapes ?? []).map(bounds_of));
  const half = box ? [0, 1].map((k) => ((box[1][k] ?? 0) - (box[0][k] ?? 0)) / 2) : [];
  const most_wide = 2 * kTooWide * arm_of(who);
  const width = 2 * Math.min(...half);
  if (width > most_wide)
    return `too wide: ${width.toFixed(1)} m, ${most_wide.toFixed(1)} m at most between the hands`;
  return '';
}

/** Why somebody cannot take a thing from the hands of `other`; empty: nothing speaks against it. */
export function why_not_take(other: Member, thing: Member | undefined): string {
  if (other.controller !== kWalking) return 'they do no tasks';
  return thing ? why_not_lift(other.skeleton, thing, 0) : '';
}

/** Why somebody cannot push or pull a thing; empty: nothing but the ground may speak against it. */
export function why_not_move({ skeleton }: Member, carried: number): string {
  if (carried) return 'the hands are full';
  if (skeleton.root === 'fixed') return 'it is fixed';
  return '';
}

/** Why somebody cannot bring a hand to a thing; empty: nothing speaks against it. */
export function why_not_reach(who: Member, thing: Member, pose: WorldPose): string {
  const { hips_m, shoulders_m, half_width_m } = heights_of(who.skeleton);
  const low = origin_of(thing, pose)[2] + extent_of(thing, pose)[0];
  const feet = origin_of(who, pose)[2] - hips_m;
  const most = shoulders_m + kHighest * arm_of(who.skeleton) + kTilt * half_width_m;
  return low - feet > most
    ? `too high: ${(low - feet).toFixed(1)} m, ${most.toFixed(1)} m at most`
    : '';
}

/** Of somebody who stands upright, over the soles. */
function heights_of(skeleton: Skeleton): {
  readonly hips_m: number;
  readonly shoulders_m: number;
  readonly half_width_m: number; // of the shoulders
} {
  const upright = { ...skeleton, rest: skeleton.rest.map(() => 0) };
  const poses = rest_pose(upright, [0, 0, 0], 0);
  const sole = height_range(upright, poses)[0];
  const arm = skeleton.limbs.find(({ kind }) => kind === 'arm')?.links[0] ?? 0;
  const [x = 0, y = 0, z = 0] = skeleton.links[arm]?.at_child ?? [];
  const shoulder = [0, 0, 0];
  rotate(poses, arm * kPoseSize + 3, x, y, z, shoulder, 0);
  return {
    hips_m: -sole,
    shoulders_m: at(poses, arm * kPoseSize + 2) + at(shoulder, 2) - sole,
    half_width_m: Math.abs(at(poses, arm * kPoseSize + 1) + at(shoulder, 1)),
  };
}

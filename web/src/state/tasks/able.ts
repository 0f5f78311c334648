// Reasons why a body cannot do something with a thing, told beforehand. The abilities of its hands come with the body;
// reasons that depend on the way and on people around only show when the task is tried.
import { box_of } from '../figure/rest_pose';
import { bounds_of, bounds_of_all } from '../figure/shapes';
import type { Skeleton } from '../figure/skeleton';
import type { WorldPose } from '../frames/interpolate';
import { does_tasks, type Member } from '../room/roster';
import { extent_of, origin_of } from './task';

const kNoHands = 'there are no hands';

function kg(mass: number): string {
  return `${mass < 10 ? mass.toPrecision(2) : mass.toFixed(0)} kg`;
}

/** Why somebody cannot lift a thing; empty: nothing speaks against it. @param carried what is in the hands then */
export function why_not_lift(
  { hands }: Skeleton,
  { id, skeleton }: Member,
  carried: number,
): string {
  if (!hands) return kNoHands;
  if (carried === id) return 'it is carried already';
  if (carried) return 'the hands are full';
  if (skeleton.root === 'fixed') return 'it is fixed';
  if (skeleton.mass > hands.lift_kg)
    return `too heavy: ${kg(skeleton.mass)}, ${kg(hands.lift_kg)} at most`;
  const box = bounds_of_all((skeleton.links[0]?.shapes ?? []).map(bounds_of));
  const sides = box ? [0, 1].map((k) => (box[1][k] ?? 0) - (box[0][k] ?? 0)) : [];
  const width = Math.min(...sides);
  if (box && width > hands.width_m)
    return `too wide: ${width.toFixed(1)} m, ${hands.width_m.toFixed(1)} m at most between the hands`;
  return '';
}

/** Why somebody cannot take a thing from the hands of `other`; empty: nothing speaks against it. */
export function why_not_take(other: Member, thing: Member | undefined): string {
  if (!does_tasks(other)) return 'they do no tasks';
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
  const { hands } = who.skeleton;
  if (!hands) return kNoHands;
  const ground = box_of(who.skeleton, pose.poses, who.pose)[0][2];
  const high = origin_of(thing, pose)[2] + extent_of(thing, pose)[0] - ground;
  return high > hands.reach_up_m
    ? `too high: ${high.toFixed(1)} m, ${hands.reach_up_m.toFixed(1)} m at most`
    : '';
}

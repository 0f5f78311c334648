// Whether a body walks on two legs, and which of its links these legs are.
import type { Member } from '../room/roster';
import type { Skeleton } from './skeleton';

export interface Leg {
  readonly pelvis: number; // indices of links
  readonly thigh: number;
  readonly shank: number;
  readonly foot: number;
  readonly distal: readonly number[]; // foot, and toes where there are any
}

/** The legs of a body that walks on two, as indices of links: left, right; undefined for other bodies. */
export function legs_of(skeleton: Skeleton): readonly [Leg, Leg] | undefined {
  const legs = skeleton.limbs
    .filter(({ kind }) => kind === 'leg')
    .flatMap(({ links }): Leg[] => {
      const [thigh = -1, shank = -1, foot = -1] = links;
      const pelvis = skeleton.links[thigh]?.parent ?? -1;
      return pelvis < 0 || shank < 0 || foot < 0
        ? []
        : [{ pelvis, thigh, shank, foot, distal: links.slice(2) }];
    })
    .sort((a, b) => side_of(skeleton, b) - side_of(skeleton, a));
  const [left, right] = legs;
  return left && right && legs.length === 2 ? [left, right] : undefined;
}

function side_of(skeleton: Skeleton, { thigh }: Leg): number {
  return skeleton.links[thigh]?.at_parent[1] ?? 0;
}

/** m, from hip to ankle with straight legs, mean of both; 0 for bodies that do not walk on two. */
export function leg_length_of(skeleton: Skeleton): number {
  const legs = legs_of(skeleton) ?? [];
  const length = ({ thigh, shank, foot }: Leg) => {
    const [a, b, c] = [thigh, shank, foot].map((i) => skeleton.links[i]);
    if (!a || !b || !c) return 0;
    const step = (k: 0 | 1 | 2) => b.at_parent[k] - a.at_child[k] + c.at_parent[k] - b.at_child[k];
    return Math.hypot(step(0), step(1), step(2));
  };
  return legs.reduce((sum, leg) => sum + length(leg) / legs.length, 0);
}

/** Whether a character has gait cycles: it walks on two legs. */
export function has_gait_cycles({ family, skeleton }: Member): boolean {
  return family.walks && legs_of(skeleton) !== undefined;
}

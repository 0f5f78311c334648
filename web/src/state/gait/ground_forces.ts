// Forces of the ground on a body, summed up for each sole.
import { link_at, type WorldPose } from '../frames/interpolate';
import { at, rotate, type Vec3 } from '../values/quaternion';
import type { Member } from '../room/roster';
import { kGravity_mps2 } from '../values/gravity';

const kNear_reach = 0.2; // a contact further than this from every sole, as a share of the body's reach, is none of a sole

/** A force at its centre of pressure. World frame. */
export interface GroundForce {
  readonly point: Vec3; // m
  readonly force: Vec3; // N
  readonly body_weights: number; // its size, in weights of the body
}

/**
 * One force for each leg that stands, at the mean of its contacts weighted by their force, and one for each other contact.
 * @param contacts [6 k] m and N, world frame: point and force of each
 * @param soles for each leg, the middles of its soles, m
 * @param mass_kg of the body
 * @param near_m how far from a sole its contacts may be
 */
export function ground_forces(
  contacts: readonly number[],
  soles: readonly (readonly Vec3[])[],
  mass_kg: number,
  near_m: number,
): readonly GroundForce[] {
  const sums = soles.map(() => ({ weight: 0, point: [0, 0, 0], force: [0, 0, 0] }));
  const others: { weight: number; point: number[]; force: number[] }[] = [];
  for (let i = 0; i + 5 < contacts.length; i += 6) {
    const point = contacts.slice(i, i + 3);
    const force = contacts.slice(i + 3, i + 6);
    const size = Math.hypot(...force);
    const leg = nearest(point, soles, near_m);
    let sum = leg === undefined ? undefined : sums[leg];
    if (!sum) others.push((sum = { weight: 0, point: [0, 0, 0], force: [0, 0, 0] }));
    sum.weight += size;
    for (const k of [0, 1, 2] as const) {
      sum.point[k]! += size * (point[k] as number);
      sum.force[k]! += force[k] as number;
    }
  }
  return [...sums, ...others]
    .filter(({ weight }) => weight > 0)
    .map(({ weight, point, force }) => ({
      point: point.map((x) => x / weight) as unknown as Vec3,
      force: force as unknown as Vec3,
      body_weights: Math.hypot(...force) / (mass_kg * kGravity_mps2),
    }));
}

function nearest(
  point: readonly number[],
  soles: readonly (readonly Vec3[])[],
  near_m: number,
): number | undefined {
  let best: number | undefined;
  let least = near_m;
  soles.forEach((places, leg) => {
    for (const place of places) {
      const distance = Math.hypot(...place.map((x, k) => x - (point[k] as number)));
      if (distance < least) [best, least] = [leg, distance];
    }
  });
  return best;
}

/** The forces on a body that is drawn. @param contacts as the server tells them */
export function forces_on(
  pose: WorldPose,
  member: Member,
  contacts: readonly number[],
): readonly GroundForce[] {
  const { poses } = pose;
  const { skeleton } = member;
  const soles = skeleton.limbs.flatMap((limb) =>
    limb.soles.length === 0
      ? []
      : [
          limb.soles.map((link): Vec3 => {
            const p = link_at(pose, member, link);
            return [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
          }),
        ],
  );
  return ground_forces(contacts, soles, skeleton.mass, kNear_reach * skeleton.reach);
}

const turned = new Float64Array(3);

/** Where the joint of a link is, m, world frame: of a foot, the ankle. */
export function joint_of(pose: WorldPose, member: Member, link: number): Vec3 {
  const { poses } = pose;
  const { skeleton } = member;
  const p = link_at(pose, member, link);
  rotate(poses, p + 3, ...(skeleton.links[link]?.at_child ?? ([0, 0, 0] as const)), turned, 0);
  return [0, 1, 2].map((k) => at(poses, p + k) + at(turned, k)) as unknown as Vec3;
}

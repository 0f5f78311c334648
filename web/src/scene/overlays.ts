import type { Glimpse } from '../state/details_buffer';
import type { WorldPose } from '../state/interpolate';
import { kPoseSize } from '../state/kinematics';
import { at, rotate, type Vec3 } from '../state/quaternion';
import { bounds_of } from '../state/shapes';
import type { Member } from '../state/roster';
import type { OverlayState } from '../state/settings';
import type { Marks } from './marks';
import type { SupportAreas } from './support_areas';

export const kColors = {
  com: '#f2b632',
  capture: '#e4572e',
  target: '#9b6bdf',
  velocity: '#2f8fd8',
  achieved: '#59c2a8',
  force: '#43b36b',
  path: '#2f8fd8',
  push: '#ff6b4a',
  hand: '#4fb0e8',
  selected: '#ffb52e',
  hovered: '#ffffff',
} as const;

const kMetresPerNewton = 1 / 900;

function ground_under(glimpse: Glimpse): number {
  const forces = glimpse.details.contactsMN;
  let lowest = Infinity;
  for (let i = 2; i < forces.length; i += 6) lowest = Math.min(lowest, forces[i] as number);
  return Number.isFinite(lowest) ? lowest : 0;
}

/** Everything about one watched character that the overlays show. */
export function draw_details(
  glimpse: Glimpse,
  root: Vec3,
  shown: OverlayState,
  marks: Marks,
  areas: SupportAreas,
): void {
  const { details, com, capture_point, foot_target, support_polygon, desired_velocity } = glimpse;
  const ground = ground_under(glimpse);
  // A fallen character is not controlled: the last targets of its controller mean nothing now.
  const aims = details.state !== 'fallen';
  const [x = 0, y = 0, z = 0] = com;
  if (aims && shown.com && com.length === 3) {
    marks.sphere([x, y, z], 0.045, kColors.com);
    marks.rod([x, y, z], [x, y, ground], 0.005, kColors.com);
    marks.disc([x, y, ground], 0.05, kColors.com);
  }
  if (aims && shown.capture && capture_point.length === 2) {
    const point: Vec3 = [capture_point[0] as number, capture_point[1] as number, ground];
    marks.ring(point, 0.085, kColors.capture);
    marks.disc(point, 0.028, kColors.capture);
  }
  if (aims && shown.support && support_polygon.length >= 6) {
    areas.add(support_polygon, ground);
    const outline: Vec3[] = [];
    for (let i = 0; i + 1 < support_polygon.length; i += 2) {
      outline.push([
        support_polygon[i] as number,
        support_polygon[i + 1] as number,
        ground + 0.006,
      ]);
    }
    marks.line(outline, 0.006, kColors.force, true);
  }
  if (aims && shown.target && foot_target.length === 3) {
    const [tx, ty, tz] = foot_target as [number, number, number];
    marks.sphere([tx, ty, tz], 0.035, kColors.target);
    marks.ring([tx, ty, ground], 0.07, kColors.target);
    marks.rod([tx, ty, tz], [tx, ty, ground], 0.004, kColors.target);
  }
  if (aims && shown.velocity) {
    const from: Vec3 = [root[0], root[1], ground + 0.05];
    const arrow = (vx: number, vy: number, lift: number, color: string) =>
      marks.arrow(
        [from[0], from[1], from[2] + lift],
        [from[0] + vx, from[1] + vy, from[2] + lift],
        0.018,
        color,
      );
    if (desired_velocity.length === 2)
      arrow(desired_velocity[0] as number, desired_velocity[1] as number, 0, kColors.velocity);
    const [vx = 0, vy = 0] = details.comVelocityMps;
    arrow(vx, vy, 0.05, kColors.achieved);
    draw_way(
      [root[0], root[1], ground],
      details.path.map((p): Vec3 => [p.xM, p.yM, ground + 0.01]),
      marks,
    );
  }
  if (shown.forces) {
    const contacts = details.contactsMN;
    for (let i = 0; i + 5 < contacts.length; i += 6) {
      const [px, py, pz, fx, fy, fz] = contacts.slice(i, i + 6) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const k = kMetresPerNewton;
      marks.arrow([px, py, pz], [px + fx * k, py + fy * k, pz + fz * k], 0.012, kColors.force);
    }
  }
  if (details.pushN.length === 6) {
    const [px, py, pz, fx, fy, fz] = details.pushN as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const k = 1 / 300;
    marks.arrow([px - fx * k, py - fy * k, pz - fz * k], [px, py, pz], 0.03, kColors.push);
  }
}

/** Way-points to come, joined by a line. */
export function draw_way(from: Vec3, points: readonly Vec3[], marks: Marks): void {
  if (points.length === 0) return;
  marks.line([[from[0], from[1], from[2] + 0.012], ...points], 0.01, kColors.path);
  for (const point of points.length > 24 ? points.slice(-1) : points)
    marks.disc(point, 0.09, kColors.path);
  marks.ring(points[points.length - 1] as Vec3, 0.2, kColors.path);
}

/** The ring under a body that is selected or hovered. It reaches beyond what lies on the ground, or that would hide it. */
export function draw_ring(pose: WorldPose, member: Member, color: string, marks: Marks): void {
  const { poses } = pose;
  const p = member.pose;
  const soles = member.skeleton.limbs.flatMap((limb) => limb.soles);
  const { low, wide } = extent(pose, member, soles);
  const radius = soles.length > 0 ? 0.42 * member.skeleton.reach : 1.08 * wide;
  const z = Number.isFinite(low) ? low : at(poses, p + 2);
  marks.ring([at(poses, p), at(poses, p + 1), z], radius, color);
}

/**
 * Height of a body's lowest point, and the level distance from its root to its furthest point, m.
 * @param links the links that count; none: all
 */
function extent(
  { poses }: WorldPose,
  { skeleton, pose: first }: Member,
  links: readonly number[],
): { readonly low: number; readonly wide: number } {
  let low = Infinity;
  let wide = 0;
  skeleton.links.forEach((link, i) => {
    if (links.length > 0 && !links.includes(i)) return;
    const p = first + kPoseSize * i;
    for (const shape of link.shapes) {
      const [least, most] = bounds_of(shape);
      for (let corner = 0; corner < 8; ++corner) {
        const [x, y, z] = [0, 1, 2].map((k) => (corner & (1 << k) ? most : least)[k]) as [
          number,
          number,
          number,
        ];
        rotate(poses, p + 3, x, y, z, turned, 0);
        const [dx, dy] = [0, 1].map((k) => at(poses, p + k) + at(turned, k) - at(poses, first + k));
        low = Math.min(low, at(poses, p + 2) + at(turned, 2));
        wide = Math.max(wide, Math.hypot(dx as number, dy as number));
      }
    }
  });
  return { low, wide };
}

const turned = new Float64Array(3);

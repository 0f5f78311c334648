// Hits of a ray from the camera: collision shapes of characters and things, and planes.
import { complete, is_present, type WorldPose } from '../frames/interpolate';
import { kPoseSize } from '../figure/kinematics';
import { at, rotate_inverse, type Vec3 } from '../values/quaternion';
import type { Member } from '../room/roster';
import type { LinkShape, SkeletonLink } from '../figure/skeleton';

export interface Ray {
  readonly origin: Vec3; // m, world frame
  readonly direction: Vec3; // unit length
}

export interface Hit {
  readonly member: Member;
  readonly link: number;
  readonly distance: number; // m along the ray
  readonly point: Vec3; // m, in the link's frame
}

const kFar_m = 25; // from here on bodies are easier to point at
const kFar_rad = 0.0025; // by so much: some three pixels of a picture of a thousand lines

const local_origin = new Float64Array(3);
const local_direction = new Float64Array(3);

/** The nearest shape on the ray. @param margin m, added around every shape, for fingers */
export function pick(
  pose: WorldPose,
  ray: Ray,
  margin: number,
  wanted: (member: Member) => boolean = () => true,
): Hit | undefined {
  let best: Hit | undefined;
  const look = (members: readonly Member[]) => {
    for (const member of members) {
      if (!near(pose, member, ray, margin, best?.distance ?? Infinity)) continue;
      if (is_present(pose, member) && wanted(member)) best = meet(pose, member, ray, margin, best);
    }
  };
  look(pose.cast.members);
  look(pose.cast.things);
  return best;
}

/** The nearer of what the ray meets of a body and what it has met. */
function meet(
  pose: WorldPose,
  member: Member,
  ray: Ray,
  least_margin: number,
  before: Hit | undefined,
): Hit | undefined {
  let best = before;
  complete(pose, member);
  const margin = margin_at(pose, member, ray, least_margin);
  member.skeleton.links.forEach((link, i) => {
    const p = member.pose + i * kPoseSize;
    const [x, y, z] = ray.origin;
    rotate_inverse(
      pose.poses,
      p + 3,
      x - at(pose.poses, p),
      y - at(pose.poses, p + 1),
      z - at(pose.poses, p + 2),
      local_origin,
      0,
    );
    rotate_inverse(pose.poses, p + 3, ...ray.direction, local_direction, 0);
    const distance = meet_link(link, margin);
    if (distance === undefined || (best && best.distance <= distance)) return;
    const point = along(vec(local_origin), vec(local_direction), distance);
    best = { member, link: i, distance, point };
  });
  return best;
}

/** Where the ray meets the plane at this height; undefined if it looks away or is very far. */
export function meet_plane(ray: Ray, height: number): Vec3 | undefined {
  const t = (height - ray.origin[2]) / ray.direction[2];
  return Number.isFinite(t) && t > 0 && t < 500 ? along(ray.origin, ray.direction, t) : undefined;
}

/** Far away a few pixels around a body belong to it: nobody could point at it otherwise. */
function margin_at({ poses }: WorldPose, { pose: p }: Member, { origin }: Ray, least: number) {
  const [dx, dy, dz] = [
    at(poses, p) - origin[0],
    at(poses, p + 1) - origin[1],
    at(poses, p + 2) - origin[2],
  ];
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return Math.max(least, kFar_rad * (distance - kFar_m));
}

/** Whether the ray passes by near enough to meet something of a body before it has gone so far. */
function near(
  { poses }: WorldPose,
  { pose: p, skeleton }: Member,
  { origin, direction }: Ray,
  margin: number,
  far: number,
): boolean {
  const x = at(poses, p) - origin[0];
  const y = at(poses, p + 1) - origin[1];
  const z = at(poses, p + 2) - origin[2];
  const t = x * direction[0] + y * direction[1] + z * direction[2];
  const distance2 = x * x + y * y + z * z;
  const { reach } = skeleton;
  const around = reach + Math.max(margin, kFar_rad * (Math.sqrt(distance2) - kFar_m));
  return t > -around && t - around < far && distance2 - t * t < around * around;
}

function meet_link(link: SkeletonLink, margin: number): number | undefined {
  let best: number | undefined;
  const o = vec(local_origin);
  const d = vec(local_direction);
  for (const shape of link.shapes) {
    const t = meet_shape(shape, o, d, margin);
    if (t !== undefined && (best === undefined || t < best)) best = t;
  }
  return best;
}

function meet_shape(shape: LinkShape, o: Vec3, d: Vec3, margin: number): number | undefined {
  switch (shape.kind) {
    case 'capsule':
      return meet_capsule(o, d, shape.from, shape.to, shape.radius + margin);
    case 'sphere':
      return meet_capsule(o, d, shape.center, shape.center, shape.radius + margin);
    case 'cylinder':
      return meet_cylinder(o, d, shape.from, shape.to, shape.radius + margin);
    case 'box':
      return meet_box(o, d, shape.center, shape.half, margin);
  }
}

/** First distance at which a ray meets a capsule, undefined if it does not. */
export function meet_capsule(
  o: Vec3,
  d: Vec3,
  a: Vec3,
  b: Vec3,
  radius: number,
): number | undefined {
  const axis = minus(b, a);
  const length2 = dot(axis, axis);
  let best: number | undefined;
  const keep = (t: number) => {
    if (t >= 0 && (best === undefined || t < best)) best = t;
  };
  if (length2 > 1e-12) {
    const oa = minus(o, a);
    const n = minus(d, scaled(axis, dot(d, axis) / length2));
    const m = minus(oa, scaled(axis, dot(oa, axis) / length2));
    for (const t of roots(dot(n, n), dot(n, m), dot(m, m) - radius * radius)) {
      const s = dot(minus(along(o, d, t), a), axis);
      if (s >= 0 && s <= length2) keep(t);
    }
  }
  for (const end of [a, b]) {
    const oe = minus(o, end);
    for (const t of roots(1, dot(d, oe), dot(oe, oe) - radius * radius)) keep(t);
  }
  return best;
}

/** First distance at which a ray meets a cylinder with flat ends, undefined if it does not. */
export function meet_cylinder(
  o: Vec3,
  d: Vec3,
  a: Vec3,
  b: Vec3,
  radius: number,
): number | undefined {
  const axis = minus(b, a);
  const length2 = dot(axis, axis);
  if (length2 < 1e-12) return undefined;
  const oa = minus(o, a);
  const n = minus(d, scaled(axis, dot(d, axis) / length2));
  const m = minus(oa, scaled(axis, dot(oa, axis) / length2));
  const on_side = roots(dot(n, n), dot(n, m), dot(m, m) - radius * radius).filter((t) => {
    const s = dot(minus(along(o, d, t), a), axis);
    return s >= 0 && s <= length2;
  });
  const on_ends = [a, b].flatMap((end) => {
    const t = dot(minus(end, o), axis) / dot(d, axis);
    const from_axis = minus(along(o, d, t), end);
    return Number.isFinite(t) && dot(from_axis, from_axis) <= radius * radius ? [t] : [];
  });
  const ahead = [...on_side, ...on_ends].filter((t) => t >= 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}

/** Solutions of a t^2 + 2 b t + c = 0. */
function roots(a: number, b: number, c: number): readonly number[] {
  const rest = b * b - a * c;
  if (rest < 0 || a < 1e-12) return [];
  const root = Math.sqrt(rest);
  return [(-b - root) / a, (-b + root) / a];
}

export function meet_box(
  o: Vec3,
  d: Vec3,
  center: Vec3,
  half: Vec3,
  margin: number,
): number | undefined {
  let enter = 0;
  let leave = Infinity;
  for (const k of [0, 1, 2] as const) {
    const reach = half[k] + margin;
    const t0 = (center[k] - reach - o[k]) / d[k];
    const t1 = (center[k] + reach - o[k]) / d[k];
    enter = Math.max(enter, Math.min(t0, t1));
    leave = Math.min(leave, Math.max(t0, t1));
  }
  return enter <= leave ? enter : undefined;
}

function vec(a: Float64Array): Vec3 {
  return [at(a, 0), at(a, 1), at(a, 2)];
}
function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function scaled(a: Vec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s];
}
function along(o: Vec3, d: Vec3, t: number): Vec3 {
  return [o[0] + d[0] * t, o[1] + d[1] * t, o[2] + d[2] * t];
}

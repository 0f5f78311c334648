import type { FrameBuffer, BufferedFrame } from './frame_buffer';
import { forward_kinematics, kPoseSize } from './kinematics';
import { at, blend, type Numbers } from './quaternion';
import { type Cast, kEmptyCast, type Member } from './roster';

/** Everybody's links at one moment, as drawn. Reused from picture to picture. */
export interface WorldPose {
  cast: Cast;
  tick: number; // not whole: between two frames
  poses: Float32Array; // kPoseSize numbers a link, at Member.pose
  flags: Uint32Array;
}

export function make_world_pose(): WorldPose {
  return { cast: kEmptyCast, tick: 0, poses: new Float32Array(0), flags: new Uint32Array(0) };
}

/** A root that moves further than this between two frames was put there, and is not interpolated. */
const kTeleport_m = 1;
/** How long the last motion goes on when frames are late. */
const kExtrapolate_ms = 50;

const root = new Float64Array(kPoseSize);
const coordinates = new Float64Array(128);

/**
 * Fills `out` with the poses at a server time: Hermite for the roots, linear for the joints, the
 * last frame held when there is nothing later.
 * @return false if there is no frame at all
 */
export function sample_world(buffer: FrameBuffer, server_time_ms: number, out: WorldPose): boolean {
  if (buffer.length === 0) return false;
  let i = Math.max(0, buffer.find(server_time_ms));
  // Past the newest frame the last interval is extended a little.
  if (i === buffer.length - 1 && i > 0) --i;
  const a = buffer.at(i) as BufferedFrame;
  const b = buffer.at(i + 1) ?? a;
  const before = buffer.at(i - 1) ?? a;
  const after = buffer.at(i + 2) ?? b;
  const span = b.frame.server_time_ms - a.frame.server_time_ms;
  const latest = 1 + (span > 0 ? kExtrapolate_ms / span : 0);
  const t =
    span > 0 ? Math.min(latest, Math.max(0, (server_time_ms - a.frame.server_time_ms) / span)) : 0;

  if (out.cast !== b.cast) {
    out.cast = b.cast;
    out.poses = new Float32Array(b.cast.poses);
    out.flags = new Uint32Array(b.cast.members.length);
  }
  out.tick = a.frame.tick + (b.frame.tick - a.frame.tick) * Math.min(1, t);
  for (const member of b.cast.members) {
    out.flags[member.index] = at(b.frame.flags, member.index);
    interpolate_member(member, [before, a, b, after], t);
    forward_kinematics(member.skeleton, root, 0, coordinates, 0, out.poses, member.pose);
  }
  return true;
}

type Four = readonly [BufferedFrame, BufferedFrame, BufferedFrame, BufferedFrame];

function interpolate_member(member: Member, [before, a, b, after]: Four, t: number): void {
  const count = member.skeleton.coordinates;
  const from = a.cast.by_id.get(member.id);
  const target = member.index * kPoseSize;
  if (!from || moved(a.frame.roots, from.index * kPoseSize, b.frame.roots, target) > kTeleport_m) {
    const late = b.frame;
    for (let k = 0; k < kPoseSize; ++k) root[k] = at(late.roots, target + k);
    for (let k = 0; k < count; ++k) coordinates[k] = at(late.joints, member.coordinate + k);
    return;
  }
  const source = from.index * kPoseSize;
  const earlier = neighbour(before, member.id, a.frame.roots, source);
  const later = neighbour(after, member.id, b.frame.roots, target);
  const span = b.frame.server_time_ms - a.frame.server_time_ms;
  const span_before = b.frame.server_time_ms - before.frame.server_time_ms;
  const span_after = after.frame.server_time_ms - a.frame.server_time_ms;
  for (let k = 0; k < 3; ++k) {
    const p0 = at(a.frame.roots, source + k);
    const p1 = at(b.frame.roots, target + k);
    const v0 =
      earlier && span_before > 0
        ? ((p1 - at(earlier.roots, earlier.at + k)) / span_before) * span
        : p1 - p0;
    const v1 =
      later && span_after > 0
        ? ((at(later.roots, later.at + k) - p0) / span_after) * span
        : p1 - p0;
    root[k] = t <= 1 ? hermite(p0, v0, p1, v1, t) : p1 + v1 * (t - 1);
  }
  blend(a.frame.roots, source + 3, b.frame.roots, target + 3, t, root, 3);
  for (const link of member.skeleton.links) {
    const j0 = from.coordinate + link.coordinate;
    const j1 = member.coordinate + link.coordinate;
    if (link.joint.kind === 'ball') {
      blend_rotation_vectors(
        a.frame.joints,
        j0,
        b.frame.joints,
        j1,
        t,
        coordinates,
        link.coordinate,
      );
    } else if (link.joint.kind !== 'root') {
      const size = link.joint.kind === 'hinge' ? 1 : 2;
      for (let k = 0; k < size; ++k) {
        const value = at(a.frame.joints, j0 + k);
        coordinates[link.coordinate + k] = value + (at(b.frame.joints, j1 + k) - value) * t;
      }
    }
  }
}

function neighbour(entry: BufferedFrame, id: number, near: Numbers, i: number) {
  const member = entry.cast.by_id.get(id);
  if (!member) return undefined;
  const index = member.index * kPoseSize;
  if (moved(entry.frame.roots, index, near, i) > kTeleport_m) return undefined;
  return { roots: entry.frame.roots, at: index };
}

function moved(a: Numbers, i: number, b: Numbers, j: number): number {
  return Math.hypot(at(a, i) - at(b, j), at(a, i + 1) - at(b, j + 1), at(a, i + 2) - at(b, j + 2));
}

function hermite(p0: number, v0: number, p1: number, v1: number, t: number): number {
  const t2 = t * t;
  const t3 = t2 * t;
  return (
    (2 * t3 - 3 * t2 + 1) * p0 + (t3 - 2 * t2 + t) * v0 + (3 * t2 - 2 * t3) * p1 + (t3 - t2) * v1
  );
}

/** Linear between rotation vectors, after b has been brought to a's side of the half turn. */
export function blend_rotation_vectors(
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  t: number,
  out: Numbers,
  o: number,
): void {
  const length = Math.hypot(at(b, j), at(b, j + 1), at(b, j + 2));
  const flipped = length > 1e-6 && moved(a, i, b, j) > Math.PI ? 1 - (2 * Math.PI) / length : 1;
  for (let k = 0; k < 3; ++k) {
    const value = at(a, i + k);
    out[o + k] = value + (at(b, j + k) * flipped - value) * t;
  }
}

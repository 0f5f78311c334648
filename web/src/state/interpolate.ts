import { kFlag } from '../net/frame';
import { kJoints } from '../net/joint_table';
import type { BufferedFrame, Frames } from './frame_buffer';
import { forward_kinematics, kPoseSize } from './kinematics';
import { at, blend, type Numbers } from './quaternion';
import { type Cast, kEmptyCast, type Member } from './roster';
import type { SkeletonLink } from './skeleton';
import type { BodyState, Tracks } from './thing_tracks';

/** The poses of all links at one moment, as drawn. Reused from picture to picture. */
export interface WorldPose {
  cast: Cast;
  tick: number; // not whole: between two frames
  poses: Float32Array; // kPoseSize numbers a link, at Member.pose
  flags: Uint32Array;
  limb_contacts: Uint32Array; // [0] from older servers
  presence: Float32Array; // [characters] 0 to 1: those who are set upright again fade out and in
  present: Uint8Array; // [things] 1 where it is known where the thing is
}

export function make_world_pose(cast: Cast = kEmptyCast): WorldPose {
  return {
    cast,
    tick: 0,
    poses: new Float32Array(cast.poses),
    flags: new Uint32Array(cast.members.length),
    limb_contacts: new Uint32Array(0),
    presence: new Float32Array(cast.members.length).fill(1),
    present: new Uint8Array(cast.things.length),
  };
}

/** Whether the place of a character or thing is known. */
export function is_present(pose: WorldPose, { thing, index }: Member): boolean {
  return !thing || pose.present[index] === 1;
}

/** Whether it is there and does not fade: an outline would be seen through a body that does. */
export function is_whole(pose: WorldPose, member: Member): boolean {
  return is_present(pose, member) && (pose.presence[member.index] ?? 1) > 0.98;
}

/** A body that moves further than this between two frames was placed there: no interpolation. */
const kTeleport_m = 1;
/** The same for things, which may be thrown: none flies faster than this. */
const kFastest_mps = 30;
/** How long the last motion goes on when frames are late. */
const kExtrapolate_ms = 50;

const kOrigin = new Float64Array(3);
const root = new Float64Array(kPoseSize);
let coordinates = new Float64Array(128);

/** Two frames around the time that is drawn, their neighbours, and how far between them it is. */
interface Moment {
  readonly before: BufferedFrame;
  readonly a: BufferedFrame;
  readonly b: BufferedFrame;
  readonly after: BufferedFrame;
  readonly t: number; // 0 at a, 1 at b; above 1 where frames are late
}

/** Computes the poses between frames. Remembers which things rest, so that these cost nothing. */
export class Sampler {
  private drawn_: (BodyState | undefined)[] = []; // the state that a resting thing is drawn in

  constructor(
    private readonly buffer_: Frames,
    private readonly tracks_: Tracks,
  ) {}

  /** To be called when something else has drawn into the pose: what rests is drawn again. */
  forget_drawn(): void {
    this.drawn_ = [];
  }

  /**
   * Fills `out` with the poses at a server time: Hermite for the roots, linear for the joints, the
   * last frame held when there is nothing later.
   * @return false if there is no frame at all
   */
  sample(server_time_ms: number, out: WorldPose): boolean {
    const moment = this.find(server_time_ms);
    if (!moment) return false;
    const { a, b, t } = moment;
    const { cast } = b;
    if (out.cast !== cast) {
      Object.assign(out, make_world_pose(cast));
      this.drawn_ = [];
    }
    out.tick = a.frame.tick + (b.frame.tick - a.frame.tick) * Math.min(1, t);
    out.flags.set(b.frame.flags);
    out.limb_contacts = b.frame.limb_contacts;
    for (const member of cast.members) this.draw_character(member, moment, out);
    for (const thing of cast.things) this.draw_thing(thing, moment, out);
    return true;
  }

  private find(server_time_ms: number): Moment | undefined {
    const buffer = this.buffer_;
    if (buffer.length === 0) return undefined;
    let i = Math.max(0, buffer.find(server_time_ms));
    // Past the newest frame the last interval is extended a little.
    if (i === buffer.length - 1 && i > 0) --i;
    const a = buffer.at(i) as BufferedFrame;
    const since = server_time_ms - a.frame.server_time_ms;
    // At a frame it is that frame alone that is shown, with its contacts and who was there.
    const b = (since > 0 ? buffer.at(i + 1) : undefined) ?? a;
    const span = span_ms(a, b);
    const latest = 1 + (span > 0 ? kExtrapolate_ms / span : 0);
    const t = span > 0 ? Math.min(latest, Math.max(0, since / span)) : 0;
    return { before: buffer.at(i - 1) ?? a, a, b, after: buffer.at(i + 2) ?? b, t };
  }

  private draw_character(member: Member, moment: Moment, out: WorldPose): void {
    const state = ({ frame, cast }: BufferedFrame) => {
      const { roots, joints } = frame;
      const then = cast.by_id.get(member.id);
      return then && { roots, root: then.index * kPoseSize, joints, joint: then.coordinate };
    };
    const { before, a, b, after, t } = moment;
    const target = state(b);
    if (!target) return;
    const [from, to] = [presence_in(a, member), presence_in(b, member)];
    out.presence[member.index] = from + (to - from) * Math.min(1, t);
    // Who was set upright did not move there.
    const start = was_set_up(a, b, member) ? undefined : state(a);
    const earlier = was_set_up(before, a, member) ? undefined : state(before);
    const later = was_set_up(b, after, member) ? undefined : state(after);
    draw_between(member, [earlier, start, target, later], moment, kTeleport_m, out);
  }

  private draw_thing(thing: Member, moment: Moment, out: WorldPose): void {
    const state = ({ frame }: BufferedFrame) => this.tracks_.at(thing.id, frame.tick);
    const { before, a, b, after } = moment;
    const [from, to] = [state(a), state(b)];
    out.present[thing.index] = to ? 1 : 0;
    if (!to) return;
    if (from === to) {
      // The thing lies still between these frames, whatever it did before and does next.
      if (this.drawn_[thing.index] !== to)
        draw_between(thing, [undefined, undefined, to, undefined], moment, 0, out);
      this.drawn_[thing.index] = to;
      return;
    }
    this.drawn_[thing.index] = undefined;
    const limit_m = kTeleport_m + (kFastest_mps * span_ms(a, b)) / 1000;
    draw_between(thing, [state(before), from, to, state(after)], moment, limit_m, out);
  }
}

function presence_in({ frame, cast }: BufferedFrame, { id }: Member): number {
  const index = cast.by_id.get(id)?.index;
  return index === undefined ? 1 : (frame.presence?.[index] ?? 255) / 255;
}

function is_fallen({ frame, cast }: BufferedFrame, { id }: Member): boolean {
  const index = cast.by_id.get(id)?.index;
  return index !== undefined && (at(frame.flags, index) & kFlag.fallen) !== 0;
}

/** Whether somebody who had fallen stands in the later of two frames: the server puts them there at once. */
function was_set_up(earlier: BufferedFrame, later: BufferedFrame, member: Member): boolean {
  return is_fallen(earlier, member) && !is_fallen(later, member);
}

function span_ms(a: BufferedFrame, b: BufferedFrame): number {
  return b.frame.server_time_ms - a.frame.server_time_ms;
}

type Four = readonly [
  BodyState | undefined,
  BodyState | undefined,
  BodyState,
  BodyState | undefined,
];

/**
 * Interpolates between the middle two of four states.
 * @param limit_m states further apart than this are not interpolated: the body was placed there
 */
function draw_between(
  member: Member,
  [before, a, b, after]: Four,
  { before: frame_before, a: frame_a, b: frame_b, after: frame_after, t }: Moment,
  limit_m: number,
  out: WorldPose,
): void {
  const { skeleton } = member;
  if (skeleton.coordinates > coordinates.length)
    coordinates = new Float64Array(2 * skeleton.coordinates);
  if (!a || moved(a.roots, a.root, b.roots, b.root) > limit_m) {
    for (let k = 0; k < kPoseSize; ++k) root[k] = at(b.roots, b.root + k);
    for (let k = 0; k < skeleton.coordinates; ++k) coordinates[k] = at(b.joints, b.joint + k);
  } else {
    const near = (state: BodyState | undefined, other: BodyState) =>
      state && moved(state.roots, state.root, other.roots, other.root) <= limit_m
        ? state
        : undefined;
    const earlier = near(before, a);
    const later = near(after, b);
    const span = span_ms(frame_a, frame_b);
    const span_before = span_ms(frame_before, frame_b);
    const span_after = span_ms(frame_a, frame_after);
    for (let k = 0; k < 3; ++k) {
      const p0 = at(a.roots, a.root + k);
      const p1 = at(b.roots, b.root + k);
      const v0 =
        earlier && span_before > 0
          ? ((p1 - at(earlier.roots, earlier.root + k)) / span_before) * span
          : p1 - p0;
      const v1 =
        later && span_after > 0
          ? ((at(later.roots, later.root + k) - p0) / span_after) * span
          : p1 - p0;
      root[k] = t <= 1 ? hermite(p0, v0, p1, v1, t) : p1 + v1 * (t - 1);
    }
    blend(a.roots, a.root + 3, b.roots, b.root + 3, t, root, 3);
    for (const link of skeleton.links) blend_joint(link, a, b, t);
  }
  forward_kinematics(skeleton, root, 0, coordinates, 0, out.poses, member.pose);
}

function blend_joint({ joint, coordinate }: SkeletonLink, a: BodyState, b: BodyState, t: number) {
  const [i, j] = [a.joint + coordinate, b.joint + coordinate];
  switch (joint.kind) {
    case 'root':
      return;
    case 'ball':
      blend_rotation_vectors(a.joints, i, b.joints, j, t, coordinates, coordinate);
      return;
    case 'hinge':
    case 'universal':
    case 'slider':
      for (let k = 0; k < kJoints[joint.kind].size; ++k) {
        const value = at(a.joints, i + k);
        coordinates[coordinate + k] = value + (at(b.joints, j + k) - value) * t;
      }
      return;
  }
}

function moved(a: Numbers, i: number, b: Numbers, j: number): number {
  const [x, y, z] = [at(a, i) - at(b, j), at(a, i + 1) - at(b, j + 1), at(a, i + 2) - at(b, j + 2)];
  return Math.sqrt(x * x + y * y + z * z); // several times as fast as Math.hypot
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
  const length = moved(b, j, kOrigin, 0);
  const flipped = length > 1e-6 && moved(a, i, b, j) > Math.PI ? 1 - (2 * Math.PI) / length : 1;
  for (let k = 0; k < 3; ++k) {
    const value = at(a, i + k);
    out[o + k] = value + (at(b, j + k) * flipped - value) * t;
  }
}

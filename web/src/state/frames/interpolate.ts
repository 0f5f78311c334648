import { kFlag } from '../../net/frame';
import type { BufferedFrame, Frames } from './frame_buffer';
import {
  type Gait,
  gait_between,
  gait_told,
  has_joints,
  type Sagittal,
  sagittal_of,
} from '../gait/gait_phase';
import { forward_kinematics, kPoseSize } from '../figure/kinematics';
import { at, blend, type Numbers } from '../values/quaternion';
import { type Cast, kEmptyCast, type Member } from '../room/roster';
import type { Skeleton } from '../figure/skeleton';
import type { BodyState, Tracks } from '../room/thing_tracks';

/** Tells of characters what most pictures need of few of them only. */
export interface Joints {
  /** The frame that the moment leads to, or is at. */
  readonly frame: BufferedFrame | undefined;
  /** The joint coordinates of a character, valid until somebody else's are asked for; undefined: not known. */
  coordinates(member: Member): Numbers | undefined;
  /** Where in its stride a character is. @return false: it does not walk on two legs, or is not known */
  gait(member: Member, out: Gait): boolean;
}

/**
 * The poses of one moment, as drawn. Reused from picture to picture. Of a character only the root is there at first, so
 * that a crowd costs little: code that needs its links gets them by `link_at`.
 */
export interface WorldPose {
  cast: Cast;
  tick: number; // not whole: between two frames
  poses: Float32Array; // kPoseSize numbers a link, at Member.pose
  partial: Uint8Array; // [characters] 1: only the root's pose is of this moment
  joints: Joints | undefined; // of this moment
  flags: Uint32Array;
  limb_contacts: Uint32Array; // [0] from older servers
  presence: Float32Array; // [characters] 0 to 1: characters that are set upright again fade out and in
  present: Uint8Array; // [things] 1 where it is known where the thing is
}

export function make_world_pose(cast: Cast = kEmptyCast): WorldPose {
  return {
    cast,
    tick: 0,
    poses: new Float32Array(cast.poses),
    partial: new Uint8Array(cast.members.length),
    joints: undefined,
    flags: new Uint32Array(cast.members.length),
    limb_contacts: new Uint32Array(0),
    presence: new Float32Array(cast.members.length).fill(1),
    present: new Uint8Array(cast.things.length),
  };
}

/** Brings the links of a character to the moment of the pose. */
export function complete(pose: WorldPose, member: Member): void {
  if (member.thing || pose.partial[member.index] !== 1) return;
  pose.partial[member.index] = 0;
  const { skeleton, pose: p } = member;
  const coordinates = pose.joints?.coordinates(member) ?? skeleton.rest;
  forward_kinematics(skeleton, pose.poses, p, coordinates, 0, pose.poses, p);
}

/** The first number of a link's pose, which is of the moment of the pose. */
export function link_at(pose: WorldPose, member: Member, link: number): number {
  complete(pose, member);
  return member.pose + link * kPoseSize;
}

/** Whether a character is in the scene, or the place of a thing is known. */
export function is_present(pose: WorldPose, { thing, index }: Member): boolean {
  return thing ? pose.present[index] === 1 : (at(pose.flags, index) & kFlag.away) === 0;
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
let coordinates = new Float64Array(128);

/** Two frames around the time that is drawn, their neighbours, and how far between them it is. */
interface Moment {
  readonly before: BufferedFrame;
  readonly a: BufferedFrame;
  readonly b: BufferedFrame;
  readonly after: BufferedFrame;
  readonly t: number; // 0 at a, 1 at b; above 1 where frames are late
}

/** A state that is filled anew for each body. */
interface Slot {
  roots: Float32Array;
  root: number;
  joints: Float32Array;
  joint: number;
}

function make_slot(): Slot {
  const nothing = new Float32Array(0);
  return { roots: nothing, root: 0, joints: nothing, joint: 0 };
}

/** Computes the poses between frames. Remembers which things rest, so that these cost nothing. */
export class Sampler implements Joints {
  private drawn_: (BodyState | undefined)[] = []; // the state that a resting thing is drawn in
  private moment_: Moment | undefined; // of the last sample
  private cast_: Cast = kEmptyCast;
  private readonly slots_ = [make_slot(), make_slot(), make_slot(), make_slot()] as const;

  constructor(
    private readonly buffer_: Frames,
    private readonly tracks_: Tracks,
  ) {}

  /** To be called when something else has drawn into the pose: what rests is drawn again. */
  forget_drawn(): void {
    this.drawn_ = [];
  }

  /**
   * Fills `out` with the poses at a server time: Hermite for the roots, linear for the joints, the last frame held when
   * there is nothing later. Of characters only the roots: `link_at` completes those that are asked for.
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
    this.moment_ = moment;
    this.cast_ = cast;
    out.joints = this;
    out.partial.fill(1);
    out.tick = a.frame.tick + (b.frame.tick - a.frame.tick) * Math.min(1, t);
    out.flags.set(b.frame.flags);
    out.limb_contacts = b.frame.limb_contacts;
    for (const member of cast.members) this.draw_character(member, moment, out);
    for (const thing of cast.things) this.draw_thing(thing, moment, out);
    return true;
  }

  get frame(): BufferedFrame | undefined {
    return this.moment_?.b;
  }

  coordinates(member: Member): Numbers | undefined {
    const { moment_: moment } = this;
    if (!moment) return undefined;
    const { a, b, t } = moment;
    const to = this.index_in(b, member);
    if (to < 0 || !has_joints(b.frame, to)) return undefined;
    const target = this.state(2, b, member);
    if (!target) return undefined;
    const from = this.index_in(a, member);
    const start =
      from >= 0 && has_joints(a.frame, from) && !was_set_up(a, b, from, to)
        ? this.state(1, a, member)
        : undefined;
    draw_joints(member, start, target, t, kTeleport_m);
    return coordinates;
  }

  gait(member: Member, out: Gait): boolean {
    const sagittal = sagittal_of(member.skeleton);
    const { moment_: moment } = this;
    if (!sagittal || !moment) return false;
    const { a, b, t } = moment;
    const to = this.index_in(b, member);
    if (to < 0) return false;
    if (!has_joints(b.frame, to)) return this.gait_without_joints(member, sagittal, moment, out);
    const { joints } = b.frame;
    const from = a === b ? -1 : this.index_in(a, member);
    if (from < 0 || !has_joints(a.frame, from) || was_set_up(a, b, from, to)) {
      gait_between(sagittal, joints, member.coordinate, joints, member.coordinate, 1, out);
      return true;
    }
    const then = a.cast === b.cast ? member : a.cast.by_id.get(member.id);
    const first = then?.coordinate ?? 0;
    const late = Math.min(1, t);
    gait_between(sagittal, a.frame.joints, first, joints, member.coordinate, late, out);
    return true;
  }

  private gait_without_joints(
    member: Member,
    sagittal: Sagittal,
    { a, b, t }: Moment,
    out: Gait,
  ): boolean {
    const to = this.index_in(b, member);
    const from = this.index_in(a, member);
    const span_s = span_ms(a, b) / 1000;
    const [i, j] = [kPoseSize * Math.max(0, from), kPoseSize * to];
    const dx = at(b.frame.roots, j) - at(a.frame.roots, i);
    const dy = at(b.frame.roots, j + 1) - at(a.frame.roots, i + 1);
    const way = Math.sqrt(dx * dx + dy * dy);
    const speed = from >= 0 && span_s > 0 && way < kTeleport_m ? way / span_s : 0;
    const start = from < 0 ? to : from;
    gait_told(from < 0 ? b.frame : a.frame, start, b.frame, to, t, speed, sagittal.leg_m, out);
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
    // At a frame that frame alone is shown, with its contacts and its characters.
    const b = (since > 0 ? buffer.at(i + 1) : undefined) ?? a;
    const span = span_ms(a, b);
    // In a room that is paused nothing is late: the last frame is what there is.
    const latest = 1 + (span > 0 && !b.frame.paused ? kExtrapolate_ms / span : 0);
    const t = span > 0 ? Math.min(latest, Math.max(0, since / span)) : 0;
    return { before: buffer.at(i - 1) ?? a, a, b, after: buffer.at(i + 2) ?? b, t };
  }

  /** The place of a character in a frame, -1 where it is not there. Frames of the same cast need no search. */
  private index_in({ cast }: BufferedFrame, { id, index }: Member): number {
    return cast === this.cast_ ? index : (cast.by_id.get(id)?.index ?? -1);
  }

  /** The numbers of a character in a frame, in one of four places that are used again and again. */
  private state(k: 0 | 1 | 2 | 3, { frame, cast }: BufferedFrame, member: Member) {
    const then = cast === this.cast_ ? member : cast.by_id.get(member.id);
    if (!then) return undefined;
    const slot = this.slots_[k];
    slot.roots = frame.roots;
    slot.root = then.index * kPoseSize;
    slot.joints = frame.joints;
    slot.joint = then.coordinate;
    return slot;
  }

  private draw_character(member: Member, moment: Moment, out: WorldPose): void {
    const { before, a, b, after, t } = moment;
    const target = this.state(2, b, member);
    if (!target) return;
    const [first, from, to, last] = [
      this.index_in(before, member),
      this.index_in(a, member),
      this.index_in(b, member),
      this.index_in(after, member),
    ];
    const then = presence_in(a, from);
    out.presence[member.index] = then + (presence_in(b, to) - then) * Math.min(1, t);
    // A body that was set upright did not move there.
    const start = was_set_up(a, b, from, to) ? undefined : this.state(1, a, member);
    const earlier = was_set_up(before, a, first, from) ? undefined : this.state(0, before, member);
    const later = was_set_up(b, after, to, last) ? undefined : this.state(3, after, member);
    draw_root(earlier, start, target, later, moment, kTeleport_m, out.poses, member.pose);
  }

  private draw_thing(thing: Member, moment: Moment, out: WorldPose): void {
    const state = ({ frame }: BufferedFrame) => this.tracks_.at(thing.id, frame.tick);
    const { before, a, b, after } = moment;
    const [from, to] = [state(a), state(b)];
    out.present[thing.index] = to ? 1 : 0;
    if (!to) return;
    const p = thing.pose;
    if (from === to) {
      // The thing lies still between these frames, whatever it did before and does next.
      if (this.drawn_[thing.index] !== to) {
        draw_root(undefined, undefined, to, undefined, moment, 0, out.poses, p);
        draw_joints(thing, undefined, to, 0, 0);
        forward_kinematics(thing.skeleton, out.poses, p, coordinates, 0, out.poses, p);
      }
      this.drawn_[thing.index] = to;
      return;
    }
    this.drawn_[thing.index] = undefined;
    const limit_m = kTeleport_m + (kFastest_mps * span_ms(a, b)) / 1000;
    draw_root(state(before), from, to, state(after), moment, limit_m, out.poses, p);
    draw_joints(thing, from, to, moment.t, limit_m);
    forward_kinematics(thing.skeleton, out.poses, p, coordinates, 0, out.poses, p);
  }
}

/** @param index of the character in the frame, -1: it is not there */
function presence_in({ frame }: BufferedFrame, index: number): number {
  return index < 0 ? 1 : (frame.presence?.[index] ?? 255) / 255;
}

function is_fallen({ frame }: BufferedFrame, index: number): boolean {
  return index >= 0 && (at(frame.flags, index) & kFlag.fallen) !== 0;
}

/**
 * Whether somebody who had fallen was set upright by the server in the later of two frames: at once, and faded out.
 * A body that gets up by itself is fully visible all the time.
 */
function was_set_up(earlier: BufferedFrame, later: BufferedFrame, i: number, j: number): boolean {
  return is_fallen(earlier, i) && !is_fallen(later, j) && presence_in(later, j) < 1;
}

function span_ms(a: BufferedFrame, b: BufferedFrame): number {
  return b.frame.server_time_ms - a.frame.server_time_ms;
}

/**
 * Interpolates the root between the middle two of four states.
 * @param limit_m states further apart than this are not interpolated: the body was placed there
 */
function draw_root(
  before: BodyState | undefined,
  a: BodyState | undefined,
  b: BodyState,
  after: BodyState | undefined,
  { before: frame_before, a: frame_a, b: frame_b, after: frame_after, t }: Moment,
  limit_m: number,
  out: Float32Array,
  o: number,
): void {
  if (!a || moved(a.roots, a.root, b.roots, b.root) > limit_m) {
    for (let k = 0; k < kPoseSize; ++k) out[o + k] = at(b.roots, b.root + k);
    return;
  }
  const span = span_ms(frame_a, frame_b);
  const span_before = span_ms(frame_before, frame_b);
  const span_after = span_ms(frame_a, frame_after);
  const earlier = span_before > 0 && before && is_near(before, a, limit_m) ? before : undefined;
  const later = span_after > 0 && after && is_near(after, b, limit_m) ? after : undefined;
  for (let k = 0; k < 3; ++k) {
    const p0 = at(a.roots, a.root + k);
    const p1 = at(b.roots, b.root + k);
    const v0 = earlier
      ? ((p1 - at(earlier.roots, earlier.root + k)) / span_before) * span
      : p1 - p0;
    const v1 = later ? ((at(later.roots, later.root + k) - p0) / span_after) * span : p1 - p0;
    out[o + k] = t <= 1 ? hermite(p0, v0, p1, v1, t) : p1 + v1 * (t - 1);
  }
  blend(a.roots, a.root + 3, b.roots, b.root + 3, t, out, o + 3);
}

/** Interpolates the joints between two states, into `coordinates`. @param limit_m as of the root */
function draw_joints(
  { skeleton }: Member,
  a: BodyState | undefined,
  b: BodyState,
  t: number,
  limit_m: number,
): void {
  if (skeleton.coordinates > coordinates.length)
    coordinates = new Float64Array(2 * skeleton.coordinates);
  if (!a || moved(a.roots, a.root, b.roots, b.root) > limit_m) {
    for (let k = 0; k < skeleton.coordinates; ++k) coordinates[k] = at(b.joints, b.joint + k);
    return;
  }
  for (let k = 0; k < skeleton.coordinates; ++k) {
    const value = at(a.joints, a.joint + k);
    coordinates[k] = value + (at(b.joints, b.joint + k) - value) * t;
  }
  // Rotation vectors that are more than half a turn apart go the other way round.
  for (const c of balls_of(skeleton))
    if (moved(a.joints, a.joint + c, b.joints, b.joint + c) > Math.PI)
      blend_rotation_vectors(a.joints, a.joint + c, b.joints, b.joint + c, t, coordinates, c);
}

const balls = new WeakMap<Skeleton, readonly number[]>();

/** The first coordinates of a body's ball joints. */
function balls_of(skeleton: Skeleton): readonly number[] {
  let found = balls.get(skeleton);
  if (!found) {
    found = skeleton.links.flatMap(({ joint, coordinate }) =>
      joint.kind === 'ball' ? [coordinate] : [],
    );
    balls.set(skeleton, found);
  }
  return found;
}

function is_near(state: BodyState, other: BodyState, limit_m: number): boolean {
  return moved(state.roots, state.root, other.roots, other.root) <= limit_m;
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

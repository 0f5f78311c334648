// How bodies hold themselves over a stride, for figures whose own joints are not looked at. Each body in each style has a
// table of poses, learned from the joints of people who walk in it; until enough have been seen, from a plain walk.
import { kFlag } from '../../net/frame';
import { type Gait, gait_of_joints, has_joints, type Sagittal, sagittal_of } from './gait_phase';
import type { BufferedFrame } from '../frames/frame_buffer';
import { forward_kinematics, kPoseSize } from '../figure/kinematics';
import { at } from '../values/quaternion';
import type { Member } from '../room/roster';
import type { Skeleton } from '../figure/skeleton';

/** Poses of a stride; after them comes that of a body that stands. */
export const kPhases = 16;
/** Numbers of a link in a table: position and one to spare, rotation. */
export const kGaitStride = 8;

const kPoses = kPhases + 1;
const kStand = kPhases;
const kEnough = 24; // samples of a pose: more would hardly change their mean
const kLooks = 192; // characters a picture that are looked at
const kClock = 32; // parts of a stride whose times are learned
const kAhead = 0.022; // of a stride, by the curves of people at 1.2 m/s
const kRebuilt = 2; // tables a picture
const kWalks = 0.4; // extent from which somebody walks
const kStands = 0.14; // up to which somebody stands
const kMostTables = 160; // further styles share the first table of their body
const kIdentity = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
const kTurn = 2 * Math.PI;

// A plain walk: angles, rad, by harmonics of the stride. Only the first picture of a style shows it.
const kHip = { mean: 0.14, first: 0.34 };
const kKnee = { mean: 0.35, swing: 0.5 };
const kArm_rad = 0.26;

/** The poses of a body in a style, relative to its root. */
export interface GaitTable {
  readonly skeleton: Skeleton;
  readonly first: number; // link of the first pose, among those of all tables
  readonly poses: Float32Array; // [kPhases + 1][links][kGaitStride]
  extent: number; // mean over the people who walk in it
  readonly clock: Float64Array; // [kClock + 1] 0 to 1: the share of the time of a stride that is over at each phase
  strike: number; // that share at which the left heel strikes
  low: number; // m, how far its lowest link is below the root while it walks
}

interface Learned {
  readonly table: GaitTable;
  readonly sagittal: Sagittal;
  readonly sums: Float64Array; // [kPhases + 1][coordinates]
  readonly counts: Uint16Array; // [kPhases + 1]
  readonly visits: Uint32Array; // [kClock] of people who walk: as often as long
  seen: number; // samples since the table was built
  built: number; // samples when it was
  extents: number; // sum
  walking: number; // samples of that sum
  full: boolean;
}

const gait: Gait = { phase: 0, extent: 0, told: false };

/** The joints of a body in a plain walk. @param phase 0 to 1; undefined: it stands */
function plain_walk(skeleton: Skeleton, s: Sagittal, phase: number | undefined): Float64Array {
  const out = Float64Array.from(skeleton.rest);
  if (phase === undefined) return out;
  for (const side of [0, 1] as const) {
    const angle = kTurn * (phase - side / 2);
    const hip = kHip.mean + kHip.first * Math.cos(angle);
    // The knee bends most a good quarter of a stride before its heel strikes.
    const knee = kKnee.mean * 0.5 + kKnee.swing * Math.max(0, Math.cos(angle - kTurn * 0.73)) ** 2;
    const [h, k] = [s.hips[side], s.knees[side]];
    out[h] = at(out, h) + s.hip_signs[side] * hip;
    out[k] = at(out, k) + s.knee_signs[side] * knee;
  }
  for (const limb of skeleton.limbs) {
    const link = skeleton.links[limb.links[0] ?? -1];
    if (limb.kind !== 'arm' || !link || link.joint.kind === 'root' || link.joint.kind === 'slider')
      continue;
    // Arms swing against the legs of their side.
    const c = link.coordinate + (link.joint.kind === 'ball' ? 1 : 0);
    const left = link.at_parent[1] > 0 ? 1 : -1;
    out[c] = at(out, c) + left * kArm_rad * Math.cos(kTurn * phase);
  }
  return out;
}

/** The tables of all bodies and styles that walk on two legs. */
export class GaitTables {
  private readonly tables_ = new Map<Skeleton, Map<bigint, Learned>>();
  private readonly of_ = new WeakMap<Member, Learned>();
  private readonly changed_: GaitTable[] = [];
  private readonly waiting_: Learned[] = []; // to be built
  private links_ = 0;
  private count_ = 0;
  private next_ = 0; // of the characters that are looked at in turn

  /** Links of all tables together. */
  get links(): number {
    return this.links_;
  }

  get count(): number {
    return this.count_;
  }

  /** The table of a character's body in its style; undefined where it does not walk on two legs. */
  table_of(member: Member): GaitTable | undefined {
    return this.learned_of(member)?.table;
  }

  clear(): void {
    this.tables_.clear();
    this.waiting_.length = 0;
    this.changed_.length = 0;
    this.links_ = this.count_ = this.next_ = 0;
  }

  /** Looks at the joints of some of those in a frame, others each time. */
  learn({ frame, cast }: BufferedFrame): void {
    const { members } = cast;
    const looks = Math.min(kLooks, members.length);
    for (let k = 0; k < looks; ++k) {
      this.next_ = (this.next_ + 1) % members.length;
      const member = members[this.next_] as Member;
      if (!has_joints(frame, member.index)) continue;
      if (at(frame.flags, member.index) & (kFlag.fallen | kFlag.pushed)) continue;
      const learned = this.learned_of(member);
      if (learned && !learned.full) this.take(learned, frame.joints, member.coordinate);
    }
    for (let k = 0; k < kRebuilt; ++k) {
      const learned = this.waiting_.shift();
      if (learned) this.build(learned);
    }
  }

  /** Calls `changed` with each table that has changed since. */
  take_changes(changed: (table: GaitTable) => void): void {
    for (const table of this.changed_) changed(table);
    this.changed_.length = 0;
  }

  private learned_of(member: Member): Learned | undefined {
    const known = this.of_.get(member);
    if (known && this.tables_.has(member.skeleton)) return known;
    const sagittal = member.complete ? sagittal_of(member.skeleton) : undefined;
    if (!sagittal) return undefined;
    const { skeleton } = member;
    let styles = this.tables_.get(skeleton);
    if (!styles) this.tables_.set(skeleton, (styles = new Map<bigint, Learned>()));
    let learned = styles.get(member.style_id);
    if (!learned) {
      const [shared] = styles.values();
      learned = this.count_ >= kMostTables && shared ? shared : this.make(skeleton, sagittal);
      styles.set(member.style_id, learned);
    }
    this.of_.set(member, learned);
    return learned;
  }

  private make(skeleton: Skeleton, sagittal: Sagittal): Learned {
    const links = skeleton.links.length;
    const table: GaitTable = {
      skeleton,
      first: this.links_,
      poses: new Float32Array(kPoses * links * kGaitStride),
      extent: 1,
      strike: 0,
      clock: Float64Array.from({ length: kClock + 1 }, (_, k) => k / kClock),
      low: 0,
    };
    const learned: Learned = {
      table,
      sagittal,
      sums: new Float64Array(kPoses * skeleton.coordinates),
      counts: new Uint16Array(kPoses),
      visits: new Uint32Array(kClock),
      ...{ seen: 0, built: 0, extents: 0, walking: 0, full: false },
    };
    this.links_ += kPoses * links;
    ++this.count_;
    this.build(learned);
    return learned;
  }

  private take(learned: Learned, joints: Float32Array, c: number): void {
    gait_of_joints(learned.sagittal, joints, c, gait);
    const walks = gait.extent > kWalks;
    if (!walks && gait.extent > kStands) return;
    const pose = walks ? Math.round(gait.phase * kPhases) % kPhases : kStand;
    if (walks) {
      learned.extents += gait.extent;
      ++learned.walking;
      const part = Math.min(kClock - 1, Math.floor(gait.phase * kClock));
      learned.visits[part] = (learned.visits[part] as number) + 1;
      // Now and then: each time that it has seen twice as much.
      if (learned.walking >= 4 * kClock && (learned.walking & (learned.walking - 1)) === 0)
        set_clock(learned);
    }
    if ((learned.counts[pose] as number) >= kEnough) return;
    const { coordinates } = learned.table.skeleton;
    const to = pose * coordinates;
    for (let k = 0; k < coordinates; ++k)
      learned.sums[to + k] = at(learned.sums, to + k) + at(joints, c + k);
    learned.counts[pose] = (learned.counts[pose] as number) + 1;
    ++learned.seen;
    // Built again whenever it knows half as much again, and a last time when it knows all.
    const total = learned.built + learned.seen;
    learned.full = total >= kPoses * kEnough;
    if (learned.full || learned.seen >= 8 + learned.built / 2) {
      learned.built = total;
      learned.seen = 0;
      if (!this.waiting_.includes(learned)) this.waiting_.push(learned);
    }
  }

  private build(learned: Learned): void {
    const { table } = learned;
    const { skeleton, poses } = table;
    const span = skeleton.links.length * kGaitStride;
    for (let pose = 0; pose < kPoses; ++pose)
      forward_kinematics(
        skeleton,
        kIdentity,
        0,
        joints_in(learned, pose),
        0,
        poses,
        pose * span,
        kGaitLayout,
      );
    align(poses, span);
    if (learned.walking > 0) table.extent = Math.max(kWalks, learned.extents / learned.walking);
    table.low = lowest(poses, skeleton, span);
    this.changed_.push(table);
  }
}

const kGaitLayout = { stride: kGaitStride, turn: 4 } as const;

/** The joints of a pose: the mean of what was seen, between its neighbours where it was not. */
function joints_in({ table, sums, counts, sagittal }: Learned, pose: number): Float64Array {
  const { skeleton } = table;
  const n = skeleton.coordinates;
  const out = new Float64Array(n);
  const add = (from: number, weight: number) => {
    const scale = weight / (counts[from] as number);
    for (let k = 0; k < n; ++k) out[k] = at(out, k) + scale * at(sums, from * n + k);
  };
  const seen = counts.subarray(0, kPhases).reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  if ((counts[pose] as number) > 0) {
    add(pose, 1);
  } else if (pose === kStand && seen >= kPhases / 2) {
    // Nobody stood yet: between all that the legs do they are nearly straight under the body.
    for (let k = 0; k < kPhases; ++k) if ((counts[k] as number) > 0) add(k, 1 / seen);
  } else if (pose !== kStand && seen >= kPhases / 2) {
    const find = (step: number) => {
      let k = 1;
      while (!counts[(pose + step * k + kPhases * k) % kPhases]) ++k;
      return k;
    };
    const [back, ahead] = [find(-1), find(1)];
    add((pose - back + kPhases) % kPhases, ahead / (back + ahead));
    add((pose + ahead) % kPhases, back / (back + ahead));
  } else {
    return plain_walk(skeleton, sagittal, pose === kStand ? undefined : pose / kPhases);
  }
  return out;
}

/**
 * A body that walks evenly is seen in each part of the stride as often as that part takes long. When the heel strikes follows from
 * how far phases by the joints are ahead of the time on average: as far as those of real people.
 */
function set_clock({ table, visits, walking }: Learned): void {
  let sum = 0;
  let ahead = 0;
  for (let k = 0; k < kClock; ++k) {
    table.clock[k] = sum / walking;
    const share = at(visits, k) / walking;
    ahead += share * ((k + 0.5) / kClock - (at(table.clock, k) + share / 2));
    sum += at(visits, k);
  }
  table.strike = kAhead - ahead;
}

/** The phase by the joints at a share of the time of a stride, from the strike of the left heel. */
export function phase_at({ clock, strike }: GaitTable, share: number): number {
  const time = share + strike - Math.floor(share + strike);
  let [low, high] = [0, kClock];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(clock, middle) <= time) low = middle;
    else high = middle;
  }
  const span = at(clock, high) - at(clock, low);
  const phase = (low + (span > 0 ? (time - at(clock, low)) / span : 0)) / kClock;
  return phase < 1 ? phase : 0;
}

/** Turns all rotations to the side of those of the first pose, so that numbers between them are rotations between them. */
function align(poses: Float32Array, span: number): void {
  for (let p = span; p < poses.length; p += kGaitStride) {
    const first = (p % span) + 4;
    let dot = 0;
    for (let k = 0; k < 4; ++k) dot += at(poses, p + 4 + k) * at(poses, first + k);
    if (dot < 0) for (let k = 4; k < 8; ++k) poses[p + k] = -at(poses, p + k);
  }
}

/** m, how far the lowest link's origin is below the root, in the mean of the stride. */
function lowest(poses: Float32Array, { links }: Skeleton, span: number): number {
  let sum = 0;
  for (let pose = 0; pose < kPhases; ++pose) {
    let low = 0;
    for (let i = 0; i < links.length; ++i)
      low = Math.min(low, at(poses, pose * span + i * kGaitStride + 2));
    sum -= low;
  }
  return sum / kPhases;
}

/** A link of a table's pose between two phases, as the shader has it: for tests and for what picks. */
export function gait_pose(
  { poses, skeleton, extent }: GaitTable,
  link: number,
  { phase, extent: own }: Pick<Gait, 'phase' | 'extent'>,
  out: Float64Array,
): void {
  const span = skeleton.links.length * kGaitStride;
  const along = phase * kPhases;
  const a = Math.floor(along) % kPhases;
  const b = (a + 1) % kPhases;
  const t = along - Math.floor(along);
  const walks = Math.min(1.25, own / extent);
  for (let k = 0; k < kPoseSize; ++k) {
    const o = link * kGaitStride + (k < 3 ? k : k + 1);
    const here = at(poses, a * span + o) * (1 - t) + at(poses, b * span + o) * t;
    const still = at(poses, kStand * span + o);
    out[k] = still + (here - still) * walks;
  }
  const norm = Math.hypot(at(out, 3), at(out, 4), at(out, 5), at(out, 6)) || 1;
  for (let k = 3; k < 7; ++k) out[k] = at(out, k) / norm;
}

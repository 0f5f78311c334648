// Coded frames (docs/protocol.md) back to the numbers of whole ones; server/stream/coded/crowd_code.h is the other end.
import type { FrameNumbers } from '../decode';
import { kLengthModels, kNumberModels, read_length, read_number } from './numbers';
import { BitModels, RangeDecoder } from './range_decoder';
import {
  Ahead,
  CrowdTracks,
  kJoints,
  kJointsAhead,
  kPhase,
  kPosition,
  kRootAhead,
  kRotation,
  type TrackedMember,
} from './tracks';

const kKey = 1; // of the first byte: needs no earlier frame
const kHead = 2; // bytes
const kAges = 32;
const kTiers = 4;
const kJump = 1000; // position units from where it was expected
const kPhases = 256; // of a stride
const kPhaseExponent = 2;
const kHalf = 511; // of a rotation's parts

/** Where the models of each thing that is coded begin. */
const kModel = (() => {
  let next = 0;
  const take = (count: number) => (next += count) - count;
  return {
    told: take(kTiers * kAges),
    tier_changed: take(1),
    exponent_changed: take(1),
    omitted_changed: take(1),
    limbs_changed: take(1),
    presence_changed: take(1),
    joints: take(kTiers),
    tier: take(4),
    exponent: take(8),
    flag: take(8),
    presence: take(8),
    omitted: take(4),
    flags_changed: take(4),
    more_flags: take(kLengthModels),
    limbs: take(kLengthModels),
    first_position: take(kLengthModels),
    first_part: take(kLengthModels),
    first_joint: take(kLengthModels),
    level: take(kNumberModels),
    height: take(kNumberModels),
    part: take(kNumberModels),
    joint: take(kNumberModels),
    phase: take(kNumberModels),
    count: next,
  };
})();

/** The characters of a coded frame, as whole frames have them; `tiers` and `phases` are those of FrameData. */
export interface CodedCrowd {
  readonly numbers: FrameNumbers;
  readonly tiers: Uint8Array;
  readonly phases: Uint8Array;
}

/** Reads the coded frames of one connection, each of which tells what has changed since the one before. */
export class CrowdDecoder {
  private readonly models_ = new BitModels(kModel.count);
  private readonly coder_ = new RangeDecoder(this.models_);
  private readonly ahead_ = new Ahead();
  private members_: readonly TrackedMember[] = [];
  private tracks_ = new CrowdTracks([]);
  private followed_ = false; // tracks_ are those of members_
  private lost_ = true; // until the next frame that needs no earlier one
  private sequence_ = 0;
  private tick_ = 0;
  private sum_ = 0;
  // Joints as they are now, and for whom that will not change before something is told.
  private joints_ = new Int32Array(0);
  private still_ = new Uint8Array(0);

  /** A new connection or scene: the next frame that can be read needs no earlier one. */
  restart(): void {
    this.lost_ = true;
  }

  /** The characters of the roster that the next frames are of, by ascending ids. */
  follow(members: readonly TrackedMember[]): void {
    this.members_ = members;
    this.followed_ = false;
  }

  /** Undefined: it cannot be read, as it is damaged or one before it is missing; ask for one that needs no earlier one. */
  decode(frame: FrameNumbers): CodedCrowd | undefined {
    if (this.read(frame.coded, Number(frame.tick))) return this.crowd(frame);
    this.lost_ = true;
    return undefined;
  }

  private read(coded: Uint8Array, tick: number): boolean {
    if (coded.length < kHead) return false;
    const key = ((coded[0] as number) & kKey) !== 0;
    const sequence = coded[1] as number;
    if (!key && (this.lost_ || sequence !== ((this.sequence_ + 1) & 255))) return false;
    this.sequence_ = sequence;
    this.tick_ = tick;
    this.sum_ = (tick + 0x9e3779b9) >>> 0;
    if (key) {
      this.models_.reset();
      this.lost_ = false;
    }
    if (key || !this.followed_) this.begin(key);
    const { coder_: coder, tracks_: tracks } = this;
    coder.begin(coded, kHead);
    for (let i = 0; i < tracks.count; ++i) {
      if (this.is_told(i)) this.character(i);
    }
    const sum = (this.sum_ ^ (this.sum_ >>> 16)) & 0xffff;
    return coder.plain(16) === sum;
  }

  private begin(key: boolean): void {
    this.tracks_ = key ? new CrowdTracks(this.members_) : this.tracks_.follow(this.members_);
    this.followed_ = true;
    this.joints_ = new Int32Array(this.members_.reduce((sum, { dof }) => sum + dof, 0));
    this.still_ = new Uint8Array(this.members_.length);
  }

  private is_told(i: number): boolean {
    const { tracks_: tracks } = this;
    const age = tracks.age[i] as number;
    const model = kModel.told + (tracks.tier[i] as number) * kAges + Math.min(age, kAges - 1);
    const told = tracks.root_times.told[i] === 0 || this.coder_.bit(model) === 1;
    tracks.age[i] = told ? 0 : age + 1;
    return told;
  }

  private character(i: number): void {
    const { tracks_: tracks, ahead_: ahead } = this;
    const first = tracks.root_times.told[i] === 0;
    const joints = this.head(i);
    ahead.set(tracks.root_times, i, this.tick_, kRootAhead);
    this.states(i);
    const channel = tracks.first[i] as number;
    const exponent = tracks.exponent[i] as number;
    let jumped = false;
    for (let k = 0; k < 3; ++k) {
      const models = k < 2 ? kModel.level : kModel.height;
      const at = channel + kPosition + k;
      if (this.number(at, first, models, kModel.first_position, exponent)) jumped = true;
    }
    this.rotation(i, first);
    this.phase(channel + kPhase);
    tracks.root_times.push(i, this.tick_);
    if (jumped) tracks.root_times.forget(i);
    if (joints) this.joints(i);
  }

  /** @return whether joints are told */
  private head(i: number): boolean {
    const { coder_: coder, tracks_: tracks } = this;
    if (coder.bit(kModel.tier_changed)) tracks.tier[i] = this.tree(kModel.tier, 2);
    if (coder.bit(kModel.exponent_changed)) {
      const before = tracks.exponent[i] as number;
      const exponent = this.tree(kModel.exponent, 3);
      tracks.exponent[i] = exponent;
      tracks.rescale(i, exponent - before);
    }
    return coder.bit(kModel.joints + (tracks.tier[i] as number)) === 1;
  }

  private states(i: number): void {
    const { coder_: coder, tracks_: tracks } = this;
    let flags = tracks.flags[i] as number;
    if (coder.bit(kModel.flags_changed + ((flags >>> 1) & 3))) {
      let mask = 0;
      for (let k = 0; k < 8; ++k) mask |= coder.bit(kModel.flag + k) << k;
      flags = (flags ^ (mask | (read_length(coder, kModel.more_flags) << 8))) >>> 0;
      tracks.flags[i] = flags;
    }
    if (coder.bit(kModel.limbs_changed)) {
      const changed = read_length(coder, kModel.limbs);
      tracks.limb_contacts[i] = (tracks.limb_contacts[i] as number) ^ changed;
    }
    if (coder.bit(kModel.presence_changed)) {
      let value = 0;
      for (let k = 7; k >= 0; --k) value |= coder.bit(kModel.presence + k) << k;
      tracks.presence[i] = value;
    }
    this.add(flags);
    this.add(tracks.limb_contacts[i] as number);
    this.add(((tracks.presence[i] as number) << 8) | (tracks.tier[i] as number));
  }

  private rotation(i: number, first: boolean): void {
    const { tracks_: tracks } = this;
    if (this.coder_.bit(kModel.omitted_changed)) tracks.omit(i, this.tree(kModel.omitted, 2));
    const channel = (tracks.first[i] as number) + kRotation;
    const omitted = tracks.omitted[i] as number;
    const exponent = tracks.exponent[i] as number;
    for (let k = 0; k < 4; ++k)
      if (k !== omitted)
        this.number(channel + k, first, kModel.part, kModel.first_part, exponent, kHalf);
    tracks.complete(i);
  }

  private phase(channel: number): void {
    const { tracks_: tracks, ahead_: ahead } = this;
    const expected = tracks.expected(channel, ahead);
    const quanta = read_number(this.coder_, kModel.phase, tracks.scales, channel);
    const told = (expected + quanta * 2 ** kPhaseExponent) | 0;
    tracks.push(channel, ahead, told);
    this.add(told);
  }

  private joints(i: number): void {
    const { tracks_: tracks } = this;
    const first = tracks.joint_times.told[i] === 0;
    this.ahead_.set(tracks.joint_times, i, this.tick_, kJointsAhead);
    const begin = (tracks.first[i] as number) + kJoints;
    const end = begin + (tracks.members[i] as TrackedMember).dof;
    const exponent = tracks.exponent[i] as number;
    for (let channel = begin; channel < end; ++channel)
      this.number(channel, first, kModel.joint, kModel.first_joint, exponent);
    tracks.joint_times.push(i, this.tick_);
    this.still_[i] = 0;
  }

  /**
   * @param most beyond which it is cut off, both ways; 0: nowhere
   * @return whether it is far from where it was expected
   */
  private number(
    channel: number,
    first: boolean,
    models: number,
    first_models: number,
    exponent: number,
    most = 0,
  ): boolean {
    const { tracks_: tracks, ahead_: ahead, coder_: coder } = this;
    const expected = tracks.expected(channel, ahead);
    let quanta: number;
    if (first) {
      const zigzag = read_length(coder, first_models);
      quanta = (zigzag >>> 1) ^ -(zigzag & 1);
    } else quanta = read_number(coder, models, tracks.scales, channel);
    let told = (expected + quanta * 2 ** exponent) | 0;
    if (most > 0) told = Math.min(most, Math.max(-most, told));
    tracks.push(channel, ahead, told);
    this.add(told);
    return Math.abs(told - expected) > kJump;
  }

  /** A number of so many bits, the highest first. */
  private tree(models: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; ++i) node = (node << 1) | this.coder_.bit(models + node);
    return node - (1 << bits);
  }

  private add(told: number): void {
    this.sum_ = (Math.imul(this.sum_, 31) + told) >>> 0;
  }

  private crowd(frame: FrameNumbers): CodedCrowd {
    const { tracks_: tracks, ahead_: ahead } = this;
    const { count } = tracks;
    const position = new Int32Array(3 * count);
    const rotation = new Uint32Array(count);
    const phases = new Uint8Array(count);
    let joint = 0;
    for (let i = 0; i < count; ++i) {
      ahead.set(tracks.root_times, i, this.tick_, kRootAhead);
      const channel = tracks.first[i] as number;
      for (let k = 0; k < 3; ++k)
        position[3 * i + k] = tracks.expected(channel + kPosition + k, ahead);
      rotation[i] = this.packed(channel + kRotation, tracks.omitted[i] as number);
      phases[i] = tracks.expected(channel + kPhase, ahead) & (kPhases - 1);
      const { dof } = tracks.members[i] as TrackedMember;
      if (this.still_[i] === 0) this.move_joints(i, joint, dof);
      joint += dof;
    }
    const whole = tracks.presence.every((value) => value === 255);
    return {
      numbers: {
        ...frame,
        rootPosition: position,
        rootRotation: rotation,
        joint: this.joints_,
        flags: tracks.flags,
        limbContacts: tracks.limb_contacts,
        presence: whole ? [] : tracks.presence,
      },
      tiers: tracks.tier.slice(),
      phases,
    };
  }

  private packed(channel: number, omitted: number): number {
    let bits = omitted;
    for (let k = 0; k < 4; ++k) {
      if (k === omitted) continue;
      const part = this.tracks_.expected(channel + k, this.ahead_);
      bits = bits * 1024 + Math.min(kHalf, Math.max(-kHalf, part)) + kHalf;
    }
    return bits;
  }

  private move_joints(i: number, joint: number, dof: number): void {
    const { tracks_: tracks, ahead_: ahead } = this;
    ahead.set(tracks.joint_times, i, this.tick_, kJointsAhead);
    const channel = (tracks.first[i] as number) + kJoints;
    for (let k = 0; k < dof; ++k) this.joints_[joint + k] = tracks.expected(channel + k, ahead);
    const since = this.tick_ - (tracks.joint_times.last[i] as number);
    this.still_[i] = tracks.joint_times.told[i] === 0 || since > kJointsAhead ? 1 : 0;
  }
}

// Coded frames (docs/protocol.md) back to the numbers of whole ones; server/stream/coded/crowd_code.h is the other end.
import type { FrameNumbers } from '../decode';
import { low_bits, mean_of, read_first, read_rest, read_whole, size_class_of } from './numbers';
import { SymbolDecoder } from './symbol_decoder';
import {
  type Alphabet,
  kChanges,
  kLowFlags,
  kManyChanges,
  kNumbers,
  kSizeClasses,
  kToldAt,
  kToldLevels,
  told_level,
} from './symbols';
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
  type TrackState,
} from './tracks';

const kKey = 1; // of the first byte: needs no earlier frame
const kHead = 2; // bytes
const kAges = 16;
const kTiers = 4;
const kMiddle = 1; // the last tier whose joints are told
const kJump = 1000; // position units from where it was expected
const kPhases = 256; // of a stride
const kPhaseExponent = 2;
const kHalf = 511; // of a rotation's parts
const kCertain = 4096;

/** Bits of what has changed, where that is much. */
const kChanged = {
  tier: 1,
  exponent: 2,
  joints: 4,
  omitted: 8,
  flags: 16,
  limbs: 32,
  presence: 64,
};
const kChangedBits = 7;

/** The assumed state of a character that is told for the first time. */
const kUnknown: TrackState = {
  tier: 0,
  exponent: 0,
  omitted: 3,
  flags: 0,
  limb_contacts: 0,
  presence: 0,
};

/** How likely it is that somebody is told of, by tier and by the frames since. */
class ToldModel {
  private readonly all_ = new Uint32Array(kTiers * kAges).fill(32); // sixteenths, of earlier frames
  private readonly told_ = new Uint32Array(kTiers * kAges).fill(16);
  private readonly now_ = new Uint32Array(kTiers * kAges);
  private readonly now_told_ = new Uint32Array(kTiers * kAges);
  private readonly level_ = new Uint8Array(kTiers * kAges).fill(kToldLevels >> 1);

  read(coder: SymbolDecoder, tier: number, age: number): boolean {
    const kind = tier * kAges + Math.min(age, kAges - 1);
    const told = coder.symbol(kToldAt[this.level_[kind] as number] as Alphabet);
    this.now_[kind] = (this.now_[kind] as number) + 1;
    this.now_told_[kind] = (this.now_told_[kind] as number) + told;
    return told !== 0;
  }

  /** After a frame: both counts lose an eighth of what they have. */
  learn(): void {
    for (let kind = 0; kind < kTiers * kAges; ++kind) {
      const now = this.now_[kind] as number;
      if (now === 0) continue;
      const all = this.all_[kind] as number;
      const told = this.told_[kind] as number;
      const next = all + 16 * now - (all >>> 3);
      const next_told = told + 16 * (this.now_told_[kind] as number) - (told >>> 3);
      this.all_[kind] = next;
      this.told_[kind] = next_told;
      this.level_[kind] = told_level(Math.floor((next_told * kCertain) / next));
      this.now_[kind] = 0;
      this.now_told_[kind] = 0;
    }
  }
}

/** The characters of a coded frame, as whole frames have them; `tiers` and `phases` are those of FrameData. */
export interface CodedCrowd {
  readonly numbers: FrameNumbers;
  readonly tiers: Uint8Array;
  readonly phases: Uint8Array;
}

/** Reads the coded frames of one connection, each of which tells what has changed since the one before. */
export class CrowdDecoder {
  private readonly coder_ = new SymbolDecoder();
  private told_ = new ToldModel();
  private readonly first_widths_ = new Int32Array(kJoints); // of a root's numbers where it is told for the first time
  private last_first_ = kUnknown; // of the last character that was told for the first time
  private readonly limbs_ = new Uint32Array(kLowFlags + 1); // contacts that change with the three lowest flags
  private readonly ahead_ = new Ahead();
  private members_: readonly TrackedMember[] = [];
  private tracks_ = new CrowdTracks([]);
  private followed_ = false; // tracks_ are those of members_
  private lost_ = true; // until the next frame that needs no earlier one
  private sequence_ = 0;
  private tick_ = 0;
  private sum_ = 0;
  // Joints as they are now, and the characters for which they will not change before something is told.
  private joints_ = new Int32Array(0);
  private still_ = new Uint8Array(0);
  private high_ = new Int32Array(kJoints); // what the symbols of one character's numbers say

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
      this.told_ = new ToldModel();
      this.limbs_.fill(0);
      this.first_widths_.fill(0);
      this.last_first_ = kUnknown;
      this.lost_ = false;
    }
    if (key || !this.followed_) this.begin(key);
    const { coder_: coder, tracks_: tracks } = this;
    coder.begin(coded, kHead);
    for (let i = 0; i < tracks.count; ++i) {
      if (this.is_told(i)) this.character(i);
    }
    this.told_.learn();
    const sum = (this.sum_ ^ (this.sum_ >>> 16)) & 0xffff;
    return coder.plain(16) === sum && coder.at_end();
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
    const told =
      tracks.root_times.told[i] === 0 ||
      this.told_.read(this.coder_, tracks.tier[i] as number, age);
    tracks.age[i] = told ? 0 : age + 1;
    return told;
  }

  private character(i: number): void {
    const first = this.tracks_.root_times.told[i] === 0;
    if (first) this.tracks_.set_state(i, this.last_first_);
    const joints = this.changes(i);
    if (first) this.last_first_ = this.tracks_.state(i);
    this.root(i);
    if (joints) this.joints(i);
  }

  /** @return whether joints are told */
  private changes(i: number): boolean {
    const { coder_: coder, tracks_: tracks } = this;
    const kind = coder.symbol(kChanges);
    let changed = 0;
    if (kind === kManyChanges) {
      changed = coder.plain(kChangedBits);
      this.many(i, changed);
    } else {
      const flags = kind & kLowFlags;
      tracks.flags[i] = (tracks.flags[i] as number) ^ flags;
      if (kind > kManyChanges)
        tracks.limb_contacts[i] =
          (tracks.limb_contacts[i] as number) ^ (this.limbs_[flags] as number);
    }
    const tier = tracks.tier[i] as number;
    this.add(tracks.flags[i] as number);
    this.add(tracks.limb_contacts[i] as number);
    this.add(((tracks.presence[i] as number) << 8) | tier);
    return tier <= kMiddle !== ((changed & kChanged.joints) !== 0);
  }

  private many(i: number, changed: number): void {
    const { coder_: coder, tracks_: tracks } = this;
    if (changed & kChanged.tier) tracks.tier[i] = coder.plain(2);
    if (changed & kChanged.exponent) {
      const before = tracks.exponent[i] as number;
      const exponent = coder.plain(3);
      tracks.exponent[i] = exponent;
      tracks.rescale(i, exponent - before);
    }
    if (changed & kChanged.omitted) tracks.omit(i, coder.plain(2));
    const flags = changed & kChanged.flags ? read_whole(coder) : 0;
    tracks.flags[i] = (tracks.flags[i] as number) ^ flags;
    if (changed & kChanged.limbs) {
      const limbs = read_whole(coder);
      tracks.limb_contacts[i] = (tracks.limb_contacts[i] as number) ^ limbs;
      if (flags <= kLowFlags) this.limbs_[flags] = limbs;
    }
    if (changed & kChanged.presence) tracks.presence[i] = coder.plain(8);
  }

  private root(i: number): void {
    const { tracks_: tracks, ahead_: ahead } = this;
    const first = tracks.root_times.told[i] === 0;
    ahead.set(tracks.root_times, i, this.tick_, kRootAhead);
    const begin = tracks.first[i] as number;
    const omitted = begin + kRotation + (tracks.omitted[i] as number);
    const exponent = tracks.exponent[i] as number;
    const { high_: high } = this;
    if (!first) this.read_channels(begin, kJoints, omitted);
    let jumped = false;
    let sum = 0;
    for (let channel = begin; channel < begin + kJoints; ++channel) {
      const expected = tracks.expected(channel, ahead);
      let quanta = 0;
      if (channel !== omitted)
        quanta = first
          ? read_first(this.coder_, this.first_widths_, channel - begin)
          : this.quanta(channel, high[channel - begin] as number);
      const of_phase = channel === begin + kPhase;
      const told = tracks.learn(
        channel,
        ahead,
        expected,
        of_phase ? kPhaseExponent : exponent,
        quanta,
      );
      sum = (sum + Math.imul(channel - begin + 1, told)) | 0;
      if (channel < begin + kRotation && Math.abs(told - expected) > kJump) jumped = true;
    }
    tracks.complete(i);
    if (first) tracks.begin_means(begin, begin + kJoints);
    this.add(sum);
    tracks.root_times.push(i, this.tick_);
    if (jumped) tracks.root_times.forget(i);
  }

  /** Of some channels all symbols come first, then all lowest bits. @param omitted of which there are none */
  private read_channels(begin: number, count: number, omitted = -1): void {
    const { coder_: coder, high_: high } = this;
    const { mean } = this.tracks_;
    for (let k = 0; k < count; ++k) {
      if (begin + k === omitted) continue;
      high[k] = coder.symbol(kNumbers[size_class_of(mean[begin + k] as number)] as Alphabet);
    }
    for (let k = 0; k < count; ++k) {
      if (begin + k === omitted) continue;
      const low = low_bits(size_class_of(mean[begin + k] as number));
      high[k] = ((high[k] as number) << low) | coder.plain(low);
    }
  }

  private quanta(channel: number, high: number): number {
    return read_rest(this.coder_, size_class_of(this.tracks_.mean[channel] as number), high);
  }

  private joints(i: number): void {
    const { coder_: coder, tracks_: tracks, ahead_: ahead } = this;
    const first = tracks.joint_times.told[i] === 0;
    ahead.set(tracks.joint_times, i, this.tick_, kJointsAhead);
    const begin = (tracks.first[i] as number) + kJoints;
    const { dof } = tracks.members[i] as TrackedMember;
    const end = begin + dof;
    const exponent = tracks.exponent[i] as number;
    if (first) tracks.begin_means(begin, end, mean_of(Math.min(coder.plain(5), kSizeClasses - 1)));
    if (this.high_.length < dof) this.high_ = new Int32Array(2 * dof);
    const high = this.high_;
    this.read_channels(begin, dof);
    let sum = 0;
    for (let k = 0; k < dof; ++k) {
      const channel = begin + k;
      const quanta = this.quanta(channel, high[k] as number);
      const expected = tracks.expected(channel, ahead);
      sum = (sum + Math.imul(k + 1, tracks.learn(channel, ahead, expected, exponent, quanta))) | 0;
    }
    this.add(sum);
    if (first) tracks.begin_means(begin, end);
    tracks.joint_times.push(i, this.tick_);
    this.still_[i] = 0;
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

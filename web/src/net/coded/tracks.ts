// What was told of each character, and where that leads: server/stream/coded/track.h and crowd_tracks.h, to the last bit.
import { rescale, type Scales } from './numbers';

/** Channels of a character before those of its joints. */
export const kPosition = 0; // x, y, z
export const kRotation = 3; // x, y, z, w
export const kPhase = 7;
export const kJoints = 8;

export const kRootAhead = 60; // ticks that a root's motion is continued for
export const kJointsAhead = 8; // likewise of joints

export interface TrackedMember {
  readonly id: number;
  readonly dof: number;
}

/** When the last three values of a group of channels of each character were told. */
class Times {
  readonly last: Float64Array;
  readonly before: Float64Array;
  readonly first: Float64Array;
  readonly told: Uint8Array; // how many values there are, at most 3

  constructor(count: number) {
    this.last = new Float64Array(count);
    this.before = new Float64Array(count);
    this.first = new Float64Array(count);
    this.told = new Uint8Array(count);
  }

  push(i: number, tick: number): void {
    this.first[i] = this.before[i] as number;
    this.before[i] = this.last[i] as number;
    this.last[i] = tick;
    this.told[i] = Math.min((this.told[i] as number) + 1, 3);
  }

  /** Nothing moved from what was before to what was told last. */
  forget(i: number): void {
    this.told[i] = Math.min(this.told[i] as number, 1);
  }

  copy(i: number, from: Times, k: number): void {
    for (const name of ['last', 'before', 'first', 'told'] as const)
      this[name][i] = from[name][k] as number;
  }
}

/** How far ahead of the last values a moment is. */
export class Ahead {
  share = 0; // of the time between the last two values; 0 where there is no earlier one
  even = false; // three values and this moment are equally far apart

  /** @param most ticks that a motion is continued for */
  set(times: Times, i: number, now: number, most: number): this {
    this.share = 0;
    this.even = false;
    const last = times.last[i] as number;
    const before = times.before[i] as number;
    const told = times.told[i] as number;
    if (told < 2 || now <= last || last <= before) return this;
    const passed = last - before;
    const since = now - last;
    const first = times.first[i] as number;
    this.share = Math.min(since, most) / passed;
    this.even =
      told === 3 &&
      since === passed &&
      since <= most &&
      before > first &&
      before - first === passed;
    return this;
  }
}

/** The tracks of all characters of a roster. */
export class CrowdTracks {
  readonly count: number;
  readonly first: Uint32Array; // channel of each character's position
  readonly tier: Uint8Array;
  readonly exponent: Uint8Array;
  readonly age: Uint32Array; // frames since something was told
  readonly root_times: Times;
  readonly joint_times: Times;
  readonly omitted: Uint8Array; // of the rotation: 0 x, 1 y, 2 z, 3 w
  readonly flags: Uint32Array;
  readonly limb_contacts: Uint32Array;
  readonly presence: Uint8Array;
  readonly scales: Scales;
  // Of each channel.
  private readonly value_: readonly [Int32Array, Int32Array, Int32Array]; // the last first
  private readonly miss_: readonly [Uint16Array, Uint16Array, Uint16Array]; // by each law, sixteenths

  constructor(readonly members: readonly TrackedMember[]) {
    const count = members.length;
    this.count = count;
    this.first = new Uint32Array(count);
    let channels = 0;
    members.forEach(({ dof }, i) => {
      this.first[i] = channels;
      channels += kJoints + dof;
    });
    this.tier = new Uint8Array(count);
    this.exponent = new Uint8Array(count);
    this.age = new Uint32Array(count);
    this.root_times = new Times(count);
    this.joint_times = new Times(count);
    this.omitted = new Uint8Array(count).fill(3);
    this.flags = new Uint32Array(count);
    this.limb_contacts = new Uint32Array(count);
    this.presence = new Uint8Array(count);
    const ints = () => new Int32Array(channels);
    const shorts = () => new Uint16Array(channels);
    this.value_ = [ints(), ints(), ints()];
    this.miss_ = [shorts(), shorts(), shorts()];
    this.scales = { mean: shorts().fill(16), sign: new Int8Array(channels) };
  }

  /** The tracks of another roster: who stays keeps theirs, unless the number of joints is another. */
  follow(members: readonly TrackedMember[]): CrowdTracks {
    const next = new CrowdTracks(members);
    let k = 0;
    members.forEach(({ id, dof }, i) => {
      while (k < this.count && (this.members[k] as TrackedMember).id < id) ++k;
      const old = this.members[k];
      if (old?.id === id && old.dof === dof) next.copy(i, this, k, kJoints + dof);
    });
    return next;
  }

  private copy(i: number, from: CrowdTracks, k: number, channels: number): void {
    for (const name of [
      'tier',
      'exponent',
      'age',
      'omitted',
      'flags',
      'limb_contacts',
      'presence',
    ] as const)
      this[name][i] = from[name][k] as number;
    this.root_times.copy(i, from.root_times, k);
    this.joint_times.copy(i, from.joint_times, k);
    const [to, at] = [this.first[i] as number, from.first[k] as number];
    const pairs: [Int32Array | Uint16Array | Int8Array, Int32Array | Uint16Array | Int8Array][] = [
      [this.value_[0], from.value_[0]],
      [this.value_[1], from.value_[1]],
      [this.value_[2], from.value_[2]],
      [this.miss_[0], from.miss_[0]],
      [this.miss_[1], from.miss_[1]],
      [this.miss_[2], from.miss_[2]],
      [this.scales.mean, from.scales.mean],
      [this.scales.sign, from.scales.sign],
    ];
    for (const [target, source] of pairs) target.set(source.subarray(at, at + channels), to);
  }

  /** What is expected of a channel. */
  expected(channel: number, { share, even }: Ahead): number {
    const [value] = this.value_;
    if (share === 0) return value[channel] as number;
    const [rest, velocity, acceleration] = this.miss_;
    const by_rest = rest[channel] as number;
    const by_velocity = velocity[channel] as number;
    if (even) {
      const by_acceleration = acceleration[channel] as number;
      if (by_acceleration < by_rest && by_acceleration < by_velocity)
        return this.by_acceleration(channel);
    }
    return by_velocity <= by_rest ? this.by_velocity(channel, share) : (value[channel] as number);
  }

  private by_velocity(channel: number, share: number): number {
    const [value, before] = this.value_;
    const last = value[channel] as number;
    return (last + Math.floor((last - (before[channel] as number)) * share + 0.5)) | 0;
  }

  private by_acceleration(channel: number): number {
    const [value, before, first] = this.value_;
    const step = (value[channel] as number) - (before[channel] as number);
    return (3 * step + (first[channel] as number)) | 0;
  }

  /** Takes what was told of a channel. */
  push(channel: number, { share, even }: Ahead, told: number): void {
    const [value, before, first] = this.value_;
    if (share !== 0) {
      this.note(0, channel, value[channel] as number, told);
      this.note(1, channel, this.by_velocity(channel, share), told);
      if (even) this.note(2, channel, this.by_acceleration(channel), told);
    }
    first[channel] = before[channel] as number;
    before[channel] = value[channel] as number;
    value[channel] = told;
  }

  private note(law: 0 | 1 | 2, channel: number, guess: number, told: number): void {
    const miss = this.miss_[law];
    const off = Math.min(Math.abs(guess - told), 1 << 10) * 16;
    const before = miss[channel] as number;
    miss[channel] = before + ((off - before) >> 3);
  }

  /** Quanta of a character are 2^change times as large from now on. */
  rescale(i: number, change: number): void {
    const first = this.first[i] as number;
    const end = first + kJoints + (this.members[i] as TrackedMember).dof;
    for (let channel = first; channel < end; ++channel)
      if (channel !== first + kPhase) rescale(this.scales.mean, channel, change);
  }

  /** Leaves out another component of a rotation from now on; earlier values get the sign that it asks for. */
  omit(i: number, other: number): void {
    const channel = (this.first[i] as number) + kRotation;
    this.omitted[i] = other;
    for (const values of this.value_) {
      if ((values[channel + other] as number) >= 0) continue;
      for (let k = 0; k < 4; ++k) values[channel + k] = -(values[channel + k] as number);
    }
  }

  /** Tells the omitted component of what was pushed last into the others. */
  complete(i: number): void {
    const channel = (this.first[i] as number) + kRotation;
    const omitted = this.omitted[i] as number;
    const [value, before, first] = this.value_;
    let rest = 2 * 511 * 511;
    for (let k = 0; k < 4; ++k)
      if (k !== omitted) rest -= (value[channel + k] as number) * (value[channel + k] as number);
    const at = channel + omitted;
    first[at] = before[at] as number;
    before[at] = value[at] as number;
    value[at] = Math.floor(Math.sqrt(Math.max(rest, 0)) + 0.5);
  }
}

// The numbers told of each character, and their predictions: server/stream/coded/channels.h and crowd_tracks.h, to the bit.

/** Channels of a character before those of its joints. */
export const kPosition = 0; // x, y, z
export const kRotation = 3; // x, y, z, w
export const kPhase = 7;
export const kJoints = 8;

export const kRootAhead = 60; // ticks that a root's motion is continued for
export const kJointsAhead = 8; // ticks that a joint's motion is continued for

const kShareBits = 10;
const kFirstMean = 16; // of channels of which nothing is known, sixteenths of a quantum
const kMostMean = 1 << 14;
const kMostSize = 1 << 10;
const kWhole = 2 * 511 * 511; // the sum of the four squares of a rotation's parts
const kMostPart = 1022;

export interface TrackedMember {
  readonly id: number;
  readonly dof: number;
}

/** The state that is told of a character besides its numbers. */
export interface TrackState {
  readonly tier: number;
  readonly exponent: number;
  readonly omitted: number;
  readonly flags: number;
  readonly limb_contacts: number;
  readonly presence: number;
}

/** When the last three values of a group of channels of each character were told. */
class Times {
  readonly last: Float64Array;
  readonly passed: Float64Array; // ticks from the last but one to the last,
  readonly before: Float64Array; // and from the one before to that
  readonly told: Uint8Array; // how many values there are, at most 3

  constructor(count: number) {
    this.last = new Float64Array(count);
    this.passed = new Float64Array(count);
    this.before = new Float64Array(count);
    this.told = new Uint8Array(count);
  }

  push(i: number, tick: number): void {
    this.before[i] = this.passed[i] as number;
    this.passed[i] = Math.min(tick - (this.last[i] as number), 0xffffffff);
    this.last[i] = tick;
    this.told[i] = Math.min((this.told[i] as number) + 1, 3);
  }

  /** Nothing moved from what was before to what was told last. */
  forget(i: number): void {
    this.told[i] = Math.min(this.told[i] as number, 1);
  }

  copy(i: number, from: Times, k: number, count: number): void {
    copy_run(this.last, i, from.last, k, count);
    copy_run(this.passed, i, from.passed, k, count);
    copy_run(this.before, i, from.before, k, count);
    copy_run(this.told, i, from.told, k, count);
  }
}

/** How far ahead of the last values a moment is. */
export class Ahead {
  share = 0; // of the time between the last two values, in 1024ths; 0: at rest
  even = false; // three values and this moment are equally far apart

  /** @param most ticks that a motion is continued for */
  set(times: Times, i: number, now: number, most: number): this {
    this.share = 0;
    this.even = false;
    const last = times.last[i] as number;
    const passed = times.passed[i] as number;
    const told = times.told[i] as number;
    if (told < 2 || now <= last || passed === 0) return this;
    const since = now - last;
    const share = Math.min(since, most) * 2 ** kShareBits + Math.floor(passed / 2);
    this.share = Math.floor(share / passed);
    this.even = told === 3 && since === passed && since <= most && times.before[i] === passed;
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
  // Of each channel: the values told last, the mean of what each law missed by, in sixteenths, and of what was coded.
  readonly last: Int32Array;
  readonly mean: Int16Array;
  private readonly before_: Int32Array;
  private readonly first_: Int32Array;
  private readonly by_rest_: Int16Array;
  private readonly by_velocity_: Int16Array;
  private readonly by_acceleration_: Int16Array;

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
    const shorts = () => new Int16Array(channels);
    this.last = ints();
    this.before_ = ints();
    this.first_ = ints();
    this.by_rest_ = shorts();
    this.by_velocity_ = shorts();
    this.by_acceleration_ = shorts();
    this.mean = shorts().fill(kFirstMean);
  }

  /** The tracks of another roster: a character that stays keeps its own, unless its number of joints changes. */
  follow(members: readonly TrackedMember[]): CrowdTracks {
    const next = new CrowdTracks(members);
    const same = (i: number, k: number) =>
      this.members[k]?.id === members[i]?.id && this.members[k]?.dof === members[i]?.dof;
    for (let i = 0, k = 0; i < next.count;) {
      const { id } = members[i] as TrackedMember;
      while (k < this.count && (this.members[k] as TrackedMember).id < id) ++k;
      let run = 0;
      while (i + run < next.count && k + run < this.count && same(i + run, k + run)) ++run;
      if (run > 0) next.copy(i, this, k, run);
      i += Math.max(1, run);
      k += run;
    }
    return next;
  }

  /** Takes over this number of characters, which have the same numbers of joints. */
  private copy(i: number, from: CrowdTracks, k: number, count: number): void {
    copy_run(this.tier, i, from.tier, k, count);
    copy_run(this.exponent, i, from.exponent, k, count);
    copy_run(this.age, i, from.age, k, count);
    copy_run(this.omitted, i, from.omitted, k, count);
    copy_run(this.flags, i, from.flags, k, count);
    copy_run(this.limb_contacts, i, from.limb_contacts, k, count);
    copy_run(this.presence, i, from.presence, k, count);
    this.root_times.copy(i, from.root_times, k, count);
    this.joint_times.copy(i, from.joint_times, k, count);
    const to = this.first[i] as number;
    const at = from.first[k] as number;
    const { dof } = from.members[k + count - 1] as TrackedMember;
    const channels = (from.first[k + count - 1] as number) + kJoints + dof - at;
    copy_run(this.last, to, from.last, at, channels);
    copy_run(this.before_, to, from.before_, at, channels);
    copy_run(this.first_, to, from.first_, at, channels);
    copy_run(this.by_rest_, to, from.by_rest_, at, channels);
    copy_run(this.by_velocity_, to, from.by_velocity_, at, channels);
    copy_run(this.by_acceleration_, to, from.by_acceleration_, at, channels);
    copy_run(this.mean, to, from.mean, at, channels);
  }

  state(i: number): TrackState {
    return {
      tier: this.tier[i] as number,
      exponent: this.exponent[i] as number,
      omitted: this.omitted[i] as number,
      flags: this.flags[i] as number,
      limb_contacts: this.limb_contacts[i] as number,
      presence: this.presence[i] as number,
    };
  }

  set_state(i: number, state: TrackState): void {
    this.tier[i] = state.tier;
    this.exponent[i] = state.exponent;
    this.omitted[i] = state.omitted;
    this.flags[i] = state.flags;
    this.limb_contacts[i] = state.limb_contacts;
    this.presence[i] = state.presence;
  }

  /** The expected value of a channel. */
  expected(channel: number, ahead: Ahead): number {
    if (ahead.share === 0) return this.last[channel] as number;
    const by_rest = this.by_rest_[channel] as number;
    const by_velocity = this.by_velocity_[channel] as number;
    if (ahead.even) {
      const by_acceleration = this.by_acceleration_[channel] as number;
      if (by_acceleration < by_rest && by_acceleration < by_velocity)
        return this.at_acceleration(channel);
    }
    return by_velocity <= by_rest
      ? this.at_velocity(channel, ahead.share)
      : (this.last[channel] as number);
  }

  private at_velocity(channel: number, share: number): number {
    const last = this.last[channel] as number;
    const step = (last - (this.before_[channel] as number)) | 0;
    return (last + ((Math.imul(step, share) + (1 << (kShareBits - 1))) >> kShareBits)) | 0;
  }

  private at_acceleration(channel: number): number {
    const step = ((this.last[channel] as number) - (this.before_[channel] as number)) | 0;
    return (Math.imul(3, step) + (this.first_[channel] as number)) | 0;
  }

  /** Takes what was told of a channel: so many quanta from what was expected. @return the value */
  learn(channel: number, ahead: Ahead, expected: number, exponent: number, quanta: number): number {
    const last = this.last[channel] as number;
    const told = (expected + (quanta << exponent)) | 0;
    note(this.mean, channel, quanta, 2);
    if (ahead.share !== 0) {
      note(this.by_rest_, channel, (last - told) | 0, 3);
      note(this.by_velocity_, channel, (this.at_velocity(channel, ahead.share) - told) | 0, 3);
      if (ahead.even)
        note(this.by_acceleration_, channel, (this.at_acceleration(channel) - told) | 0, 3);
    }
    this.first_[channel] = this.before_[channel] as number;
    this.before_[channel] = last;
    this.last[channel] = told;
    return told;
  }

  /** Of channels whose first values are told. */
  begin_means(first: number, end: number, mean = kFirstMean): void {
    this.mean.fill(mean, first, end);
  }

  /** Quanta of a character are 2^change times as large from now on. */
  rescale(i: number, change: number): void {
    const first = this.first[i] as number;
    const end = first + kJoints + (this.members[i] as TrackedMember).dof;
    for (let channel = first; channel < end; ++channel) {
      if (channel === first + kPhase) continue;
      const before = this.mean[channel] as number;
      const after = change > 0 ? before >> change : before << -change;
      this.mean[channel] = Math.min(kMostMean, Math.max(1, after));
    }
  }

  /** Leaves out another part of a rotation from now on; earlier values get the sign that it asks for. */
  omit(i: number, other: number): void {
    const channel = (this.first[i] as number) + kRotation;
    this.omitted[i] = other;
    for (const values of [this.last, this.before_, this.first_]) {
      if ((values[channel + other] as number) >= 0) continue;
      for (let k = 0; k < 4; ++k) values[channel + k] = -(values[channel + k] as number);
    }
  }

  /** Tells the part that is left out of what was learnt last into the others. */
  complete(i: number): void {
    const channel = (this.first[i] as number) + kRotation;
    const omitted = this.omitted[i] as number;
    let rest = kWhole;
    for (let k = 0; k < 4; ++k) {
      const part = Math.min(kMostPart, Math.max(-kMostPart, this.last[channel + k] as number));
      if (k !== omitted) rest -= part * part;
    }
    this.last[channel + omitted] = Math.floor(Math.sqrt(Math.max(rest, 0)) + 0.5);
  }
}

function copy_run<T extends { set(from: T, at: number): void; subarray(a: number, b: number): T }>(
  to: T,
  i: number,
  from: T,
  k: number,
  count: number,
): void {
  to.set(from.subarray(k, k + count), i);
}

/** A mean of sizes, in sixteenths, takes one more for 1 / 2^shift of it. */
function note(means: Int16Array, channel: number, value: number, shift: number): void {
  const size = Math.min(kMostSize, Math.max(-kMostSize, value));
  const before = means[channel] as number;
  means[channel] = before + ((Math.abs(size) * 16 - before) >> shift);
}

// The last minute of the room, as it came: the messages of frames and details, each as the bytes that were on the wire (of
// coded frames, as those of a whole one), with the cast that they were drawn with. Nothing is decoded before somebody looks
// back, so the live picture pays only a reference a frame, and the past looks as it was shown, to the last bit.
import type { SceneInfo } from '../../gen/promenade/v1/wire_pb';
import type { FrameData, RestData } from '../../net/frame';
import { kRootSize } from '../../net/frame';
import type { Chapter } from './chapter';
import { type Doer, MarkFinder, type Mark } from './marks';
import type { Cast } from '../room/roster';
import type { KnownState } from '../room/thing_tracks';

export const kKept_ms = 60_000;
const kHeld_ms = 120_000; // while somebody looks back: what they look at is not taken away under them
const kMost_bytes = 56e6;
const kKeyEvery_ms = 1000;
const kGap_ms = 2000; // longer without a frame there was no picture: the recording goes on without the gap
const kAfterGap_ms = 100;

const kTakeBytes = 360; // of an entry and its two buffers, beside their content; measured in V8
const kKeyBytes = 48; // a thing in a key: an entry of a map

/** As in FrameData. */
export interface CodedPart {
  readonly tiers: Uint8Array;
  readonly phases: Uint8Array;
}

/** One frame. */
export interface Take {
  readonly t_ms: number; // on the clock of the recording, which leaves pauses out
  readonly server_time_ms: number;
  readonly tick: number;
  readonly time_scale: number;
  readonly bytes: Uint8Array; // ServerMessage with a frame
  readonly coded: CodedPart | undefined; // what was told beside, where the frame came coded for a camera
  details: Uint8Array | undefined; // ServerMessage with the details of the same tick
  readonly cast: Cast;
  readonly chapter: Chapter;
  readonly key: ReadonlyMap<number, KnownState> | undefined; // where all things were, as of this frame, once a second
  readonly rests: { readonly rest: RestData; readonly ids: readonly number[] }[]; // after this frame, before the next
}

/** A ring of takes with a bound in time and one in bytes. Takes are numbered from 0 on, and keep their numbers. */
export class Recording {
  private takes_: Take[] = [];
  private dropped_ = 0; // takes that are gone: the number of takes_[0]
  private bytes_ = 0;
  private chapter_: Chapter | undefined;
  private things_ = new Map<number, KnownState>();
  private last_key_ms_ = -Infinity;
  private readonly finder_ = new MarkFinder();
  /** While it is set more is kept. */
  held = false;

  /** Number of the first take. */
  get first(): number {
    return this.dropped_;
  }

  /** The number after the last take. */
  get end(): number {
    return this.dropped_ + this.takes_.length;
  }

  get empty(): boolean {
    return this.takes_.length === 0;
  }

  get from_ms(): number {
    return this.takes_[0]?.t_ms ?? 0;
  }

  get to_ms(): number {
    return this.takes_[this.takes_.length - 1]?.t_ms ?? 0;
  }

  /** Memory that the takes hold, counted. */
  get bytes(): number {
    return this.bytes_;
  }

  get marks(): readonly Mark[] {
    return this.finder_.marks;
  }

  at(number: number): Take | undefined {
    return this.takes_[number - this.dropped_];
  }

  /** Number of the last take at or before a time; the first where all are later. */
  find(t_ms: number): number {
    return this.search((take) => take.t_ms <= t_ms);
  }

  /** The time at which a tick of the newest chapter was. @param tick whole, or between two frames */
  time_of(tick: number): number {
    const found = this.search((take) => take.chapter !== this.chapter_ || take.tick <= tick);
    const [a, b] = [this.at(found), this.at(found + 1)];
    if (!a || !b || b.tick <= a.tick) return a?.t_ms ?? this.to_ms;
    const share = Math.min(1, Math.max(0, (tick - a.tick) / (b.tick - a.tick)));
    return a.t_ms + share * (b.t_ms - a.t_ms);
  }

  private search(before: (take: Take) => boolean): number {
    let [low, high] = [0, this.takes_.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (before(this.takes_[middle] as Take)) low = middle;
      else high = middle - 1;
    }
    return this.dropped_ + low;
  }

  /** A new scene, or a new connection: nothing moves from what was before to what comes. */
  begin(info: SceneInfo, tick_s: number): void {
    const { positionUnitM: position_m, angleUnitRad: angle_rad } = info;
    this.chapter_ = { info, tick_s, units: { position_m, angle_rad } };
    this.things_ = new Map();
    this.last_key_ms_ = -Infinity;
  }

  add_frame(frame: FrameData, cast: Cast, bytes: Uint8Array): void {
    const chapter = this.chapter_;
    if (!chapter) return;
    const last = this.takes_[this.takes_.length - 1];
    const fresh = last?.chapter !== chapter;
    // While the room is paused nothing moves; only what is edited then is seen.
    if (last && !fresh && frame.tick === last.tick && cast === last.cast) return;
    const passed = last ? frame.server_time_ms - last.server_time_ms : 0;
    const paused = last !== undefined && frame.tick === last.tick;
    const step = fresh || paused || passed <= 0 || passed > kGap_ms ? kAfterGap_ms : passed;
    const t_ms = last ? last.t_ms + step : 0;
    note_things(this.things_, frame, cast.thing_ids);
    const key = t_ms - this.last_key_ms_ >= kKeyEvery_ms ? new Map(this.things_) : undefined;
    if (key) this.last_key_ms_ = t_ms;
    const { tick, server_time_ms, time_scale, tiers, phases } = frame;
    const coded = tiers && phases && { tiers, phases };
    const take: Take = {
      ...{ t_ms, server_time_ms, tick, time_scale, bytes, coded, cast, chapter, key },
      details: undefined,
      rests: [],
    };
    this.takes_.push(take);
    this.bytes_ += size_of(take);
    this.finder_.see(t_ms, frame, cast, fresh ? chapter : undefined);
    this.trim();
  }

  add_details(tick: number, bytes: Uint8Array): void {
    const take = this.takes_[this.takes_.length - 1];
    if (!take || take.tick !== tick || take.details) return;
    take.details = bytes;
    this.bytes_ += bytes.byteLength;
  }

  add_rest(rest: RestData, cast: Cast): void {
    note_things(this.things_, rest, cast.thing_ids);
    const take = this.takes_[this.takes_.length - 1];
    if (take && take.chapter === this.chapter_) take.rests.push({ rest, ids: cast.thing_ids });
  }

  /** Notes the visitor who did something, so that its mark says so. @param tick at which it took effect */
  credit(kind: Mark['kind'], character: number, tick: number, by: Doer): void {
    this.finder_.credit(kind, character, this.time_of(tick), by);
  }

  private trim(): void {
    const kept_ms = this.held ? kHeld_ms : kKept_ms;
    let gone = 0;
    // By whole seconds: the first take that is left always has a key.
    for (;;) {
      const next = this.takes_.findIndex(({ key }, i) => i > gone && key !== undefined);
      if (next < 0) break;
      const enough = this.to_ms - (this.takes_[next] as Take).t_ms >= kept_ms;
      if (!enough && this.bytes_ <= kMost_bytes) break;
      for (; gone < next; ++gone) this.bytes_ -= size_of(this.takes_[gone] as Take);
    }
    if (gone === 0) return;
    this.takes_.splice(0, gone);
    this.dropped_ += gone;
    this.finder_.forget(this.from_ms);
  }
}

function size_of({ bytes, coded, details, key }: Take): number {
  const beside = coded ? coded.tiers.length + coded.phases.length : 0;
  return (
    bytes.byteLength +
    beside +
    (details?.byteLength ?? 0) +
    kTakeBytes +
    (key ? kKeyBytes * key.size : 0)
  );
}

/** Puts the states of a frame or a rest in the place of older ones: a rest may come after a later frame. */
function note_things(
  states: Map<number, KnownState>,
  { tick, things }: RestData,
  ids: readonly number[],
): void {
  const { index, roots, joints, first } = things;
  index.forEach((thing, i) => {
    const id = ids[thing];
    if (id === undefined || (states.get(id)?.tick ?? -1) > tick) return;
    states.set(id, { tick, roots, root: kRootSize * i, joints, joint: first[i] as number });
  });
}

// The recording as frames, decoded when they are asked for.
import { fromBinary } from '@bufbuild/protobuf';
import { ServerMessageSchema } from '../../gen/promenade/v1/wire_pb';
import { decode_frame, type FrameNumbers } from '../../net/decode';
import { read_frame } from '../../net/frame_reader';
import type { Layout } from '../../net/layout';
import { layout_of } from '../frames/cast_layout';
import {
  details_entry,
  type DetailsEntry,
  type Glimpse,
  glimpse_between,
  type Glimpses,
} from '../frames/details_buffer';
import type { BufferedFrame, Frames } from '../frames/frame_buffer';
import type { Recording, Take } from './recording';
import type { Cast } from '../room/roster';
import { ThingTracks, type Tracks } from '../room/thing_tracks';

const kKept = 48; // decoded frames: more than a second, so that what is looped is decoded once a round

/** Values by the numbers of takes, of which the last used are kept. */
class Recent<T> {
  private readonly values_ = new Map<number, T>();

  get(number: number, make: () => T): T {
    const known = this.values_.get(number);
    const value = known ?? make();
    this.values_.delete(number);
    this.values_.set(number, value);
    if (this.values_.size > kKept) {
      const [oldest] = this.values_.keys();
      if (oldest !== undefined) this.values_.delete(oldest);
    }
    return value;
  }

  clear(): void {
    this.values_.clear();
  }
}

/** The frames, things and details around one moment of a recording. Never crosses from one chapter to another. */
export class RecordedFrames implements Frames, Glimpses {
  readonly things: Tracks = { at: (id, tick) => this.tracks_.at(id, tick) };
  private from_ = 0; // numbers of takes: what the chapter has
  private end_ = 0;
  private here_ = 0;
  private readonly frames_ = new Recent<BufferedFrame>();
  private readonly details_ = new Recent<DetailsEntry>();
  private readonly layouts_ = new WeakMap<Cast, Layout>();
  private tracks_ = new ThingTracks();
  private tracked_ = { key: -1, upto: -1 }; // takes whose things are in tracks_

  constructor(private readonly recording_: Recording) {}

  /** Goes to the moment. @return the take at or before it */
  focus(t_ms: number): Take | undefined {
    const { recording_: recording } = this;
    if (recording.empty) return undefined;
    this.here_ = recording.find(t_ms);
    const take = recording.at(this.here_) as Take;
    const same = (number: number) => recording.at(number)?.chapter === take.chapter;
    // Interpolation looks one frame back and two ahead.
    this.from_ = Math.max(recording.first, this.here_ - 1);
    this.end_ = Math.min(recording.end, this.here_ + 3);
    while (!same(this.from_)) ++this.from_;
    while (!same(this.end_ - 1)) --this.end_;
    if (take.cast.things.length > 0) this.track();
    return take;
  }

  get length(): number {
    return this.end_ - this.from_;
  }

  at(index: number): BufferedFrame | undefined {
    return this.frame(this.from_ + index);
  }

  find(t_ms: number): number {
    let i = this.length - 1;
    while (i >= 0 && (this.recording_.at(this.from_ + i)?.t_ms ?? 0) > t_ms) --i;
    return i;
  }

  /** The frame of a take, as the live picture had it but for its time, which is that of the recording. */
  frame(number: number): BufferedFrame | undefined {
    const take = this.recording_.at(number);
    if (!take || number < this.from_ || number >= this.end_) return undefined;
    return this.frames_.get(number, () => this.decode(take));
  }

  /** Details of a take; empty where nobody was watched. */
  details(number: number): DetailsEntry | undefined {
    const take = this.recording_.at(number);
    return take && this.details_.get(number, () => decode_details(take));
  }

  sample(id: number, tick: number): Glimpse | undefined {
    const entry = this.details(this.here_);
    const next = this.here_ + 1 < this.end_ ? this.details(this.here_ + 1) : entry;
    return glimpse_between(entry, next, id, tick);
  }

  watched(): Iterable<number> {
    return this.now?.by_id.keys() ?? [];
  }

  /** Details at the moment that is looked at. */
  get now(): DetailsEntry | undefined {
    return this.details(this.here_);
  }

  /** Frees what was decoded. */
  clear(): void {
    this.frames_.clear();
    this.details_.clear();
    this.tracks_ = new ThingTracks();
    this.tracked_ = { key: -1, upto: -1 };
  }

  private decode({ bytes, coded, cast, chapter, t_ms }: Take): BufferedFrame {
    let layout = this.layouts_.get(cast);
    if (!layout) this.layouts_.set(cast, (layout = layout_of(cast, chapter.units)));
    const frame = decode_frame(numbers_in(bytes), chapter.units, layout, t_ms);
    return { frame: { ...frame, ...coded, server_time_ms: t_ms }, cast };
  }

  /** Brings the tracks of things from the last key to the frames around this moment. */
  private track(): void {
    const { recording_: recording } = this;
    let key = this.from_;
    while (key > recording.first && !recording.at(key)?.key) --key;
    if (key !== this.tracked_.key) {
      this.tracks_ = new ThingTracks();
      this.tracks_.seed(recording.at(key)?.key ?? new Map());
      this.tracked_ = { key, upto: key };
    }
    // States after this moment do no harm: they are found by their ticks.
    for (let number = this.tracked_.upto; number < this.end_; ++number) {
      const take = recording.at(number) as Take;
      if (number > key) {
        const { frame } = this.frames_.get(number, () => this.decode(take));
        this.tracks_.push(take.tick, frame.things, take.cast.thing_ids);
      }
      for (const { rest, ids } of take.rests) this.tracks_.push(rest.tick, rest.things, ids);
    }
    // The newest take may still get things that come to rest.
    this.tracked_.upto = Math.max(this.tracked_.upto, Math.min(this.end_, recording.end - 1));
  }
}

function numbers_in(bytes: Uint8Array): FrameNumbers {
  const read = read_frame(bytes);
  if (read) return read;
  const { kind } = fromBinary(ServerMessageSchema, bytes);
  if (kind.case !== 'frame') throw new Error(`recorded as a frame: ${String(kind.case)}`);
  return kind.value;
}

export function decode_details({ details, tick }: Take): DetailsEntry {
  if (!details) return details_entry(tick, []);
  const { kind } = fromBinary(ServerMessageSchema, details);
  return details_entry(tick, kind.case === 'details' ? kind.value.characters : []);
}

// One quantity of one character over the recording, read as the recording grows.
import { read_character } from '../../net/frame_reader';
import type { Layout } from '../../net/layout';
import { layout_of } from '../frames/cast_layout';
import { parabola_weights } from '../gait/gait_sample';
import type { Quantity } from './quantities';
import { decode_details } from './recorded_frames';
import type { Recording, Take } from './recording';
import type { Cast, Member } from '../room/roster';

const kNear_ms = 600; // frames of a page that was hidden come once a second
const kAround = 2; // frames on each side that a speed is taken from

interface Sample {
  readonly t_ms: number;
  readonly time_s: number; // simulated
  readonly chapter: Take['chapter'];
  readonly value: number; // not a number where there is none
  readonly place: readonly [number, number] | undefined; // whose speed is meant
}

const kLayouts = new WeakMap<Cast, Layout>();

/** Units of a character's joint coordinates in a take. */
export function units_in({ cast, chapter }: Take, { coordinate, skeleton }: Member): Float32Array {
  let layout = kLayouts.get(cast);
  if (!layout) kLayouts.set(cast, (layout = layout_of(cast, chapter.units)));
  return layout.characters.subarray(coordinate, coordinate + skeleton.coordinates);
}

export class Series {
  private samples_: Sample[] = [];
  private next_ = 0; // number of the take that is read next

  constructor(
    private readonly recording_: Recording,
    readonly id: number,
    readonly quantity: Quantity,
  ) {}

  /**
   * Reads what has come, and forgets what the recording has forgotten.
   * @param budget_ms after which it stops until it is called again
   * @return whether everything has been read
   */
  update(budget_ms: number): boolean {
    const { recording_: recording } = this;
    const gone = this.samples_.findIndex(({ t_ms }) => t_ms >= recording.from_ms);
    if (gone > 0) this.samples_.splice(0, gone);
    this.next_ = Math.max(this.next_, recording.first);
    const until = performance.now() + budget_ms;
    // Details of the newest frame come after it, so that frame is read when the next has come.
    while (this.next_ < recording.end - 1) {
      this.samples_.push(this.read(recording.at(this.next_) as Take));
      ++this.next_;
      if (this.next_ % 16 === 0 && performance.now() > until) return false;
    }
    return true;
  }

  get length(): number {
    return this.samples_.length;
  }

  time_ms(i: number): number {
    return this.samples_[i]?.t_ms ?? 0;
  }

  /** Simulated. */
  time_s(i: number): number {
    return this.samples_[i]?.time_s ?? 0;
  }

  /** Not a number where there is none. */
  value(i: number): number {
    const sample = this.samples_[i];
    if (!sample) return Number.NaN;
    return this.quantity.speed_of ? this.speed(i) : sample.value;
  }

  /** The value at a time; not a number where no sample is near. */
  at(t_ms: number): number {
    const i = this.nearest(t_ms);
    return Math.abs(this.time_ms(i) - t_ms) <= kNear_ms ? this.value(i) : Number.NaN;
  }

  /** Index of the sample nearest to a time. */
  nearest(t_ms: number): number {
    let [low, high] = [0, this.samples_.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time_ms(middle) < t_ms) low = middle + 1;
      else high = middle;
    }
    const before = Math.max(0, low - 1);
    return Math.abs(this.time_ms(before) - t_ms) < Math.abs(this.time_ms(low) - t_ms)
      ? before
      : low;
  }

  private read(take: Take): Sample {
    const { quantity, id } = this;
    const member = take.cast.by_id.get(id);
    const time_s = take.tick * take.chapter.tick_s;
    const sample = { t_ms: take.t_ms, time_s, chapter: take.chapter };
    const none = { ...sample, value: Number.NaN, place: undefined };
    if (!member || member.thing) return none;
    if (quantity.details) {
      const details = take.details && decode_details(take).by_id.get(id);
      return details ? { ...none, value: quantity.details(details) ?? Number.NaN } : none;
    }
    const units = units_in(take, member);
    const { position_m } = take.chapter.units;
    const character = read_character(
      take.bytes,
      member.index,
      member.coordinate,
      units,
      position_m,
    );
    if (!character) return none;
    return {
      ...sample,
      value: quantity.frame?.(character, member.skeleton) ?? Number.NaN,
      place: quantity.speed_of?.(character),
    };
  }

  /** From the parabola through the frames around it: places come in whole millimetres. */
  private speed(i: number): number {
    const here = this.samples_[i] as Sample;
    const around = this.samples_
      .slice(Math.max(0, i - kAround), i + kAround + 1)
      .filter(({ place, chapter }) => place && chapter === here.chapter);
    if (!here.place || around.length < 3) return Number.NaN;
    const { first } = parabola_weights(around.map(({ time_s }) => time_s - here.time_s));
    const rate = (k: 0 | 1) =>
      around.reduce((sum, { place }, n) => sum + (first[n] ?? 0) * (place?.[k] ?? 0), 0);
    return Math.hypot(rate(0), rate(1));
  }
}

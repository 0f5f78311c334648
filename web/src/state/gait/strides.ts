// When the strides of a character began, from the feet that it stood on: what its phase is, and at which time it was at
// a phase.
import { kFlag } from '../../net/frame';
import { read_character } from '../../net/frame_reader';
import { heading_of } from '../values/quaternion';
import type { Recording, Take } from '../recording/recording';
import { units_in } from '../recording/series';

export interface Stride {
  readonly from_ms: number; // the left foot begins to bear
  readonly to_ms: number; // and does so again
}

interface Sample {
  readonly t_ms: number;
  readonly left: boolean; // stands on the left foot
  readonly there: boolean;
  readonly heading: readonly [number, number]; // cosine and sine
}

const kLongest_ms = 4000; // longer between two left steps it stood

export class Strides {
  private samples_: Sample[] = [];
  private starts_: number[] = []; // ms
  private next_ = 0;

  constructor(
    private readonly recording_: Recording,
    readonly id: number,
  ) {}

  /** Reads what has come. @param budget_ms as of Series.update */
  update(budget_ms: number): boolean {
    const { recording_: recording } = this;
    const old = ({ t_ms }: Sample) => t_ms < recording.from_ms;
    while (this.samples_[0] && old(this.samples_[0])) this.samples_.shift();
    while ((this.starts_[0] ?? Infinity) < recording.from_ms) this.starts_.shift();
    this.next_ = Math.max(this.next_, recording.first);
    const until = performance.now() + budget_ms;
    while (this.next_ < recording.end) {
      const sample = this.read(recording.at(this.next_) as Take);
      const before = this.samples_[this.samples_.length - 1];
      if (before?.there && sample.there && sample.left && !before.left)
        this.starts_.push(sample.t_ms);
      this.samples_.push(sample);
      ++this.next_;
      if (this.next_ % 16 === 0 && performance.now() > until) return false;
    }
    return true;
  }

  /**
   * The stride at a time, or the last whole one before it. The one under way, whose end is not known yet, is taken to
   * be as long as the one before.
   */
  at(t_ms: number): Stride | undefined {
    let i = this.starts_.length - 1;
    while (i > 0 && (this.starts_[i] as number) > t_ms) --i;
    const from_ms = this.starts_[i];
    if (from_ms === undefined) return undefined;
    const last = this.stride(i - 1);
    const whole = this.stride(i);
    if (whole) return whole;
    return last && { from_ms, to_ms: from_ms + last.to_ms - last.from_ms };
  }

  /** The last stride that is over at a time. */
  before(t_ms: number): Stride | undefined {
    for (let i = this.starts_.length - 1; i > 0; --i) {
      const stride = this.stride(i - 1);
      if (stride && stride.to_ms <= t_ms) return stride;
    }
    return undefined;
  }

  /** Share of the stride, 0 to 1; undefined while it takes none. */
  phase(t_ms: number): number | undefined {
    const stride = this.at(t_ms);
    if (!stride) return undefined;
    const share = (t_ms - stride.from_ms) / (stride.to_ms - stride.from_ms);
    return share >= 0 && share <= 1.5 ? Math.min(1, share) : undefined;
  }

  /** The mean direction of its hips in a part of the recording, rad. */
  heading(from_ms: number, to_ms: number): number {
    let [c, s] = [0, 0];
    for (let i = this.samples_.length - 1; i >= 0; --i) {
      const { t_ms, heading } = this.samples_[i] as Sample;
      if (t_ms < from_ms && (c !== 0 || s !== 0)) break;
      if (t_ms > to_ms) continue;
      c += heading[0];
      s += heading[1];
    }
    return Math.atan2(s, c);
  }

  private stride(i: number): Stride | undefined {
    const [from_ms, to_ms] = [this.starts_[i], this.starts_[i + 1]];
    if (from_ms === undefined || to_ms === undefined) return undefined;
    return to_ms - from_ms < kLongest_ms ? { from_ms, to_ms } : undefined;
  }

  private read(take: Take): Sample {
    const member = take.cast.by_id.get(this.id);
    const character =
      member && !member.thing
        ? read_character(
            take.bytes,
            member.index,
            0,
            units_in(take, member).subarray(0, 0),
            take.chapter.units.position_m,
          )
        : undefined;
    if (!character) return { t_ms: take.t_ms, left: false, there: false, heading: [0, 0] };
    const yaw = heading_of(character.root, 3);
    const walks = !(character.flags & (kFlag.standing | kFlag.holding | kFlag.fallen));
    return {
      t_ms: take.t_ms,
      left: (character.flags & kFlag.left_stance) !== 0,
      there: walks,
      heading: [Math.cos(yaw), Math.sin(yaw)],
    };
  }
}

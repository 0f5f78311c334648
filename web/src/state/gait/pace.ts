// How fast something goes along, whatever it does within a stride: how far its mass centre has come in the last seconds.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';

const kOver_s = 2;
const kLeast_s = 0.5; // of a mean that says anything
const kGap_s = 0.5; // longer without a sample: it was put elsewhere, or nobody watched

interface Sample {
  readonly time_s: number;
  readonly x: number; // m, world frame
  readonly y: number;
}

export class Pace {
  private samples_: Sample[] = [];
  private id_ = 0;

  /** @param time_s of the server; a step back begins anew, as another character does */
  add({ id, comM }: CharacterDetails, time_s: number): void {
    const last = this.samples_.at(-1);
    if (last && time_s === last.time_s && id === this.id_) return;
    if (id !== this.id_ || (last && (time_s < last.time_s || time_s > last.time_s + kGap_s)))
      this.samples_ = [];
    this.id_ = id;
    const [x = 0, y = 0] = comM;
    const step = this.samples_.at(-1);
    // Nothing that walks goes a metre in a frame: it was put elsewhere.
    if (step && Math.hypot(x - step.x, y - step.y) > 1) this.samples_ = [];
    this.samples_.push({ time_s, x, y });
    while ((this.samples_[0]?.time_s ?? time_s) < time_s - kOver_s) this.samples_.shift();
  }

  /** m/s; undefined while that is not known. */
  get mps(): number | undefined {
    const [first] = this.samples_;
    const last = this.samples_.at(-1);
    const passed = last && first ? last.time_s - first.time_s : 0;
    if (!first || !last || passed < kLeast_s) return undefined;
    return Math.hypot(last.x - first.x, last.y - first.y) / passed;
  }
}

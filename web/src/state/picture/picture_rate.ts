const kWindow_ms = 1000;
const kFewest = 4; // pictures that a rate is taken over, where they come more slowly than that

/** Pictures a second: how many were drawn, over the time that they took. A mean of single rates would be higher. */
export class PictureRate {
  private times_: number[] = []; // ms, of the last pictures

  add(now_ms: number): void {
    this.times_.push(now_ms);
    const old = (i: number) => now_ms - (this.times_[i] ?? now_ms) > kWindow_ms;
    while (this.times_.length > kFewest && old(0)) this.times_.shift();
  }

  /** @param now_ms a picture that is long in coming counts, too */
  at(now_ms: number): number {
    const first = this.times_[0];
    const last = this.times_[this.times_.length - 1];
    if (first === undefined || last === undefined || this.times_.length < 2) return 0;
    const mean_ms = (last - first) / (this.times_.length - 1);
    return 1000 / Math.max(mean_ms, now_ms - last);
  }

  /** Forgets the pictures so far, as after a pause in which none were wanted. */
  clear(): void {
    this.times_ = [];
  }
}

const kDurations = 120;

/** How long the last pictures took. */
export class Durations {
  private readonly values_ = new Float64Array(kDurations);
  private count_ = 0;

  add(ms: number): void {
    this.values_[this.count_++ % kDurations] = ms;
  }

  /** How many there have been. */
  get count(): number {
    return this.count_;
  }

  /** Of the last picture. */
  get last_ms(): number {
    return this.count_ > 0 ? (this.values_[(this.count_ - 1) % kDurations] as number) : 0;
  }

  get median_ms(): number {
    const known = this.values_.slice(0, Math.min(this.count_, kDurations)).sort();
    return known[known.length >> 1] ?? 0;
  }
}

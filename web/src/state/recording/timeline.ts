// The last seconds of a few numbers, and the scale that shows them.
const kWindow_s = 8;
const kMost = 512; // samples; more than a server sends in the window

export interface Scale {
  readonly low: number;
  readonly high: number;
}

export class Timeline {
  /** Values above this limit are drawn at it, so that a spike does not flatten the rest. */
  limit = Infinity;
  private readonly times_ = new Float64Array(kMost);
  private readonly values_: readonly Float32Array[];
  private count_ = 0;
  private scale_: Scale = { low: 0, high: 1 };

  /** @param least_span the scale never shows less than this */
  constructor(
    series: number,
    private readonly least_span_: number,
    readonly window_s = kWindow_s,
  ) {
    this.values_ = Array.from({ length: series }, () => new Float32Array(kMost));
  }

  get empty(): boolean {
    return this.count_ === 0;
  }

  /** Adds a sample. @param time_s rising; a step back clears the timeline. @return whether the sample is a new one */
  add(time_s: number, values: readonly number[]): boolean {
    if (!this.empty && time_s === this.latest_) return false;
    if (!this.empty && time_s < this.latest_) this.clear();
    const i = this.count_ % kMost;
    this.times_[i] = time_s;
    this.values_.forEach((row, k) => (row[i] = values[k] ?? 0));
    ++this.count_;
    return true;
  }

  clear(): void {
    this.count_ = 0;
  }

  /** Tells the samples of the window in order. @param tell age: seconds before the newest */
  each(series: number, tell: (age_s: number, value: number, clipped: boolean) => void): void {
    const row = this.values_[series];
    if (!row) return;
    for (let i = this.start(); i < this.count_; ++i) {
      const value = row[i % kMost] as number;
      const age_s = this.latest_ - (this.times_[i % kMost] as number);
      tell(age_s, Math.min(value, this.limit), value > this.limit);
    }
  }

  /** Room for everything in the window, moved gently so that the scale does not flicker. */
  rescale(): Scale {
    let low = Infinity;
    let high = -Infinity;
    this.values_.forEach((_, k) =>
      this.each(k, (_age_s, value) => {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }),
    );
    const least = this.least_span_;
    if (high - low < least) {
      const middle = (high + low) / 2;
      low = low >= 0 && low < least ? 0 : middle - least / 2;
      high = Math.max(high, low + least);
    }
    const now = this.scale_;
    const follow = (from: number, to: number, out: boolean) =>
      out ? to : from + 0.08 * (to - from);
    const next = {
      low: follow(now.low, low, low < now.low),
      high: follow(now.high, high, high > now.high),
    };
    this.scale_ = next.high - next.low > 4 * (high - low) ? { low, high } : next;
    return this.scale_;
  }

  private get latest_(): number {
    return this.times_[(this.count_ - 1) % kMost] as number;
  }

  private start(): number {
    const first = Math.max(0, this.count_ - kMost);
    let start = this.count_ - 1;
    while (
      start > first &&
      (this.times_[(start - 1) % kMost] as number) > this.latest_ - this.window_s
    )
      --start;
    return Math.max(0, start);
  }
}

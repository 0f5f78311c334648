const kKept = 128;

/** How long the script of the last pictures took, ms. */
export class PictureTimes {
  private readonly times_: number[] = [];
  private next_ = 0;
  private count_ = 0;

  /** All pictures so far. */
  get count(): number {
    return this.count_;
  }

  add(time_ms: number): void {
    ++this.count_;
    this.times_[this.next_] = time_ms;
    this.next_ = (this.next_ + 1) % kKept;
  }

  /** @param share 0.5 for the median; 0 before the first picture */
  quantile(share: number): number {
    const sorted = [...this.times_].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  }
}

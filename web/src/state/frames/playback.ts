/** Bounds of how far behind the server the page plays, ms. */
const kShortest_ms = 60;
const kLongest_ms = 400;
const kForget = 0.98;

/**
 * Which server time to draw now. Frames arrive at their period plus jitter; playing behind by both
 * means there is nearly always a later frame to interpolate to.
 */
export class Playback {
  private period_ms_ = 33;
  private jitter_ms_ = 10;
  private delay_ms_ = 90;
  private last_server_ms_ = Number.NaN;

  /** @param lateness_ms arrival by the local clock minus the frame's server time by the same clock */
  on_frame(server_time_ms: number, lateness_ms: number): void {
    const gap = server_time_ms - this.last_server_ms_;
    this.last_server_ms_ = server_time_ms;
    if (gap > 0 && gap < 1000) this.period_ms_ += 0.1 * (gap - this.period_ms_);
    this.jitter_ms_ = Math.max(
      Math.min(Math.max(0, lateness_ms), kLongest_ms),
      this.jitter_ms_ * kForget,
    );
  }

  /** Forgets the measured delays, as after a pause or a new connection. */
  reset(): void {
    this.last_server_ms_ = Number.NaN;
  }

  /** Moves the delay gently to what the last frames ask for. @return ms behind the server */
  delay_ms(elapsed_ms: number): number {
    const wanted = Math.min(
      kLongest_ms,
      Math.max(kShortest_ms, 1.7 * this.period_ms_ + 1.5 * this.jitter_ms_ + 10),
    );
    const step = Math.min(1, elapsed_ms / 500);
    this.delay_ms_ += step * (wanted - this.delay_ms_);
    return this.delay_ms_;
  }
}

import { now_ms } from './clock';

/** How much comes from the server, counted from one beat to the next. */
export class Traffic {
  private bytes_ = 0;
  private frames_ = 0;
  private since_ms_ = now_ms();

  add_bytes(count: number): void {
    this.bytes_ += count;
  }

  add_frame(): void {
    ++this.frames_;
  }

  /** The rates since the last call; counts afresh from then on. */
  take(now: number): { readonly bytes_per_s: number; readonly frames_per_s: number } {
    const seconds = (now - this.since_ms_) / 1000;
    const rates = { bytes_per_s: this.bytes_ / seconds, frames_per_s: this.frames_ / seconds };
    this.bytes_ = 0;
    this.frames_ = 0;
    this.since_ms_ = now;
    return rates;
  }
}

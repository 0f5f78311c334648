const kRemembered = 12;

interface Sample {
  readonly round_trip_ms: number;
  readonly offset_ms: number;
}

/** Milliseconds on a clock that the page and its worker share. */
export function now_ms(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * The server's clock from pings: server time = local time + offset. The fastest of the recent
 * pings has waited least in queues, so its offset is the best one.
 */
export class ClockOffset {
  private samples_: Sample[] = [];

  add(sent_ms: number, received_ms: number, server_ms: number): void {
    const round_trip_ms = received_ms - sent_ms;
    if (round_trip_ms < 0) return;
    this.samples_.push({ round_trip_ms, offset_ms: server_ms - (sent_ms + received_ms) / 2 });
    if (this.samples_.length > kRemembered) this.samples_.shift();
  }

  reset(): void {
    this.samples_ = [];
  }

  /** undefined before the first ping came back. */
  offset_ms(): number | undefined {
    return this.fastest()?.offset_ms;
  }

  /** Round trip of the last ping. */
  latency_ms(): number | undefined {
    return this.samples_[this.samples_.length - 1]?.round_trip_ms;
  }

  private fastest(): Sample | undefined {
    return this.samples_.reduce<Sample | undefined>(
      (best, sample) => (best && best.round_trip_ms <= sample.round_trip_ms ? best : sample),
      undefined,
    );
  }
}

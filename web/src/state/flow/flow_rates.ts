// How many people go through each entrance and exit, from counts that the server tells once a second.

/** FlowReport of the server, in JSON: 64-bit numbers are texts. */
export interface FigureJson {
  readonly time_s?: number;
  readonly since_tick?: string;
  readonly entered?: readonly string[];
  readonly left?: readonly string[];
  readonly in_line?: readonly number[];
  readonly people?: number;
  readonly waiting?: number;
  readonly turned_away?: string;
  readonly mean_speed_mps?: number;
  readonly lost?: number;
}

interface Sample {
  readonly time_s: number;
  readonly entered: readonly number[];
  readonly left: readonly number[];
}

const kWindow_s = 30; // over which people a minute are counted

export class FlowRates {
  private samples_: Sample[] = [];
  private since_: string | undefined;

  /** @return whether it is a new one */
  add({ time_s = 0, since_tick = '0', entered = [], left = [] }: FigureJson): boolean {
    const last = this.samples_[this.samples_.length - 1];
    if (since_tick !== this.since_ || (last && time_s < last.time_s)) this.samples_ = [];
    else if (last && time_s === last.time_s) return false;
    this.since_ = since_tick;
    this.samples_.push({ time_s, entered: entered.map(Number), left: left.map(Number) });
    while (this.samples_.length > 2 && time_s - (this.samples_[1]?.time_s ?? 0) >= kWindow_s)
      this.samples_.shift();
    return true;
  }

  /** People a minute over the last half minute, or as long as is known; undefined: not known yet. */
  of(what: 'entered' | 'left', index: number): number | undefined {
    const [first] = this.samples_;
    const last = this.samples_[this.samples_.length - 1];
    if (!first || !last || last.time_s - first.time_s < 1) return undefined;
    const count = (last[what][index] ?? 0) - (first[what][index] ?? 0);
    return (60 * count) / (last.time_s - first.time_s);
  }

  all(what: 'entered' | 'left'): number | undefined {
    const count = this.samples_[0]?.[what].length ?? 0;
    let sum = 0;
    for (let i = 0; i < count; ++i) {
      const one = this.of(what, i);
      if (one === undefined) return undefined;
      sum += one;
    }
    return count > 0 ? sum : undefined;
  }
}

// Cuts a walk into gait cycles, each from a foot's strike to its next, and takes means over the last ones.
// A foot is on the ground from the moment when it bears kTouch of the weight until it bears less, as in
// server/study/trial/walk/gait_cycle.
import { type GaitSample, kSignals, type Signal } from './gait_sample';
import { wrapped } from '../hand/steering';
import { kCyclePoints } from './walk_reference';

export type Side = 0 | 1; // left, right
export type Curves = Readonly<Record<Signal, readonly number[]>>;

/** Means over the last cycles of both legs that were asked for at one speed. */
export interface GaitFigures {
  readonly speed: number; // m/s, along the ground
  readonly cadence: number; // steps a minute
  readonly step_length: number; // m, between the ankles along the heading, at strike
  readonly double_support: number; // % of the cycle, both together
}

interface Cycle {
  readonly asked: number; // m/s, the speed that was asked for when it began
  readonly time_s: number; // that it took
  readonly way_m: number; // of the centre of mass
  readonly step_m: number; // at the strike that began it
  readonly stance: number; // share of the cycle
  readonly both: number; // share of it with both feet down
  readonly curves: Curves;
}

/** The cycle under way, as far as it has come. */
export interface LiveCycle {
  readonly phase: readonly number[]; // 0 to 1, of each sample
  readonly curves: Curves; // of each sample
}

export const kTouch = 0.05; // body weights
const kKept = 5; // cycles of each leg
const kLeastTime_s = 0.08; // that a foot stays down or up, at least: bounces are no steps
const kMostGap_s = 0.12; // between samples: what came in between is lost
const kMostTime_s = 3; // of a cycle
const kMostTurn_rad = 0.15; // in a cycle: more is no walk straight on
const kSameSpeed_mps = 0.12; // cycles whose speeds, as asked for, are further apart are of two walks
const kMostSpeed_mps = 8; // of the centre of mass; one that is faster was put somewhere else
const kLeastSamples = 8; // of a cycle
const kFirstTime_s = 1.1; // a guess, until a cycle has been seen

class Leg {
  down = true;
  since_s = Number.NEGATIVE_INFINITY;
  whole = false; // whether `samples` began at a strike
  samples: GaitSample[] = [];
  cycles: Cycle[] = [];
  mean: Curves | undefined;
}

function is_down(sample: GaitSample, side: Side): boolean {
  return sample.values[side].vertical_force > kTouch;
}

/** A signal over time at kCyclePoints even times from the first sample to the last, straight between samples. */
function resampled(samples: readonly GaitSample[], side: Side, signal: Signal): number[] {
  const first = samples[0]?.time_s ?? 0;
  const span = (samples[samples.length - 1]?.time_s ?? 0) - first;
  let i = 0;
  return Array.from({ length: kCyclePoints }, (_, k) => {
    const time = first + (span * k) / (kCyclePoints - 1);
    while (i < samples.length - 2 && (samples[i + 1]?.time_s ?? 0) < time) ++i;
    const [a, b] = [samples[i], samples[i + 1]];
    if (!a || !b) return a?.values[side][signal] ?? Number.NaN;
    const t = Math.min(1, Math.max(0, (time - a.time_s) / (b.time_s - a.time_s)));
    const [from, to] = [a.values[side][signal], b.values[side][signal]];
    return from + t * (to - from);
  });
}

function mean_curve(cycles: readonly Cycle[], signal: Signal): number[] {
  return Array.from({ length: kCyclePoints }, (_, k) => {
    const known = cycles
      .map(({ curves }) => curves[signal][k] ?? Number.NaN)
      .filter(Number.isFinite);
    return known.reduce(
      (sum, value) => sum + value / known.length,
      known.length > 0 ? 0 : Number.NaN,
    );
  });
}

function by_signal(make: (signal: Signal) => number[]): Curves {
  return Object.fromEntries(kSignals.map((signal) => [signal, make(signal)])) as Record<
    Signal,
    number[]
  >;
}

export class GaitCycles {
  private legs_: readonly [Leg, Leg] = [new Leg(), new Leg()];
  private last_: GaitSample | undefined;

  /** Cycles of both legs that the means are of. */
  get count(): number {
    return this.legs_[0].cycles.length + this.legs_[1].cycles.length;
  }

  clear(): void {
    this.legs_ = [new Leg(), new Leg()];
    this.last_ = undefined;
  }

  /** @param sample later than the one before; a step back in time starts afresh */
  add(sample: GaitSample): void {
    const before = this.last_;
    if (before && sample.time_s < before.time_s) this.clear();
    else if (before && this.is_broken(before, sample)) this.drop_cycles_under_way();
    this.last_ = sample;
    for (const side of [0, 1] as const) this.add_to(side, sample);
  }

  /** Mean curves of the last cycles of a leg, [kCyclePoints] each. */
  mean(side: Side): Curves | undefined {
    return this.legs_[side].mean;
  }

  /** Share of the cycle at which the foot left the ground, mean of the last cycles. */
  foot_off(side: Side): number | undefined {
    const { cycles } = this.legs_[side];
    return cycles.length > 0
      ? cycles.reduce((sum, { stance }) => sum + stance / cycles.length, 0)
      : undefined;
  }

  live(side: Side): LiveCycle | undefined {
    const { whole, samples, cycles } = this.legs_[side];
    const first = samples[0];
    if (!whole || !first) return undefined;
    const span = cycles[cycles.length - 1]?.time_s ?? kFirstTime_s;
    const shown = samples.filter(({ time_s }) => time_s - first.time_s <= span);
    return {
      phase: shown.map(({ time_s }) => (time_s - first.time_s) / span),
      curves: by_signal((signal) => shown.map(({ values }) => values[side][signal])),
    };
  }

  figures(): GaitFigures | undefined {
    const all = [...this.legs_[0].cycles, ...this.legs_[1].cycles];
    if (all.length === 0) return undefined;
    const mean = (of: (cycle: Cycle) => number) =>
      all.reduce((sum, cycle) => sum + of(cycle) / all.length, 0);
    const time = mean(({ time_s }) => time_s);
    return {
      speed: mean(({ way_m }) => way_m) / time,
      cadence: 120 / time,
      step_length: mean(({ step_m }) => step_m),
      double_support: 100 * mean(({ both }) => both),
    };
  }

  /** Whether a cycle cannot go on from one sample to the next. */
  private is_broken(before: GaitSample, sample: GaitSample): boolean {
    const time = sample.time_s - before.time_s;
    const way = Math.hypot(...sample.com.map((value, k) => value - (before.com[k] ?? 0)));
    return time > kMostGap_s || way > kMostSpeed_mps * time + 0.02 || !sample.straight;
  }

  private drop_cycles_under_way(): void {
    for (const leg of this.legs_) {
      leg.whole = false;
      leg.samples = [];
    }
  }

  private add_to(side: Side, sample: GaitSample): void {
    const leg = this.legs_[side];
    const down = is_down(sample, side);
    leg.samples.push(sample);
    if (down !== leg.down && sample.time_s - leg.since_s > kLeastTime_s) {
      leg.down = down;
      leg.since_s = sample.time_s;
      if (down) this.strike(leg, side, sample);
    }
    const first = leg.samples[0];
    if (first && sample.time_s - first.time_s > kMostTime_s) {
      leg.whole = false;
      leg.samples = [];
    }
  }

  private strike(leg: Leg, side: Side, sample: GaitSample): void {
    const { samples } = leg;
    const first = samples[0];
    const same = (asked: number) => Math.abs(asked - sample.asked) < kSameSpeed_mps;
    const straight = first && Math.abs(wrapped(sample.heading - first.heading)) < kMostTurn_rad;
    if (leg.whole && straight && samples.length > kLeastSamples && same(first.asked)) {
      const time_s = sample.time_s - first.time_s;
      const part = (fits: (one: GaitSample) => boolean) =>
        samples.slice(0, -1).filter(fits).length / (samples.length - 1);
      leg.cycles = leg.cycles.filter(({ asked }) => same(asked));
      leg.cycles.push({
        asked: first.asked,
        time_s,
        way_m: Math.hypot(sample.com[0] - first.com[0], sample.com[1] - first.com[1]),
        step_m: side === 0 ? first.apart : -first.apart,
        stance: part((one) => is_down(one, side)),
        both: part((one) => is_down(one, 0) && is_down(one, 1)),
        curves: by_signal((signal) => resampled(samples, side, signal)),
      });
      if (leg.cycles.length > kKept) leg.cycles.shift();
      leg.mean = by_signal((signal) => mean_curve(leg.cycles, signal));
    }
    leg.samples = [sample];
    leg.whole = sample.straight;
  }
}

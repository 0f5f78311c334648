// Footfalls of a creature with any number of legs: which feet press on something when, how long a stride is, and of each
// leg its duty factor and its phase (Hildebrand's diagram). Names and numbers are those of server/study/trial/gait: phases
// are those of the middle of the stance, by the first Fourier harmonic. Source: Panne1996, figure 12
import type { Skeleton } from '../figure/skeleton';

export interface LegRow {
  readonly title: string; // "left fore"
  readonly bit: number; // of `down`
}

/** The feet that press on something at a time, as a sum of LegRow.bit; not a number: the creature was not there. */
export interface FootSample {
  readonly time_s: number; // simulated
  readonly down: number;
}

export interface LegFootfalls {
  readonly duty: number; // share of a stride that the foot is down
  readonly phase: number | undefined; // 0 to 1, after the reference leg; undefined: it never lifts or never comes down
}

export interface Footfalls {
  readonly stride_s: number;
  readonly begins_s: number; // time at which the reference leg last came down
  readonly legs: readonly LegFootfalls[];
}

const kWindow_s = 6; // of samples that a stride is looked for in
const kMostStrides = 4; // that duty factors and phases are means of
const kAlike = 0.35; // correlation of one stride with the next, from which on there is one
const kAsGood = 0.7; // of the best: a stride is not taken for two, though it ends halfway between two frames
const kFaint = 0.02; // amplitude of the first harmonic, below which a foot has no phase

/** The legs of a creature, in the order of its file. */
export function leg_rows({ limbs }: Skeleton): readonly LegRow[] {
  return limbs
    .filter(({ kind }) => kind === 'leg')
    .map(({ name, index }) => {
      const words = name.replaceAll('_', ' ');
      return { title: words.replace(/ leg$/, ''), bit: 1 << index };
    });
}

/** The leg that phases are counted from: the left hind one where there is one, else the first. */
export function reference_of(legs: readonly LegRow[]): number {
  return Math.max(
    0,
    legs.findIndex(({ title }) => title === 'left hind'),
  );
}

/** What of a series of `down` tells the footfalls at a time. @param last index of its sample */
export function samples_until(
  series: { time_s(i: number): number; value(i: number): number },
  last: number,
): FootSample[] {
  const out: FootSample[] = [];
  const now_s = series.time_s(last);
  for (let i = last; i >= 0 && series.time_s(i) > now_s - kWindow_s; --i)
    out.push({ time_s: series.time_s(i), down: series.value(i) });
  return out.reverse();
}

/** Whether a foot is down at each of the times from, from + step, ...; the last known where a frame is missing. */
function on_grid(samples: readonly FootSample[], from_s: number, to_s: number, step_s: number) {
  const out: number[] = [];
  let i = 0;
  for (let t = from_s; t <= to_s + step_s / 2; t += step_s) {
    while (i + 1 < samples.length && (samples[i + 1] as FootSample).time_s <= t + step_s / 4) ++i;
    out.push((samples[i] as FootSample).down);
  }
  return out;
}

/** Correlation of the feet with themselves a while later, 1 at most, for each lag in steps. */
function correlations(downs: readonly number[], legs: readonly LegRow[]): number[] {
  const feet = legs.map(({ bit }) => {
    const foot = downs.map((down) => ((down & bit) === 0 ? 0 : 1));
    const mean = foot.reduce((sum: number, one) => sum + one, 0) / foot.length;
    return foot.map((one) => one - mean);
  });
  const most = Math.floor(downs.length / 2);
  const at = (lag: number) =>
    feet.reduce((all, foot) => {
      let sum = 0;
      for (let i = lag; i < foot.length; ++i)
        sum += (foot[i] as number) * (foot[i - lag] as number);
      return all + sum / (foot.length - lag);
    }, 0);
  const whole = at(0);
  if (whole < 1e-9) return []; // no foot lifts
  return Array.from({ length: most + 1 }, (_, lag) => at(lag) / whole);
}

/** Where a parabola through a value and its neighbours is greatest. */
function top_near(values: readonly number[], i: number): number {
  const [a = 0, b = 0, c = 0] = [values[i - 1], values[i], values[i + 1]];
  const bend = a - 2 * b + c;
  return bend < 0 ? i + Math.max(-0.5, Math.min(0.5, (a - c) / (2 * bend))) : i;
}

/** Steps in a stride; undefined where none repeats. */
function stride_steps(like: readonly number[]): number | undefined {
  const tops = like.flatMap((value, lag) =>
    lag >= 2 &&
    lag + 1 < like.length &&
    value >= (like[lag - 1] as number) &&
    value > (like[lag + 1] as number)
      ? [lag]
      : [],
  );
  const best = Math.max(...tops.map((lag) => like[lag] as number));
  const first = tops.find((lag) => (like[lag] as number) >= kAsGood * best);
  if (first === undefined || best < kAlike) return undefined;
  // Several strides together are measured more finely than one.
  let steps = top_near(like, first);
  for (let strides = 2; strides * steps < like.length - 2; ++strides) {
    const near = Math.round(strides * steps);
    const around = [near - 1, near, near + 1].filter((lag) => lag >= 2 && lag + 1 < like.length);
    const top = around.reduce((a, b) => ((like[b] ?? 0) > (like[a] ?? 0) ? b : a), near);
    if ((like[top] ?? 0) < kAsGood * best) break;
    steps = top_near(like, top) / strides;
  }
  return steps;
}

/**
 * The footfalls of the last strides.
 * @param samples by rising time, up to now
 * @param legs at least one
 */
export function footfalls_of(
  samples: readonly FootSample[],
  legs: readonly LegRow[],
): Footfalls | undefined {
  const now_s = samples.at(-1)?.time_s ?? 0;
  let first = samples.length;
  let after_s = Infinity;
  for (; first > 0; --first) {
    const { time_s, down } = samples[first - 1] as FootSample;
    if (time_s <= now_s - kWindow_s || Number.isNaN(down) || time_s >= after_s) break;
    after_s = time_s;
  }
  const last = samples.slice(first);
  const times = last.map(({ time_s }) => time_s);
  const step_s = Math.min(...times.slice(1).map((time_s, i) => time_s - (times[i] as number)));
  if (!(step_s > 0) || !Number.isFinite(step_s)) return undefined;
  const downs = on_grid(last, times[0] as number, now_s, step_s);
  const steps = stride_steps(correlations(downs, legs));
  if (steps === undefined) return undefined;
  const strides = Math.max(1, Math.min(kMostStrides, Math.floor(downs.length / steps)));
  const counted = Math.min(downs.length, Math.round(strides * steps));
  const feet = legs.map(({ bit }) => foot_of(downs, counted, steps, bit));
  const reference = feet[reference_of(legs)];
  const middle = reference?.middle ?? 0;
  const came_down = middle - (reference?.duty ?? 0) / 2;
  const ago = (((-came_down % 1) + 1) % 1) * steps;
  return {
    stride_s: steps * step_s,
    begins_s: now_s - ago * step_s,
    legs: feet.map((foot) => ({
      duty: foot.duty,
      phase: foot.middle === undefined ? undefined : (((foot.middle - middle) % 1) + 1) % 1,
    })),
  };
}

/** @return middle: of its stance after now, strides, modulo 1 */
function foot_of(downs: readonly number[], counted: number, steps: number, bit: number) {
  let [down, c, s] = [0, 0, 0];
  const first = downs.length - counted;
  for (let i = first; i < downs.length; ++i) {
    if (((downs[i] as number) & bit) === 0) continue;
    const angle = (2 * Math.PI * (i - (downs.length - 1))) / steps;
    down += 1;
    c += Math.cos(angle);
    s += Math.sin(angle);
  }
  const faint = Math.hypot(c, s) / counted < kFaint;
  return {
    duty: down / counted,
    middle: faint ? undefined : Math.atan2(s, c) / (2 * Math.PI),
  };
}

/** A time during which a foot is down. */
export interface Bar {
  readonly from_s: number;
  readonly to_s: number;
}

/** The times during which a foot is down. A sample counts until halfway to its neighbours, at most `gap_s` away. */
export function bars_of(samples: readonly FootSample[], bit: number, gap_s = 0.1): Bar[] {
  const bars: { from_s: number; to_s: number }[] = [];
  let open: { from_s: number; to_s: number } | undefined;
  samples.forEach(({ time_s, down }, i) => {
    if (Number.isNaN(down) || (down & bit) === 0) {
      open = undefined;
      return;
    }
    const half = (other: FootSample | undefined) =>
      Math.min(gap_s, Math.abs((other?.time_s ?? time_s) - time_s)) / 2;
    const from_s = time_s - half(samples[i - 1]);
    const to_s = time_s + half(samples[i + 1]);
    if (open && from_s - open.to_s < 1e-6) open.to_s = to_s;
    else bars.push((open = { from_s, to_s }));
  });
  return bars;
}

/** The feet that are down, in words. */
export function down_words(down: number, legs: readonly LegRow[]): string {
  const those = legs.filter(({ bit }) => (down & bit) !== 0).map(({ title }) => title);
  if (Number.isNaN(down)) return '–';
  if (those.length === 0) return 'no foot down';
  return those.length === legs.length ? 'all feet down' : `${those.join(', ')} down`;
}

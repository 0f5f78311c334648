// Bars of the times during which a foot is down, as rows of a diagram.
import {
  type Bar,
  type Footfalls,
  footfalls_of,
  type LegRow,
  samples_until,
} from '../../state/gait/footfalls';
import type { Series } from '../../state/recording/series';

const kReckonEvery_ms = 200;

interface Reckoned {
  readonly at_ms: number;
  readonly told_ms: number;
  readonly found: Footfalls | undefined;
}

const reckoned = new WeakMap<Series, Reckoned>();

/** The footfalls of the strides before a time, reckoned a few times a second. */
export function footfalls_at(
  series: Series,
  legs: readonly LegRow[],
  told_ms: number,
): Footfalls | undefined {
  const at_ms = performance.now();
  const last = reckoned.get(series);
  const near = last && Math.abs(last.told_ms - told_ms) < 2 * kReckonEvery_ms;
  if (near && at_ms - last.at_ms < kReckonEvery_ms) return last.found;
  const found = footfalls_of(samples_until(series, series.nearest(told_ms)), legs);
  reckoned.set(series, { at_ms, told_ms, found });
  return found;
}

/** The colour of a leg's bars, a CSS variable: one for each side. */
export function leg_color({ title }: LegRow): string {
  return title.startsWith('right') ? '--plot-4' : '--plot-1';
}

/** @param x of a time, px */
export function draw_bars(
  pen: CanvasRenderingContext2D,
  bars: readonly Bar[],
  x: (time_s: number) => number,
  top: number,
  height: number,
): void {
  for (const { from_s, to_s } of bars)
    pen.fillRect(x(from_s), top, Math.max(1, x(to_s) - x(from_s)), height);
}

/** Duty factor or phase, as printed. */
export function share_words(share: number | undefined): string {
  return share === undefined ? '–' : share.toFixed(2);
}

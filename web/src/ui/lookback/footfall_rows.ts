// Footfalls in the large plot: a row for each leg of each character, with its name, its duty factor and its phase.
import { bars_of, type FootSample, type LegRow } from '../../state/gait/footfalls';
import type { Series } from '../../state/recording/series';
import { draw_bars, footfalls_at, leg_color, share_words } from '../gait/footfall_bars';

/** One character's rows. */
export interface Feet {
  readonly name: string;
  readonly legs: readonly LegRow[];
  readonly series: Series;
}

export interface FeetPlace {
  readonly top: number; // px
  readonly bottom: number;
  readonly left: number; // of the bars
  readonly width: number; // of the plot
  readonly x: (t_ms: number) => number;
  readonly color: (name: string) => string;
}

const kGap_px = 8; // between two characters
const kMostRow_px = 26;
const kNumbers_px = 84; // of duty factor and phase
const kNarrow_px = 500; // of a plot that has no room for them

/** Room for the names of legs, px. */
export function feet_margin(width: number): number {
  return width < kNarrow_px ? 92 : 92 + kNumbers_px;
}

/** @param told_ms whose last strides the numbers are of */
export function draw_feet(
  pen: CanvasRenderingContext2D,
  all: readonly Feet[],
  from_ms: number,
  to_ms: number,
  told_ms: number,
  place: FeetPlace,
): void {
  const { top, bottom, left, width, x, color } = place;
  const rows = all.reduce((sum, { legs }) => sum + legs.length, 0);
  const room = bottom - top - kGap_px * Math.max(0, all.length - 1);
  const height = Math.min(kMostRow_px, room / Math.max(1, rows));
  const wide = width >= kNarrow_px;
  pen.textBaseline = 'middle';
  let y = top;
  for (const { legs, series } of all) {
    const shown = samples_between(series, from_ms, to_ms);
    const found = wide ? footfalls_at(series, legs, told_ms) : undefined;
    legs.forEach((leg, i) => {
      pen.fillStyle = color('--soft');
      pen.textAlign = 'left';
      pen.fillText(leg.title, 4, y + height / 2);
      pen.textAlign = 'right';
      const { duty, phase } = found?.legs[i] ?? {};
      if (wide) pen.fillText(share_words(duty), left - 50, y + height / 2);
      if (wide) pen.fillText(share_words(phase), left - 8, y + height / 2);
      pen.save();
      pen.beginPath();
      pen.rect(left, top, width - left, bottom - top);
      pen.clip();
      pen.fillStyle = color(leg_color(leg));
      const in_ms = (time_s: number) => x(1000 * time_s);
      draw_bars(pen, bars_of(shown, leg.bit, kMostGap_s), in_ms, y + 2, Math.max(2, height - 4));
      pen.restore();
      y += height;
    });
    y += kGap_px;
  }
  if (!wide) return;
  pen.fillStyle = color('--faint');
  pen.textAlign = 'right';
  pen.fillText('duty', left - 50, top - 9);
  pen.fillText('phase', left - 8, top - 9);
}

const kMostGap_s = 0.6; // between frames of a page that was hidden

/** What was down, at times of the recording. */
function samples_between(series: Series, from_ms: number, to_ms: number): FootSample[] {
  const out: FootSample[] = [];
  const last = Math.min(series.length - 1, series.nearest(to_ms) + 1);
  for (let i = Math.max(0, series.nearest(from_ms) - 1); i <= last; ++i)
    out.push({ time_s: series.time_ms(i) / 1000, down: series.value(i) });
  return out;
}

// Edits of the points of a curve. Nothing is changed in place; results are always what
// the server takes: in order of phase, in range, at most kMostPoints.
import { evaluate, type SplinePoint } from '../values/spline';

export type Points = readonly SplinePoint[];

export interface Bounds {
  readonly phase: readonly [number, number];
  readonly value: readonly [number, number];
}

export const kMostPoints = 64;
/** Points keep this share of the whole width apart. */
const kLeastGap = 0.005;

function clamp(x: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, x));
}

/** Hides the noise of floating point: 0.30000000000000004 is 0.3. */
function tidy(x: number): number {
  return Math.round(x * 1e6) / 1e6 + 0;
}

function gap(bounds: Bounds): number {
  return kLeastGap * (bounds.phase[1] - bounds.phase[0]);
}

/** Moves a point as far as its neighbours and the bounds allow. */
export function move_point(
  points: Points,
  i: number,
  to: SplinePoint,
  bounds: Bounds,
): SplinePoint[] {
  const before = points[i - 1];
  const after = points[i + 1];
  const low = before ? before.phase + gap(bounds) : bounds.phase[0];
  const high = after ? after.phase - gap(bounds) : bounds.phase[1];
  const out = [...points];
  out[i] = {
    phase: tidy(low <= high ? clamp(to.phase, low, high) : (points[i] as SplinePoint).phase),
    value: tidy(clamp(to.value, ...bounds.value)),
  };
  return out;
}

/**
 * Adds a point. @param value where the curve is now, if left out
 * @return the points and the index of the new one; undefined where there is no room
 */
export function add_point(
  points: Points,
  phase: number,
  bounds: Bounds,
  value = evaluate(points, phase),
): { points: SplinePoint[]; index: number } | undefined {
  if (points.length >= kMostPoints) return undefined;
  const at = tidy(clamp(phase, ...bounds.phase));
  if (points.some((point) => Math.abs(point.phase - at) < gap(bounds) - 1e-9)) return undefined;
  const index = points.filter((point) => point.phase < at).length;
  const point = { phase: at, value: tidy(clamp(value, ...bounds.value)) };
  return { points: [...points.slice(0, index), point, ...points.slice(index)], index };
}

export function remove_point(points: Points, i: number): SplinePoint[] {
  return points.filter((_, k) => k !== i);
}

/** Where a key adds a point: in the middle of the wider gap beside point i. */
export function gap_beside(points: Points, i: number, bounds: Bounds): number {
  const here = points[i];
  if (!here) return (bounds.phase[0] + bounds.phase[1]) / 2;
  const before = points[i - 1]?.phase ?? bounds.phase[0];
  const after = points[i + 1]?.phase ?? bounds.phase[1];
  return after - here.phase >= here.phase - before
    ? (here.phase + after) / 2
    : (here.phase + before) / 2;
}

const kNice = [1, 2, 2.5, 5, 10] as const;

/** A step of 1, 2, 2.5 or 5 times a power of ten that divides a span into at most `most` parts. */
export function nice_step(span: number, most: number): number {
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = kNice.find((nice) => nice * power >= raw * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/**
 * The range of values that shows the curves whole, with room to drag.
 * @param least_span never shows less than this
 */
export function fit_range(
  curves: readonly Points[],
  least_span: number,
  limits: readonly [number, number],
): [number, number] {
  const values = curves.flatMap((points) => [
    ...points.map(({ value }) => value),
    ...bulges(points),
  ]);
  let low = Math.min(0, ...values);
  let high = Math.max(0, ...values);
  const pad = Math.max(0.18 * (high - low), (least_span - (high - low)) / 2);
  low -= pad;
  high += pad;
  const step = nice_step(high - low, 10);
  return [
    Math.max(limits[0], Math.floor(low / step) * step),
    Math.min(limits[1], Math.ceil(high / step) * step),
  ].map(tidy) as [number, number];
}

/** A curve overshoots its points. */
function bulges(points: Points): number[] {
  const out: number[] = [];
  for (let i = 0; i + 1 < points.length; ++i) {
    const [a, b] = [points[i] as SplinePoint, points[i + 1] as SplinePoint];
    for (const t of [0.25, 0.5, 0.75])
      out.push(evaluate(points, a.phase + t * (b.phase - a.phase)));
  }
  return out;
}

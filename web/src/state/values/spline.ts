// The curve that the server evaluates (server/math/spline.cpp), by the same formula, so that what is
// drawn is what is walked.

/** A point of a curve: `phase` is the phase of a step, or the speed of a factor over speed. */
export interface SplinePoint {
  readonly phase: number;
  readonly value: number;
}

/**
 * Tangent at a point: the difference of its neighbours over their distance. A point at an end counts
 * as its own neighbour one interval further out, so the curve leaves it with half its chord's slope.
 */
function tangent(points: readonly SplinePoint[], i: number): number {
  const slope = (a: SplinePoint, b: SplinePoint) => (b.value - a.value) / (b.phase - a.phase);
  const here = points[i] as SplinePoint;
  const before = points[i - 1];
  const after = points[i + 1];
  if (!before) return after ? 0.5 * slope(here, after) : 0;
  if (!after) return 0.5 * slope(before, here);
  return slope(before, after);
}

/**
 * Catmull-Rom curve: cubic Hermite with the tangents above, constant outside its points, 0 without any.
 * Source: Coros2010 §3.1. @pre phases strictly increasing
 */
export function evaluate(points: readonly SplinePoint[], at: number): number {
  const first = points[0];
  const last = points[points.length - 1];
  if (!first || !last) return 0;
  if (!(at > first.phase)) return first.value;
  if (at >= last.phase) return last.value;
  let i = 0;
  while ((points[i + 1] as SplinePoint).phase <= at) ++i;
  const p = points[i] as SplinePoint;
  const q = points[i + 1] as SplinePoint;
  const h = q.phase - p.phase;
  const t = (at - p.phase) / h;
  const t2 = t * t;
  const t3 = t2 * t;
  return (
    (2 * t3 - 3 * t2 + 1) * p.value +
    (t3 - 2 * t2 + t) * h * tangent(points, i) +
    (3 * t2 - 2 * t3) * q.value +
    (t3 - t2) * h * tangent(points, i + 1)
  );
}

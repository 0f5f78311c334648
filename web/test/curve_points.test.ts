import { describe, expect, test } from 'vitest';
import {
  add_point,
  fit_range,
  gap_beside,
  kMostPoints,
  move_point,
  nice_step,
  remove_point,
} from '../src/state/edit/curve_points';
import { evaluate } from '../src/state/values/spline';

const kBounds = { phase: [0, 1], value: [-170, 170] } as const;
const kPoints = [
  { phase: 0, value: 10 },
  { phase: 0.5, value: 0 },
  { phase: 1, value: -10 },
];

describe('points of a curve', () => {
  test('stay between their neighbours and in range', () => {
    const moved = move_point(kPoints, 1, { phase: 1.7, value: 999 }, kBounds);
    expect(moved[1]?.phase).toBeLessThan(1);
    expect(moved[1]?.phase).toBeGreaterThan(0.99);
    expect(moved[1]?.value).toBe(170);
    expect(move_point(kPoints, 0, { phase: -3, value: 1 }, kBounds)[0]).toEqual({
      phase: 0,
      value: 1,
    });
    expect(kPoints[1]).toEqual({ phase: 0.5, value: 0 }); // nothing is changed in place
  });

  test('are strictly in order after any move', () => {
    let points: readonly { phase: number; value: number }[] = kPoints;
    for (let k = 0; k < 300; ++k) {
      const i = k % points.length;
      points = move_point(points, i, { phase: Math.sin(k * 7) * 1.5, value: k }, kBounds);
      for (let j = 1; j < points.length; ++j)
        expect(points[j]?.phase).toBeGreaterThan(points[j - 1]?.phase ?? 0);
    }
  });

  test('are added on the curve, which keeps passing there', () => {
    const added = add_point(kPoints, 0.25, kBounds);
    expect(added?.index).toBe(1);
    expect(added?.points[1]?.value).toBeCloseTo(evaluate(kPoints, 0.25), 5);
    expect(add_point(kPoints, 0.8, kBounds, 33)?.points[2]).toEqual({ phase: 0.8, value: 33 });
  });

  test('are not added on top of another, nor without end', () => {
    expect(add_point(kPoints, 0.5, kBounds)).toBeUndefined();
    const full = Array.from({ length: kMostPoints }, (_, i) => ({ phase: i / 64, value: 0 }));
    expect(add_point(full, 0.9999, kBounds)).toBeUndefined();
  });

  test('are removed', () => {
    expect(remove_point(kPoints, 1).map(({ phase }) => phase)).toEqual([0, 1]);
  });

  test('a key adds one in the wider gap beside the point it is on', () => {
    const points = [
      { phase: 0, value: 0 },
      { phase: 0.2, value: 0 },
      { phase: 1, value: 0 },
    ];
    expect(gap_beside(points, 1, kBounds)).toBeCloseTo(0.6);
    expect(gap_beside(points, 2, kBounds)).toBeCloseTo(0.6);
    expect(gap_beside([], -1, kBounds)).toBe(0.5);
  });
});

describe('scales', () => {
  test('have steps that people read easily', () => {
    expect(nice_step(10, 5)).toBe(2);
    expect(nice_step(0.17, 6)).toBeCloseTo(0.05);
    expect(nice_step(61, 6)).toBe(20);
  });

  test('show the whole curve with room around it, and zero', () => {
    const [low, high] = fit_range([kPoints], 20, [-170, 170]);
    expect(low).toBeLessThan(-10);
    expect(high).toBeGreaterThan(10);
    const [above] = fit_range([[{ phase: 0, value: 100 }]], 20, [-170, 170]);
    expect(above).toBeLessThanOrEqual(0);
    expect(fit_range([[{ phase: 0, value: 170 }]], 20, [-170, 170])[1]).toBe(170);
  });
});

import { expect, test } from 'vitest';
import { type Spot, spread } from '../src/ui/editor/spread';

function least_distance(spots: readonly Spot[]): number {
  let least = Infinity;
  spots.forEach(([x, y], i) =>
    spots.slice(0, i).forEach(([u, v]) => (least = Math.min(least, Math.hypot(x - u, y - v)))),
  );
  return least;
}

test('what is far enough apart stays where it is', () => {
  const spots: Spot[] = [
    [0, 0],
    [26, 0],
    [0, 40],
  ];
  expect(spread(spots, 26)).toEqual(spots);
});

test('two that are close part along the line between them, each as far as the other', () => {
  const [a, b] = spread(
    [
      [100, 50],
      [112, 50],
    ],
    26,
  ) as [Spot, Spot];
  expect(b[0] - a[0]).toBeGreaterThanOrEqual(26);
  expect(b[0] - a[0]).toBeLessThan(26.5);
  expect((a[0] + b[0]) / 2).toBeCloseTo(106);
  expect(a[1]).toBe(50);
});

test('coincident ones and crowds end up apart too, and near where they were', () => {
  const spots: Spot[] = [
    [10, 10],
    [10, 10],
    [14, 12],
    [30, 12],
    [22, 20],
    [40, 14],
  ];
  const out = spread(spots, 26);
  expect(least_distance(out)).toBeGreaterThan(25);
  out.forEach(([x, y], i) => {
    const [u, v] = spots[i] as Spot;
    expect(Math.hypot(x - u, y - v)).toBeLessThan(52);
  });
});

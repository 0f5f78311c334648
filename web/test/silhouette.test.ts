import { expect, test } from 'vitest';
import type { FigurePart } from '../src/scene/figure/figure';
import { hull, silhouette } from '../src/ui/editor/silhouette';

test('a hull has the corners and nothing else', () => {
  const points = [
    [0, 0],
    [2, 0],
    [1, 1],
    [2, 2],
    [0, 2],
    [1, 0],
    [0.5, 1.5],
  ] as const;
  const corners = hull(points);
  expect(corners).toHaveLength(4);
  for (const corner of [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
  ])
    expect(corners).toContainEqual(corner);
});

/** Least and greatest across and up of a path. */
function box(d: string): readonly number[] {
  const numbers = d.slice(1, -1).split(/[L ]/).map(Number);
  const across = numbers.filter((_, i) => i % 2 === 0);
  const up = numbers.filter((_, i) => i % 2 === 1);
  return [Math.min(...across), Math.max(...across), Math.min(...up), Math.max(...up)];
}

test('a tapered limb lies where its link puts it, as wide as it is', () => {
  const part: FigurePart = {
    link: 0,
    position: [0, 10, 20],
    rotation: undefined,
    scale: [1, 1, 1],
    shape: { half: [0, 0, 30], top: 8, bottom: 4, taper: 1 },
    tint: 'skin',
    paint: undefined,
    surface: 'cloth',
    seen: 'far',
  };
  const [left = 0, right = 0, low = 0, high = 0] = box(silhouette(part, (_, y, z) => [y, z]));
  expect(low).toBeCloseTo(20 - 34, 0);
  expect(high).toBeCloseTo(20 + 38, 0);
  expect(right - left).toBeGreaterThan(15);
  expect(right - left).toBeLessThanOrEqual(16.01);
});

test('a turned part is drawn turned', () => {
  const s = Math.SQRT1_2;
  const part: FigurePart = {
    link: 0,
    position: [0, 0, 0],
    rotation: [s, 0, 0, s], // z becomes -y
    scale: [1, 1, 1],
    shape: { half: [0, 0, 30], top: 5, bottom: 5, taper: 1 },
    tint: 'skin',
    paint: undefined,
    surface: 'cloth',
    seen: 'far',
  };
  const [left = 0, right = 0, low = 0, high = 0] = box(silhouette(part, (_, y, z) => [y, z]));
  expect(right - left).toBeCloseTo(70, 0);
  expect(high - low).toBeLessThanOrEqual(10.01);
});

import { describe, expect, test } from 'vitest';
import { evaluate } from '../src/state/values/spline';

// Values of the server's CatmullRom (server/math/spline.cpp) for the same points.
const kSwingAnkle = [
  { phase: 0, value: 17 },
  { phase: 0.3, value: 17 },
  { phase: 0.5, value: 0 },
  { phase: 1, value: -17 },
];
const kServer = [
  [-0.5, 17],
  [0, 17],
  [0.07, 17.425755556],
  [0.15, 18.275],
  [0.3, 17],
  [0.42, 6.730057143],
  [0.5, 0],
  [0.6, -4.604571429],
  [0.77, -11.152650857],
  [0.99, -16.826124],
  [1, -17],
  [1.3, -17],
] as const;

describe('the curve', () => {
  test('is the one that the server evaluates', () => {
    for (const [at, value] of kServer) expect(evaluate(kSwingAnkle, at)).toBeCloseTo(value, 8);
  });

  test('of two points, too', () => {
    const points = [
      { phase: 0.2, value: 3 },
      { phase: 0.6, value: -1 },
    ];
    const server = [
      [0.1, 3],
      [0.3, 2.1875],
      [0.45, 0.3828125],
      [0.55, -0.6640625],
      [0.7, -1],
    ] as const;
    for (const [at, value] of server) expect(evaluate(points, at)).toBeCloseTo(value, 9);
  });

  test('is constant with one point and 0 with none', () => {
    expect(evaluate([{ phase: 0.4, value: 7 }], 0)).toBe(7);
    expect(evaluate([{ phase: 0.4, value: 7 }], 1)).toBe(7);
    expect(evaluate([], 0.5)).toBe(0);
    expect(evaluate([{ phase: 0.4, value: 7 }], Number.NaN)).toBe(7);
  });
});

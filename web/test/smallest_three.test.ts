import { describe, expect, test } from 'vitest';
import { decode_smallest_three } from '../src/net/smallest_three';

/** The coding as docs/protocol.md states it. */
function encode(q: readonly number[]): number {
  const largest = q.reduce(
    (best, value, i) => (Math.abs(value) > Math.abs(q[best] as number) ? i : best),
    0,
  );
  const sign = (q[largest] as number) < 0 ? -1 : 1;
  return (
    q.reduce(
      (bits, value, i) =>
        i === largest
          ? bits
          : ((bits << 10) | (Math.round(value * sign * Math.SQRT2 * 511) + 511)) >>> 0,
      largest,
    ) >>> 0
  );
}

function decode(bits: number): number[] {
  const out = [0, 0, 0, 0];
  decode_smallest_three(bits, out, 0);
  return out;
}

describe('smallest three', () => {
  test('the identity is exact', () => {
    expect(decode(encode([0, 0, 0, 1]))).toEqual([0, 0, 0, 1]);
  });

  test.each([0, 1, 2, 3])('a half turn that leaves out component %i is exact', (k) => {
    const q = [0, 0, 0, 0];
    q[k] = 1;
    expect(decode(encode(q))).toEqual(q);
  });

  test('every rotation comes back within 5 mrad, with unit length', () => {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 1073741823.5 - 1;
    for (let n = 0; n < 2000; ++n) {
      const raw = [random(), random(), random(), random()];
      const length = Math.hypot(...raw);
      const q = raw.map((value) => value / length);
      const back = decode(encode(q));
      const dot = Math.abs(q.reduce((sum, value, i) => sum + value * (back[i] as number), 0));
      expect(2 * Math.acos(Math.min(1, dot))).toBeLessThan(0.005);
      expect(Math.hypot(...back)).toBeCloseTo(1, 6);
    }
  });
});

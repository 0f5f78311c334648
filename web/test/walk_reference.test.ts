import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { kGravity_mps2 } from '../src/state/values/gravity';
import { cadence_of, people_at, share_within } from '../src/state/gait/walk_reference';

interface File {
  speeds: {
    froude_speed: number;
    curves: { name: string; mean: number[]; deviation: number[] }[];
  }[];
}
const file = JSON.parse(
  readFileSync(new URL('../../server/data/reference/walk.json', import.meta.url), 'utf8'),
) as File;

const kLeg_m = 0.86;
const speed_of = (froude: number) => froude * Math.sqrt(kGravity_mps2 * kLeg_m);
const knee = (i: number) => file.speeds[i]?.curves.find(({ name }) => name === 'knee');

describe('people’s walk', () => {
  test('at a measured speed is what was measured', () => {
    file.speeds.forEach(({ froude_speed, curves }) => {
      const { bands } = people_at(speed_of(froude_speed), kLeg_m);
      for (const { name, mean, deviation } of curves) {
        bands.get(name)?.mean.forEach((value, i) => expect(value).toBeCloseTo(mean[i] ?? NaN, 6));
        bands
          .get(name)
          ?.deviation.forEach((value, i) => expect(value).toBeCloseTo(deviation[i] ?? NaN, 6));
      }
    });
  });

  test('in the middle between two speeds is their mean, and beyond all of them that of the nearest', () => {
    const [slow = 0, free = 0, fast = 0] = file.speeds.map(({ froude_speed }) => froude_speed);
    const middle = people_at(speed_of((slow + free) / 2), kLeg_m).bands.get('knee')?.mean ?? [];
    middle.forEach((value, i) =>
      expect(value).toBeCloseTo(((knee(0)?.mean[i] ?? 0) + (knee(1)?.mean[i] ?? 0)) / 2, 6),
    );
    const above = people_at(speed_of(fast) + 1, kLeg_m).bands.get('knee')?.mean;
    expect(above).toEqual(knee(2)?.mean);
    const below = people_at(0.1, kLeg_m).bands.get('knee')?.mean;
    expect(below).toEqual(knee(0)?.mean);
  });

  test('has the rhythm of adults', () => {
    expect(cadence_of(0.8, kLeg_m)).toBeCloseTo(97.2, 1);
    expect(cadence_of(1.2, kLeg_m)).toBeCloseTo(115.7, 1);
    const { cadence, step_length, double_support } = people_at(1.2, kLeg_m);
    expect((cadence * step_length) / 60).toBeCloseTo(1.2, 6);
    expect(double_support).toEqual([22, 31]);
    expect(people_at(1.4, kLeg_m).double_support[0]).toBeCloseTo(19.5, 6);
    expect(people_at(3, kLeg_m).double_support).toEqual([17, 24]);
  });

  test('of longer legs has longer and slower steps at the same speed', () => {
    const [short, long] = [people_at(1.2, kLeg_m), people_at(1.2, 2 * kLeg_m)];
    expect(long.cadence).toBeLessThan(short.cadence);
    expect(long.step_length).toBeGreaterThan(short.step_length);
  });

  test('tells how much of a curve is inside the band', () => {
    const band = { mean: [0, 0, 0, 0], deviation: [1, 1, 1, 1] };
    expect(share_within([0, 0.9, -1.1, 5], band)).toBe(50);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromJsonString } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { make_skeleton } from '../src/state/figure/skeleton';
import {
  bars_of,
  down_words,
  type Footfalls,
  type FootSample,
  footfalls_of,
  leg_rows,
  reference_of,
} from '../src/state/gait/footfalls';

const creatures = path.resolve(import.meta.dirname, '../../server/data/creatures');
const legs_of = (name: string) =>
  leg_rows(
    make_skeleton(
      fromJsonString(CreatureSchema, readFileSync(`${creatures}/${name}.json`, 'utf8')),
    ),
  );
const cat = legs_of('cat');

interface Gait {
  readonly stride_s: number;
  readonly duty: number;
  readonly phases: readonly number[]; // of the middle of each foot's stance
}

/** Frames of feet that do this. */
function frames({ stride_s, duty, phases }: Gait, rate_hz: number, seconds: number): FootSample[] {
  return Array.from({ length: Math.round(seconds * rate_hz) }, (_, i) => {
    const time_s = 100 + i / rate_hz;
    const down = cat.slice(0, phases.length).reduce((sum, { bit }, leg) => {
      const since = time_s / stride_s - (phases[leg] as number) + duty / 2;
      return since - Math.floor(since) < duty ? sum + bit : sum;
    }, 0);
    return { time_s, down };
  });
}

const away = (phase: number | undefined, wanted: number) => {
  const off = ((((phase ?? Number.NaN) - wanted) % 1) + 1) % 1;
  return Math.min(off, 1 - off);
};

function expect_phases(found: Footfalls | undefined, wanted: readonly number[], by = 0.04) {
  found?.legs.forEach(({ phase }, i) => expect(away(phase, wanted[i] as number)).toBeLessThan(by));
}

describe('footfalls', () => {
  test('are those of the legs, told from the left hind one', () => {
    expect(cat.map(({ title }) => title)).toEqual([
      'left fore',
      'right fore',
      'left hind',
      'right hind',
    ]);
    expect(reference_of(cat)).toBe(2);
    expect(legs_of('human').map(({ title }) => title)).toEqual(['left', 'right']);
    expect(reference_of(legs_of('human'))).toBe(0);
    expect(legs_of('luxo').map(({ title }) => title)).toEqual(['leg']);
    expect(legs_of('caterpillar')).toEqual([]);
  });

  // left fore, right fore, left hind, right hind
  test.each([
    ['trot', { stride_s: 0.45, duty: 0.4, phases: [0.5, 0, 0, 0.5] }, 30],
    ['walk', { stride_s: 0.8, duty: 0.7, phases: [0.25, 0.75, 0, 0.5] }, 30],
    ['bound', { stride_s: 0.61, duty: 0.3, phases: [0.5, 0.5, 0, 0] }, 30],
    ['rack', { stride_s: 0.39, duty: 0.5, phases: [0, 0.5, 0, 0.5] }, 60],
    ['run of an ant', { stride_s: 0.1134, duty: 0.55, phases: [0, 0.5, 0, 0.5] }, 60],
  ] as const)('of a %s have its stride, duty factors and phases', (_, gait, rate_hz) => {
    const samples = frames(gait, rate_hz, 6);
    const found = footfalls_of(samples, cat);
    expect(found?.stride_s).toBeCloseTo(gait.stride_s, 2);
    expect_phases(found, gait.phases, rate_hz * gait.stride_s < 8 ? 0.1 : 0.04);
    for (const leg of found?.legs ?? []) expect(Math.abs(leg.duty - gait.duty)).toBeLessThan(0.08);
    // The stride begins where the left hind foot comes down.
    const [time_s, wanted] = [found?.begins_s ?? 0, gait.phases[2] - gait.duty / 2];
    expect(away(time_s / gait.stride_s, wanted)).toBeLessThan(0.12);
  });

  test('have a phase for feet that lift alone', () => {
    const samples = frames({ stride_s: 0.5, duty: 0.5, phases: [0.5, 0, 0] }, 30, 4);
    const stands = samples.map(({ time_s, down }) => ({ time_s, down: down + (cat[3]?.bit ?? 0) }));
    const found = footfalls_of(stands, cat);
    expect(found?.legs[3]).toEqual({ duty: 1, phase: undefined });
    expect_phases(found && { ...found, legs: found.legs.slice(0, 3) }, [0.5, 0, 0]);
  });

  test('need a stride that repeats, since the creature is there', () => {
    const stands = frames({ stride_s: 1, duty: 1, phases: [0, 0, 0, 0] }, 30, 4);
    expect(footfalls_of(stands, cat)).toBeUndefined();
    expect(footfalls_of([], cat)).toBeUndefined();
    let seed = 1;
    const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const noise = stands.map(({ time_s }) => ({ time_s, down: Math.floor(256 * chance()) }));
    expect(footfalls_of(noise, cat)).toBeUndefined();
    const trot = frames({ stride_s: 0.45, duty: 0.4, phases: [0.5, 0, 0, 0.5] }, 30, 6);
    const gone = trot.map((one, i) => (i === 60 ? { ...one, down: Number.NaN } : one));
    expect(footfalls_of(gone, cat)?.stride_s).toBeCloseTo(0.45, 2);
  });

  test('are not disturbed by frames that are left out', () => {
    const trot = frames({ stride_s: 0.45, duty: 0.4, phases: [0.5, 0, 0, 0.5] }, 30, 6);
    const fewer = trot.filter((_, i) => i % 7 !== 3);
    const found = footfalls_of(fewer, cat);
    expect(found?.stride_s).toBeCloseTo(0.45, 1);
    expect_phases(found, [0.5, 0, 0, 0.5], 0.08);
  });
});

test('bars say from when to when a foot is down', () => {
  const samples = [0, 1, 1, 0, Number.NaN, 1].map((down, i) => ({ time_s: i / 10, down }));
  const bars = bars_of(samples, 1, 1);
  expect(bars).toHaveLength(2);
  expect(bars[0]?.from_s).toBeCloseTo(0.05);
  expect(bars[0]?.to_s).toBeCloseTo(0.25);
  expect(bars[1]?.from_s).toBeCloseTo(0.45);
  expect(bars[1]?.to_s).toBeCloseTo(0.5);
});

test('the feet that are down are told in words', () => {
  const [a, b, c, d] = cat.map(({ bit }) => bit) as [number, number, number, number];
  expect(down_words(a + d, cat)).toBe('left fore, right hind down');
  expect(down_words(0, cat)).toBe('no foot down');
  expect(down_words(a + b + c + d, cat)).toBe('all feet down');
  expect(down_words(Number.NaN, cat)).toBe('–');
});

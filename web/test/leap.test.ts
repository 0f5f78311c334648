import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Gait } from '../src/gen/promenade/v1/gait_pb';
import { parse_gait } from '../src/state/edit/gait_doc';
import { leap_has_sizes, leap_note, least_leap } from '../src/state/gait/leap';

const gaits = path.resolve(import.meta.dirname, '../../server/data/gaits');
const gait_of = (name: string) => parse_gait(readFileSync(`${gaits}/${name}.json`, 'utf8'));
const skip = gait_of('luxo_skip');

/** The lamp's leap with reaches of these sizes alone. */
const with_sizes = (...sizes: number[]): Gait => ({
  ...skip,
  variants: skip.variants.map((variant) => ({
    ...variant,
    reaches: sizes.flatMap((size) => variant.reaches.slice(0, 1).map((one) => ({ ...one, size }))),
  })),
});

test('a leap has sizes where a variant is one, and there is a chain to mix it into', () => {
  expect(leap_has_sizes(skip)).toBe(true);
  expect(leap_has_sizes({ ...skip, variants: [] })).toBe(false);
  expect(leap_has_sizes({ ...skip, chain: [] })).toBe(false);
  expect(leap_has_sizes(gait_of('cat_trot'))).toBe(false);
});

test('the smallest leap that passes over something is that of the reaches', () => {
  expect(least_leap(skip)).toBe(1);
  expect(least_leap(with_sizes(0.7, 1, 0.5))).toBe(0.5);
  expect(least_leap(with_sizes())).toBeUndefined();
  expect(least_leap(gait_of('cat_trot'))).toBeUndefined();
});

test('what is said of a size is what the reaches know', () => {
  expect(leap_note(skip, 1)).toBe('');
  expect(leap_note(skip, 0.95)).toMatch(/^Only a full leap/);
  expect(leap_note(with_sizes(0.5, 1), 0.5)).toBe('');
  expect(leap_note(with_sizes(0.5, 1), 0.45)).toMatch(/^No leap below 50 %/);
  expect(leap_note(with_sizes(), 0.1)).toBe('');
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse_gait } from '../src/state/edit/gait_doc';
import { leap_sizes } from '../src/state/gait/leap';

const gaits = path.resolve(import.meta.dirname, '../../server/data/gaits');
const gait_of = (name: string) => parse_gait(readFileSync(`${gaits}/${name}.json`, 'utf8'));
const skip = gait_of('luxo_skip');

test('the sizes of a gait are those of its leaps, from small to great', () => {
  const sizes = leap_sizes(skip);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.at(-1)).toBe(1);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
});

test('without a chain or a leap there are none', () => {
  expect(leap_sizes({ ...skip, chain: [] })).toEqual([]);
  expect(leap_sizes({ ...skip, variants: [] })).toEqual([]);
  expect(leap_sizes(gait_of('cat_trot'))).toEqual([]);
});

import { expect, test } from 'vitest';
import { leaving } from '../src/ui/parts/toasts';

test('a new toast takes the place of the oldest that is neither an error nor has a button', () => {
  expect(leaving([true, false, true, false], false)).toBe(1);
  expect(leaving([true, false, true, false], true)).toBe(1);
  expect(leaving([true, true, true, true], false)).toBe(0);
  expect(leaving([true, true, true, true], true)).toBe(-1); // what another visitor did is not told then
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { read_number, read_whole } from '../src/state/values/number_text';

test('a comma is a decimal mark, as a point is', () => {
  expect(read_number('1,5')).toBe(1.5);
  expect(read_number('1.5')).toBe(1.5);
  expect(read_number(' -0,25 ')).toBe(-0.25);
  expect(read_number('0,125')).toBe(0.125);
  expect(read_number('−3')).toBe(-3);
  expect(read_number(',5')).toBe(0.5);
  expect(read_number('2e3')).toBe(2000);
});

test('what is no number, or may be two, is refused and never cut to one', () => {
  for (const text of ['', ' ', '1,5,0', '1.5,0', '1 5', '15a', 'abc', '1,500', '--1', '1e999'])
    expect(read_number(text), text).toBeUndefined();
});

test('a whole number keeps to its range', () => {
  expect(read_whole('12', 1, 20)).toBe(12);
  for (const text of ['1,5', '0', '21', 'x', '']) expect(read_whole(text, 1, 20)).toBeUndefined();
});

test('no field of the page leaves the reading to the browser, which makes 15 of 1,5', () => {
  const src = path.resolve(import.meta.dirname, '../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const wrong = files.filter((file) => {
    if (!file.endsWith('.ts') || file.startsWith('gen')) return false;
    const text = readFileSync(path.join(src, file), 'utf8');
    return /type: '?"?number|valueAsNumber/.test(text);
  });
  expect(wrong).toEqual([]);
});

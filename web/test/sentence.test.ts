import { expect, test } from 'vitest';
import { sentence } from '../src/state/values/sentence';

test('messages of the server become sentences, names of fields stay as they are', () => {
  expect(sentence('there is no such character')).toBe('There is no such character.');
  expect(sentence('Already one.')).toBe('Already one.');
  expect(sentence('set_style.style is "x"; allowed: normal')).toBe(
    'set_style.style is "x"; allowed: normal.',
  );
  expect(sentence('3 more characters')).toBe('3 more characters.');
  expect(sentence('')).toBe('');
});

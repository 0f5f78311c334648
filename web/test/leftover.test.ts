import { expect, test } from 'vitest';
import { Leftover } from '../src/state/hand/leftover';

test('what is left over is given back once, in the same scene of the same room', () => {
  const left = new Leftover<string>();
  expect(left.take('main 1')).toEqual([]);
  left.keep('main 1', ['clock']);
  left.keep('main 1', ['crate']); // the connection was lost a second time
  expect(left.take('main 1')).toEqual(['clock', 'crate']);
  expect(left.take('main 1')).toEqual([]);
  left.keep('main 1', ['clock']);
  expect(left.take('main 2')).toEqual([]); // another scene has others
  expect(left.take('main 1')).toEqual([]);
});

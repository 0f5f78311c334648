import { expect, test } from 'vitest';
import { Later } from '../src/ui/later';

test('code that comes later is asked for once, and again after it did not come', async () => {
  let asked = 0;
  let there = false;
  const code = new Later(async () => {
    ++asked;
    if (!there) throw new Error('404');
    return asked;
  });
  await expect(code.get()).rejects.toThrow('404');
  there = true;
  expect(await Promise.all([code.get(), code.get()])).toEqual([2, 2]);
  expect(await code.get()).toBe(2);
});

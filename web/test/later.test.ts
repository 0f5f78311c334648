import { expect, test, vi } from 'vitest';
import { Later, LateSheet, type SheetWork } from '../src/ui/parts/later';
import type { Toasts } from '../src/ui/parts/toasts';

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

test('a sheet is filled once, however often it is opened before its code comes', async () => {
  const element = { hidden: false } as HTMLElement;
  const fills: ((work: SheetWork) => void)[] = [];
  const fill = () => new Promise<SheetWork>((resolve) => fills.push(resolve));
  const sheet = new LateSheet(element, {} as Toasts, fill);
  for (const on of [true, false, true]) sheet.open.set(on);
  expect(fills).toHaveLength(1);
  expect(element.hidden).toBe(true);
  fills[0]?.({});
  await vi.waitFor(() => expect(element.hidden).toBe(false));
  for (const on of [false, true]) sheet.open.set(on);
  expect(fills).toHaveLength(1);
});

test('a sheet that could not be filled closes, says so, and is filled when it is opened again', async () => {
  vi.stubGlobal('location', {});
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const show = vi.fn();
  const fault = new Error('404');
  const fill = vi.fn(() => Promise.reject(fault) as Promise<SheetWork>);
  const sheet = new LateSheet({} as HTMLElement, { show } as unknown as Toasts, fill);
  for (const times of [1, 2]) {
    sheet.open.set(true);
    await vi.waitFor(() => expect(show).toHaveBeenCalledTimes(times));
    expect(sheet.open.value).toBe(false);
  }
  expect(logged).toHaveBeenCalledWith(fault);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

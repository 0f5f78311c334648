import { describe, expect, test } from 'vitest';
import { DetailChooser } from '../src/scene/detail';

describe('detail', () => {
  function watch(chooser: DetailChooser, picture_s: number, seconds: number): number {
    let changes = 0;
    for (let t = 0; t < seconds; t += picture_s) changes += Number(chooser.see(picture_s));
    return changes;
  }

  test('starts with all that the screen can show', () => {
    expect(new DetailChooser(2).detail).toEqual({ pixel_ratio: 2, shadows: true });
    expect(new DetailChooser(1).detail).toEqual({ pixel_ratio: 1, shadows: true });
  });

  test('gets less, step by step, where pictures come slowly, and stays at the least', () => {
    const chooser = new DetailChooser(2);
    expect(watch(chooser, 0.2, 2)).toBe(1);
    expect(chooser.detail.shadows).toBe(true);
    expect(watch(chooser, 0.2, 60)).toBe(2);
    expect(chooser.detail).toEqual({ pixel_ratio: 0.5, shadows: false });
  });

  test('stays where pictures come fast enough', () => {
    const chooser = new DetailChooser(1);
    expect(watch(chooser, 1 / 30, 120)).toBe(0);
    expect(watch(chooser, 1 / 60, 120)).toBe(0);
  });

  test('single long pictures are no slow page', () => {
    const chooser = new DetailChooser(1);
    for (let i = 0; i < 100; ++i) {
      expect(chooser.see(3)).toBe(false); // hidden, or compiling
      expect(watch(chooser, 1 / 60, 2)).toBe(0);
    }
  });

  test('tries more when pictures have long been fast, but not for ever', () => {
    const chooser = new DetailChooser(1);
    watch(chooser, 0.1, 2);
    expect(chooser.detail.shadows).toBe(false);
    watch(chooser, 1 / 60, 40);
    expect(chooser.detail.shadows).toBe(true);
    watch(chooser, 0.1, 2);
    expect(chooser.detail.shadows).toBe(false);
    expect(watch(chooser, 1 / 60, 600)).toBe(0);
  });
});

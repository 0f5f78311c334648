import { describe, expect, test } from 'vitest';
import { DetailChooser } from '../src/scene/picture/detail';

describe('detail', () => {
  function watch(chooser: DetailChooser, picture_s: number, seconds: number): number {
    let changes = 0;
    for (let t = 0; t < seconds; t += picture_s) changes += Number(chooser.see(picture_s));
    return changes;
  }

  const screen = (pixel_ratio: number) => () => pixel_ratio;

  test('starts with all that any screen can show, also one that the window moves to later', () => {
    for (const pixel_ratio of [1, 2]) {
      const chooser = new DetailChooser(screen(pixel_ratio));
      expect(chooser.detail).toEqual({ pixel_ratio: 2, shadows: true });
      expect(chooser.coarse).toBe(false);
    }
  });

  test('leaves out levels that change nothing on the screen as it is then', () => {
    let pixel_ratio = 1;
    const chooser = new DetailChooser(() => pixel_ratio);
    expect(watch(chooser, 0.2, 2)).toBe(1);
    expect(chooser.detail).toEqual({ pixel_ratio: 0.75, shadows: false });
    watch(chooser, 1 / 60, 40);
    expect(chooser.coarse).toBe(false);
    pixel_ratio = 2; // zoomed
    expect(chooser.coarse).toBe(false);
    expect(watch(chooser, 0.2, 2)).toBe(1);
    expect(chooser.detail).toEqual({ pixel_ratio: 1, shadows: true });
    expect(chooser.coarse).toBe(true);
    pixel_ratio = 1;
    expect(chooser.coarse).toBe(false);
  });

  test('gets less, step by step, where pictures come slowly, and stays at the least', () => {
    const chooser = new DetailChooser(screen(2));
    expect(watch(chooser, 0.2, 2)).toBe(1);
    expect(chooser.detail.shadows).toBe(true);
    expect(watch(chooser, 0.2, 60)).toBe(2);
    expect(chooser.detail).toEqual({ pixel_ratio: 0.5, shadows: false });
  });

  test('stays where pictures come fast enough', () => {
    const chooser = new DetailChooser(screen(1));
    expect(watch(chooser, 1 / 30, 120)).toBe(0);
    expect(watch(chooser, 1 / 60, 120)).toBe(0);
  });

  test('single long pictures are no slow page', () => {
    const chooser = new DetailChooser(screen(1));
    for (let i = 0; i < 100; ++i) {
      expect(chooser.see(3)).toBe(false); // hidden, or compiling
      expect(watch(chooser, 1 / 60, 2)).toBe(0);
    }
  });

  test('time in which nothing was drawn is not time in which pictures came fast', () => {
    const chooser = new DetailChooser(screen(1));
    watch(chooser, 0.1, 2);
    expect(chooser.coarse).toBe(true);
    expect(watch(chooser, 1 / 60, 10)).toBe(0);
    expect(chooser.see(60)).toBe(false); // hidden
    expect(watch(chooser, 1 / 60, 10)).toBe(0);
    expect(watch(chooser, 1 / 60, 15)).toBe(1);
  });

  test('tries more when pictures have long been fast, but not for ever', () => {
    const chooser = new DetailChooser(screen(1));
    watch(chooser, 0.1, 2);
    expect(chooser.detail.shadows).toBe(false);
    watch(chooser, 1 / 60, 40);
    expect(chooser.detail.shadows).toBe(true);
    watch(chooser, 0.1, 2);
    expect(chooser.detail.shadows).toBe(false);
    expect(watch(chooser, 1 / 60, 600)).toBe(0);
  });
});

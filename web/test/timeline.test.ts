import { expect, test } from 'vitest';
import { Timeline } from '../src/state/recording/timeline';

function seen(timeline: Timeline, series = 0): (readonly [number, number, boolean])[] {
  const out: (readonly [number, number, boolean])[] = [];
  timeline.each(series, (age_s, value, clipped) => out.push([age_s, value, clipped]));
  return out;
}

test('what is above the limit is held to it and marked, and does not set the scale', () => {
  const timeline = new Timeline(2, 400);
  timeline.limit = 1800;
  timeline.add(1, [700, 0]);
  timeline.add(2, [3900, 100]);
  timeline.add(3, [1800, 800]);
  expect(seen(timeline)).toEqual([
    [2, 700, false],
    [1, 1800, true],
    [0, 1800, false],
  ]);
  expect(seen(timeline, 1).some(([, , clipped]) => clipped)).toBe(false);
  expect(timeline.rescale()).toEqual({ low: 0, high: 1800 });
});

test('the window forgets, and the scale comes back to what is left', () => {
  const timeline = new Timeline(1, 1);
  timeline.add(0, [100]);
  for (let i = 1; i <= 90; ++i) timeline.add(i / 10, [i % 5]);
  expect(seen(timeline)[0]?.[0]).toBeLessThan(8);
  for (let i = 0; i < 300; ++i) timeline.rescale();
  expect(timeline.rescale().high).toBeCloseTo(4, 3);
});

test('the same moment again is no news; a step back starts afresh', () => {
  const timeline = new Timeline(1, 1);
  expect(timeline.add(5, [1])).toBe(true);
  expect(timeline.add(5, [2])).toBe(false);
  expect(seen(timeline)).toEqual([[0, 1, false]]);
  expect(timeline.add(4, [3])).toBe(true);
  expect(seen(timeline)).toEqual([[0, 3, false]]);
});

test('a line that stands still has the least span around it', () => {
  const near_zero = new Timeline(1, 20);
  near_zero.add(0, [5]);
  expect(near_zero.rescale()).toEqual({ low: 0, high: 20 });
  const below = new Timeline(1, 20);
  below.add(0, [-5]);
  for (let i = 0; i < 400; ++i) below.rescale();
  const { low, high } = below.rescale();
  expect(low).toBeCloseTo(-15, 2);
  expect(high).toBeCloseTo(5, 2);
});

test('more samples than are kept: the newest remain', () => {
  const timeline = new Timeline(1, 1);
  for (let i = 0; i < 2000; ++i) timeline.add(i / 1000, [i]);
  expect(seen(timeline)).toHaveLength(512);
  expect(seen(timeline).at(-1)).toEqual([0, 1999, false]);
});

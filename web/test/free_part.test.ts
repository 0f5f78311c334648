import { expect, test } from 'vitest';
import { free_part, type Rect } from '../src/state/picture/free_part';

const rect = (left: number, top: number, right: number, bottom: number): Rect => ({
  left,
  top,
  right,
  bottom,
});
const kWhole = rect(0, 0, 1000, 600);

test('without panels all is free, and where panels cover all, nothing is better than all', () => {
  expect(free_part(kWhole, [])).toEqual(kWhole);
  expect(free_part(kWhole, [rect(-10, -10, 1010, 610)])).toEqual(kWhole);
  expect(free_part(kWhole, [rect(30, 30, 30, 200), rect(2000, 0, 2100, 50)])).toEqual(kWhole);
});

test('panels at the sides leave what is between them', () => {
  const left = rect(10, 50, 300, 590);
  const right = rect(800, -20, 1020, 700);
  const bottom = rect(320, 540, 780, 590);
  expect(free_part(kWhole, [left, right, bottom])).toEqual(rect(300, 0, 800, 540));
});

test('it is clear of all panels, and no larger part is', () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((most * seed) / 2147483648);
  };
  const area = ({ left, top, right, bottom }: Rect) => (right - left) * (bottom - top);
  const clear = (part: Rect, panels: readonly Rect[]) =>
    panels.every(
      (panel) =>
        panel.right <= part.left ||
        panel.left >= part.right ||
        panel.bottom <= part.top ||
        panel.top >= part.bottom,
    );
  for (let round = 0; round < 60; ++round) {
    const panels = Array.from({ length: 1 + random(5) }, () => {
      const [left, top] = [random(900), random(500)];
      return rect(left, top, left + 20 + random(300), top + 20 + random(200));
    });
    const part = free_part(kWhole, panels);
    expect(clear(part, panels)).toBe(true);
    for (let i = 0; i < 300; ++i) {
      const [left, top] = [random(1000), random(600)];
      const other = rect(left, top, left + 1 + random(1000 - left), top + 1 + random(600 - top));
      if (clear(other, panels)) expect(area(other)).toBeLessThanOrEqual(area(part));
    }
  }
});

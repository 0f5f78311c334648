import { describe, expect, test } from 'vitest';
import {
  turned_view,
  view_between,
  view_of_side,
  type View,
} from '../src/state/picture/camera_views';
import type { Vec3 } from '../src/state/values/quaternion';
import { hides } from '../src/state/picture/veil';

const distance = ({ from, at }: View) =>
  Math.hypot(from[0] - at[0], from[1] - at[1], from[2] - at[2]);

describe('views of a body', () => {
  const at: Vec3 = [2, 1, 1];

  test('are from its own sides, however it is turned', () => {
    const heading = Math.PI / 2; // it looks towards +y
    expect(view_of_side('front', at, heading, 4).from[1]).toBeGreaterThan(4);
    expect(view_of_side('back', at, heading, 4).from[1]).toBeLessThan(-2);
    expect(view_of_side('right', at, heading, 4).from[0]).toBeGreaterThan(5);
    expect(view_of_side('left', at, heading, 4).from[0]).toBeLessThan(-1);
    for (const side of ['front', 'back', 'right', 'left', 'top'] as const)
      expect(distance(view_of_side(side, at, heading, 4))).toBeCloseTo(4, 2);
    const top = view_of_side('top', at, heading, 4);
    expect(top.from[2]).toBeCloseTo(5, 6);
    expect(top.from[1]).toBeLessThan(at[1]); // so that ahead is up
  });

  test('lead from one to another around the body, never through it', () => {
    const [front, back] = (['front', 'back'] as const).map((side) =>
      view_of_side(side, at, 0.3, 4),
    ) as [View, View];
    for (let s = 0; s <= 1; s += 0.05)
      expect(distance(view_between(front, back, s))).toBeCloseTo(4, 6);
    expect(view_between(front, back, 0).from[0]).toBeCloseTo(front.from[0], 9);
    expect(view_between(front, back, 1).from[1]).toBeCloseTo(back.from[1], 9);
  });

  test('lead past whatever was looked at before, and no nearer to the body than either view', () => {
    const to = view_of_side('back', at, 0.3, 4);
    const apart = ({ from }: View) => Math.hypot(from[0] - at[0], from[1] - at[1], from[2] - at[2]);
    const off = (one: View, other: View) =>
      Math.max(
        ...[0, 1, 2].flatMap((k) => [
          Math.abs((one.from[k] ?? 0) - (other.from[k] ?? 0)),
          Math.abs((one.at[k] ?? 0) - (other.at[k] ?? 0)),
        ]),
      );
    for (const away of [0.5, 3, 12])
      for (let around = 0; around < 6.2; around += 0.4)
        for (let offset = 0; offset < 6.2; offset += 0.4) {
          const was: Vec3 = [at[0] + away * Math.cos(around), at[1] + away * Math.sin(around), 0.9];
          const a = view_of_side('front', was, offset, 4);
          const nearest = Math.min(apart(a), apart(to));
          const way = Array.from({ length: 21 }, (_, i) => apart(view_between(a, to, i / 20)));
          expect(Math.min(...way)).toBeGreaterThan(nearest - 1e-9);
          for (const [view, s] of [
            [a, 0],
            [to, 1],
          ] as const)
            expect(off(view_between(a, to, s), view)).toBeLessThan(1e-9);
        }
  });

  test('turn by keys, not over the top nor under the ground', () => {
    const side = view_of_side('front', [0, 0, 1], 0, 4);
    const turned = turned_view(side, { around_rad: Math.PI / 2, up_rad: 0, nearer: 0.5 }, 0, 1.5);
    expect(turned.from[1]).toBeCloseTo(distance(turned) * Math.cos(Math.atan(0.14)), 6);
    expect(distance(turned)).toBeCloseTo(2, 6);
    const high = turned_view(side, { around_rad: 0, up_rad: 9, nearer: 1 }, 0, 1.5);
    expect(high.from[2] - 1).toBeCloseTo(4 * Math.sin(1.5), 6);
    const low = turned_view(side, { around_rad: 0, up_rad: -9, nearer: 1 }, 0.01, 1.5);
    expect(low.from[2]).toBeGreaterThan(1);
  });
});

describe('a character that stands in front', () => {
  const eye: Vec3 = [-5, 0, 1.6];
  const point: Vec3 = [0, 0, 1];

  test('hides what is watched', () => {
    expect(hides([-2, 0.1, 0.95], 1.2, eye, point, 0.4)).toBe(true);
    expect(hides([-2, 1.2, 0.95], 1.2, eye, point, 0.4)).toBe(false); // beside
    expect(hides([2, 0, 0.95], 1.2, eye, point, 0.4)).toBe(false); // behind
    expect(hides([-7, 0, 0.95], 1.2, eye, point, 0.4)).toBe(false); // behind the camera
    expect(hides([-0.2, 0, 0.95], 1.2, eye, point, 0.4)).toBe(false); // at the same place
    // From high above one sees over heads.
    expect(hides([-2.5, 0, 0.95], 1.2, [-3, 0, 8], point, 0.4)).toBe(false);
  });
});

import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CameraSchema, SceneSchema, ShotSchema } from '../src/gen/promenade/v1/scene_pb';
import type { View } from '../src/state/picture/camera_views';
import type { Lens } from '../src/state/picture/lens';
import type { Vec3 } from '../src/state/values/quaternion';
import { type Bounds, corners } from '../src/state/figure/shapes';
import { framing_of, shot_at, view_of_box } from '../src/state/picture/shots';
import { Spring } from '../src/state/values/smooth';

const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Tangents of the angles to a point, right and up. */
function seen({ from, at }: View, point: Vec3): { x: number; y: number; deep: number } {
  const ahead = minus(at, from);
  const length = Math.hypot(...ahead);
  const forward: Vec3 = [ahead[0] / length, ahead[1] / length, ahead[2] / length];
  const level = Math.hypot(forward[0], forward[1]);
  const right: Vec3 = [forward[1] / level, -forward[0] / level, 0];
  const up: Vec3 = [-forward[2] * (forward[0] / level), -forward[2] * (forward[1] / level), level];
  const way = minus(point, from);
  const deep = dot(way, forward);
  return { x: dot(way, right) / deep, y: dot(way, up) / deep, deep };
}

const kPhone: Lens = { left: -0.26, right: 0.26, bottom: -0.1, top: 0.5 };
const kDesk: Lens = { left: -0.3, right: 0.42, bottom: -0.2, top: 0.27 };
const kBoxes: readonly Bounds[] = [
  [
    [-0.4, -0.3, 0],
    [0.4, 0.3, 1.8],
  ],
  [
    [2, -8, 0],
    [12, 3, 1.8],
  ],
  [
    [-3, 1, -1],
    [-2.99, 1.01, -0.99],
  ],
];

describe('a view of a box', () => {
  const framing = { fill: 0.6, least: 0.001, lead_s: 0, low: 0 };

  test('has all of it in the free part, as large as that allows, from wherever it is seen', () => {
    for (const lens of [kPhone, kDesk])
      for (const box of kBoxes)
        for (let around_rad = -3; around_rad < 3.2; around_rad += 0.7)
          for (const up_rad of [0, 0.2, 0.9]) {
            const view = view_of_box(box, { ...framing, around_rad, up_rad }, lens);
            const spots = corners(box).map((corner) => seen(view, corner));
            const [wide, high] = [lens.right - lens.left, lens.top - lens.bottom];
            const span = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
            const xs = spots.map(({ x }) => x);
            const ys = spots.map(({ y }) => y);
            expect(Math.min(...spots.map(({ deep }) => deep))).toBeGreaterThan(0);
            expect(Math.min(...xs)).toBeGreaterThan(lens.left);
            expect(Math.max(...xs)).toBeLessThan(lens.right);
            expect(span(ys)).toBeLessThan(framing.fill * high + 1e-9);
            // In the middle, and one of the two is what keeps the camera away.
            const [x, y] = [(lens.left + lens.right) / 2, (lens.bottom + lens.top) / 2];
            const share = Math.max(
              ...xs.map((one) => Math.abs(one - x) / (0.46 * wide)),
              ...ys.map((one) => Math.abs(one - y) / (0.3 * high)),
            );
            expect(share).toBeCloseTo(1, 6);
          }
  });

  test('rather leaves out sides than makes people small', () => {
    const box = kBoxes[1] as Bounds;
    const view = view_of_box(
      box,
      { around_rad: -1, up_rad: 0.2, fill: 0.8, least: 0.2, lead_s: 0, low: 1 },
      kPhone,
    );
    const middle: Vec3 = [7, -2.5, 0.9];
    const { deep } = seen(view, middle);
    expect(1.7 / deep / (kPhone.top - kPhone.bottom)).toBeCloseTo(0.2, 2);
  });

  test('is seen from as far up as asked, also where panels leave the upper part only', () => {
    const up_rad = 0.35;
    const box = kBoxes[0] as Bounds;
    const { from } = view_of_box(box, { ...framing, around_rad: 0.4, up_rad }, kPhone);
    const [x, y, z] = minus(from, [0, 0, 0.9]);
    expect(Math.atan2(z, Math.hypot(x, y))).toBeCloseTo(up_rad, 1);
  });
});

test('shots follow each other, and start again with the script and with their own period', () => {
  const shots = [0, 4, 9].map((atS) => create(ShotSchema, { atS, subjects: [1] }));
  const at = (time_s: number, periods: { scriptPeriodS?: number; periodS?: number }) =>
    shot_at(
      create(SceneSchema, {
        scriptPeriodS: periods.scriptPeriodS ?? 0,
        camera: create(CameraSchema, { shots, periodS: periods.periodS ?? 0 }),
      }),
      time_s,
    )?.atS;
  expect([0, 3.9, 4, 8, 9, 100].map((t) => at(t, {}))).toEqual([0, 0, 4, 4, 9, 9]);
  expect([11, 13, 19].map((t) => at(t, { scriptPeriodS: 10 }))).toEqual([0, 0, 9]);
  expect([11, 16, 21].map((t) => at(t, { periodS: 12 }))).toEqual([9, 4, 9]);
  expect([9, 11, 17].map((t) => at(t, { periodS: 12, scriptPeriodS: 10 }))).toEqual([9, 0, 4]);
  expect(shot_at(create(SceneSchema, {}), 3)).toBeUndefined();
});

test('a shot takes from the first view of the scene what it leaves out', () => {
  const camera = create(CameraSchema, { fromM: [0, -4, 4], atM: [0, 0, 0] });
  const { around_rad, up_rad } = framing_of(create(ShotSchema, {}), camera);
  expect(around_rad).toBeCloseTo(-Math.PI / 2, 9);
  expect(up_rad).toBeCloseTo(Math.PI / 4, 9);
  const own = framing_of(create(ShotSchema, { aroundDeg: 0, upDeg: 0 }), camera);
  expect([own.around_rad, own.up_rad]).toEqual([0, 0]);
});

describe('a spring', () => {
  test('comes to rest without swinging, the same in steps of any length', () => {
    const fine = new Spring([0], 4);
    const coarse = new Spring([0], 4);
    let before = 0;
    for (let i = 1; i <= 40; ++i) {
      for (let k = 0; k < 10; ++k) fine.step([1], 0.01);
      coarse.step([1], 0.1);
      expect(coarse.value[0]).toBeCloseTo(fine.value[0] as number, 9);
      expect(fine.value[0]).toBeGreaterThan(before);
      before = fine.value[0] as number;
    }
    expect(before).toBeGreaterThan(0.999);
    expect(before).toBeLessThan(1);
  });

  test('stays behind what moves evenly by its lag', () => {
    const spring = new Spring([0], 3);
    for (let i = 1; i <= 4000; ++i) spring.step([1.2 * 0.005 * i], 0.005);
    expect(1.2 * 0.005 * 4000 - (spring.value[0] as number)).toBeCloseTo(1.2 * spring.lag_s, 1);
    expect(spring.speed[0]).toBeCloseTo(1.2, 3);
  });
});

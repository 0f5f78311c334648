import { create, fromJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { SceneSchema } from '../src/gen/promenade/v1/scene_pb';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { make_figure } from '../src/scene/figure/figure';
import { Build } from '../src/state/hand/build';
import { drag_target } from '../src/state/hand/drag';
import { GroundPicker } from '../src/state/ground/ground_pick';
import { height_range, origin_on, rest_pose } from '../src/state/figure/rest_pose';
import { make_cast } from '../src/state/room/roster';
import { make_skeleton, type Skeleton } from '../src/state/figure/skeleton';
import { numbered } from './body';

function thing(json: object): Skeleton {
  return make_skeleton(fromJson(CreatureSchema, { color: '#b98a52', ...json }));
}
const crate = thing({
  name: 'crate',
  links: [
    {
      name: 'box',
      massKg: 18,
      shapes: [{ box: { centerM: [0, 0, 0], halfM: [0.25, 0.25, 0.25] } }],
    },
  ],
});
const cart = thing({
  name: 'cart',
  links: [
    { name: 'bed', massKg: 20, shapes: [{ box: { centerM: [0, 0, 0], halfM: [0.5, 0.3, 0.03] } }] },
    {
      name: 'wheel',
      massKg: 3,
      shapes: [{ cylinder: { fromM: [0, -0.03, 0], toM: [0, 0.03, 0], radiusM: 0.2 } }],
    },
  ],
  joints: [
    {
      name: 'axle',
      parent: 'bed',
      child: 'wheel',
      kind: 'HINGE',
      axis: [0, 1, 0],
      atParentM: [0, 0.35, -0.1],
    },
  ],
});

describe('a tie', () => {
  test('takes two points of different links, then begins anew', () => {
    const build = new Build();
    build.take_tie('weld');
    const a = { id: 3, link: 0, point: [0, 0, 0] } as const;
    const b = { id: 4, link: 1, point: [1, 0, 0] } as const;
    expect(build.tie_point(a)).toBeUndefined();
    expect(build.tie_point({ ...a, point: [0.1, 0, 0] })).toBeUndefined(); // the same link again
    expect(build.tie_point(b)).toEqual([a, b, 'weld']);
    expect(build.tie_point(b)).toBeUndefined();
  });

  test('is put away one step at a time', () => {
    const build = new Build();
    build.take_tie('ball');
    build.tie_point({ id: 0, link: 0, point: [1, 2, 0] });
    expect(build.end()).toBe(true);
    expect(build.tool.value).toMatchObject({ kind: 'tie', first: undefined });
    expect(build.end()).toBe(true);
    expect(build.end()).toBe(false);
  });

  test('that a roster tells of is known by its links; one to nobody is left out', () => {
    const cast = make_cast(
      create(RosterSchema, {
        version: 1n,
        things: [{ id: 7 }],
        ties: [
          { id: 1, a: { id: 7, link: 'wheel', pointM: [0, 0, 0.1] }, b: { pointM: [1, 2, 3] } },
          { id: 2, a: { id: 99 }, b: {}, grip: true },
        ],
      }),
      numbered(cart),
    );
    expect(cast.ties).toEqual([
      {
        id: 1,
        a: { id: 7, link: 1, point: [0, 0, 0.1] },
        b: { id: 0, link: 0, point: [1, 2, 3] },
        grip: false,
        kind: 'ball',
      },
    ]);
  });
});

test('a drag lifts in the plane of the picture, and moves away in the level one', () => {
  const ray = { origin: [-4, 0, 2], direction: [0.8, 0, 0.6] } as const;
  expect(drag_target(ray, [0, 0, 1], [1, 0, 0], false)).toEqual([0, 0, 5]);
  const down = { origin: [-4, 0, 2], direction: [0.8, 0, -0.6] } as const;
  const away = drag_target(down, [-3.5, 0, 0.5], [1, 0, 0], true);
  expect(away?.[0]).toBeCloseTo(-2, 9);
  expect(away?.[2]).toBeCloseTo(0.5, 9);
  expect(drag_target(ray, [0, 0, 1], [1, 0, 0], true)).toBeUndefined(); // never meets it
});

describe('what is put down', () => {
  test('stands on the point, whatever its size', () => {
    const [low] = height_range(crate, rest_pose(crate, origin_on(crate, [1, 2, 0.4]), 0.7));
    expect(low).toBeCloseTo(0.4, 6);
    const [wheels] = height_range(cart, rest_pose(cart, origin_on(cart, [0, 0, 0]), 0));
    expect(wheels).toBeCloseTo(0, 6);
    expect(origin_on(cart, [0, 0, 0])[2]).toBeCloseTo(0.3, 6);
  });
});

describe('the ground under the pointer', () => {
  const down = (x: number, y: number) => ({ origin: [x, y, 10], direction: [0, 0, -1] }) as const;

  test('is the highest of plane, blocks and height fields', () => {
    const ground = new GroundPicker(
      fromJson(SceneSchema, {
        blocks: [
          { centerM: [2, 0, 0.2], sizeM: [1, 1, 0.4], motion: { pathM: [2, 0, 1.2], speedMps: 1 } },
        ],
        heightFields: [
          { centerM: [6, 0, 0], sizeM: [2, 2], columns: 2, rows: 2, heightM: [0.5, 1, 0.5, 1] },
        ],
      }),
    );
    expect(ground.meet(down(0, 0), 0)?.point[2]).toBeCloseTo(0, 9);
    expect(ground.meet(down(2, 0), 0)?.point[2]).toBeCloseTo(0.4, 9);
    expect(ground.meet(down(2, 0), 1)?.point[2]).toBeCloseTo(1.4, 9);
    expect(ground.meet(down(6, 0), 0)?.point[2]).toBeCloseTo(0.75, 3);
  });

  test("is a pit's floor, and nothing where there is none", () => {
    const pits = [
      { centerM: [0, 0], sizeM: [1, 1], depthM: 0.8 },
      { centerM: [3, 0], sizeM: [1, 1] },
    ];
    const ground = new GroundPicker(fromJson(SceneSchema, { pits }));
    expect(ground.meet(down(0.2, 0), 0)?.point[2]).toBeCloseTo(-0.8, 9);
    expect(ground.meet(down(3, 0), 0)).toBeUndefined();
    expect(
      new GroundPicker(fromJson(SceneSchema, { noPlane: true })).meet(down(0, 0), 0),
    ).toBeUndefined();
  });
});

describe('the figure of a thing', () => {
  const surfaces = (skeleton: Skeleton) =>
    make_figure(skeleton).parts.map(({ surface }) => surface);
  const sphere = (massKg: number) =>
    thing({
      name: 'ball',
      links: [
        { name: 'ball', massKg, shapes: [{ sphere: { centerM: [0, 0, 0], radiusM: 0.16 } }] },
      ],
    });

  test('is of what its density says', () => {
    expect(surfaces(sphere(0.45))).toEqual(['panels']);
    expect(surfaces(sphere(40))).toEqual(['stone']);
    expect(surfaces(sphere(130))).toEqual(['metal']);
    expect(surfaces(crate)).toEqual(['crate']);
  });

  test('has spokes where a disc turns about its own axis', () => {
    const { parts } = make_figure(cart);
    const wheel = parts.filter(({ link }) => link === 1);
    expect(wheel.length).toBeGreaterThan(16);
    // It reaches the ground that the physics stands on, and not below.
    const reach = Math.max(
      ...wheel.map(({ position, shape }) => Math.hypot(position[0], position[2]) + shape.top),
    );
    expect(reach).toBeLessThanOrEqual(0.2 + 1e-9);
    expect(reach).toBeGreaterThan(0.19);
  });
});

describe('the figure of a creature', () => {
  const capsule = { capsule: { fromM: [0, 0, 0], toM: [0, 0, -0.2], radiusM: 0.02 } };
  test('has eyes on its head and legs thicker above than below, whatever its links are called', () => {
    const spider = thing({
      name: 'x',
      look: 'INSECT',
      links: [
        { name: 'a', massKg: 1, shapes: [capsule] },
        { name: 'b', massKg: 1, shapes: [capsule] },
        { name: 'c', massKg: 1, shapes: [{ sphere: { centerM: [0, 0, 0], radiusM: 0.05 } }] },
      ],
      joints: [
        { name: 'b', parent: 'a', child: 'b', kind: 'BALL' },
        { name: 'c', parent: 'a', child: 'c', kind: 'BALL' },
      ],
      limbs: [
        { name: 'leg', kind: 'LEG', links: ['b'] },
        { name: 'head', kind: 'HEAD', links: ['c'] },
      ],
    });
    const { parts } = make_figure(spider);
    expect(parts.filter(({ link, tint }) => link === 2 && tint === 'dark').length).toBeGreaterThan(
      1,
    );
    const leg = parts.find(({ link }) => link === 1);
    expect(leg?.shape.top).toBeGreaterThan(leg?.shape.bottom ?? Infinity);
    expect(leg?.tint).toBe('shoe');
  });
});

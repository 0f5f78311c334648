// Every scene has a shot from its beginning on, and nothing of the scene's ground hides its subjects. Without a picture:
// the subjects of a shot are carried along the path that the scene gives them, and looked at through the camera's lens.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fromJsonString } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import {
  type Camera,
  type Placement,
  type Scene,
  SceneSchema,
  type Shot,
} from '../src/gen/promenade/v1/scene_pb';
import type { Rect } from '../src/state/picture/free_part';
import { GroundPicker } from '../src/state/ground/ground_pick';
import { field_of_view, type Lens, lens_of } from '../src/state/picture/lens';
import type { Vec3 } from '../src/state/values/quaternion';
import { rest_size } from '../src/state/figure/rest_pose';
import { type Bounds, bounds_of_all } from '../src/state/figure/shapes';
import { framing_of, raised, view_of_box } from '../src/state/picture/shots';
import { make_skeleton } from '../src/state/figure/skeleton';

const kData = path.resolve(import.meta.dirname, '../../server/data');
const kSizes: readonly {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly free: Rect; // px: the part that panels leave to a visitor who comes for the first time
}[] = [
  {
    name: 'small desktop',
    width: 1280,
    height: 720,
    free: { left: 270, top: 46, right: 1280, bottom: 572 },
  },
  {
    name: 'large desktop',
    width: 1920,
    height: 1080,
    free: { left: 0, top: 0, right: 1920, bottom: 1080 },
  },
  { name: 'phone', width: 390, height: 844, free: { left: 0, top: 57, right: 332, bottom: 681 } },
];
const kLeastHigh = 0.2; // of the free height: somebody in a shot of their own
const kLeastOfMany = 0.06; // and in the middle of a part of the room

function scene_of(name: string): Scene {
  const file = path.join(kData, 'scenes', `${name}.json`);
  return fromJsonString(SceneSchema, readFileSync(file, 'utf8'), { ignoreUnknownFields: true });
}

const kNames = readdirSync(path.join(kData, 'scenes')).map((file) => path.parse(file).name);

/** Of a body; those that are made from a person's are as large as a person here. */
function size_of(name: string): Vec3 {
  const text = readFileSync(path.join(kData, 'creatures', `${name}.json`), 'utf8');
  const body = fromJsonString(CreatureSchema, text);
  return body.links.length > 0 ? rest_size(make_skeleton(body)) : size_of('human');
}

function lens(size: (typeof kSizes)[number]): Lens {
  const { width, height, free } = size;
  const tall = 2 * Math.tan((field_of_view(width / height) * Math.PI) / 360);
  // A panel at the left moves the picture's middle to the middle of what it leaves.
  const x = width > 760 ? (free.left + width) / 2 : width / 2;
  return lens_of(free, { x, y: height / 2 }, tall / height);
}

/** Places along the way of somebody, at most so far apart. */
function way_of({ positionM: [x = 0, y = 0], path: given, speedMps, headingDeg }: Placement) {
  const heading = (headingDeg * Math.PI) / 180;
  const ahead = 20 * speedMps;
  const ends: (readonly [number, number])[] = given
    ? given.points.map(({ xM, yM }) => [xM, yM])
    : [[x + ahead * Math.cos(heading), y + ahead * Math.sin(heading)]];
  const stops = [
    [x, y] as const,
    ...ends,
    ...(given?.closed ? [ends[0] ?? ([x, y] as const)] : []),
  ];
  return stops.flatMap((to, i) => {
    const from = stops[i - 1] ?? to;
    const count = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 0.7));
    return Array.from({ length: count }, (_, k) => {
      const s = (k + 1) / count;
      return [from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1])] as const;
    });
  });
}

interface Shown {
  readonly bounds: Bounds;
  readonly height: number; // m, of the tallest; 0: nobody in particular
  readonly points: readonly Vec3[]; // feet, hips and head
}

/** The view of a shot at each place of the way of its first subject. */
function moments(scene: Scene, shot: Shot, ground: GroundPicker): readonly Shown[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = shot.boxM;
  const place: readonly Bounds[] =
    shot.boxM.length === 6
      ? [
          [
            [a, b, c],
            [d, e, f],
          ],
        ]
      : [];
  const people = shot.subjects.flatMap((number) => scene.characters[number - 1] ?? []);
  if (people.length === 0) return [{ bounds: place[0] as Bounds, height: 0, points: [] }];
  const ways = people.map((one) => way_of(one));
  const count = shot.subjects.length > 1 ? 1 : (ways[0]?.length ?? 0); // of several, the beginning
  return Array.from({ length: count }, (_, i) => {
    const points: Vec3[] = [];
    const all = people.map((one, k): Bounds => {
      const [x, y] = ways[k]?.[i] ?? [0, 0];
      const [deep, wide, tall] = size_of(one.body);
      const half = Math.max(deep, wide, tall) / 2;
      const down = ground.meet({ origin: [x, y, 50], direction: [0, 0, -1] }, 0);
      const z = Math.max(0, down?.point[2] ?? 0); // over pits there are stones and bridges
      points.push([x, y, z + 0.12], [x, y, z + 0.55 * tall], [x, y, z + 0.95 * tall]);
      return [
        [x - half, y - half, z],
        [x + half, y + half, z + tall],
      ];
    });
    const bounds = bounds_of_all([...place, ...all]) as Bounds;
    return { bounds, height: Math.max(...all.map(([low, high]) => high[2] - low[2])), points };
  });
}

function is_hidden(from: Vec3, point: Vec3, ground: GroundPicker): boolean {
  const way = (to: Vec3): Vec3 => [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const [x, y, z] = way(point);
  const far = Math.hypot(x, y, z);
  const met = ground.meet({ origin: from, direction: [x / far, y / far, z / far] }, 0);
  return met !== undefined && Math.hypot(...way(met.point)) < far - 0.3;
}

describe.each(kNames)('%s', (name) => {
  const scene = scene_of(name);
  const camera = scene.camera as Camera;
  const ground = new GroundPicker(scene);

  test('shows somebody or something from its beginning on', () => {
    expect(camera.shots.length).toBeGreaterThan(0);
    expect(camera.shots[0]?.atS).toBe(0);
  });

  test.each(kSizes)('on a $name its subjects are in the picture, large, and not hidden', (size) => {
    const seen = lens(size);
    const high = seen.top - seen.bottom;
    for (const shot of camera.shots)
      for (const { bounds, height, points } of moments(scene, shot, ground)) {
        const asked = framing_of(shot, camera);
        const view = view_of_box(bounds, height > 0 ? asked : raised(asked, seen), seen, height);
        const where = `${name}, shot at ${shot.atS} s, ${JSON.stringify(bounds)}`;
        const [x, y, z] = view.from;
        // Above the ground, and not within what stands on it.
        const below = ground.meet({ origin: [x, y, 50], direction: [0, 0, -1] }, 0);
        expect(z - (below?.point[2] ?? 0), where).toBeGreaterThan(Math.min(0.2, height || 0.2));
        const middle: Vec3 = [
          (bounds[0][0] + bounds[1][0]) / 2,
          (bounds[0][1] + bounds[1][1]) / 2,
          (bounds[0][2] + bounds[1][2]) / 2,
        ];
        const far = Math.hypot(...middle.map((one, k) => one - (view.from[k] ?? 0)));
        const alone = shot.subjects.length === 1 && shot.boxM.length === 0;
        // Of one alone its largest side: an ant is longer than it is tall.
        const size_m = alone ? bounds[1][0] - bounds[0][0] : height || 1.7;
        const share = size_m / far / high;
        expect(share, where).toBeGreaterThan(alone ? kLeastHigh : kLeastOfMany);
        const hidden = points.filter((point) => is_hidden(view.from, point, ground));
        expect(hidden.length, `${where}: hidden are ${hidden.join(' and ')}`).toBeLessThan(2);
      }
  });
});

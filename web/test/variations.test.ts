// Variations of a gait: their loops, how they come into a gait, and what is said of them.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { type Gait, GaitSchema } from '../src/gen/promenade/v1/gait_pb';
import {
  GaitLandscapeSchema,
  GaitLookSchema,
  GaitStudySchema,
  type GaitTake,
  GaitTakeSchema,
} from '../src/gen/promenade/v1/gait_study_pb';
import {
  gait_at,
  number_title,
  point_of_gait,
  point_words,
  value_span,
} from '../src/state/gait/landscape';
import { loop_of, place_at, slowness, stride_of } from '../src/state/gait/gait_take';
import {
  found_variants,
  has_variations_of,
  look_figures,
  look_title,
  shortage,
  with_variations,
} from '../src/state/gait/variations';

/** One link whose place and heading are functions of the frame. */
function take_of(frames: number, at: (i: number) => readonly [number, number, number, number]) {
  const poses = new Uint8Array(2 * 7 * (frames + 1));
  const view = new DataView(poses.buffer);
  for (let i = 0; i <= frames; ++i) {
    const [x, y, z, heading] = at(i);
    const pose = [x / 0.001, y / 0.001, z / 0.001, 0, 0];
    const turn = [Math.sin(heading / 2), Math.cos(heading / 2)].map((part) => 32767 * part);
    [...pose, ...turn].forEach((value, k) =>
      view.setInt16(2 * (7 * i + k), Math.round(value), true),
    );
  }
  return create(GaitTakeSchema, { links: 1, frameS: 0.05, unitM: 0.001, poses });
}

const placed = (take: GaitTake, time_s: number) => {
  const out = new Float32Array(7);
  const loop = loop_of(take);
  if (!loop) throw new Error('no loop');
  place_at(loop, time_s, out);
  return [...out];
};

describe('a loop', () => {
  const straight = take_of(4, (i) => [0.1 * i, 0, i % 2 ? 0.3 : 0.2, 0]);

  test('stays where it is, and tells how far it went', () => {
    const loop = loop_of(straight);
    expect(loop?.frames).toBe(4);
    expect(loop?.seconds).toBeCloseTo(0.2);
    expect(loop?.forward_m).toBeCloseTo(0.4);
    for (const time_s of [0, 0.05, 0.13]) expect(placed(straight, time_s)[0]).toBeCloseTo(0, 5);
    expect(placed(straight, 0.05)[2]).toBeCloseTo(0.3);
    expect(placed(straight, 0.075)[2]).toBeCloseTo(0.25);
  });

  test('goes round without a jump', () => {
    expect(placed(straight, 0.2)).toEqual(placed(straight, 0));
    expect(placed(straight, 7 * 0.2 + 0.03)[2]).toBeCloseTo(placed(straight, 0.03)[2] as number, 4);
  });

  test('of one that turns has its heading ahead, at the end as at the beginning', () => {
    const turns = take_of(4, (i) => [Math.sin(0.2 * i), 1 - Math.cos(0.2 * i), 0.2, 0.5 + 0.2 * i]);
    for (const time_s of [0, 0.1, 0.19999]) {
      const [, , , , , z, w] = placed(turns, time_s);
      expect(z).toBeCloseTo(0, 3);
      expect(w).toBeCloseTo(1, 3);
    }
  });

  test('of what does not hold a take is none', () => {
    expect(loop_of(create(GaitTakeSchema, {}))).toBeUndefined();
    const { poses } = straight;
    expect(loop_of({ ...straight, poses: poses.subarray(2) })).toBeUndefined();
    expect(loop_of({ ...straight, frameS: 0 })).toBeUndefined();
  });

  test('of quick strides is shown slower', () => {
    const loop = loop_of(straight);
    expect(loop && stride_of(loop)).toBeCloseTo(0.1);
    expect(slowness([0.1, 0.5])).toBe(3);
    expect(slowness([0.4, 0.5])).toBe(1);
    expect(slowness([])).toBe(1);
  });
});

const state = { durationS: 0.1 };
const gait = (variants: readonly string[], more: MessageInitShape<typeof GaitSchema> = {}): Gait =>
  create(GaitSchema, {
    name: 'cat_trot',
    states: [state, state],
    variants: variants.map((name) => ({ name, states: [state, state] })),
    ...more,
  });
const names = ({ variants }: Gait) => variants.map(({ name }) => name);

describe('variations in a gait', () => {
  const found = gait(['variation-2-1', 'variation-2-5']).variants;

  test('come behind its variants, in place of earlier ones without a share', () => {
    const before = gait(['left', 'variation-1-3', 'variation-1-4']);
    const after = with_variations(before, found, [0.6, 0.1, 0, 0.3]);
    expect(names(after)).toEqual(['left', 'variation-1-4', 'variation-2-1', 'variation-2-5']);
  });

  test('that it has change nothing', () => {
    const before = gait(['variation-2-5', 'variation-2-1']);
    expect(with_variations(before, found, [1, 0, 0])).toBe(before);
  });

  test('come as far as there is room', () => {
    const full = gait(Array.from({ length: 15 }, (_, i) => `other-${i}`));
    expect(names(with_variations(full, found, [1])).slice(14)).toEqual([
      'other-14',
      'variation-2-1',
    ]);
  });
});

describe('a study', () => {
  const study = create(GaitStudySchema, {
    gait: 'cat_trot',
    order: { character: 3, what: { case: 'variations', value: { count: 3, seed: 2n } } },
    variations: {
      gait: gait(['left', 'variation-2-1', 'variation-2-5']),
      variations: [{ name: 'variation-2-5' }, { name: 'variation-2-1' }],
      directions: 81,
      ends: [
        { end: 'it falls', count: 80n },
        { end: 'it is more than 30 % slower', count: 1n },
      ],
    },
  });

  test('belongs to a gait of its name and states, of its character', () => {
    expect(has_variations_of(study, 3, gait([]))).toBe(true);
    expect(has_variations_of(study, 4, gait([]))).toBe(false);
    expect(has_variations_of(study, 3, gait([], { name: 'cat_walk' }))).toBe(false);
    expect(has_variations_of(study, 3, gait([], { states: [state] }))).toBe(false);
    expect(has_variations_of(undefined, 3, gait([]))).toBe(false);
  });

  test('has its variants in the order of its pictures', () => {
    expect(found_variants(study).map(({ name }) => name)).toEqual([
      'variation-2-5',
      'variation-2-1',
    ]);
  });

  test('says why there are fewer than were wanted', () => {
    expect(shortage(study)).toBe(
      'Only 2 of 3 were found along 81 directions, which end where: 80 times it falls; 1 times it is more than 30 % slower.',
    );
  });

  test('has a title for each picture, and its figures', () => {
    const look = create(GaitLookSchema, { words: 'nose up, slower', kind: 'walk', speedMps: 0.4 });
    expect(look_title(look)).toBe('Nose up, slower');
    expect(look_title({ ...look, words: '', kind: 'diagonal_walk' })).toBe('Diagonal walk');
    expect(look_figures(look)).toBe('walk, 0.40 m/s');
  });
});

describe('a landscape', () => {
  const knees = (left: number, right: number, durationS: number) => ({
    durationS,
    pose: [
      { joint: 'left_knee', atRad: [left] },
      { joint: 'right_knee', atRad: [right] },
    ],
  });
  // The right knee does half a cycle later what the left one does.
  const walk = create(GaitSchema, {
    name: 'walk',
    states: [knees(0.2, 0.7, 0.1), knees(0.7, 0.2, 0.1)],
    origin: { speedMps: 0.5, kind: 'walk', trial: 7n },
  });
  const map = create(GaitLandscapeSchema, {
    axes: [
      {
        ...{ name: 'state1.left_knee', unit: 'rad', low: 0, high: 1, at: 0.2, marks: [0, 0.5, 1] },
        lowStates: [knees(0, 0.7, 0.1), knees(0.7, 0, 0.1)],
        highStates: [knees(1, 0.7, 0.1), knees(0.7, 1, 0.1)],
      },
      {
        ...{ name: 'state1.duration', unit: 's', low: 0.1, high: 0.3, at: 0.1 },
        marks: [0.1, 0.2, 0.3],
        lowStates: [knees(0.2, 0.7, 0.1), knees(0.7, 0.2, 0.1)],
        highStates: [knees(0.2, 0.7, 0.3), knees(0.7, 0.2, 0.3)],
      },
    ],
    ...{ figure: 'speed', unit: 'm/s', points: 3, endNames: ['went on', 'fell'] },
    values: [0.4, 0, 0.9, -0.1, 0.5, 0, 0, 0, 0],
    ends: [0, 1, 0, 0, 0, 1, 1, 1, 1],
  });

  test('has the gait at a point, with what follows from its symmetry', () => {
    const { origin, states } = gait_at(walk, map, { across: 2, up: 1 });
    expect(states[0]?.pose.map(({ atRad }) => atRad[0])).toEqual([
      expect.closeTo(1),
      expect.closeTo(0.7),
    ]);
    expect(states[1]?.pose.map(({ atRad }) => atRad[0])).toEqual([
      expect.closeTo(0.7),
      expect.closeTo(1),
    ]);
    expect(states.map(({ durationS }) => durationS)).toEqual([
      expect.closeTo(0.2),
      expect.closeTo(0.2),
    ]);
    expect(origin).toMatchObject({ speedMps: 0.5, kind: '', trial: 0n });
  });

  test('has the same gait at a point wherever the toy is now, with joints that its file leaves out', () => {
    const point = { across: 2, up: 1 };
    const once = gait_at(walk, map, point);
    expect(gait_at(once, map, point).states).toEqual(once.states);
    const bare = { ...walk, states: walk.states.map((state) => ({ ...state, pose: [] })) };
    expect(gait_at(bare, map, point).states).toEqual(once.states);
  });

  test('spans the values of the points that go on', () => {
    expect(value_span(map)).toMatchObject({
      least: expect.closeTo(-0.1) as number,
      most: expect.closeTo(0.9) as number,
    });
    expect(value_span({ ...map, ends: map.ends.map(() => 1) })).toBeUndefined();
  });

  test('has the gait at its nearest point, and words for each', () => {
    expect(point_of_gait(map)).toEqual({ across: 0, up: 0 });
    expect(point_words(map, { across: 0, up: 1 })).toBe(
      '−0.100 m/s at 1: left knee 0.000 rad, 1: duration 0.200 s',
    );
    expect(point_words(map, { across: 1, up: 0 })).toBe(
      'fell at 1: left knee 0.500 rad, 1: duration 0.100 s',
    );
    expect(number_title('state12.left_fore_hip.2')).toBe('12: left fore hip 2');
  });
});

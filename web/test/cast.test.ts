import { readFileSync } from 'node:fs';
import path from 'node:path';
import { create, fromJsonString } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { RosterChangeSchema, RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { changed_roster } from '../src/net/changes';
import { make_outline } from '../src/state/edit/body_outline';
import { apply_edit } from '../src/state/edit/body_edit';
import { editable, with_factor } from '../src/state/edit/body_doc';
import { name_from } from '../src/state/room/names';
import { make_skeleton } from '../src/state/figure/skeleton';
import { World } from '../src/state/room/world';
import { body_of, scene_info } from './told_families';

const human = fromJsonString(
  CreatureSchema,
  readFileSync(path.resolve(import.meta.dirname, '../../server/data/creatures/human.json'), 'utf8'),
);
const longer = (factor: number) =>
  apply_edit(human, with_factor(editable(human, true), 'left_thigh', 'length', factor, true).edit);

function world(): World {
  const out = new World();
  out.receive({ kind: 'scene', scene: scene_info() });
  out.receive(body_of(kHuman, human));
  return out;
}
const kHuman = 5n;
const kDof = make_skeleton(human).coordinates;
function roster(version: number, bodies: readonly bigint[]) {
  return create(RosterSchema, {
    version: BigInt(version),
    entries: bodies.map((body, i) => ({
      id: i + 1,
      body,
      style: 'normal',
      bodyEdited: body !== kHuman,
      dof: kDof,
    })),
  });
}

describe('a body that is edited', () => {
  test('changes its character and nobody else', () => {
    const room = world();
    room.receive({ kind: 'roster', roster: roster(1, [kHuman, kHuman, kHuman]) });
    const before = room.cast.value.members;
    room.receive({ kind: 'roster', roster: roster(2, [kHuman, 6n, kHuman]) });
    room.receive(body_of(6n, longer(1.2)));
    const after = room.cast.value.members;
    expect(after[0]).toBe(before[0]);
    expect(after[2]).toBe(before[2]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[1]?.skeleton.mass).toBeGreaterThan(after[0]?.skeleton.mass ?? Infinity);
    expect(after[1]?.body_edited).toBe(true);
  });

  test('is drawn as it was until its new shape has come', () => {
    const room = world();
    room.receive({ kind: 'roster', roster: roster(1, [kHuman]) });
    const [before] = room.cast.value.members;
    room.receive({ kind: 'roster', roster: roster(2, [6n]) });
    expect(room.cast.value.members[0]).toMatchObject({ complete: false, body_edited: true });
    expect(room.cast.value.members[0]?.skeleton).toBe(before?.skeleton);
    room.receive(body_of(6n, longer(1.2)));
    expect(room.cast.value.members[0]?.complete).toBe(true);
    expect(room.cast.value.members[0]?.skeleton.mass).toBeGreaterThan(
      before?.skeleton.mass ?? Infinity,
    );
  });

  test('of a newcomer is a capsule until its shape has come, with as many coordinates in the frames', () => {
    const room = world();
    room.receive({ kind: 'roster', roster: roster(1, [7n, kHuman]) });
    const [newcomer, human_one] = room.cast.value.members;
    expect(newcomer).toMatchObject({ complete: false, coordinate: 0 });
    expect(newcomer?.skeleton.links).toHaveLength(1);
    expect(human_one?.coordinate).toBe(kDof);
    room.receive(body_of(7n, longer(0.9)));
    expect(room.cast.value.members[0]?.skeleton.links.length).toBeGreaterThan(10);
  });

  test('keeps its skeleton in every character and every scene', () => {
    const room = world();
    for (const [id, factor] of [
      [6n, 1.2],
      [7n, 0.9],
    ] as const)
      room.receive(body_of(id, longer(factor)));
    room.receive({ kind: 'roster', roster: roster(1, [6n, 7n]) });
    const [first, second] = room.cast.value.members;
    room.receive({ kind: 'scene', scene: scene_info() });
    room.receive({ kind: 'roster', roster: roster(2, [7n, 6n]) });
    const [a, b] = room.cast.value.members;
    expect(a?.skeleton).toBe(second?.skeleton);
    expect(b?.skeleton).toBe(first?.skeleton);
  });
});

describe('the outline of a body', () => {
  test('stands on the ground and is as tall as it is', () => {
    const { low, high, mass, legs } = make_outline(make_skeleton(human));
    expect(low[2]).toBeCloseTo(0, 9);
    expect(high[2]).toBeGreaterThan(1.6);
    expect(high[2]).toBeLessThan(1.9);
    expect(mass).toBeCloseTo(70.4, 6);
    expect(legs.left).toBeCloseTo(0.17 + 0.23 + 0.22 + 0.24, 2);
    expect(legs.left).toBeCloseTo(legs.right, 12);
  });

  test('has the ends of its limbs where the joints are', () => {
    const { links } = make_outline(make_skeleton(human));
    const find = (name: string) => links.find((link) => link.name === name);
    expect(find('left_thigh')?.far[2]).toBeCloseTo(find('left_shank')?.near[2] ?? 0, 9);
    expect(find('left_foot')?.axis).toBe(0);
    expect(find('left_upper_arm')?.middle[1]).toBeGreaterThan(0.1);
  });

  test('grows by what the thighs grow', () => {
    const grown = make_outline(make_skeleton(longer(1.5)));
    const plain = make_outline(make_skeleton(human));
    expect(grown.high[2] - plain.high[2]).toBeCloseTo(0.4 * 0.5, 9);
    expect(grown.legs.right - plain.legs.right).toBeCloseTo(0.4 * 0.5, 9);
  });
});

test('names are made of what people write', () => {
  expect(name_from('My Walk!')).toBe('my-walk');
  expect(name_from('  Über—Gang  2 ')).toBe('uber-gang-2');
  expect(name_from('***')).toBe('');
  expect(name_from('x'.repeat(60))).toHaveLength(40);
  expect(name_from('a_b-c')).toBe('a_b-c');
});

test('the course of a roster stays the same list until it changes', () => {
  const page = world();
  const first = create(RosterSchema, {
    ...{ version: 1n, course: { blocks: [{ centerM: [1, 0, 0] }] } },
  });
  page.receive({ kind: 'roster', roster: first });
  const { course } = page.cast.value;
  expect(course.map(({ centerM }) => centerM[0])).toEqual([1]);
  const same = changed_roster(first, create(RosterChangeSchema, { fromVersion: 1n, version: 2n }));
  page.receive({ kind: 'roster', roster: same });
  expect(page.cast.value.course).toBe(course);
  const change = { fromVersion: 2n, version: 3n, course: { blocks: [{ centerM: [4, 0, 0] }] } };
  const other = changed_roster(same, create(RosterChangeSchema, change));
  page.receive({ kind: 'roster', roster: other });
  expect(page.cast.value.course.map(({ centerM }) => centerM[0])).toEqual([4]);
});

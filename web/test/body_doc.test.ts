import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema, type Creature } from '../src/gen/promenade/v1/creature_pb';
import { apply_edit, long_axis } from '../src/state/edit/body_edit';
import {
  editable,
  factor_of,
  is_symmetric,
  make_symmetric,
  parse_body,
  print_body,
  with_factor,
  with_scale,
} from '../src/state/edit/body_doc';
import { make_skeleton } from '../src/state/figure/skeleton';

const bodies = path.resolve(import.meta.dirname, '../../server/data/creatures');
const read = (name: string) => parse_body(readFileSync(path.join(bodies, `${name}.json`), 'utf8'));
const human = read('human');
const changed = (edited: Creature) => apply_edit(human, edited.edit);
const link = (body: Creature, name: string) => {
  const found = body.links.find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};
const joint = (body: Creature, name: string) => {
  const found = body.joints.find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};

describe('an edit', () => {
  const plain = editable(human, true);

  test('of nothing changes nothing', () => {
    expect(changed(plain)).toEqual(human);
    expect(make_skeleton(changed(plain)).mass).toBeCloseTo(70.4, 6);
  });

  test('lengthens a limb on both sides: mass and anchors follow, thickness by the root', () => {
    const body = changed(with_factor(plain, 'left_thigh', 'length', 1.44, true));
    for (const side of ['left', 'right']) {
      const thigh = link(body, `${side}_thigh`);
      expect(thigh.massKg).toBeCloseTo(6.6 * 1.44, 9);
      expect(joint(body, `${side}_knee`).atParentM[2]).toBeCloseTo(-0.23 * 1.44, 9);
      expect(joint(body, `${side}_hip`).atChildM[2]).toBeCloseTo(0.17 * 1.44, 9);
      const { kind } = thigh.shapes[0] ?? {};
      expect(kind?.case === 'capsule' && kind.value.radiusM).toBeCloseTo(0.05, 9);
      expect(link(body, `${side}_shank`)).toEqual(link(human, `${side}_shank`));
    }
  });

  test('widens a trunk with the shoulders', () => {
    const body = changed(with_factor(plain, 'torso', 'width', 1.2, true));
    expect(joint(body, 'left_shoulder').atParentM[1]).toBeCloseTo(0.16 * 1.2, 9);
    expect(joint(body, 'neck').atParentM[2]).toBeCloseTo(0.16, 9);
    expect(link(body, 'torso').massKg).toBeCloseTo(15.5 * 1.44, 9);
  });

  test('of the whole keeps density; density changes mass alone', () => {
    expect(make_skeleton(changed(with_scale(plain, 1.5))).mass).toBeCloseTo(70.4 * 1.5 ** 3, 5);
    const dense = changed(with_factor(plain, 'torso', 'density', 2, true));
    expect(link(dense, 'torso').massKg).toBeCloseTo(31, 9);
    expect(link(dense, 'torso').shapes).toEqual(link(human, 'torso').shapes);
  });

  test('knows that feet are long forward and legs downward', () => {
    expect(long_axis(joint(human, 'left_ankle'))).toBe(0);
    expect(long_axis(joint(human, 'left_knee'))).toBe(2);
    expect(long_axis(undefined)).toBe(2);
  });

  test('keeps to the ranges that the server takes', () => {
    expect(factor_of(with_factor(plain, 'head', 'length', 99, true), 'head', 'length')).toBe(3);
    expect(factor_of(with_factor(plain, 'head', 'density', 0, true), 'head', 'density')).toBe(0.1);
  });
});

describe('a body', () => {
  const plain = editable(human, true);

  test('that has a base is edited as it is, a whole one by its name', () => {
    const lanky = read('lanky');
    expect(editable(lanky, true)).toBe(lanky);
    expect(plain.base).toBe('human');
    expect(plain.links).toEqual([]);
  });

  test('can be sent, and comes back from a file', () => {
    const body = with_factor(plain, 'left_shank', 'length', 0.8, false);
    expect(parse_body(print_body(body))).toEqual(body);
    const sent = fromBinary(CreatureSchema, toBinary(CreatureSchema, body));
    expect(sent.edit?.links).toMatchObject([{ link: 'left_shank', length: 0.8, width: 1 }]);
  });

  test('is uneven until the sides are made alike', () => {
    const body = with_factor(plain, 'left_shank', 'length', 0.8, false);
    expect(is_symmetric(body)).toBe(false);
    expect(factor_of(body, 'right_shank', 'length')).toBe(1);
    const even = make_symmetric(body);
    expect(is_symmetric(even)).toBe(true);
    expect(factor_of(even, 'right_shank', 'length')).toBe(0.8);
  });
});

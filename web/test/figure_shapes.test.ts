import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromJsonString } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { type Creature, CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { make_figure } from '../src/scene/figure/figure';
import {
  block_primitive,
  plain_primitive,
  type Primitive,
  soft_primitive,
} from '../src/scene/figure/rounded_geometry';
import { editable, with_factor } from '../src/state/edit/body_doc';
import { apply_edit } from '../src/state/edit/body_edit';
import { make_skeleton } from '../src/state/figure/skeleton';

const folder = path.resolve(import.meta.dirname, '../../server/data/creatures');
// Those that are variants of others have no links of their own.
const creatures = readdirSync(folder)
  .map((file) => fromJsonString(CreatureSchema, readFileSync(path.join(folder, file), 'utf8')))
  .filter(({ links }) => links.length > 0);
const bodies = creatures.map((body) => make_skeleton(body));
const human = creatures.find(({ name }) => name === 'human') as Creature;
const wide_thighs = apply_edit(
  human,
  with_factor(editable(human, true), 'left_thigh', 'width', 1.4, true).edit,
);
const people = [human, wide_thighs].map((body) => make_skeleton(body));

function triangles({ geometry }: Primitive): number {
  return (geometry.index?.count ?? 0) / 3;
}

test('a person far away costs no more than a three-hundredth of 0.4 million triangles, shadow included', () => {
  for (const body of people) {
    const { far } = make_figure(body).counts;
    const each = far * (triangles(plain_primitive()) + triangles(block_primitive()));
    expect(each).toBeLessThan(400_000 / 300);
    expect(far).toBeGreaterThan(12); // head, trunk and limbs are all there
  }
});

test('what is small is left out further away, and nothing else changes', () => {
  for (const body of bodies) {
    const { parts, counts } = make_figure(body);
    expect(counts.close).toBe(parts.length);
    expect(counts.near).toBeLessThanOrEqual(counts.close);
    expect(counts.far).toBeLessThanOrEqual(counts.near);
    expect(counts.far).toBeGreaterThan(0);
    const order = parts.map(({ seen }) => ['far', 'near', 'close'].indexOf(seen));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  }
});

test('thigh and shank of a person end in the same ball at the knee', () => {
  for (const body of people) {
    const { parts } = make_figure(body);
    for (const { kind, links } of body.limbs) {
      if (kind !== 'leg') continue;
      const [thigh, shank] = links
        .slice(0, 2)
        .map((link) =>
          parts.find((part) => part.link === link && part.tint === 'trousers' && part.rotation),
        );
      expect(thigh?.shape.bottom, body.name).toBeCloseTo(shank?.shape.top ?? NaN, 9);
    }
  }
});

test('the faces of all primitives look outwards, or they would not be drawn', () => {
  for (const make of [block_primitive, plain_primitive, () => soft_primitive(3)]) {
    const { geometry } = make();
    const position = geometry.getAttribute('position');
    const corner = geometry.getAttribute('corner');
    const point = (i: number) =>
      ['X', 'Y', 'Z'].map(
        (k) => position[`get${k}` as 'getX'](i) + 0.2 * corner[`get${k}` as 'getX'](i),
      ) as [number, number, number];
    const index = geometry.index!;
    for (let i = 0; i < index.count; i += 3) {
      const corners: readonly number[][] = [0, 1, 2].map((k) => point(index.getX(i + k)));
      const [a, b, c] = corners as [number[], number[], number[]];
      const u = b.map((x, k) => x - (a[k] as number)) as [number, number, number];
      const v = c.map((x, k) => x - (a[k] as number)) as [number, number, number];
      const normal = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
      ];
      const middle = [0, 1, 2].map(
        (k) => ((a[k] as number) + (b[k] as number) + (c[k] as number)) / 3,
      );
      const out = normal.reduce((sum, x, k) => sum + x * (middle[k] as number), 0);
      expect(out).toBeGreaterThan(0);
    }
  }
});

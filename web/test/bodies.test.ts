import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { CatalogueChangeSchema, CatalogueSchema } from '../src/gen/promenade/v1/wire_pb';
import { Bodies } from '../src/net/bodies';
import { changed_catalogue } from '../src/net/changes';

const body = create(CreatureSchema, { name: 'somebody' });
const ids = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => BigInt(from + i));

function with_requests() {
  const requests: bigint[][] = [];
  return { requests, bodies: new Bodies((asked) => requests.push(asked)) };
}

test('bodies are asked for once, the most urgent first, 64 at a time', () => {
  const { requests, bodies } = with_requests();
  bodies.need(ids(1, 100));
  expect(requests).toEqual([ids(1, 64)]);
  bodies.need([...ids(1000, 1), ...ids(1, 100)]); // somebody has come meanwhile
  for (const id of ids(1, 64)) bodies.receive(id, body);
  expect(requests[1]).toEqual([1000n, ...ids(65, 36)]);
  for (const id of requests[1] ?? []) bodies.receive(id, body);
  expect(requests).toHaveLength(2);
  bodies.need(ids(1, 100));
  expect(requests).toHaveLength(2);
  expect(bodies.get(100n)).toBe(body);
});

test('a body that nobody has any more is not asked for again as long as it is named', () => {
  const { requests, bodies } = with_requests();
  bodies.need([1n]);
  bodies.receive(1n, undefined);
  bodies.need([1n]);
  expect(requests).toHaveLength(1);
  bodies.need([]);
  bodies.need([1n]);
  expect(requests).toHaveLength(2);
});

test('a new connection asks for what the last one had not got', () => {
  const { requests, bodies } = with_requests();
  bodies.need([1n, 2n]);
  bodies.receive(1n, body);
  bodies.restart();
  bodies.need([1n, 2n]);
  expect(requests).toEqual([[1n, 2n], [2n]]);
});

test('of very many bodies those that nobody has are forgotten', () => {
  const { bodies } = with_requests();
  for (const id of ids(1, 600)) {
    bodies.need([id]);
    bodies.receive(id, body);
  }
  expect(bodies.need([600n])).not.toContain(600n);
  expect(bodies.get(600n)).toBe(body);
  expect(bodies.get(1n)).toBeUndefined();
});

test('a catalogue takes what is new, changed and gone', () => {
  const entries = (...names: string[]) => names.map((name) => ({ name }));
  const before = create(CatalogueSchema, {
    revision: 3n,
    styles: entries('a', 'c'),
    bodies: entries('x'),
    gaits: entries('trot'),
  });
  const change = create(CatalogueChangeSchema, {
    fromRevision: 3n,
    revision: 5n,
    styles: [{ name: 'b' }, { name: 'c', version: 2 }],
    removedBodies: ['x'],
    gaits: [{ name: 'mine' }],
    removedGaits: ['trot'],
  });
  const after = changed_catalogue(before, change);
  expect(after.styles.map(({ name, version }) => [name, version])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 2],
  ]);
  expect(after.bodies).toEqual([]);
  expect(after.gaits.map(({ name }) => name)).toEqual(['mine']);
  expect(after.revision).toBe(5n);
});

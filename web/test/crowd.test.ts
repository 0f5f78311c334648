import { readFileSync } from 'node:fs';
import path from 'node:path';
import { create, fromJsonString } from '@bufbuild/protobuf';
import * as THREE from 'three';
import { expect, test, vi } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { Crowd } from '../src/scene/crowd/crowd';
import { RoundedMesh } from '../src/scene/figure/rounded';
import { apply_edit } from '../src/state/edit/body_edit';
import { editable, with_factor } from '../src/state/edit/body_doc';
import { make_world_pose } from '../src/state/frames/interpolate';
import { make_skeleton } from '../src/state/figure/skeleton';
import { World } from '../src/state/room/world';
import { body_of, scene_info } from './told_families';

const human = fromJsonString(
  CreatureSchema,
  readFileSync(path.resolve(import.meta.dirname, '../../server/data/creatures/human.json'), 'utf8'),
);
const long_legs = apply_edit(
  human,
  with_factor(editable(human, true), 'left_thigh', 'length', 1.3, true).edit,
);

test('a body that changes is drawn anew, the others are not touched, in as many meshes', () => {
  const world = new World();
  world.receive({ kind: 'scene', scene: scene_info() });
  world.receive(body_of(1n, human));
  world.receive(body_of(2n, long_legs));
  const root = new THREE.Group();
  const crowd = new Crowd(root);
  const written = vi.spyOn(RoundedMesh.prototype, 'set_part');
  const draw = (version: number, bodies: readonly bigint[]) => {
    const roster = create(RosterSchema, {
      version: BigInt(version),
      entries: bodies.map((body, i) => ({ id: i + 1, body, color: '#336699' })),
    });
    world.receive({ kind: 'roster', roster });
    const cast = world.cast.value;
    const pose = make_world_pose(cast);
    written.mockClear();
    crowd.update(
      pose,
      { eye: [1, 0, 0], pixel_m: 0.001, planes: new Float64Array(0) },
      { elapsed_s: 0.02 },
    );
    return written.mock.calls.map(([instance]) => instance);
  };
  // Each body is in the layer of its tier, and in that of its shadow.
  const { close, near } = crowd.figure_of(make_skeleton(human)).counts;
  const parts = close + near;
  const series = (from: number, count: number) => Array.from({ length: count }, (_, k) => from + k);
  expect(draw(1, [1n, 1n, 1n])).toHaveLength(3 * parts);
  const meshes = root.children.length;
  expect(draw(2, [1n, 1n, 1n])).toEqual([]);
  const changed = draw(3, [1n, 2n, 1n]);
  expect(changed).toEqual([...series(close, close), ...series(near, near)]);
  expect(draw(4, [1n, 2n, 1n])).toEqual([]);
  expect(draw(5, [1n, 2n, 2n])).toHaveLength(parts);
  expect(root.children.length).toBe(meshes);
  crowd.dispose();
});

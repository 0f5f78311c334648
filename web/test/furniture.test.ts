import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromJson, fromJsonString } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { SceneSchema } from '../src/gen/promenade/v1/scene_pb';
import { furnish } from '../src/state/ground/furniture';

function scene(name: string) {
  const file = path.resolve(import.meta.dirname, `../../server/data/scenes/${name}.json`);
  return fromJsonString(SceneSchema, readFileSync(file, 'utf8'), { ignoreUnknownFields: true });
}

test('the square has eight benches and eight planters, and no bare block', () => {
  const { benches, planters, rest } = furnish(scene('square').blocks);
  expect([benches.length, planters.length, rest.length]).toEqual([8, 8, 0]);
});

test('steps, kerbs and lifts stay what they are', () => {
  for (const name of ['steps', 'ground', 'pit', 'playground'])
    expect(furnish(scene(name).blocks).rest).toHaveLength(scene(name).blocks.length);
});

test('a block that moves, leans or hangs in the air is no bench', () => {
  const bench = { centerM: [0, 0, 0.225], sizeM: [0.5, 2.2, 0.45], color: '#9a6b43' };
  const blocks = [
    bench,
    { ...bench, centerM: [0, 0, 1] },
    { ...bench, pitchDeg: 5 },
    { ...bench, color: '#808080' },
    { ...bench, motion: { spinDps: 20 } },
  ];
  const { benches, rest } = furnish(fromJson(SceneSchema, { blocks }).blocks);
  expect([benches.length, rest.length]).toEqual([1, 4]);
});

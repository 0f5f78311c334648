import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromJsonString } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import type { FrameData } from '../src/net/frame';
import { type Gait, gait_of_joints, gait_told, sagittal_of } from '../src/state/gait/gait_phase';
import { make_skeleton } from '../src/state/figure/skeleton';
import { human } from './room';
import { gait_cycle_joints } from './walkers';

const skeleton = make_skeleton(human);
const sagittal = sagittal_of(skeleton);
const gait: Gait = { phase: 0, extent: 0, told: false };

function creature(name: string) {
  const file = path.resolve(import.meta.dirname, `../../server/data/creatures/${name}.json`);
  return make_skeleton(fromJsonString(CreatureSchema, readFileSync(file, 'utf8')));
}

/** How far apart two phases are, 0 to a half. */
function apart(a: number, b: number): number {
  const way = Math.abs(a - b) % 1;
  return Math.min(way, 1 - way);
}

describe('the stride by the joints', () => {
  test('is known of people who walk on two legs, and of nobody else', () => {
    expect(sagittal).toBeDefined();
    expect(sagittal_of(creature('planar_biped'))).toBeDefined();
    for (const name of ['ant', 'cat', 'luxo', 'stool'])
      expect(sagittal_of(creature(name)), name).toBeUndefined();
  });

  test('goes once around while both legs step, and is where people say it is', () => {
    if (!sagittal) throw new Error('a human walks on two legs');
    let gone = 0;
    let before: number | undefined;
    const kSteps = 200;
    for (let k = 0; k <= kSteps; ++k) {
      gait_of_joints(sagittal, gait_cycle_joints(skeleton, (k % kSteps) / kSteps), 0, gait);
      expect(apart(gait.phase, k / kSteps)).toBeLessThan(0.065);
      expect(gait.extent).toBeGreaterThan(0.5);
      const step = before === undefined ? 0 : ((gait.phase - before + 1.5) % 1) - 0.5;
      expect(step).toBeGreaterThan(-0.001);
      gone += step;
      before = gait.phase;
    }
    expect(gone).toBeCloseTo(1, 6);
  });

  test('of a smaller step has the same phase and a smaller extent, and none for people who stand', () => {
    if (!sagittal) throw new Error('a human walks on two legs');
    gait_of_joints(sagittal, gait_cycle_joints(skeleton, 0.3), 0, gait);
    const { phase, extent } = gait;
    gait_of_joints(sagittal, gait_cycle_joints(skeleton, 0.3, 0.5), 0, gait);
    expect(gait.phase).toBeCloseTo(phase, 6);
    expect(gait.extent).toBeCloseTo(extent / 2, 6);
    gait_of_joints(sagittal, Float32Array.from(skeleton.rest), 0, gait);
    expect(gait.extent).toBeCloseTo(0, 6);
  });
});

describe('the stride that frames tell', () => {
  const frame = (phase: number) => ({ phases: Uint8Array.of(phase) }) as unknown as FrameData;
  const between = (a: number, b: number, t: number, speed = 1.2) => {
    gait_told(frame(a), 0, frame(b), 0, t, speed, 0.86, gait);
    return gait;
  };

  test('goes forwards through its end, and back by a little where it was too far', () => {
    expect(between(64, 128, 0.5).phase).toBeCloseTo(96 / 256, 6);
    expect(between(250, 4, 0.5).phase).toBeCloseTo(255 / 256, 6);
    expect(between(250, 4, 0.9).phase).toBeCloseTo(((250 + 9) % 256) / 256, 6);
    expect(between(10, 6, 0.5).phase).toBeCloseTo(8 / 256, 6);
  });

  test('is as large as the speed asks of legs of that length, and none at rest', () => {
    expect(between(0, 0, 0, 0).extent).toBe(0);
    expect(between(0, 0, 0, 0.4).extent).toBeLessThan(between(0, 0, 0, 0.9).extent);
    expect(between(0, 0, 0, 9).extent).toBeLessThanOrEqual(1.3);
  });
});

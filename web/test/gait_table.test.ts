import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { type FrameData, kTier } from '../src/net/frame';
import { type Gait, gait_of_joints, sagittal_of } from '../src/state/gait/gait_phase';
import { gait_pose, type GaitTable, GaitTables, phase_at } from '../src/state/gait/gait_table';
import { forward_kinematics, kPoseSize } from '../src/state/figure/kinematics';
import { make_cast, type Member } from '../src/state/room/roster';
import { make_skeleton } from '../src/state/figure/skeleton';
import { numbered } from './body';
import { human } from './room';
import { gait_cycle_joints } from './walkers';

const skeleton = make_skeleton(human);
const kPeople = 48;
const kIdentity = [0, 0, 0, 0, 0, 0, 1];

function cast_of(styles: readonly bigint[]) {
  const entries = Array.from({ length: kPeople }, (_, i) => ({
    ...{ id: i + 1, body: 0n, dof: skeleton.coordinates },
    styleId: styles[i % styles.length] as bigint,
  }));
  return make_cast(create(RosterSchema, { version: 1n, entries }), numbered(skeleton));
}

/** Everybody walks, each at another phase; `size` of the steps of each. */
function frame_of(k: number, size: (i: number) => number): FrameData {
  const n = skeleton.coordinates;
  const joints = new Float32Array(n * kPeople);
  for (let i = 0; i < kPeople; ++i)
    joints.set(gait_cycle_joints(skeleton, (k * 0.037 + i / kPeople) % 1, size(i)), n * i);
  return { joints, flags: new Uint32Array(kPeople) } as unknown as FrameData;
}

function learned(styles: readonly bigint[], size: (i: number) => number) {
  const cast = cast_of(styles);
  const tables = new GaitTables();
  for (let k = 0; k < 200; ++k) tables.learn({ frame: frame_of(k, size), cast });
  const table = (i: number) => tables.table_of(cast.members[i] as Member) as GaitTable;
  return { tables, table };
}

/** m, how far the links of a pose are at most from where the joints put them. */
function error_of(table: GaitTable, phase: number, size: number): number {
  const sagittal = sagittal_of(skeleton);
  if (!sagittal) throw new Error('a human walks on two legs');
  const joints = gait_cycle_joints(skeleton, phase, size);
  const gait: Gait = { phase: 0, extent: 0, told: false };
  gait_of_joints(sagittal, joints, 0, gait);
  const own = new Float64Array(kPoseSize * skeleton.links.length);
  forward_kinematics(skeleton, kIdentity, 0, joints, 0, own, 0);
  const pose = new Float64Array(kPoseSize);
  let worst = 0;
  skeleton.links.forEach((_, i) => {
    gait_pose(table, i, gait, pose);
    const away = [0, 1, 2].map((k) => (pose[k] as number) - (own[kPoseSize * i + k] as number));
    worst = Math.max(worst, Math.hypot(...away));
  });
  return worst;
}

const kPhasesTried = Array.from({ length: 40 }, (_, k) => k / 40);

test('a table that has seen a walk shows it, within a few centimetres', () => {
  const { table } = learned([1n], () => 1);
  for (const phase of kPhasesTried) expect(error_of(table(0), phase, 1)).toBeLessThan(0.09);
});

test('before anything is seen there is a walk, too, and not only a pose', () => {
  const tables = new GaitTables();
  const table = tables.table_of(cast_of([1n]).members[0] as Member) as GaitTable;
  const worst = Math.max(...kPhasesTried.map((phase) => error_of(table, phase, 1)));
  expect(worst).toBeLessThan(0.25);
  const foot = skeleton.links.findIndex(({ name }) => name === 'left_foot');
  const pose = new Float64Array(kPoseSize);
  const ahead = (phase: number) => {
    gait_pose(table, foot, { phase, extent: table.extent }, pose);
    return pose[0] as number;
  };
  expect(ahead(0) - ahead(0.5)).toBeGreaterThan(0.4);
});

test('phases by the time lead to the same poses as those by the joints', () => {
  const sagittal = sagittal_of(skeleton);
  if (!sagittal) throw new Error('a human walks on two legs');
  const { table } = learned([1n], () => 1);
  const gait: Gait = { phase: 0, extent: 0, told: false };
  const errors = kPhasesTried.map((time) => {
    gait_of_joints(sagittal, gait_cycle_joints(skeleton, time), 0, gait);
    const off = (phase: number) => Math.abs(((phase - gait.phase + 1.5) % 1) - 0.5);
    return { told: off(phase_at(table(0), time)), plain: off(time) };
  });
  const worst = (of: 'told' | 'plain') => Math.max(...errors.map((one) => one[of]));
  expect(worst('plain')).toBeGreaterThan(0.05);
  expect(worst('told')).toBeLessThan(0.02);
});

test('each style has its own, and people who stand do not spoil it', () => {
  const { table } = learned([1n, 2n], (i) => (i % 2 === 0 ? 1 : 0.6));
  expect(table(0)).not.toBe(table(1));
  expect(table(0)).toBe(table(2));
  expect(table(0).extent / table(1).extent).toBeGreaterThan(1.5);
  const { table: mixed } = learned([1n], (i) => (i % 3 === 0 ? 0.01 : 1));
  for (const phase of kPhasesTried) expect(error_of(mixed(0), phase, 1)).toBeLessThan(0.09);
  // A person who stands is shown standing.
  expect(error_of(mixed(0), 0.2, 0.01)).toBeLessThan(0.03);
});

test('of links whose joints are not known nothing is learned', () => {
  const cast = cast_of([1n]);
  const tables = new GaitTables();
  const before = (tables.table_of(cast.members[0] as Member) as GaitTable).poses.slice();
  for (let k = 0; k < 50; ++k) {
    const frame = { ...frame_of(k, () => 1), tiers: new Uint8Array(kPeople).fill(kTier.far) };
    tables.learn({ frame, cast });
  }
  expect((tables.table_of(cast.members[0] as Member) as GaitTable).poses).toEqual(before);
});

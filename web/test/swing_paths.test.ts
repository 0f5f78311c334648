import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import type { Vec3 } from '../src/state/values/quaternion';
import { make_cast, type Member } from '../src/state/room/roster';
import { SwingPaths } from '../src/state/gait/swing_paths';
import { kSmallCoordinates, numbered, pose_of, small_body } from './body';

// The small body's leg has no limb in its file: here it is one, whose foot is the link "foot".
const body = small_body();
const leg = { index: 0, name: 'leg', kind: 'leg', links: [2, 3, 1], soles: [1] } as const;
const skeleton = { ...body, limbs: [leg] };
const cast = make_cast(
  create(RosterSchema, { version: 1n, entries: [{ id: 1, body: 0n }] }),
  numbered(skeleton),
);
const member = cast.members[0] as Member;
const target: Vec3 = [0.9, 0.1, -0.5];

/** The body as it flies along x, with its foot in the air or on the ground. */
function at_tick(tick: number, down: boolean) {
  const pose = pose_of(cast, [[0.02 * tick, 0, 0, 0, 0, 0, 1]]);
  return { ...pose, tick, limb_contacts: new Uint32Array([down ? 1 : 0]) };
}

test('the way of a foot in the air is kept, and goes on smoothly to its target', () => {
  expect(skeleton.coordinates).toBe(kSmallCoordinates);
  const swings = new SwingPaths();
  expect(swings.follow(at_tick(0, true), member, target, 20)).toBeUndefined();
  let path;
  for (let tick = 1; tick <= 8; ++tick)
    path = swings.follow(at_tick(tick, false), member, target, 20);
  if (!path) throw new Error('no path');
  expect(path.past).toHaveLength(8);
  const [first, second] = path.to_come as [Vec3, Vec3];
  expect(first).toEqual(path.past[7]);
  expect(second[0]).toBeGreaterThan(first[0]); // as the foot moves now
  const last = path.to_come[path.to_come.length - 1] as Vec3;
  target.forEach((x, k) => expect(last[k]).toBeCloseTo(x, 9));
});

test('a foot that comes down ends its way, and a pause in the pictures begins another', () => {
  const swings = new SwingPaths();
  for (let tick = 1; tick <= 6; ++tick) swings.follow(at_tick(tick, false), member, target, 20);
  expect(swings.follow(at_tick(60, false), member, target, 20)).toBeUndefined();
  expect(swings.follow(at_tick(61, false), member, target, 20)?.past).toHaveLength(2);
  expect(swings.follow(at_tick(62, true), member, target, 20)).toBeUndefined();
});

import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { forward_kinematics, kPoseSize } from '../src/state/kinematics';
import type { WorldPose } from '../src/state/interpolate';
import { meet_capsule, meet_plane, pick } from '../src/state/picking';
import { make_cast } from '../src/state/roster';
import { small_body } from './body';

function two_people(): WorldPose {
  const skeleton = small_body();
  const entries = [
    { id: 1, body: 0 },
    { id: 2, body: 0 },
  ];
  const cast = make_cast(create(RosterSchema, { version: 1n, entries }), [skeleton]);
  const poses = new Float32Array(cast.poses);
  cast.members.forEach((member, i) => {
    forward_kinematics(
      skeleton,
      [3 * i, 0, 1, 0, 0, 0, 1],
      0,
      new Float32Array(skeleton.coordinates),
      0,
      poses,
      member.pose,
    );
  });
  expect(poses.length).toBe(2 * 4 * kPoseSize);
  return { cast, tick: 0, poses, flags: new Uint32Array(2) };
}

describe('picking', () => {
  test('meets a capsule at its side and at its end', () => {
    expect(meet_capsule([-1, 0, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1], 0.25)).toBeCloseTo(0.75);
    expect(meet_capsule([0, 0, 5], [0, 0, -1], [0, 0, -1], [0, 0, 1], 0.25)).toBeCloseTo(3.75);
    expect(meet_capsule([-1, 0.3, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1], 0.25)).toBeUndefined();
  });

  test('takes the nearer of two people, and tells the point on the link', () => {
    const hit = pick(two_people(), { origin: [-2, 0, 1], direction: [1, 0, 0] }, 0);
    expect(hit?.member.id).toBe(1);
    expect(hit?.link).toBe(0);
    expect(hit?.point[0]).toBeCloseTo(-0.05, 5);
  });

  test('misses beside them, unless a finger is wide', () => {
    const ray = { origin: [-2, -0.08, 1], direction: [1, 0, 0] } as const;
    expect(pick(two_people(), ray, 0)).toBeUndefined();
    expect(pick(two_people(), ray, 0.05)?.member.id).toBe(1);
  });

  test('finds the ground only where one looks down', () => {
    expect(meet_plane({ origin: [0, 0, 2], direction: [0.6, 0, -0.8] }, 0)).toEqual([1.5, 0, 0]);
    expect(meet_plane({ origin: [0, 0, 2], direction: [1, 0, 0] }, 0)).toBeUndefined();
  });
});

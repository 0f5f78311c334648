import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { forward_kinematics, kPoseSize } from '../src/state/figure/kinematics';
import { make_world_pose, type WorldPose } from '../src/state/frames/interpolate';
import { meet_capsule, meet_cylinder, meet_plane, pick } from '../src/state/hand/picking';
import { make_cast } from '../src/state/room/roster';
import { make_skeleton } from '../src/state/figure/skeleton';
import { numbered, pose_of, small_body } from './body';

function two_people(): WorldPose {
  const skeleton = small_body();
  const entries = [{ id: 1 }, { id: 2 }];
  const cast = make_cast(create(RosterSchema, { version: 1n, entries }), numbered(skeleton));
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
  return { ...make_world_pose(cast), poses };
}

describe('picking', () => {
  test('meets a capsule at its side and at its end', () => {
    expect(meet_capsule([-1, 0, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1], 0.25)).toBeCloseTo(0.75);
    expect(meet_capsule([0, 0, 5], [0, 0, -1], [0, 0, -1], [0, 0, 1], 0.25)).toBeCloseTo(3.75);
    expect(meet_capsule([-1, 0.3, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1], 0.25)).toBeUndefined();
  });

  test('meets a cylinder at its side and at its flat end', () => {
    const side = meet_cylinder([-1, 0, 0.9], [1, 0, 0], [0, 0, -1], [0, 0, 1], 0.25);
    expect(side).toBeCloseTo(0.75);
    const end = meet_cylinder([0.2, 0, 5], [0, 0, -1], [0, 0, -1], [0, 0, 1], 0.25);
    expect(end).toBeCloseTo(4);
    const beyond = meet_cylinder([-1, 0, 1.1], [1, 0, 0], [0, 0, -1], [0, 0, 1], 0.25);
    expect(beyond).toBeUndefined();
  });

  test('finds what is large, far from its root', () => {
    const mast = make_skeleton(
      create(CreatureSchema, {
        name: 'mast',
        links: [
          {
            name: 'pole',
            shapes: [
              {
                kind: {
                  case: 'cylinder',
                  value: { fromM: [0, 0, 0], toM: [0, 0, 12], radiusM: 0.1 },
                },
              },
            ],
          },
        ],
      }),
    );
    const cast = make_cast(
      create(RosterSchema, { version: 1n, things: [{ id: 4 }] }),
      numbered(mast),
    );
    const ray = { origin: [-5, 0, 11], direction: [1, 0, 0] } as const;
    expect(pick(pose_of(cast), ray, 0)?.member.id).toBe(4);
    expect(pick(make_world_pose(cast), ray, 0)).toBeUndefined(); // nobody knows yet where it is
    expect(pick(pose_of(cast), ray, 0, ({ thing }) => !thing)).toBeUndefined();
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

import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { forward_kinematics, kPoseSize } from '../src/state/figure/kinematics';
import { CreatureSchema, JointKind } from '../src/gen/promenade/v1/creature_pb';
import { make_skeleton } from '../src/state/figure/skeleton';
import { rotate } from '../src/state/values/quaternion';
import { kSmallCoordinates, small_body } from './body';

const kUpright = [1, 2, 3, 0, 0, 0, 1];

function solve(root: number[], coordinates: number[]): Record<string, number[]> {
  const skeleton = small_body();
  const poses = new Float64Array(kPoseSize * skeleton.links.length);
  forward_kinematics(skeleton, root, 0, coordinates, 0, poses, 0);
  return Object.fromEntries(
    skeleton.links.map((link, i) => [
      link.name,
      [...poses.subarray(kPoseSize * i, kPoseSize * (i + 1))],
    ]),
  );
}

function expect_close(actual: number[] | undefined, expected: number[]): void {
  expect(actual).toBeDefined();
  expected.forEach((value, i) => expect(actual?.[i]).toBeCloseTo(value, 6));
}

describe('forward kinematics', () => {
  test('zero pose hangs straight down', () => {
    const at = solve(kUpright, new Array<number>(kSmallCoordinates).fill(0));
    expect_close(at['trunk'], kUpright);
    expect_close(at['thigh'], [1, 2.1, 2.6, 0, 0, 0, 1]);
    expect_close(at['shank'], [1, 2.1, 2.2, 0, 0, 0, 1]);
    expect_close(at['foot'], [1.05, 2.1, 1.98, 0, 0, 0, 1]);
  });

  test('the coordinates follow the joints in their order, not the links', () => {
    expect(small_body().links.map(({ coordinate }) => coordinate)).toEqual([0, 4, 0, 3]);
  });

  test('a knee bent by a right angle points the shank backward', () => {
    const at = solve(kUpright, [0, 0, 0, Math.PI / 2, 0, 0]);
    expect_close(at['shank']?.slice(0, 3), [0.8, 2.1, 2.4]);
  });

  test('the ankle pitches about the parent, then rolls about the child', () => {
    const at = solve(kUpright, [0, 0, 0, 0, Math.PI / 2, Math.PI / 2]);
    const up = [0, 0, 0];
    rotate(at['foot'] ?? [], 3, 0, 0, 1, up, 0);
    // R_y(90) R_x(90) z = R_y(90) (-y) = -y
    expect_close(up, [0, -1, 0]);
  });

  test('a turned root turns everything', () => {
    const half = Math.SQRT1_2;
    const at = solve([0, 0, 0, 0, 0, half, half], new Array<number>(kSmallCoordinates).fill(0));
    expect_close(at['thigh']?.slice(0, 3), [-0.1, 0, -0.4]);
  });

  test('a slider moves its child along the axis in the frame of the parent', () => {
    const lift = make_skeleton(
      create(CreatureSchema, {
        links: [{ name: 'mast' }, { name: 'cabin' }],
        joints: [
          {
            parent: 'mast',
            child: 'cabin',
            kind: JointKind.SLIDER,
            axis: [0, 0, 1],
            atParentM: [0.5, 0, 0],
            upperM: [3],
          },
        ],
      }),
    );
    const half = Math.SQRT1_2;
    const poses = new Float64Array(14);
    // The mast lies on its side: its z is the world's -y.
    forward_kinematics(lift, [0, 0, 1, half, 0, 0, half], 0, [2], 0, poses, 0);
    expect_close([...poses.subarray(7)], [0.5, -2, 1, half, 0, 0, half]);
    expect(lift.coordinates).toBe(1);
    expect(lift.reach).toBe(0); // no shapes: nothing to reach with
  });
});

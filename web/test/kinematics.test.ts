import { describe, expect, test } from 'vitest';
import { forward_kinematics, kPoseSize } from '../src/state/kinematics';
import { rotate } from '../src/state/quaternion';
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
});

// How a body lies when it is put down: in the pose that its file gives, on its lowest point.
import { forward_kinematics, kPoseSize } from './kinematics';
import { at, from_axis_angle, type Numbers, rotate, type Vec3 } from '../values/quaternion';
import { type Bounds, bounds_of, corners } from './shapes';
import type { Skeleton } from './skeleton';

/** Poses of all links. @param origin of the first link, m, world frame */
export function rest_pose(skeleton: Skeleton, origin: Vec3, yaw_rad: number): Float32Array {
  const root = new Float64Array(kPoseSize);
  root.set(origin);
  from_axis_angle(0, 0, 1, yaw_rad, root, 3);
  const poses = new Float32Array(kPoseSize * skeleton.links.length);
  forward_kinematics(skeleton, root, 0, Float64Array.from(skeleton.rest), 0, poses, 0);
  return poses;
}

/**
 * The box around a body, m, world frame. Corners of the shapes' boxes: nothing reaches beyond.
 * @param first number of its poses
 */
export function box_of(skeleton: Skeleton, poses: Numbers, first = 0): Bounds {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  const turned = [0, 0, 0];
  const meet = (p: number, point: Vec3, radius: number) => {
    rotate(poses, p + 3, ...point, turned, 0);
    for (let k = 0; k < 3; ++k) {
      const middle = at(poses, p + k) + at(turned, k);
      low[k] = Math.min(at(low, k), middle - radius);
      high[k] = Math.max(at(high, k), middle + radius);
    }
  };
  skeleton.links.forEach(({ shapes }, i) => {
    const p = first + kPoseSize * i;
    for (const shape of shapes) {
      if (shape.kind === 'sphere') meet(p, shape.center, shape.radius);
      else if (shape.kind === 'capsule')
        for (const end of [shape.from, shape.to]) meet(p, end, shape.radius);
      else {
        for (const corner of corners(bounds_of(shape))) meet(p, corner, 0);
      }
    }
  });
  const some = at(low, 0) <= at(high, 0);
  const vec = (v: readonly number[]): Vec3 => (some ? [at(v, 0), at(v, 1), at(v, 2)] : [0, 0, 0]);
  return [vec(low), vec(high)];
}

/** Least and greatest z of everything, m. */
export function height_range(skeleton: Skeleton, poses: Numbers): readonly [number, number] {
  const [low, high] = box_of(skeleton, poses);
  return [low[2], high[2]];
}

const rest_sizes = new WeakMap<Skeleton, Vec3>();

/** How large a body is in the pose in which it is put down, m along x, y and z. */
export function rest_size(skeleton: Skeleton): Vec3 {
  const known = rest_sizes.get(skeleton);
  if (known) return known;
  const [low, high] = box_of(skeleton, rest_pose(skeleton, [0, 0, 0], 0));
  const size: Vec3 = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
  rest_sizes.set(skeleton, size);
  return size;
}

/** The origin of the first link, so that the body stands on this point. */
export function origin_on(skeleton: Skeleton, point: Vec3): Vec3 {
  const [low] = height_range(skeleton, rest_pose(skeleton, [0, 0, 0], 0));
  return [point[0], point[1], point[2] - low];
}

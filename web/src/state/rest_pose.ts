// How a body lies when it is put down: in the pose that its file gives, on its lowest point.
import { forward_kinematics, kPoseSize } from './kinematics';
import { at, from_axis_angle, rotate, type Vec3 } from './quaternion';
import { bounds_of } from './shapes';
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

/** Least and greatest z of everything, m. Corners of the shapes' boxes: nothing reaches beyond. */
export function height_range(skeleton: Skeleton, poses: Float32Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  const turned = [0, 0, 0];
  skeleton.links.forEach(({ shapes }, i) => {
    const p = kPoseSize * i;
    for (const shape of shapes) {
      if (shape.kind === 'sphere' || shape.kind === 'capsule') {
        const ends = shape.kind === 'sphere' ? [shape.center] : [shape.from, shape.to];
        for (const end of ends) {
          rotate(poses, p + 3, ...end, turned, 0);
          const z = at(poses, p + 2) + at(turned, 2);
          low = Math.min(low, z - shape.radius);
          high = Math.max(high, z + shape.radius);
        }
        continue;
      }
      const [a, b] = bounds_of(shape);
      for (const x of [a[0], b[0]])
        for (const y of [a[1], b[1]])
          for (const corner of [a[2], b[2]]) {
            rotate(poses, p + 3, x, y, corner, turned, 0);
            const z = at(poses, p + 2) + at(turned, 2);
            low = Math.min(low, z);
            high = Math.max(high, z);
          }
    }
  });
  return low <= high ? [low, high] : [0, 0];
}

/** The origin of the first link, so that the body stands on this point. */
export function origin_on(skeleton: Skeleton, point: Vec3): Vec3 {
  const [low] = height_range(skeleton, rest_pose(skeleton, [0, 0, 0], 0));
  return [point[0], point[1], point[2] - low];
}

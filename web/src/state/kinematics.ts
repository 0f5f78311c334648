import { kRootSize } from '../net/frame';
import {
  from_axis_angle,
  from_rotation_vector,
  multiply,
  type Numbers,
  rotate,
  at,
} from './quaternion';
import type { Skeleton, SkeletonLink } from './skeleton';

/** Numbers a link's pose takes: position x, y, z (m), then rotation x, y, z, w. World frame. */
export const kPoseSize = kRootSize;

const joint_rotation = new Float64Array(4);
const pitch = new Float64Array(4);
const roll = new Float64Array(4);
const joint_shift = new Float64Array(3);
const offset = new Float64Array(3);

/** Writes how the child lies to the parent: joint_rotation, and joint_shift in the parent's frame. */
function move_joint(link: SkeletonLink, coordinates: Numbers, c: number): void {
  joint_shift.fill(0);
  switch (link.joint.kind) {
    case 'root':
      from_axis_angle(0, 0, 0, 0, joint_rotation, 0);
      return;
    case 'hinge': {
      const [x, y, z] = link.joint.axis;
      from_axis_angle(x, y, z, at(coordinates, c), joint_rotation, 0);
      return;
    }
    case 'universal':
      from_axis_angle(0, 1, 0, at(coordinates, c), pitch, 0);
      from_axis_angle(1, 0, 0, at(coordinates, c + 1), roll, 0);
      multiply(pitch, 0, roll, 0, joint_rotation, 0);
      return;
    case 'ball':
      from_rotation_vector(
        at(coordinates, c),
        at(coordinates, c + 1),
        at(coordinates, c + 2),
        joint_rotation,
        0,
      );
      return;
    case 'slider':
      from_axis_angle(0, 0, 0, 0, joint_rotation, 0);
      for (let k = 0; k < 3; ++k)
        joint_shift[k] = (link.joint.axis[k] as number) * at(coordinates, c);
      return;
  }
}

/**
 * Where every link is. R_child = R_parent R_joint; p_child = p_parent + R_parent (at_parent + shift) -
 * R_child at_child, where shift is a slider's axis times its coordinate, else 0.
 * @param root poses: position x, y, z and rotation x, y, z, w of the root, from root[r]
 * @param coordinates the joints', in link order, from coordinates[c]
 * @param out kPoseSize numbers a link, in link order, from out[o]
 */
export function forward_kinematics(
  skeleton: Skeleton,
  root: Numbers,
  r: number,
  coordinates: Numbers,
  c: number,
  out: Numbers,
  o: number,
): void {
  for (const i of skeleton.order) {
    const link = skeleton.links[i] as SkeletonLink;
    const to = o + i * kPoseSize;
    if (link.parent < 0) {
      for (let k = 0; k < kPoseSize; ++k) out[to + k] = at(root, r + k);
      continue;
    }
    const from = o + link.parent * kPoseSize;
    move_joint(link, coordinates, c + link.coordinate);
    multiply(out, from + 3, joint_rotation, 0, out, to + 3);
    const [x, y, z] = link.at_parent;
    rotate(
      out,
      from + 3,
      x + at(joint_shift, 0),
      y + at(joint_shift, 1),
      z + at(joint_shift, 2),
      offset,
      0,
    );
    for (let k = 0; k < 3; ++k) out[to + k] = at(out, from + k) + at(offset, k);
    rotate(out, to + 3, ...link.at_child, offset, 0);
    for (let k = 0; k < 3; ++k) out[to + k] = at(out, to + k) - at(offset, k);
  }
}

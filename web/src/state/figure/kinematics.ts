import { kRootSize } from '../../net/frame';
import { at, type Numbers } from '../values/quaternion';
import type { Skeleton, SkeletonLink } from './skeleton';

/** Numbers a link's pose takes: position x, y, z (m), then rotation x, y, z, w. World frame. */
export const kPoseSize = kRootSize;

/** How poses lie in an array. */
export interface PoseLayout {
  readonly stride: number; // numbers from one link to the next
  readonly turn: number; // of the rotation, from the first of a link; the position begins there
}

const kPacked: PoseLayout = { stride: kPoseSize, turn: 3 };

// The joint that is being moved: its rotation, and the shift of a slider in the parent's frame.
let [jx, jy, jz, jw] = [0, 0, 0, 1];
let [sx, sy, sz] = [0, 0, 0];

function turn_about(x: number, y: number, z: number, angle: number): void {
  const s = Math.sin(angle / 2);
  jx = x * s;
  jy = y * s;
  jz = z * s;
  jw = Math.cos(angle / 2);
}

/** Sets the joint to its coordinates, from coordinates[c]. */
function move_joint({ joint }: SkeletonLink, coordinates: Numbers, c: number): void {
  sx = sy = sz = 0;
  switch (joint.kind) {
    case 'root':
      jx = jy = jz = 0;
      jw = 1;
      return;
    case 'hinge': {
      const { axis } = joint;
      turn_about(axis[0], axis[1], axis[2], at(coordinates, c));
      return;
    }
    case 'universal': {
      // A pitch, then a roll about the axis that the pitch has turned.
      const [pitch, roll] = [at(coordinates, c) / 2, at(coordinates, c + 1) / 2];
      const sp = Math.sin(pitch);
      const cp = Math.cos(pitch);
      const sr = Math.sin(roll);
      const cr = Math.cos(roll);
      jx = cp * sr;
      jy = sp * cr;
      jz = -sp * sr;
      jw = cp * cr;
      return;
    }
    case 'ball': {
      const x = at(coordinates, c);
      const y = at(coordinates, c + 1);
      const z = at(coordinates, c + 2);
      const angle = Math.sqrt(x * x + y * y + z * z);
      if (angle > 1e-9) {
        turn_about(x / angle, y / angle, z / angle, angle);
      } else {
        jx = x / 2;
        jy = y / 2;
        jz = z / 2;
        jw = 1;
      }
      return;
    }
    case 'slider': {
      const { axis } = joint;
      const way = at(coordinates, c);
      jx = jy = jz = 0;
      jw = 1;
      sx = axis[0] * way;
      sy = axis[1] * way;
      sz = axis[2] * way;
      return;
    }
  }
}

/**
 * Where every link is. R_child = R_parent R_joint; p_child = p_parent + R_parent (at_parent + shift) -
 * R_child at_child, where shift is a slider's axis times its coordinate, else 0. Written out in numbers: it runs for
 * hundreds of bodies a picture, and allocates nothing.
 * @param root poses: position x, y, z and rotation x, y, z, w of the root, from root[r]
 * @param coordinates the joints', in link order, from coordinates[c]
 * @param out the poses, in link order, from out[o]
 */
export function forward_kinematics(
  skeleton: Skeleton,
  root: Numbers,
  r: number,
  coordinates: Numbers,
  c: number,
  out: Numbers,
  o: number,
  { stride, turn }: PoseLayout = kPacked,
): void {
  const { links, order } = skeleton;
  for (let n = 0; n < order.length; ++n) {
    const i = order[n] as number;
    const link = links[i] as SkeletonLink;
    const to = o + i * stride;
    if (link.parent < 0) {
      for (let k = 0; k < 3; ++k) out[to + k] = at(root, r + k);
      for (let k = 0; k < 4; ++k) out[to + turn + k] = at(root, r + 3 + k);
      continue;
    }
    move_joint(link, coordinates, c + link.coordinate);
    const from = o + link.parent * stride;
    const px = at(out, from + turn);
    const py = at(out, from + turn + 1);
    const pz = at(out, from + turn + 2);
    const pw = at(out, from + turn + 3);
    const qx = pw * jx + px * jw + py * jz - pz * jy;
    const qy = pw * jy - px * jz + py * jw + pz * jx;
    const qz = pw * jz + px * jy - py * jx + pz * jw;
    const qw = pw * jw - px * jx - py * jy - pz * jz;
    const { at_parent, at_child } = link;
    const x = at_parent[0] + sx;
    const y = at_parent[1] + sy;
    const z = at_parent[2] + sz;
    const tx = 2 * (py * z - pz * y);
    const ty = 2 * (pz * x - px * z);
    const tz = 2 * (px * y - py * x);
    const u = at_child[0];
    const v = at_child[1];
    const w = at_child[2];
    const dx = 2 * (qy * w - qz * v);
    const dy = 2 * (qz * u - qx * w);
    const dz = 2 * (qx * v - qy * u);
    out[to] = at(out, from) + x + pw * tx + py * tz - pz * ty - (u + qw * dx + qy * dz - qz * dy);
    out[to + 1] =
      at(out, from + 1) + y + pw * ty + pz * tx - px * tz - (v + qw * dy + qz * dx - qx * dz);
    out[to + 2] =
      at(out, from + 2) + z + pw * tz + px * ty - py * tx - (w + qw * dz + qx * dy - qy * dx);
    out[to + turn] = qx;
    out[to + turn + 1] = qy;
    out[to + turn + 2] = qz;
    out[to + turn + 3] = qw;
  }
}

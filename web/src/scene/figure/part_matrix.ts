import { at, multiply, rotate } from '../../state/quaternion';
import type { FigurePart } from './tailor';

const quaternion = new Float64Array(4);
const offset = new Float64Array(3);

/** Writes the matrix of a part on its link, whose pose starts at poses[p], to out[o..o+15]. */
export function write_matrix(
  out: Float32Array,
  o: number,
  poses: Float32Array,
  p: number,
  part: FigurePart,
): void {
  rotate(poses, p + 3, ...part.position, offset, 0);
  if (part.rotation) multiply(poses, p + 3, part.rotation, 0, quaternion, 0);
  else for (let k = 0; k < 4; ++k) quaternion[k] = at(poses, p + 3 + k);
  const x = at(quaternion, 0),
    y = at(quaternion, 1),
    z = at(quaternion, 2),
    w = at(quaternion, 3);
  const [sx, sy, sz] = part.scale;
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y + w * z) * sx;
  out[o + 2] = 2 * (x * z - w * y) * sx;
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - w * z) * sy;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z + w * x) * sy;
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + w * y) * sz;
  out[o + 9] = 2 * (y * z - w * x) * sz;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = 0;
  out[o + 12] = at(poses, p) + at(offset, 0);
  out[o + 13] = at(poses, p + 1) + at(offset, 1);
  out[o + 14] = at(poses, p + 2) + at(offset, 2);
  out[o + 15] = 1;
}

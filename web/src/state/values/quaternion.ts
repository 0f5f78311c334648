// Quaternions x, y, z, w in flat arrays, so that a crowd's poses live in a few typed arrays.

export type Vec3 = readonly [number, number, number];

/** Any array of numbers that can be written: number[], Float32Array or Float64Array. */
export interface Numbers {
  [index: number]: number;
  readonly length: number;
}

/** Reads one element that is known to exist. */
export function at(array: Numbers, index: number): number {
  return array[index] as number;
}

/** out[o..o+3] = a[i..] * b[j..]: the rotation b followed by a. */
export function multiply(
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  out: Numbers,
  o: number,
): void {
  const ax = at(a, i),
    ay = at(a, i + 1),
    az = at(a, i + 2),
    aw = at(a, i + 3);
  const bx = at(b, j),
    by = at(b, j + 1),
    bz = at(b, j + 2),
    bw = at(b, j + 3);
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out[o..o+2] = the vector (x, y, z) turned by the quaternion q[i..i+3]. */
export function rotate(
  q: Numbers,
  i: number,
  x: number,
  y: number,
  z: number,
  out: Numbers,
  o: number,
): void {
  const qx = at(q, i),
    qy = at(q, i + 1),
    qz = at(q, i + 2),
    qw = at(q, i + 3);
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out[o] = x + qw * tx + qy * tz - qz * ty;
  out[o + 1] = y + qw * ty + qz * tx - qx * tz;
  out[o + 2] = z + qw * tz + qx * ty - qy * tx;
}

/** out[o..o+2] = the vector (x, y, z) turned by the inverse of the unit quaternion q[i..i+3]. */
export function rotate_inverse(
  q: Numbers,
  i: number,
  x: number,
  y: number,
  z: number,
  out: Numbers,
  o: number,
): void {
  conjugate[0] = -at(q, i);
  conjugate[1] = -at(q, i + 1);
  conjugate[2] = -at(q, i + 2);
  conjugate[3] = at(q, i + 3);
  rotate(conjugate, 0, x, y, z, out, o);
}
const conjugate = [0, 0, 0, 1];

/** out[o..o+3] = the rotation by `angle` rad about the unit vector (x, y, z). */
export function from_axis_angle(
  x: number,
  y: number,
  z: number,
  angle: number,
  out: Numbers,
  o: number,
): void {
  const s = Math.sin(angle / 2);
  out[o] = x * s;
  out[o + 1] = y * s;
  out[o + 2] = z * s;
  out[o + 3] = Math.cos(angle / 2);
}

/** out[o..o+3] = the rotation of a rotation vector (axis times angle, rad). */
export function from_rotation_vector(
  x: number,
  y: number,
  z: number,
  out: Numbers,
  o: number,
): void {
  const angle = Math.sqrt(x * x + y * y + z * z); // several times as fast as Math.hypot
  if (angle < 1e-9) {
    out[o] = x / 2;
    out[o + 1] = y / 2;
    out[o + 2] = z / 2;
    out[o + 3] = 1;
    return;
  }
  from_axis_angle(x / angle, y / angle, z / angle, angle, out, o);
}

/** out[o..o+3] = a[i..] towards b[j..] by t in 0..1, the short way, normalised. */
export function blend(
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  t: number,
  out: Numbers,
  o: number,
): void {
  let dot = 0;
  for (let k = 0; k < 4; ++k) dot += at(a, i + k) * at(b, j + k);
  const s = dot < 0 ? -t : t;
  let norm = 0;
  for (let k = 0; k < 4; ++k) {
    const value = at(a, i + k) * (1 - t) + at(b, j + k) * s;
    out[o + k] = value;
    norm += value * value;
  }
  const scale = norm > 0 ? 1 / Math.sqrt(norm) : 1;
  for (let k = 0; k < 4; ++k) out[o + k] = at(out, o + k) * scale;
}

/** Angle of a rotation about z, from world x towards y, of the direction that x turns to; rad. */
export function heading_of(q: Numbers, i: number): number {
  const x = at(q, i),
    y = at(q, i + 1),
    z = at(q, i + 2),
    w = at(q, i + 3);
  return Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
}

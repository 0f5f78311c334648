// Where all links are, for shaders: parts of bodies know their link, and nothing has to be computed for each part of
// each body in each picture.
import * as THREE from 'three';
import { kPoseSize, type PoseLayout } from '../../state/figure/kinematics';

export const kTexels = 512; // of a row: 256 links

/** The row of a part that is placed in the world itself. */
export const kNoLink = -1;

/** Numbers of a link: position, m; how much of it is left out of the picture; quaternion x, y, z, w. */
export const kRowSize = 8;
/** The same for what writes poses there. */
export const kRowLayout: PoseLayout = { stride: kRowSize, turn: 4 };

/** Two texels a link: its position and how much of it is left out of the picture, then its quaternion. */
export class PoseTexture {
  readonly uniform: { value: THREE.DataTexture };

  constructor() {
    this.uniform = { value: make(1) };
  }

  /** kRowSize numbers a link. */
  get numbers(): Float32Array {
    return this.uniform.value.image.data as Float32Array;
  }

  /** Makes room for this number of links. Poses that were there stay. */
  reserve(links: number): void {
    const old = this.uniform.value;
    const rows = Math.max(1, Math.ceil((2 * links) / kTexels));
    if (old.image.height >= rows) return;
    const texture = make(Math.max(rows, Math.ceil(1.5 * old.image.height)));
    (texture.image.data as Float32Array).set(this.numbers);
    old.dispose();
    this.uniform.value = texture;
  }

  /** @param poses kPoseSize numbers a link: position, m, and quaternion x, y, z, w */
  update(poses: Float32Array): void {
    const links = poses.length / kPoseSize;
    this.reserve(links);
    this.write(0, poses, 0, links, 0);
    this.send();
  }

  /** Writes the poses of links from poses[p] on. @param veil how much of them is left out, 0 to 1 */
  write(first: number, poses: Float32Array, p: number, links: number, veil: number): void {
    const out = this.numbers;
    const end = p + links * kPoseSize;
    for (let o = first * kRowSize; p < end; p += kPoseSize, o += kRowSize) {
      out[o] = poses[p] as number;
      out[o + 1] = poses[p + 1] as number;
      out[o + 2] = poses[p + 2] as number;
      out[o + 3] = veil;
      out[o + 4] = poses[p + 3] as number;
      out[o + 5] = poses[p + 4] as number;
      out[o + 6] = poses[p + 5] as number;
      out[o + 7] = poses[p + 6] as number;
    }
  }

  /** Sends everything to the GPU. */
  send(): void {
    this.uniform.value.needsUpdate = true;
  }

  dispose(): void {
    this.uniform.value.dispose();
  }
}

function make(rows: number): THREE.DataTexture {
  const data = new Float32Array(4 * kTexels * rows);
  const texture = new THREE.DataTexture(data, kTexels, rows, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

/** GLSL: turns a vector by a quaternion, and reads texels that lie one after the other in a texture of poses. */
export const kReadLinks = /* glsl */ `
vec3 roundTurned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec4 roundTexel(highp sampler2D links, int texel) {
  return texelFetch(links, ivec2(texel % ${kTexels}, texel / ${kTexels}), 0);
}
`;

/** GLSL: where a link is, by its row, and how much of it is left out. */
export const kReadPose = /* glsl */ `
uniform highp sampler2D poses;
${kReadLinks}
void roundLink(float row, out vec3 at, out vec4 turn) {
  if (row < 0.0) { at = vec3(0.0); turn = vec4(0.0, 0.0, 0.0, 1.0); return; }
  int texel = 2 * int(row + 0.5);
  at = roundTexel(poses, texel).xyz;
  turn = roundTexel(poses, texel + 1);
}
float roundVeil(float row) { return row < 0.0 ? 0.0 : roundTexel(poses, 2 * int(row + 0.5)).w; }
`;

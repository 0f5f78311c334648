// Where all links are, for shaders: parts of bodies know their link, and nothing has to be computed for each part of
// each body in each picture.
import * as THREE from 'three';
import { kPoseSize } from '../../state/kinematics';

const kTexels = 512; // of a row: 256 links

/** The row of a part that is placed in the world itself. */
export const kNoLink = -1;

/** Two texels a link: its position and how much of it is left out of the picture, then its quaternion. */
export class PoseTexture {
  readonly uniform: { value: THREE.DataTexture };
  private readonly veiled_: number[] = []; // links

  constructor() {
    this.uniform = { value: make(1) };
  }

  /** @param poses kPoseSize numbers a link: position, m, and quaternion x, y, z, w */
  update(poses: Float32Array): void {
    const links = poses.length / kPoseSize;
    const rows = Math.max(1, Math.ceil((2 * links) / kTexels));
    let texture = this.uniform.value;
    if (texture.image.height < rows) {
      texture.dispose();
      texture = this.uniform.value = make(rows);
    }
    const out = texture.image.data as Float32Array;
    for (let p = 0, o = 0; p < poses.length; p += kPoseSize, o += 8) {
      out[o] = poses[p] as number;
      out[o + 1] = poses[p + 1] as number;
      out[o + 2] = poses[p + 2] as number;
      out[o + 4] = poses[p + 3] as number;
      out[o + 5] = poses[p + 4] as number;
      out[o + 6] = poses[p + 5] as number;
      out[o + 7] = poses[p + 6] as number;
    }
    texture.needsUpdate = true;
  }

  /** Leaves out nothing of any link. */
  unveil(): void {
    const out = this.uniform.value.image.data as Float32Array;
    for (const link of this.veiled_) out[8 * link + 3] = 0;
    this.veiled_.length = 0;
  }

  /** Leaves out some of the pixels of links. @param amount 0 to 1 */
  veil(first: number, links: number, amount: number): void {
    const out = this.uniform.value.image.data as Float32Array;
    for (let link = first; link < first + links; ++link) {
      out[8 * link + 3] = amount;
      this.veiled_.push(link);
    }
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

/** GLSL: `link_at` and `link_turn` of a row, and how much of it is left out. */
export const kReadPose = /* glsl */ `
uniform highp sampler2D poses;
vec3 roundTurned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void roundLink(float row, out vec3 at, out vec4 turn) {
  if (row < 0.0) { at = vec3(0.0); turn = vec4(0.0, 0.0, 0.0, 1.0); return; }
  int texel = 2 * int(row + 0.5);
  ivec2 place = ivec2(texel % ${kTexels}, texel / ${kTexels});
  at = texelFetch(poses, place, 0).xyz;
  turn = texelFetch(poses, place + ivec2(1, 0), 0);
}
float roundVeil(float row) {
  if (row < 0.0) return 0.0;
  int texel = 2 * int(row + 0.5);
  return texelFetch(poses, ivec2(texel % ${kTexels}, texel / ${kTexels}), 0).w;
}
`;

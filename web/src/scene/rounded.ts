// One primitive for everything rounded: a sphere cut into octants whose corners are pulled apart. By
// its instance's numbers it is a sphere, a capsule, a tapered limb or a rounded box, so a whole crowd
// is a single draw call.
import * as THREE from 'three';

/** Numbers of one instance: half extents of the inner box (m), radii, and how the bottom differs. */
export interface RoundedShape {
  readonly half: readonly [number, number, number];
  readonly top: number; // radius at +z, m
  readonly bottom: number; // radius at -z, m
  readonly taper: number; // factor on the inner box's x and y at -z
}

/** @param detail segments of a quarter turn */
export function rounded_geometry(detail: number): THREE.BufferGeometry {
  const normals: number[] = [];
  const corners: number[] = [];
  const indices: number[] = [];
  const columns = 4 * (detail + 1);
  const rows = 2 * (detail + 1);
  for (let row = 0; row < rows; ++row) {
    const lower = row > detail ? 1 : 0;
    const theta = ((row - lower) / (2 * detail)) * Math.PI;
    for (let column = 0; column < columns; ++column) {
      const quadrant = Math.floor(column / (detail + 1));
      const phi = ((quadrant + (column % (detail + 1)) / detail) * Math.PI) / 2;
      normals.push(
        Math.sin(theta) * Math.cos(phi),
        Math.sin(theta) * Math.sin(phi),
        Math.cos(theta),
      );
      corners.push(
        quadrant === 0 || quadrant === 3 ? 1 : -1,
        quadrant < 2 ? 1 : -1,
        lower ? -1 : 1,
      );
    }
  }
  for (let row = 0; row + 1 < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const next = (column + 1) % columns;
      const a = row * columns + column,
        b = row * columns + next;
      const c = a + columns,
        d = b + columns;
      indices.push(a, c, b, b, c, d);
    }
  }
  const caps = [0, 1, 2, 3].map((quadrant) => quadrant * (detail + 1));
  const [p, q, r, s] = caps as [number, number, number, number];
  const last = (rows - 1) * columns;
  indices.push(p, q, r, p, r, s, last + p, last + r, last + q, last + p, last + s, last + r);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute('corner', new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex(indices);
  return geometry;
}

const kDeclare = /* glsl */ `
attribute vec3 corner;
attribute vec4 roundHalf;
attribute vec3 roundEnd;
`;

// At the sides of a tapered shape the normal leans by the slope of the side.
const kNormal = /* glsl */ `
vec3 roundSide = vec3(position.xy, position.z);
float roundSlope = (roundEnd.x - roundHalf.w + (roundEnd.y - 1.0) * max(roundHalf.x, roundHalf.y))
    / max(2.0 * roundHalf.z, 0.001);
float roundLean = step(0.002, roundHalf.z) * length(position.xy);
vec3 objectNormal = normalize(vec3(roundSide.xy, roundSide.z + clamp(roundSlope, -1.5, 1.5) * roundLean));
`;

const kPosition = /* glsl */ `
float roundBottom = step(corner.z, 0.0);
vec3 transformed = corner * roundHalf.xyz * vec3(vec2(mix(1.0, roundEnd.y, roundBottom)), 1.0)
    + position * mix(roundHalf.w, roundEnd.x, roundBottom);
`;

/** Makes a material draw rounded shapes; `glow` lights the picture of instances that ask for it. */
export function make_rounded<T extends THREE.Material>(material: T, glow: boolean): T {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>\n${kDeclare}\n${glow ? 'varying float vGlow;' : ''}`,
      )
      .replace('#include <beginnormal_vertex>', kNormal)
      .replace('#include <begin_vertex>', `${kPosition}\n${glow ? 'vGlow = roundEnd.z;' : ''}`);
    if (!glow) return;
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying float vGlow;')
      .replace(
        '#include <emissivemap_fragment>',
        `#include <emissivemap_fragment>
        float rim = pow(1.0 - abs(dot(normalize(vViewPosition), normal)), 2.5);
        totalEmissiveRadiance += vGlow * (0.10 + 0.9 * rim) * vec3(1.0, 0.82, 0.45);
        // Light that the ground and the sky throw back softens the edges of cloth.
        totalEmissiveRadiance += diffuseColor.rgb * rim * 0.12;`,
      );
  };
  material.customProgramCacheKey = () => `rounded-${glow}`;
  return material;
}

/** Instances of the primitive, with room for `capacity`. */
export class RoundedMesh {
  readonly mesh: THREE.InstancedMesh;
  private readonly half_: THREE.InstancedBufferAttribute;
  private readonly end_: THREE.InstancedBufferAttribute;
  private readonly depth_: THREE.MeshDepthMaterial | undefined;

  constructor(
    detail: number,
    material: THREE.Material,
    readonly capacity: number,
    shadows: boolean,
  ) {
    const geometry = rounded_geometry(detail);
    this.half_ = new THREE.InstancedBufferAttribute(new Float32Array(4 * capacity), 4);
    this.end_ = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    geometry.setAttribute('roundHalf', this.half_);
    geometry.setAttribute('roundEnd', this.end_);
    this.mesh = new THREE.InstancedMesh(geometry, material, capacity);
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    if (shadows) {
      this.depth_ = make_rounded(
        new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking }),
        false,
      );
      this.mesh.customDepthMaterial = this.depth_;
      this.mesh.castShadow = true;
      this.mesh.receiveShadow = true;
    }
  }

  get matrices(): Float32Array {
    return this.mesh.instanceMatrix.array as Float32Array;
  }

  set_shape(i: number, shape: RoundedShape, color: THREE.Color, glow: number): void {
    this.half_.setXYZW(i, shape.half[0], shape.half[1], shape.half[2], shape.top);
    this.end_.setXYZ(i, shape.bottom, shape.taper, glow);
    this.mesh.instanceColor?.setXYZ(i, color.r, color.g, color.b);
  }

  shapes_changed(): void {
    this.half_.needsUpdate = true;
    this.end_.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  matrices_changed(count: number): void {
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.depth_?.dispose();
    this.mesh.dispose();
  }
}

// One primitive for every body: a sphere cut into octants whose corners are pulled apart, and whose poles
// may be widened to discs. By its instance's numbers it is a sphere, a capsule, a tapered limb, a rounded box or
// a cylinder, so a whole crowd is a single draw call.
import * as THREE from 'three';
import { kSurfaceCode, kSurfaces, type Surface } from './surfaces';

/** Numbers of one instance: half extents of the inner box (m), radii, and how the bottom differs. */
export interface RoundedShape {
  readonly half: readonly [number, number, number];
  readonly top: number; // radius at +z, m
  readonly bottom: number; // radius at -z, m
  readonly taper: number; // factor on the inner box's x and y, and on the disc, at -z
  readonly disc?: number; // radius of a flat end, m, to which `top` and `bottom` add; 0 where left out
}

/** What an instance is made of. */
export interface Coat {
  readonly color: THREE.Color;
  readonly surface: Surface;
  readonly seed: number; // 0 to 1: no two planks are alike
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
attribute vec4 roundHalf;   // half extents of the inner box, radius at the top
attribute vec4 roundEnd;    // radius at the bottom, taper, glow, disc
attribute float roundPresence;  // 0 to 1, of its pixels that are drawn
varying float vRoundPresence;
`;
// Who fades is drawn in part of the pixels, so that the crowd stays one draw call that needs no order. The pattern is
// interleaved gradient noise (Jimenez 2014), which has no rows that the eye could follow.
const kFadeDeclare = /* glsl */ `varying float vRoundPresence;`;
const kFade = /* glsl */ `
if (vRoundPresence < 0.999 &&
    fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) >= vRoundPresence) discard;
`;
const kDeclareCoat = /* glsl */ `
attribute vec2 roundCoat;   // surface, seed
varying vec3 vRoundPoint;   // m, in the frame of the part
varying vec3 vRoundFacing;  // normal, likewise
varying vec3 vRoundSize;    // half extents, m
varying vec3 vRoundCoat;    // surface, seed, glow
`;

// At the sides of a tapered shape the normal leans by the slope of the side. The flat end of a disc reaches to
// the first row of the sphere: the rows from there on make its rim.
const kNormal = /* glsl */ `
float roundDisc = roundEnd.w;
vec3 roundSide = position;
if (roundDisc > 0.0) {
  float across = length(position.xy);
  float tilt = max(0.0, (atan(across, abs(position.z)) - kFirstRow) / (1.5707963 - kFirstRow)) * 1.5707963;
  vec2 away = across > 1e-6 ? position.xy / across : vec2(0.0);
  roundSide = vec3(away * sin(tilt), sign(position.z) * cos(tilt));
  if (abs(position.z) < 1e-6) roundSide = vec3(away, 0.0);
}
float roundSlope = (roundEnd.x - roundHalf.w
    + (roundEnd.y - 1.0) * (max(roundHalf.x, roundHalf.y) + roundDisc)) / max(2.0 * roundHalf.z, 0.001);
float roundLean = step(0.0005, roundHalf.z) * length(roundSide.xy);
vec3 objectNormal = normalize(vec3(roundSide.xy, roundSide.z + clamp(roundSlope, -1.5, 1.5) * roundLean));
`;

const kPosition = /* glsl */ `
vRoundPresence = roundPresence;
float roundBottom = step(corner.z, 0.0);
float roundTaper = mix(1.0, roundEnd.y, roundBottom);
float roundAcross = length(position.xy);
vec3 transformed = corner * roundHalf.xyz * vec3(vec2(roundTaper), 1.0)
    + roundSide * mix(roundHalf.w, roundEnd.x, roundBottom);
if (roundDisc > 0.0 && roundAcross > 1e-6)
  transformed.xy += position.xy / roundAcross * roundDisc * roundTaper;
`;
// Shadows need no normals of their own, but the position is built on them.
const kSideForDepth = kNormal.replace('vec3 objectNormal', 'vec3 roundUnused');

const kCoat = /* glsl */ `
vec3 roundScale = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
vRoundPoint = transformed * roundScale;
vRoundFacing = objectNormal;
vRoundSize = (roundHalf.xyz + vec3(vec2(roundDisc), 0.0) + max(roundHalf.w, roundEnd.x)) * roundScale;
vRoundCoat = vec3(roundCoat, roundEnd.z);
`;

/**
 * Makes a material draw rounded shapes.
 * @param coated with the surfaces of its instances, lit up where they ask for it
 * @param detail of the geometry that it is used with
 */
export function make_rounded<T extends THREE.Material>(
  material: T,
  coated: boolean,
  detail: number,
): T {
  const depth = material instanceof THREE.MeshDepthMaterial;
  const first_row = (Math.PI / 2 / detail).toFixed(6);
  const declare = `#define kFirstRow ${first_row}\n${kDeclare}${coated ? kDeclareCoat : ''}`;
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${declare}`)
      .replace('#include <beginnormal_vertex>', depth ? '' : kNormal)
      .replace(
        '#include <begin_vertex>',
        `${depth ? kSideForDepth : ''}${kPosition}\n${coated ? kCoat : ''}`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${kFadeDeclare}`)
      .replace(
        '#include <clipping_planes_fragment>',
        `#include <clipping_planes_fragment>\n${kFade}`,
      );
    if (!coated) return;
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${kSurfaces.declare}`)
      .replace('#include <color_fragment>', `#include <color_fragment>\n${kSurfaces.color}`)
      .replace('#include <roughnessmap_fragment>', 'float roughnessFactor = coat.roughness;')
      .replace('#include <metalnessmap_fragment>', 'float metalnessFactor = coat.metalness;')
      .replace(
        '#include <emissivemap_fragment>',
        `#include <emissivemap_fragment>
        float rim = pow(1.0 - abs(dot(normalize(vViewPosition), normal)), 2.5);
        totalEmissiveRadiance += vRoundCoat.z * (0.10 + 0.9 * rim) * vec3(1.0, 0.82, 0.45);
        // Light that the ground and the sky throw back softens the edges of cloth.
        totalEmissiveRadiance += diffuseColor.rgb * rim * coat.softness;`,
      );
  };
  material.customProgramCacheKey = () => `rounded-${coated}-${depth}-${detail}`;
  return material;
}

/** Instances of the primitive, with room for `capacity`. */
export class RoundedMesh {
  readonly mesh: THREE.InstancedMesh;
  private readonly half_: THREE.InstancedBufferAttribute;
  private readonly end_: THREE.InstancedBufferAttribute;
  private readonly coat_: THREE.InstancedBufferAttribute;
  private readonly presence_: THREE.InstancedBufferAttribute;
  private readonly depth_: THREE.MeshDepthMaterial | undefined;

  constructor(
    detail: number,
    material: THREE.Material,
    readonly capacity: number,
    shadows: boolean,
  ) {
    const geometry = rounded_geometry(detail);
    this.half_ = new THREE.InstancedBufferAttribute(new Float32Array(4 * capacity), 4);
    this.end_ = new THREE.InstancedBufferAttribute(new Float32Array(4 * capacity), 4);
    this.coat_ = new THREE.InstancedBufferAttribute(new Float32Array(2 * capacity), 2);
    this.presence_ = new THREE.InstancedBufferAttribute(new Float32Array(capacity).fill(1), 1);
    geometry.setAttribute('roundPresence', this.presence_);
    geometry.setAttribute('roundCoat', this.coat_);
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
        detail,
      );
      this.mesh.customDepthMaterial = this.depth_;
      this.mesh.castShadow = true;
      this.mesh.receiveShadow = true;
    }
  }

  get matrices(): Float32Array {
    return this.mesh.instanceMatrix.array as Float32Array;
  }

  set_shape(i: number, shape: RoundedShape, coat: Coat, glow: number): void {
    const { color, surface, seed } = coat;
    this.half_.setXYZW(i, shape.half[0], shape.half[1], shape.half[2], shape.top);
    this.end_.setXYZW(i, shape.bottom, shape.taper, glow, shape.disc ?? 0);
    this.coat_.setXY(i, kSurfaceCode[surface], seed);
    this.mesh.instanceColor?.setXYZ(i, color.r, color.g, color.b);
  }

  /** @param presence 0 to 1, how much of the instance there is to see */
  set_presence(i: number, presence: number): void {
    this.presence_.setX(i, presence);
  }

  presence_changed(): void {
    this.presence_.needsUpdate = true;
  }

  shapes_changed(): void {
    this.half_.needsUpdate = true;
    this.end_.needsUpdate = true;
    this.coat_.needsUpdate = true;
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

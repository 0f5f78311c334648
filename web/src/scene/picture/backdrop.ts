// Houses with lit or shaded windows, and trees, around the square, far beyond where characters walk. One draw call, with one
// shader for both.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Palette } from './palette';

const kInner_m = 46; // half the width of the free square
const kTreeRing_m = 38;

/** Numbers that look random and are the same on every visit. */
function scatter(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const kWalls = ['#e7d8bd', '#dcc4a0', '#e3cdb4', '#d9b9a0', '#efe6d2', '#cfc2ae', '#d7c9b7'];
const kBark = '#6b5442';
const kLeaves = ['#6f8f4e', '#7d9a55', '#5e8250', '#8aa35c'];

/** Paints windows, 1.9 m apart along a wall and 2.9 m upwards, and roofs; not on trees. */
const kWindows = /* glsl */ `
float across = abs(vSide.x) > 0.5 ? vWall.y : vWall.x;
vec2 grid = vec2(across / 1.9, (vWall.z - 0.5) / 2.9);
vec2 cell = abs(fract(grid) - 0.5);
vec2 soft = fwidth(grid) * 0.75;
float window = (1.0 - smoothstep(0.21 - soft.x, 0.21 + soft.x, cell.x)) * (1.0 - smoothstep(0.29 - soft.y, 0.29 + soft.y, cell.y));
window *= step(abs(vSide.z), 0.5) * vHouse;
float lit = step(0.55, hash21(floor(grid) + floor(vWall.x * 0.01)));
diffuseColor.rgb = mix(diffuseColor.rgb, mix(vec3(0.30, 0.34, 0.38), vec3(0.12, 0.13, 0.17), lamp), window * 0.8);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.52, 0.27, 0.19), step(0.5, vSide.z) * 0.7 * vHouse);
float houseLight = window * lit * lamp;`;

export class Backdrop {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private readonly lamp_ = { value: 0 };

  constructor() {
    const random = scatter(20101);
    const pieces = [...make_houses(random), ...make_trees(random)];
    const geometry = mergeGeometries(pieces) as THREE.BufferGeometry;
    for (const piece of pieces) piece.dispose();
    this.mesh = new THREE.Mesh(geometry, this.make_material());
  }

  apply(palette: Palette): void {
    this.lamp_.value = palette.lamp;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  private make_material(): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({ vertexColors: true });
    material.onBeforeCompile = (shader) => {
      shader.uniforms['lamp'] = this.lamp_;
      shader.vertexShader = shader.vertexShader
        .replace(
          '#include <common>',
          `#include <common>
          attribute vec4 wall; // m, from the foot of the house's middle, in its frame; 1 for houses
          attribute vec3 side; // normal, in the same frame
          varying vec3 vWall; varying vec3 vSide; varying float vHouse;`,
        )
        .replace(
          '#include <begin_vertex>',
          '#include <begin_vertex>\nvWall = wall.xyz; vHouse = wall.w; vSide = side;',
        );
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          `#include <common>
          uniform float lamp; varying vec3 vWall; varying vec3 vSide; varying float vHouse;
          float hash21(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }`,
        )
        .replace('#include <color_fragment>', `#include <color_fragment>\n${kWindows}`)
        .replace(
          '#include <roughnessmap_fragment>',
          'float roughnessFactor = mix(1.0, 0.95, vHouse);',
        )
        .replace(
          '#include <emissivemap_fragment>',
          '#include <emissivemap_fragment>\ntotalEmissiveRadiance += vec3(1.0, 0.66, 0.32) * houseLight * 0.9;',
        );
    };
    material.customProgramCacheKey = () => 'backdrop';
    return material;
  }
}

/**
 * A piece of the one mesh: a shape in its place, of one colour.
 * @param size of a house, m; of what has no windows, undefined
 */
function piece_of(
  shape: THREE.BufferGeometry,
  place: THREE.Matrix4,
  color: THREE.Color,
  size?: THREE.Vector3,
): THREE.BufferGeometry {
  const piece = shape.index ? shape.toNonIndexed() : shape.clone();
  piece.deleteAttribute('uv');
  const { count } = piece.getAttribute('position');
  const colors = new Float32Array(3 * count);
  const wall = new Float32Array(4 * count);
  const side = new Float32Array(3 * count);
  for (let i = 0; i < count; ++i) color.toArray(colors, 3 * i);
  if (size) {
    const points = piece.getAttribute('position');
    for (let i = 0; i < count; ++i)
      wall.set(
        [points.getX(i) * size.x, points.getY(i) * size.y, (points.getZ(i) + 0.5) * size.z, 1],
        4 * i,
      );
    side.set(piece.getAttribute('normal').array);
  }
  piece.applyMatrix4(place);
  piece.setAttribute('color', new THREE.BufferAttribute(colors, 3));
  piece.setAttribute('wall', new THREE.BufferAttribute(wall, 4));
  piece.setAttribute('side', new THREE.BufferAttribute(side, 3));
  return piece;
}

function make_houses(random: () => number): THREE.BufferGeometry[] {
  const pieces: THREE.BufferGeometry[] = [];
  const box = new THREE.BoxGeometry(1, 1, 1);
  const q = new THREE.Quaternion();
  for (let side = 0; side < 4; ++side) {
    q.setFromAxisAngle(new THREE.Vector3(0, 0, 1), (side * Math.PI) / 2);
    for (let along = -kInner_m - 14; along < kInner_m + 10;) {
      const width = 7 + random() * 8;
      const height = 6.5 + random() * 7;
      const depth = 10 + random() * 6;
      // Streets leave the square in the middle of each side.
      const street = Math.abs(along + width / 2) < 7;
      if (!street) {
        const p = new THREE.Vector3(
          kInner_m + depth / 2 + random() * 1.5,
          along + width / 2,
          height / 2,
        ).applyQuaternion(q);
        const size = new THREE.Vector3(depth, width, height);
        const color = new THREE.Color(kWalls[Math.floor(random() * kWalls.length)]);
        pieces.push(piece_of(box, new THREE.Matrix4().compose(p, q, size), color, size));
      }
      along += width + (random() < 0.25 ? 1.2 : 0);
    }
  }
  box.dispose();
  return pieces;
}

/** Each tree is a trunk and a crown of several balls, of one green. */
function make_trees(random: () => number): THREE.BufferGeometry[] {
  const pieces: THREE.BufferGeometry[] = [];
  const trunk = new THREE.CylinderGeometry(0.13, 0.2, 1, 8).rotateX(Math.PI / 2);
  const ball = new THREE.IcosahedronGeometry(1, 2);
  const unturned = new THREE.Quaternion();
  const add = (
    shape: THREE.BufferGeometry,
    at: THREE.Vector3,
    size: THREE.Vector3,
    color: THREE.Color,
  ) => pieces.push(piece_of(shape, new THREE.Matrix4().compose(at, unturned, size), color));
  const up = new THREE.Vector3(0, 0, 1);
  for (let side = 0; side < 4; ++side)
    for (let k = -4; k <= 4; ++k) {
      if (k === 0) continue;
      const p = new THREE.Vector3(kTreeRing_m + random(), k * 8 + random(), 0);
      p.applyAxisAngle(up, (side * Math.PI) / 2);
      const tall = 2.2 + random() * 0.6;
      add(trunk, p.clone().setZ(tall / 2), new THREE.Vector3(1, 1, tall), new THREE.Color(kBark));
      const leaves = new THREE.Color(kLeaves[Math.floor(random() * kLeaves.length)]);
      for (let blob = 0; blob < 5; ++blob) {
        const size = (blob === 0 ? 1.9 : 1.3) * (0.85 + random() * 0.3);
        const a = (blob / 4) * 2 * Math.PI + random();
        const out = blob === 0 ? 0 : 1.05;
        const at = new THREE.Vector3(
          p.x + out * Math.cos(a),
          p.y + out * Math.sin(a),
          tall + 1.2 + (blob === 0 ? 0.3 : random() * 0.9),
        );
        const shade = leaves.clone().offsetHSL(0, 0, 0.03 * (random() - 0.5));
        add(ball, at, new THREE.Vector3(size, size, size * 0.88), shade);
      }
    }
  trunk.dispose();
  ball.dispose();
  return pieces;
}

// Houses with lit or shaded windows, and trees, around the square, far beyond where characters walk. Two draw
// calls.
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

export class Backdrop {
  readonly object = new THREE.Group();
  private readonly houses_: THREE.InstancedMesh;
  private readonly trees_: THREE.Mesh;
  private readonly lamp_ = { value: 0 };

  constructor() {
    const random = scatter(20101);
    this.houses_ = this.make_houses(random);
    this.trees_ = make_trees(random);
    this.object.add(this.houses_, this.trees_);
  }

  apply(palette: Palette): void {
    this.lamp_.value = palette.lamp;
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const mesh of [this.houses_, this.trees_]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    this.houses_.dispose();
  }

  private make_houses(random: () => number): THREE.InstancedMesh {
    const places: THREE.Matrix4[] = [];
    const colors: THREE.Color[] = [];
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
          places.push(new THREE.Matrix4().compose(p, q, new THREE.Vector3(depth, width, height)));
          colors.push(new THREE.Color(kWalls[Math.floor(random() * kWalls.length)]));
        }
        along += width + (random() < 0.25 ? 1.2 : 0);
      }
    }
    const material = new THREE.MeshStandardMaterial({ roughness: 0.95 });
    material.onBeforeCompile = (shader) => {
      shader.uniforms['lamp'] = this.lamp_;
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vWall; varying vec3 vSide;')
        .replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>
          vec3 houseSize = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
          vWall = vec3(position.xy, position.z + 0.5) * houseSize;
          vSide = normal;`,
        );
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          `#include <common>\nuniform float lamp; varying vec3 vWall; varying vec3 vSide;
          float hash21(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }`,
        )
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          float across = abs(vSide.x) > 0.5 ? vWall.y : vWall.x;
          vec2 grid = vec2(across / 1.9, (vWall.z - 0.5) / 2.9);
          vec2 cell = abs(fract(grid) - 0.5);
          vec2 soft = fwidth(grid) * 0.75;
          float window = (1.0 - smoothstep(0.21 - soft.x, 0.21 + soft.x, cell.x)) * (1.0 - smoothstep(0.29 - soft.y, 0.29 + soft.y, cell.y));
          window *= step(abs(vSide.z), 0.5);
          float lit = step(0.55, hash21(floor(grid) + floor(vWall.x * 0.01)));
          diffuseColor.rgb = mix(diffuseColor.rgb, mix(vec3(0.30, 0.34, 0.38), vec3(0.12, 0.13, 0.17), lamp), window * 0.8);
          diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.52, 0.27, 0.19), step(0.5, vSide.z) * 0.7);
          float houseLight = window * lit * lamp;`,
        )
        .replace(
          '#include <emissivemap_fragment>',
          '#include <emissivemap_fragment>\ntotalEmissiveRadiance += vec3(1.0, 0.66, 0.32) * houseLight * 0.9;',
        );
    };
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), material, places.length);
    places.forEach((place, i) => {
      mesh.setMatrixAt(i, place);
      mesh.setColorAt(i, colors[i] as THREE.Color);
    });
    return mesh;
  }
}

/** All trees as one mesh: each a trunk and a crown of several balls, of one green. */
function make_trees(random: () => number): THREE.Mesh {
  const pieces: THREE.BufferGeometry[] = [];
  const trunk = new THREE.CylinderGeometry(0.13, 0.2, 1, 8).rotateX(Math.PI / 2);
  const ball = new THREE.IcosahedronGeometry(1, 2);
  const add = (
    shape: THREE.BufferGeometry,
    at: THREE.Vector3,
    size: THREE.Vector3,
    color: THREE.Color,
  ) => {
    const place = new THREE.Matrix4().compose(at, new THREE.Quaternion(), size);
    const piece = (shape.index ? shape.toNonIndexed() : shape.clone()).applyMatrix4(place);
    const count = piece.getAttribute('position').count;
    const colors = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) color.toArray(colors, 3 * i);
    piece.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    pieces.push(piece);
  };
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
  const geometry = mergeGeometries(pieces) as THREE.BufferGeometry;
  for (const piece of [...pieces, trunk, ball]) piece.dispose();
  const material = new THREE.MeshStandardMaterial({ roughness: 1, vertexColors: true });
  return new THREE.Mesh(geometry, material);
}

// Houses with lit or shaded windows, and trees, around the square, far beyond where characters walk. Three draw
// calls.
import * as THREE from 'three';
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
const kLeaves = ['#6f8f4e', '#7d9a55', '#5e8250', '#8aa35c'];

export class Backdrop {
  readonly object = new THREE.Group();
  private readonly houses_: THREE.InstancedMesh;
  private readonly trunks_: THREE.InstancedMesh;
  private readonly crowns_: THREE.InstancedMesh;
  private readonly lamp_ = { value: 0 };

  constructor() {
    const random = scatter(20101);
    this.houses_ = this.make_houses(random);
    [this.trunks_, this.crowns_] = make_trees(random);
    this.object.add(this.houses_, this.trunks_, this.crowns_);
  }

  apply(palette: Palette): void {
    this.lamp_.value = palette.lamp;
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const mesh of [this.houses_, this.trunks_, this.crowns_]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }

  private make_houses(random: () => number): THREE.InstancedMesh {
    const places: THREE.Matrix4[] = [];
    const colors: THREE.Color[] = [];
    const q = new THREE.Quaternion();
    for (let side = 0; side < 4; ++side) {
      q.setFromAxisAngle(new THREE.Vector3(0, 0, 1), (side * Math.PI) / 2);
      for (let along = -kInner_m - 14; along < kInner_m + 10;) {
        const width = 7 + random() * 8;
        const height = 8 + random() * 9;
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

function make_trees(random: () => number): [THREE.InstancedMesh, THREE.InstancedMesh] {
  const trunks: THREE.Matrix4[] = [];
  const crowns: THREE.Matrix4[] = [];
  const none = new THREE.Quaternion();
  for (let side = 0; side < 4; ++side) {
    const turn = new THREE.Quaternion().setFromAxisAngle(
      new THREE.Vector3(0, 0, 1),
      (side * Math.PI) / 2,
    );
    for (let k = -4; k <= 4; ++k) {
      if (k === 0) continue;
      const p = new THREE.Vector3(kTreeRing_m + random(), k * 8 + random(), 0).applyQuaternion(
        turn,
      );
      const tall = 2.2 + random() * 0.6;
      trunks.push(
        new THREE.Matrix4().compose(
          p.clone().setZ(tall / 2),
          new THREE.Quaternion().setFromEuler(new THREE.Euler(Math.PI / 2, 0, 0)),
          new THREE.Vector3(1, tall, 1),
        ),
      );
      for (let blob = 0; blob < 4; ++blob) {
        const size = (blob === 0 ? 1.9 : 1.25) * (0.85 + random() * 0.3);
        const a = random() * 2 * Math.PI;
        const out = blob === 0 ? 0 : 1.0;
        crowns.push(
          new THREE.Matrix4().compose(
            new THREE.Vector3(
              p.x + out * Math.cos(a),
              p.y + out * Math.sin(a),
              tall + 1.2 + (blob === 0 ? 0.3 : random() * 0.9),
            ),
            none,
            new THREE.Vector3(size, size, size * 0.88),
          ),
        );
      }
    }
  }
  const trunk = new THREE.InstancedMesh(
    new THREE.CylinderGeometry(0.13, 0.2, 1, 8),
    new THREE.MeshStandardMaterial({ color: '#6b5442', roughness: 1 }),
    trunks.length,
  );
  trunks.forEach((matrix, i) => trunk.setMatrixAt(i, matrix));
  const crown = new THREE.InstancedMesh(
    new THREE.IcosahedronGeometry(1, 2),
    new THREE.MeshStandardMaterial({ roughness: 1 }),
    crowns.length,
  );
  crowns.forEach((matrix, i) => {
    crown.setMatrixAt(i, matrix);
    crown.setColorAt(i, new THREE.Color(kLeaves[Math.floor(random() * kLeaves.length)]));
  });
  return [trunk, crown];
}

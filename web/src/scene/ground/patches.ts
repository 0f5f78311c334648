// Painted parts of the ground with a surface of their own. Smooth ones look like ice.
import * as THREE from 'three';
import type { Patch } from '../../gen/promenade/v1/scene_pb';

const kSlippery = 0.2; // friction
const kIce = '#cfe6f1';
const kRough = '#b39b6e';
const kRaise_m = 0.0025;

const kPaint = /* glsl */ `
float patchHash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float patchNoise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(patchHash(i), patchHash(i + vec2(1, 0)), f.x), mix(patchHash(i + vec2(0, 1)), patchHash(i + vec2(1, 1)), f.x), f.y);
}
// Distance to the nearest border of irregular cells: cracks in the ice.
float patchCrack(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  float first = 8.0, second = 8.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      vec2 g = vec2(x, y);
      vec2 o = vec2(patchHash(i + g), patchHash(i + g + 17.3));
      float d = length(g + o - f);
      if (d < first) { second = first; first = d; } else second = min(second, d);
    }
  return second - first;
}
`;

function is_ice({ material }: Patch): boolean {
  const friction = material?.friction ?? 0;
  return friction > 0 && friction < kSlippery;
}

function material_of(ice: boolean): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({
    roughness: ice ? 0.08 : 0.95,
    metalness: ice ? 0.05 : 0,
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>
        attribute vec3 patchForm; // half of its size, m; 1 where it is round
        varying vec2 vPatch; varying vec3 vPatchForm;`,
      )
      .replace(
        '#include <begin_vertex>',
        '#include <begin_vertex>\nvPatch = position.xy; vPatchForm = patchForm;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>\nvarying vec2 vPatch; varying vec3 vPatchForm;\n${kPaint}`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        vec2 patchHalf = vPatchForm.xy;
        vec2 patchAt = vPatch * patchHalf;
        vec2 patchInside = patchHalf - abs(patchAt);
        float patchEdge = vPatchForm.z > 0.5
            ? (1.0 - length(vPatch)) * min(patchHalf.x, patchHalf.y)
            : min(patchInside.x, patchInside.y);
        float patchWave = patchNoise(patchAt * 3.0) * 0.06;
        ${
          ice
            ? `float veins = 1.0 - smoothstep(0.0, 0.035, patchCrack(patchAt * 0.7 + patchNoise(patchAt * 1.7) * 0.5));
        float fineVeins = 1.0 - smoothstep(0.0, 0.05, patchCrack(patchAt * 2.3));
        float cloudy = patchNoise(patchAt * 1.3) * 0.6 + patchNoise(patchAt * 4.1) * 0.4;
        diffuseColor.rgb = mix(diffuseColor.rgb * vec3(0.80, 0.90, 0.97), vec3(0.97), 0.35 * cloudy);
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), 0.5 * veins + 0.15 * fineVeins);
        diffuseColor.rgb = mix(vec3(0.98), diffuseColor.rgb, smoothstep(0.0, 0.14, patchEdge - patchWave));
        diffuseColor.a = 0.93 * smoothstep(0.0, 0.05, patchEdge - patchWave);`
            : `diffuseColor.rgb *= 0.88 + 0.24 * patchNoise(patchAt * 40.0);
        diffuseColor.rgb *= 0.94 + 0.12 * patchNoise(patchAt * 2.0);
        diffuseColor.a = smoothstep(0.0, 0.03, patchEdge - patchWave * 0.4);`
        }`,
      );
  };
  material.customProgramCacheKey = () => `patch-${ice}`;
  return material;
}

/** Patches that follow each other and are alike: a draw call each. */
function runs_of(patches: readonly Patch[]): readonly Patch[][] {
  const runs: Patch[][] = [];
  for (const patch of patches) {
    const run = runs[runs.length - 1];
    if (run?.[0] && is_ice(run[0]) === is_ice(patch)) run.push(patch);
    else runs.push([patch]);
  }
  return runs;
}

function mesh_of(run: readonly Patch[], ice: boolean): THREE.InstancedMesh {
  const geometry = new THREE.PlaneGeometry(2, 2);
  const form = new THREE.InstancedBufferAttribute(new Float32Array(3 * run.length), 3);
  geometry.setAttribute('patchForm', form);
  const mesh = new THREE.InstancedMesh(geometry, material_of(ice), run.length);
  const up = new THREE.Vector3(0, 0, 1);
  run.forEach((patch, i) => {
    const [x = 0, y = 0] = patch.centerM;
    const [dx = 1, dy = 1] = patch.sizeM;
    const turn = new THREE.Quaternion().setFromAxisAngle(
      up,
      THREE.MathUtils.degToRad(patch.yawDeg),
    );
    const place = new THREE.Vector3(x, y, kRaise_m);
    mesh.setMatrixAt(
      i,
      new THREE.Matrix4().compose(place, turn, new THREE.Vector3(dx / 2, dy / 2, 1)),
    );
    mesh.setColorAt(i, new THREE.Color(patch.color || (ice ? kIce : kRough)));
    form.setXYZ(i, dx / 2, dy / 2, patch.round ? 1 : 0);
  });
  mesh.receiveShadow = true;
  return mesh;
}

export class Patches {
  readonly object = new THREE.Group();

  constructor(patches: readonly Patch[]) {
    runs_of(patches).forEach((run, i) => {
      const mesh = mesh_of(run, is_ice(run[0] as Patch));
      mesh.renderOrder = -0.5 + 1e-3 * i; // the last one that covers a point counts, in a run, too
      this.object.add(mesh);
    });
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const mesh of this.object.children as THREE.InstancedMesh[]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}

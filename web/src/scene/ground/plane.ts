// Paving stones of one metre, a stronger line every five, and numbers along the axes.
import * as THREE from 'three';
import type { Pit } from '../../gen/promenade/v1/scene_pb';
import type { Palette } from '../picture/palette';
import { Holes } from './holes';
import { fitting_size } from './label_size';

const kRadius_m = 300;
const kMarked_m = 30; // how far out the numbers go
const kEvery_m = 5;
const kLetters_px = 44; // of the numbers, where they fit
const kMargin_px = 3;

const kPaving = /* glsl */ `
float hash21(vec2 p) { return fract(sin(dot(p, vec2(41.3, 289.1))) * 23758.5453); }
// How much of this pixel lies within half_width of a multiple of step.
float ruled(vec2 p, float step_, float half_width, vec2 blur) {
  vec2 d = abs(fract(p / step_ - 0.5) - 0.5) * step_;
  vec2 w = max(blur, vec2(1e-4));
  vec2 line = 1.0 - smoothstep(vec2(half_width) - w, vec2(half_width) + w, d);
  line *= min(vec2(1.0), 2.0 * half_width / w);
  return max(line.x, line.y);
}
vec3 paving(vec3 stone, vec2 p, out float rough) {
  vec2 blur = fwidth(p);
  float fade = 1.0 - smoothstep(0.15, 0.9, max(blur.x, blur.y));
  vec2 slab = floor(p);
  vec2 quarter = floor(p * 2.0);
  float tone = (hash21(slab) - 0.5) * 0.13 + (hash21(quarter + 17.0) - 0.5) * 0.05;
  float grain = (hash21(floor(p * 60.0)) - 0.5) * 0.05 * (1.0 - smoothstep(0.004, 0.02, max(blur.x, blur.y)));
  float checker = mod(floor(p.x / 5.0) + floor(p.y / 5.0), 2.0);
  vec3 color = stone * (1.0 + (tone + grain) * fade - 0.045 * checker);
  color = mix(color, color * vec3(1.04, 1.0, 0.93), hash21(slab + 5.0) * fade);
  float joint = ruled(p, 1.0, 0.012, blur);
  float fine = ruled(p + 0.25, 0.5, 0.004, blur) * 0.35;
  float five = ruled(p, 5.0, 0.035, blur);
  color *= 1.0 - 0.34 * joint - 0.2 * fine * fade;
  color = mix(color, stone * vec3(0.50, 0.47, 0.45), five * 0.75);
  // A medallion at the origin.
  float r = length(p), w = max(length(blur), 1e-4);
  float ring = 1.0 - smoothstep(0.02, 0.02 + w, abs(r - 0.9)) + (1.0 - smoothstep(0.012, 0.012 + w, abs(r - 0.75)));
  color = mix(color, stone * vec3(0.55, 0.4, 0.32), clamp(ring, 0.0, 1.0) * 0.8);
  rough = 0.86 + tone * 0.4;
  return color;
}
`;

/** The plane z = 0 of the square, with holes where pits are. */
export class GroundPlane {
  readonly object = new THREE.Group();
  private readonly material_: THREE.MeshStandardMaterial;
  private readonly plane_: THREE.Mesh;
  private numbers_: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial> | undefined;
  private readonly holes_ = new Holes();

  constructor() {
    this.material_ = new THREE.MeshStandardMaterial({ roughness: 0.9 });
    this.material_.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.holes_.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec2 vGround;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGround = position.xy;');
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          `#include <common>\nvarying vec2 vGround;\n${kPaving}\n${this.holes_.declared}`,
        )
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          ${this.holes_.discard('vGround')}
          float pavingRough;\ndiffuseColor.rgb = paving(diffuseColor.rgb, vGround, pavingRough);`,
        )
        .replace(
          '#include <roughnessmap_fragment>',
          'float roughnessFactor = clamp(pavingRough, 0.6, 1.0);',
        );
    };
    this.material_.customProgramCacheKey = () => 'paving';
    this.plane_ = new THREE.Mesh(new THREE.CircleGeometry(kRadius_m, 64), this.material_);
    this.plane_.receiveShadow = true;
    this.object.add(this.plane_);
  }

  /** @param shown whether the scene has a plane at all */
  set(shown: boolean, pits: readonly Pit[]): void {
    this.object.visible = shown;
    this.holes_.set(pits);
  }

  apply(palette: Palette): void {
    this.material_.color.copy(palette.stone);
    this.numbers_?.material.color.copy(palette.stone).multiplyScalar(0.32);
  }

  /** Makes the numbers: their letters take a while, and nobody misses them in the first picture. */
  make_numbers(palette: Palette): THREE.Object3D {
    const numbers = (this.numbers_ = make_numbers());
    numbers.visible = false;
    this.object.add(numbers);
    this.apply(palette);
    return numbers;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.plane_.geometry.dispose();
    this.material_.dispose();
    this.numbers_?.geometry.dispose();
    this.numbers_?.material.map?.dispose();
    this.numbers_?.material.dispose();
  }
}

/** Distances in metres, painted beside the five-metre lines along both axes: one mesh, one texture. */
function make_numbers(): THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial> {
  const values: number[] = [];
  for (let v = -kMarked_m; v <= kMarked_m; v += kEvery_m) if (v !== 0) values.push(v);
  const labels = [...values.map((v) => `${v} m`.replace('-', '−')), 'x', 'y'];
  const cell = { width: 128, height: 64 };
  const canvas = document.createElement('canvas');
  canvas.width = cell.width;
  canvas.height = cell.height * labels.length;
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  pen.fillStyle = '#fff';
  const font = (px: number) => `600 ${px}px system-ui, sans-serif`;
  pen.font = font(kLetters_px);
  const widths = labels.map((label) => pen.measureText(label).width);
  pen.font = font(fitting_size(widths, kLetters_px, cell.width - 2 * kMargin_px));
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  labels.forEach((label, i) => pen.fillText(label, cell.width / 2, (i + 0.5) * cell.height));

  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const paint = (label: number, x: number, y: number) => {
    const first = positions.length / 3;
    const v = 1 - (label + 1) / labels.length;
    for (const [du, dv] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      // The letters stand upright for a viewer who looks along +x.
      positions.push(x + (dv - 0.5) * 0.4, y - (du - 0.5) * 0.8, 0.002);
      uvs.push(du, v + dv / labels.length);
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  values.forEach((value, i) => {
    paint(i, value + 0.3, 0.5);
    paint(i, 0.3, value - 0.5);
  });
  paint(labels.length - 2, 1.3, 0);
  paint(labels.length - 1, 0, 1.3);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uvs, 2));
  geometry.setIndex(indices);
  const map = new THREE.CanvasTexture(canvas);
  map.anisotropy = 8;
  const material = new THREE.MeshBasicMaterial({
    map,
    transparent: true,
    opacity: 0.75,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
  return new THREE.Mesh(geometry, material);
}

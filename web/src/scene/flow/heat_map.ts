// How dense people stand, as colours on the ground: one draw call, and a small texture that is written some times a
// second.
import * as THREE from 'three';
import type { DensityGrid } from '../../state/flow/density';
import { kOrder } from '../picture/draw_order';

export const kMostDense_pm2 = 4; // the end of the scale
/**
 * Of the scale, in equal steps: the colours "plasma" of matplotlib (van der Walt, Smith 2015), whose lightness rises
 * evenly, so that they are read alike by people who see red and green alike.
 */
export const kHeatColors = [
  ...['#0d0887', '#6a00a8', '#b12a90', '#e16462', '#fca636', '#f0f921'],
] as const;

const kRaise_m = 0.03;
const kFaint = 0.04; // of the scale: less is not drawn

const kVertex = /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const kFragment = /* glsl */ `
uniform sampler2D density;
uniform vec3 colors[${kHeatColors.length}];
varying vec2 vAt;
void main() {
  float share = texture2D(density, vAt).r;
  float at = share * float(${kHeatColors.length - 1});
  vec3 color = colors[0];
  for (int i = 1; i < ${kHeatColors.length}; ++i)
    color = mix(color, colors[i], clamp(at - float(i - 1), 0.0, 1.0));
  float seen = smoothstep(${kFaint}, 3.0 * ${kFaint}, share);
  if (seen < 0.01) discard;
  gl_FragColor = vec4(color, 0.75 * seen);
  #include <colorspace_fragment>
}`;

export class HeatMap {
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private texture_: THREE.DataTexture | undefined;

  constructor() {
    const colors = kHeatColors.map((color) => {
      const { r, g, b } = new THREE.Color(color);
      return new THREE.Vector3(r, g, b);
    });
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      uniforms: { density: { value: null }, colors: { value: colors } },
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
    this.mesh.renderOrder = kOrder.prints - 0.5; // flat on the ground, behind bodies
    this.mesh.frustumCulled = false;
  }

  /** @param ground_m height of the ground in the middle */
  show({ columns, rows, density, origin, size_m }: DensityGrid, ground_m: number): void {
    const { mesh } = this;
    let { texture_: texture } = this;
    if (texture?.image.width !== columns || texture.image.height !== rows) {
      texture?.dispose();
      texture = new THREE.DataTexture(new Uint8Array(4 * columns * rows), columns, rows);
      texture.magFilter = texture.minFilter = THREE.LinearFilter;
      this.texture_ = texture;
      const { density: of_shader } = mesh.material.uniforms;
      if (of_shader) of_shader.value = texture;
    }
    const bytes = texture.image.data as Uint8Array;
    for (let i = 0; i < density.length; ++i)
      bytes[4 * i] = Math.min(255, (255 * (density[i] as number)) / kMostDense_pm2);
    texture.needsUpdate = true;
    mesh.scale.set(size_m[0], size_m[1], 1);
    mesh.position.set(origin[0] + size_m[0] / 2, origin[1] + size_m[1] / 2, ground_m + kRaise_m);
    mesh.visible = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.texture_?.dispose();
  }
}

import * as THREE from 'three';
import { kOrder } from '../picture/draw_order';
import { flat_instances } from '../picture/flat_instances';
import type { Footprint } from '../../state/gait/footprints';

const kCapacity = 1500;
const kFade_s = 25;

const kVertex = /* glsl */ `
attribute vec4 print;   // x, y, z, heading
attribute vec4 size;    // length, width, time it was made, side
attribute vec3 tint;
uniform float now;
varying vec2 vUv;
varying float vAge;
varying vec3 vTint;
void main() {
  vUv = vec2(uv.x, size.w > 0.0 ? uv.y : 1.0 - uv.y);
  vAge = now - size.z;
  vTint = tint;
  vec2 p = position.xy * size.xy * vec2(1.05, 1.1);
  float c = cos(print.w), s = sin(print.w);
  vec3 world = vec3(print.x + c * p.x - s * p.y, print.y + s * p.x + c * p.y, max(print.z, 0.0) + 0.006);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(world, 1.0);
}`;

const kFragment = /* glsl */ `
uniform float fade;
varying vec2 vUv;
varying float vAge;
varying vec3 vTint;
float blob(vec2 p, vec2 c, vec2 r) { return 1.0 - smoothstep(0.85, 1.0, length((p - c) / r)); }
void main() {
  // A sole seen from above, toes towards +x, the waist on the inner side.
  float ball = blob(vUv, vec2(0.68, 0.47), vec2(0.30, 0.44));
  float heel = blob(vUv, vec2(0.2, 0.5), vec2(0.19, 0.33));
  float waist = blob(vUv, vec2(0.42, 0.6), vec2(0.24, 0.22));
  float shape = max(ball, max(heel, waist));
  // Before it was made there is no print.
  float alpha = shape * 0.5 * clamp(1.0 - vAge / fade, 0.0, 1.0) * step(-0.001, vAge);
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(vTint * 0.45, alpha);
  #include <colorspace_fragment>
}`;

/** Prints on the ground that fade, by the clock of the scene. The oldest make room. One draw call. */
export class Footprints {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
  private next_ = 0;
  private now_s_ = 0;
  private readonly print_ = new THREE.InstancedBufferAttribute(new Float32Array(4 * kCapacity), 4);
  private readonly size_ = new THREE.InstancedBufferAttribute(new Float32Array(4 * kCapacity), 4);
  private readonly tint_ = new THREE.InstancedBufferAttribute(new Float32Array(3 * kCapacity), 3);
  private readonly color_ = new THREE.Color();

  constructor() {
    const geometry = flat_instances({ print: this.print_, size: this.size_, tint: this.tint_ });
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -3,
      polygonOffsetUnits: -3,
      uniforms: { now: { value: 0 }, fade: { value: kFade_s } },
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = kOrder.prints;
  }

  /** @param now_s since the scene began */
  add(print: Footprint, now_s: number, color: string): void {
    const i = this.next_;
    this.next_ = (i + 1) % kCapacity;
    this.print_.setXYZW(i, print.x, print.y, print.z, print.heading);
    this.size_.setXYZW(i, print.length, print.width, now_s, print.left ? 1 : -1);
    this.color_.set(color);
    this.tint_.setXYZ(i, this.color_.r, this.color_.g, this.color_.b);
    this.print_.needsUpdate = this.size_.needsUpdate = this.tint_.needsUpdate = true;
    this.mesh.geometry.instanceCount = Math.max(this.mesh.geometry.instanceCount, i + 1);
  }

  update(now_s: number): void {
    this.now_s_ = now_s;
    (this.mesh.material.uniforms['now'] as THREE.IUniform<number>).value = now_s;
  }

  /** How much of each print is left, 0 to 1, the oldest place first. */
  get strengths(): readonly number[] {
    return Array.from({ length: this.mesh.geometry.instanceCount }, (_, i) => {
      const age_s = this.now_s_ - this.size_.getZ(i);
      return age_s < 0 ? 0 : Math.max(0, 1 - age_s / kFade_s);
    });
  }

  clear(): void {
    this.next_ = 0;
    this.mesh.geometry.instanceCount = 0;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

import * as THREE from 'three';
import type { Vec3 } from '../../state/values/quaternion';
import { kOrder } from '../picture/draw_order';
import { flat_instances } from '../picture/flat_instances';

const kCapacity = 512;
const kFloats = 8;
const kRaise_m = 0.004;

const kVertex = /* glsl */ `
attribute vec4 place;  // m, and radius
attribute vec4 look;   // colour, and the inner radius as a share of the outer
varying vec2 vAt;
varying vec4 vLook;
void main() {
  vAt = position.xy * 2.0;
  vLook = look;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place.xyz + vec3(vAt * place.w, 0.0), 1.0);
}`;

const kFragment = /* glsl */ `
uniform float opacity;
varying vec2 vAt;
varying vec4 vLook;
void main() {
  float r = length(vAt);
  float soft = fwidth(r);
  float inside = 1.0 - smoothstep(1.0 - 2.0 * soft, 1.0, r);
  if (vLook.w > 0.0) inside *= smoothstep(vLook.w - soft, vLook.w + soft, r);
  if (inside < 0.01) discard;
  gl_FragColor = vec4(vLook.rgb, inside * opacity);
  #include <colorspace_fragment>
}`;

/** Discs and rings that lie level on the ground and are seen through what stands on it. One draw call. */
export class GroundMarks {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
  private readonly numbers_ = new THREE.InstancedInterleavedBuffer(
    new Float32Array(kFloats * kCapacity),
    kFloats,
  );
  private readonly color_ = new THREE.Color();
  private count_ = 0;

  constructor() {
    const geometry = flat_instances({
      place: new THREE.InterleavedBufferAttribute(this.numbers_, 4, 0),
      look: new THREE.InterleavedBufferAttribute(this.numbers_, 4, 4),
    });
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      uniforms: { opacity: { value: 0.85 } },
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = kOrder.overlays;
  }

  begin(): void {
    this.count_ = 0;
  }

  /**
   * @param inner as a share of the radius: 0 for a disc
   * @param color "#rrggbb"
   */
  add(at: Vec3, radius: number, inner: number, color: string): void {
    if (this.count_ >= kCapacity) return;
    const { r, g, b } = this.color_.set(color);
    const values = [at[0], at[1], at[2] + kRaise_m, radius, r, g, b, inner];
    this.numbers_.array.set(values, kFloats * this.count_++);
  }

  end(): void {
    this.mesh.geometry.instanceCount = this.count_;
    this.mesh.visible = this.count_ > 0;
    if (this.count_ === 0) return;
    this.numbers_.addUpdateRange(0, kFloats * this.count_);
    this.numbers_.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

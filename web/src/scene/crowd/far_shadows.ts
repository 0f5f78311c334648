import * as THREE from 'three';
import { kFlag } from '../../net/frame';
import type { WorldPose } from '../../state/frames/interpolate';
import { at, heading_of } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import { kOrder } from '../picture/draw_order';
import { flat_instances } from '../picture/flat_instances';
import type { Sunlight } from '../picture/sunlight';

const kFloats = 8;
const kFirstCapacity = 256;
const kEdge = 0.94; // of the shadow map's half: from here on they come in, as those of the map end at 1
const kWidth = 0.52; // of the reach
const kTall = 1.42; // of the reach: height of a person who stands
const kLift_m = 0; // over the lowest joint, which is a little above the ground
const kLying_m = 0.12; // from the hips to the ground, of a person who lies

const kVertex = /* glsl */ `
attribute vec4 place;  // of the feet, m; direction of the shadow, rad
attribute vec4 size;   // length, width, strength, 1: of somebody who lies
varying vec2 vAt;
varying vec2 vKind;    // strength, lies
varying float vFar;
void main() {
  vAt = vec2(position.x + 0.5, 2.0 * position.y);
  vKind = size.zw;
  float along = size.w > 0.5 ? position.x : position.x + 0.47; // from the feet on
  vec2 p = vec2(along, position.y) * size.xy;
  float c = cos(place.w), s = sin(place.w);
  vec4 eye = modelViewMatrix * vec4(place.x + c * p.x - s * p.y, place.y + s * p.x + c * p.y, place.z, 1.0);
  vFar = -eye.z;
  gl_Position = projectionMatrix * eye;
}`;

// The outline of somebody who stands, by the share of their height, and softer the further from the feet.
const kFragment = /* glsl */ `
uniform vec3 shade;
uniform vec2 haze;
varying vec2 vAt;
varying vec2 vKind;
varying float vFar;
void main() {
  float up = vAt.x;
  float wide = up < 0.48 ? mix(0.34, 0.5, up / 0.48) : up < 0.82 ? mix(0.5, 0.82, smoothstep(0.48, 0.74, up)) : 0.34;
  float soft = 0.12 + 0.5 * up;
  float across = 1.0 - smoothstep(wide - 0.5 * soft, wide + 0.5 * soft, abs(vAt.y));
  float standing = across * smoothstep(0.0, 0.05, up) * (1.0 - smoothstep(0.86, 1.0, up));
  float lying = pow(smoothstep(1.0, 0.2, length(vec2(2.0 * up - 1.0, vAt.y))), 1.3);
  float dark = vKind.x * mix(standing, lying, step(0.5, vKind.y));
  dark *= clamp((haze.y - vFar) / (haze.y - haze.x), 0.0, 1.0);
  if (dark < 0.01) discard;
  gl_FragColor = vec4(mix(vec3(1.0), shade, dark), 1.0);
}`;

/**
 * The sun's shadows of people whom its map does not cover: the outline of somebody who stands, laid on the ground. One
 * draw call.
 */
export class FarShadows {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
  private buffer_!: THREE.InstancedInterleavedBuffer;
  private capacity_ = 0;
  private count_ = 0;

  constructor(fog: THREE.Fog) {
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: true,
      depthWrite: false,
      blending: THREE.CustomBlending,
      blendSrc: THREE.DstColorFactor,
      blendDst: THREE.ZeroFactor,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
      uniforms: {
        shade: { value: new THREE.Color(1, 1, 1) },
        haze: { value: new THREE.Vector2(fog.near, fog.far) },
      },
    });
    this.mesh = new THREE.Mesh(flat_instances({}), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = kOrder.prints;
    this.grow(kFirstCapacity);
  }

  /** @param low_of m, from the root of a body down to the ground; undefined where it is not known */
  update(
    pose: WorldPose,
    lists: readonly (readonly Member[])[],
    sun: Sunlight,
    low_of: (member: Member) => number | undefined,
  ): void {
    this.count_ = 0;
    const direction = Math.atan2(-sun.towards[1], -sun.towards[0]);
    const long = Math.hypot(sun.towards[0], sun.towards[1]) / Math.max(0.2, sun.towards[2]);
    for (const members of lists)
      for (const member of members) this.add(pose, member, sun, direction, long, low_of);
    this.mesh.geometry.instanceCount = this.count_;
    this.mesh.visible = this.count_ > 0;
    (this.mesh.material.uniforms['shade'] as THREE.IUniform<THREE.Color>).value = sun.shade;
    if (this.count_ === 0) return;
    this.buffer_.clearUpdateRanges();
    this.buffer_.addUpdateRange(0, kFloats * this.count_);
    this.buffer_.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  private add(
    { poses, flags, presence }: WorldPose,
    member: Member,
    sun: Sunlight,
    direction: number,
    long: number,
    low_of: (member: Member) => number | undefined,
  ): void {
    const { index, pose: p, skeleton } = member;
    const [x, y] = [at(poses, p), at(poses, p + 1)];
    const outside = Math.min(1, Math.max(0, (sun.off(x, y) - kEdge) / (1 - kEdge)));
    const low = outside > 0 ? low_of(member) : undefined;
    if (low === undefined) return;
    if (this.count_ === this.capacity_) this.grow(2 * this.capacity_);
    const lies = (at(flags, index) & kFlag.fallen) !== 0;
    const out = this.buffer_.array;
    let o = kFloats * this.count_++;
    out[o++] = x;
    out[o++] = y;
    out[o++] = at(poses, p + 2) - (lies ? kLying_m : low) + kLift_m;
    out[o++] = lies ? heading_of(poses, p + 3) : direction;
    out[o++] = lies ? 1.5 * skeleton.reach : long * kTall * skeleton.reach;
    out[o++] = (lies ? 1.6 : 1) * kWidth * skeleton.reach;
    out[o++] = outside * (presence[index] ?? 1);
    out[o] = lies ? 1 : 0;
  }

  private grow(capacity: number): void {
    const numbers = new Float32Array(kFloats * capacity);
    if (this.capacity_ > 0) numbers.set(this.buffer_.array);
    this.buffer_ = new THREE.InstancedInterleavedBuffer(numbers, kFloats);
    this.buffer_.setUsage(THREE.DynamicDrawUsage);
    const { geometry } = this.mesh;
    geometry.setAttribute('place', new THREE.InterleavedBufferAttribute(this.buffer_, 4, 0));
    geometry.setAttribute('size', new THREE.InterleavedBufferAttribute(this.buffer_, 4, 4));
    if (this.capacity_ > 0) geometry.dispose(); // frees what the GPU has of the smaller one
    this.capacity_ = capacity;
  }
}

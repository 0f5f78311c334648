import * as THREE from 'three';
import { type ContactSpot, ContactSpots } from '../../state/picture/contact_spots';
import type { WorldPose } from '../../state/frames/interpolate';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import { kOrder } from '../picture/draw_order';
import { flat_instances } from '../picture/flat_instances';

const kCapacity = 2048;
const kFar_m = 32; // further away they would be less than a pixel
const kFloats = 8;

const kVertex = /* glsl */ `
attribute vec4 place;  // m, and heading
attribute vec4 size;   // length, width, strength
varying vec2 vAt;
varying float vStrength;
void main() {
  vAt = position.xy * 2.0;
  vStrength = size.z;
  vec2 p = position.xy * size.xy * 1.5; // dark to the edge of the sole, and soft beyond
  float c = cos(place.w), s = sin(place.w);
  vec3 world = vec3(place.x + c * p.x - s * p.y, place.y + s * p.x + c * p.y, place.z + 0.004);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(world, 1.0);
}`;

const kFragment = /* glsl */ `
uniform vec3 shade;
varying vec2 vAt;
varying float vStrength;
void main() {
  float r = length(vAt);
  float dark = vStrength * pow(smoothstep(1.0, 0.15, r), 1.4);
  if (dark < 0.004) discard;
  gl_FragColor = vec4(shade, dark);
}`;

/** Shade that is too fine for the sun's shadow map: soft darkness where feet touch the ground. One draw call. */
export class ContactShadows {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
  private readonly spots_ = new ContactSpots();
  private readonly numbers_ = new THREE.InstancedInterleavedBuffer(
    new Float32Array(kFloats * kCapacity),
    kFloats,
  );

  private count_ = 0;

  constructor() {
    const geometry = flat_instances({
      place: new THREE.InterleavedBufferAttribute(this.numbers_, 4, 0),
      size: new THREE.InterleavedBufferAttribute(this.numbers_, 4, 4),
    });
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
      uniforms: { shade: { value: new THREE.Color('#14110d') } },
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = kOrder.contacts;
  }

  /** @param members the characters that are drawn by parts */
  update(pose: WorldPose, members: readonly Member[], eye: Vec3): void {
    this.count_ = 0;
    for (const member of members) {
      const p = member.pose;
      const away = (at(pose.poses, p) - eye[0]) ** 2 + (at(pose.poses, p + 1) - eye[1]) ** 2;
      if (away < kFar_m ** 2) this.spots_.find(pose, member, this.add);
    }
    const count = this.count_;
    this.mesh.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
    if (count === 0) return;
    this.numbers_.addUpdateRange(0, kFloats * count);
    this.numbers_.needsUpdate = true;
  }

  private readonly add = (spot: ContactSpot) => {
    if (this.count_ >= kCapacity) return;
    const out = this.numbers_.array;
    const o = kFloats * this.count_++;
    out[o] = spot.x;
    out[o + 1] = spot.y;
    out[o + 2] = spot.z;
    out[o + 3] = spot.heading;
    out[o + 4] = spot.length;
    out[o + 5] = spot.width;
    out[o + 6] = spot.strength;
  };

  clear(): void {
    this.spots_.clear();
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

// Ties and grips: a knot at either end, a cord between the ends where these are apart, a coil for a spring.
import * as THREE from 'three';
import { link_at, type WorldPose } from '../../state/frames/interpolate';
import type { Vec3 } from '../../state/values/quaternion';
import type { HeldPoint, HeldTie } from '../../state/room/roster';
import type { Coat } from '../figure/rounded';
import { StillParts } from '../figure/still_parts';
import { point_on } from '../hand/pointer_tools';

const kCapacity = 2048;
const kDetail = 3;
const kTurns = 9;
const kPieces = 72; // of a coil
const kUp = new THREE.Vector3(0, 0, 1);

const kCoats: Readonly<Record<'grip' | HeldTie['kind'], Coat>> = {
  grip: { color: new THREE.Color('#e08a4a'), surface: 'smooth', seed: 0 },
  ball: { color: new THREE.Color('#c9a46a'), surface: 'rope', seed: 0 },
  hinge: { color: new THREE.Color('#8d949b'), surface: 'metal', seed: 0 },
  slider: { color: new THREE.Color('#8d949b'), surface: 'metal', seed: 0 },
  weld: { color: new THREE.Color('#6c5648'), surface: 'smooth', seed: 0 },
  spring: { color: new THREE.Color('#9aa3ab'), surface: 'metal', seed: 0 },
};

const rotation = new THREE.Quaternion();
const direction = new THREE.Vector3();
const middle = new THREE.Vector3();
const kOne: Vec3 = [1, 1, 1];

/** Draws all ties and grips: one draw call, and one for the shadows. */
export class Ties {
  private readonly parts_ = new StillParts(kDetail, kCapacity);
  private count_ = 0;

  constructor(parent: THREE.Object3D) {
    parent.add(this.parts_.mesh);
  }

  update(pose: WorldPose): void {
    this.count_ = 0;
    for (const tie of pose.cast.ties) {
      const [a, b] = [place_of(pose, tie.a), place_of(pose, tie.b)];
      if (a && b) this.draw(tie, a, b, thickness_of(pose, tie));
    }
    this.parts_.commit(this.count_);
  }

  dispose(): void {
    this.parts_.dispose();
  }

  private draw(tie: HeldTie, a: Vec3, b: Vec3, r: number): void {
    const coat = kCoats[tie.grip ? 'grip' : tie.kind];
    if (tie.kind === 'spring') {
      this.coil(a, b, r, coat);
      return;
    }
    this.piece(a, a, 1.6 * r, coat);
    this.piece(b, b, 1.6 * r, coat);
    this.piece(a, b, 0.7 * r, coat);
  }

  private coil(a: Vec3, b: Vec3, r: number, coat: Coat): void {
    const along = new THREE.Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = along.length();
    const turn = new THREE.Quaternion().setFromUnitVectors(
      kUp,
      length > 1e-6 ? along.clone().divideScalar(length) : kUp,
    );
    let last: Vec3 = a;
    for (let k = 1; k <= kPieces; ++k) {
      const t = k / kPieces;
      const wide = 2.4 * r * Math.min(1, 8 * t, 8 * (1 - t));
      const phi = t * kTurns * 2 * Math.PI;
      const p = new THREE.Vector3(wide * Math.cos(phi), wide * Math.sin(phi), t * length)
        .applyQuaternion(turn)
        .add(middle.set(...a));
      const next: Vec3 = [p.x, p.y, p.z];
      this.piece(last, next, 0.4 * r, coat);
      last = next;
    }
  }

  /** A capsule. */
  private piece(a: Vec3, b: Vec3, radius: number, coat: Coat): void {
    if (!this.parts_.has(this.count_)) return;
    direction.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = direction.length();
    rotation.setFromUnitVectors(kUp, length > 1e-9 ? direction.divideScalar(length) : kUp);
    const { x, y, z, w } = rotation;
    const place = {
      position: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2],
      rotation: [x, y, z, w],
      scale: kOne,
    } as const;
    const shape = { half: [0, 0, length / 2], top: radius, bottom: radius, taper: 1 } as const;
    this.parts_.set(this.count_++, place, shape, coat);
  }
}

function place_of(pose: WorldPose, { id, link, point }: HeldPoint): Vec3 | undefined {
  if (id === 0) return point;
  const member = pose.cast.by_id.get(id);
  return member && point_on(pose, link_at(pose, member, link), point);
}

/** Thickness that suits the smaller of the two bodies that are held. */
function thickness_of({ cast }: WorldPose, { a, b }: HeldTie): number {
  const reach = [a, b].flatMap(({ id }) => cast.by_id.get(id)?.skeleton.reach ?? []);
  return Math.min(0.025, 0.04 * Math.min(...reach));
}

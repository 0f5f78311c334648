import * as THREE from 'three';
import type { Vec3 } from '../../state/values/quaternion';

/** The sun, and the part of the world in which its shadow map throws shadows. World frame. */
export class Sunlight {
  towards: Vec3 = [0, 0, 1]; // the sun, of length 1
  readonly shade = new THREE.Color(1, 1, 1); // what is left of the ground's colours in a shadow
  private x_ = 0; // m, of the middle of the map on the ground
  private y_ = 0;
  private half_m_ = 0; // of the map; 0: there is none

  set(towards: THREE.Vector3, shade: THREE.Color): void {
    this.towards = [towards.x, towards.y, towards.z];
    this.shade.copy(shade);
  }

  /** @param half_m half of what the map covers, across the light; 0: it is not drawn */
  aim(x: number, y: number, half_m: number): void {
    this.x_ = x;
    this.y_ = y;
    this.half_m_ = half_m;
  }

  /** How far a point of the ground is from the middle of the map: 1 at its edge; Infinity without one. */
  off(x: number, y: number): number {
    if (this.half_m_ === 0) return Infinity;
    const [sx, sy, sz] = this.towards;
    const level = Math.hypot(sx, sy) || 1;
    const [dx, dy] = [x - this.x_, y - this.y_];
    // Across the light, and along it on the ground, where the map lies aslant.
    const across = Math.abs(dx * sy - dy * sx) / level;
    const along = (Math.abs(dx * sx + dy * sy) / level) * sz;
    return Math.max(across, along) / this.half_m_;
  }
}

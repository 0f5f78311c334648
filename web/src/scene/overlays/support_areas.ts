import * as THREE from 'three';
import { kOrder } from '../picture/draw_order';

const kTriangles = 8 * 24;

/** Filled polygons flat on the ground, given anew in every picture. One draw call. */
export class SupportAreas {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private readonly corners_ = new THREE.BufferAttribute(new Float32Array(9 * kTriangles), 3);
  private count_ = 0;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.corners_);
    this.mesh = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({
        color: '#4fc28a',
        transparent: true,
        opacity: 0.4,
        side: THREE.DoubleSide,
        depthWrite: false,
        depthTest: false, // the feet would hide it
        toneMapped: false,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = kOrder.overlays - 1;
  }

  begin(): void {
    this.count_ = 0;
  }

  /** @param points x, y of a convex polygon, m, world frame */
  add(points: readonly number[], z: number): void {
    for (let i = 2; i + 3 < points.length && this.count_ + 3 <= 3 * kTriangles; i += 2) {
      for (const k of [0, i, i + 2]) {
        this.corners_.setXYZ(
          this.count_++,
          points[k] as number,
          points[k + 1] as number,
          z + 0.005,
        );
      }
    }
  }

  end(): void {
    this.corners_.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, this.count_);
    this.mesh.visible = this.count_ > 0;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

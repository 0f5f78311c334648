// Parts that belong to no body: each stands where it is put, in the world frame. Cords and benches are made of them.
import * as THREE from 'three';
import { kNoLink, PoseTexture } from './pose_texture';
import { type Coat, make_rounded, type Placed, RoundedMesh, type RoundedShape } from './rounded';
import { sharp_primitive } from './rounded_geometry';

/** One draw call, and one for the shadows. */
export class StillParts {
  private readonly poses_ = new PoseTexture();
  private readonly primitive_;
  private readonly material_;
  private readonly depth_;
  private readonly batch_: RoundedMesh;

  /** @param capacity parts, at most */
  constructor(
    detail: number,
    private readonly capacity_: number,
  ) {
    this.primitive_ = sharp_primitive(detail);
    const [lit, depth] = [
      new THREE.MeshStandardMaterial(),
      new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking }),
    ];
    this.material_ = make_rounded(lit, 'coated', this.primitive_, this.poses_);
    this.depth_ = make_rounded(depth, 'depth', this.primitive_, this.poses_);
    this.batch_ = new RoundedMesh(this.primitive_, this.material_, capacity_);
    this.batch_.cast_shadows(this.depth_).mesh.receiveShadow = true;
  }

  get mesh(): THREE.Mesh {
    return this.batch_.mesh;
  }

  /** Whether there is room for a part of this number. */
  has(i: number): boolean {
    return i < this.capacity_;
  }

  set(i: number, place: Placed, shape: RoundedShape, coat: Coat): void {
    this.batch_.set_part(i, kNoLink, place, shape, coat);
  }

  /** @param count parts that are drawn from here on */
  commit(count: number): void {
    this.batch_.commit(count);
  }

  dispose(): void {
    this.batch_.dispose();
    this.primitive_.geometry.dispose();
    this.material_.dispose();
    this.depth_.dispose();
    this.poses_.dispose();
  }
}

import * as THREE from 'three';
import { kPoseSize } from '../state/kinematics';
import type { Skeleton } from '../state/skeleton';
import { make_figure } from './figure/figure';
import { hash, looks_of } from './figure/looks';
import { write_matrix } from './figure/part_matrix';
import { make_rounded, RoundedMesh } from './figure/rounded';

const kDetail = 6;

/** A single body in a given pose: for the palette's small pictures, and for a body that is about to be put down. */
export class StillFigure {
  private readonly material_: THREE.MeshStandardMaterial;
  private readonly batch_: RoundedMesh;
  private readonly parts_;

  /** @param opacity 1: solid */
  constructor(parent: THREE.Object3D, skeleton: Skeleton, color: string, opacity: number) {
    this.material_ = make_rounded(
      new THREE.MeshStandardMaterial({
        transparent: opacity < 1,
        opacity,
        depthWrite: opacity === 1,
      }),
      true,
      kDetail,
    );
    this.parts_ = make_figure(skeleton).parts;
    this.batch_ = new RoundedMesh(kDetail, this.material_, Math.max(1, this.parts_.length), false);
    const looks = looks_of(color || skeleton.color, 1, skeleton.look);
    this.parts_.forEach(({ shape, tint, surface }, i) => {
      const coat = { color: looks[tint], surface, seed: hash(1, i) / 4294967296 };
      this.batch_.set_shape(i, shape, coat, opacity < 1 ? 0.5 : 0);
    });
    this.batch_.shapes_changed();
    if (opacity < 1) this.batch_.mesh.renderOrder = 4;
    parent.add(this.batch_.mesh);
  }

  /** @param poses of all links, from the first number */
  place(poses: Float32Array): void {
    this.parts_.forEach((part, i) =>
      write_matrix(this.batch_.matrices, 16 * i, poses, kPoseSize * part.link, part),
    );
    this.batch_.matrices_changed(this.parts_.length);
  }

  set shown(on: boolean) {
    this.batch_.mesh.visible = on;
  }

  dispose(): void {
    this.batch_.dispose();
    this.material_.dispose();
  }
}

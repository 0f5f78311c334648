import * as THREE from 'three';
import type { Skeleton } from '../../state/figure/skeleton';
import { make_figure } from './figure';
import { hash, looks_of } from './looks';
import { kOrder } from '../picture/draw_order';
import { PoseTexture } from './pose_texture';
import { make_rounded, RoundedMesh } from './rounded';
import { sharp_primitive } from './rounded_geometry';
import { color_of } from './tailor';

const kDetail = 6;

/** A single body in a given pose: for the palette's small pictures, and for a body that is about to be put down. */
export class StillFigure {
  private readonly material_: THREE.MeshStandardMaterial;
  private readonly batch_: RoundedMesh;
  private readonly poses_ = new PoseTexture();
  private readonly primitive_ = sharp_primitive(kDetail);

  /**
   * @param opacity 1: solid
   * @param apart whether it is drawn into a picture of its own, which is clear where the body is not
   */
  constructor(
    parent: THREE.Object3D,
    skeleton: Skeleton,
    color: string,
    opacity: number,
    apart = false,
  ) {
    this.material_ = make_rounded(
      new THREE.MeshStandardMaterial({
        transparent: opacity < 1,
        opacity,
        depthWrite: opacity === 1,
      }),
      'coated',
      this.primitive_,
      this.poses_,
    );
    if (apart) {
      // In the room's picture bodies leave the opacity as it is, and choose samples by their own.
      this.material_.alphaToCoverage = false;
      this.material_.blending = THREE.NoBlending;
    }
    const { parts } = make_figure(skeleton);
    this.batch_ = new RoundedMesh(this.primitive_, this.material_, Math.max(1, parts.length));
    const looks = looks_of(color || skeleton.color, 1, skeleton.look);
    parts.forEach((part, i) => {
      const coat = {
        color: color_of(part, looks),
        surface: part.surface,
        seed: hash(1, i) / 4294967296,
      };
      this.batch_.set_part(i, part.link, part, part.shape, coat, opacity < 1 ? 0.5 : 0);
    });
    this.batch_.commit(parts.length);
    if (opacity < 1) this.batch_.mesh.renderOrder = kOrder.ghost;
    parent.add(this.batch_.mesh);
  }

  /** @param poses of all links, from the first number */
  place(poses: Float32Array): void {
    this.poses_.update(poses);
  }

  set shown(on: boolean) {
    this.batch_.mesh.visible = on;
  }

  dispose(): void {
    this.batch_.dispose();
    this.primitive_.geometry.dispose();
    this.poses_.dispose();
    this.material_.dispose();
  }
}

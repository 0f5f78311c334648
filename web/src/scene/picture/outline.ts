import * as THREE from 'three';
import type { Member } from '../../state/room/roster';
import type { Skeleton } from '../../state/figure/skeleton';
import { kOrder } from './draw_order';
import type { Figure, FigurePart } from '../figure/figure';
import type { PoseRows } from '../figure/pose_rows';
import { make_rounded, RoundedMesh } from '../figure/rounded';
import { soft_primitive } from '../figure/rounded_geometry';

const kWidth_px = 3;
const kCapacity = 256; // parts, at first

export interface Outlined {
  readonly member: Member;
  readonly color: string;
}

/**
 * A line around bodies, also where something hides them: their parts a little wider, drawn before all bodies and pushed
 * behind them, so that the bodies keep their colours. One draw call.
 */
export class Outline {
  private readonly primitive_ = soft_primitive(3);
  private readonly width_ = { value: 0 };
  private readonly material_: THREE.MeshBasicMaterial;
  private batch_: RoundedMesh;
  private drawn_: readonly Outlined[] = [];
  private rows_: readonly number[] = []; // of those

  constructor(
    private readonly parent_: THREE.Object3D,
    rows: PoseRows,
  ) {
    const material = new THREE.MeshBasicMaterial({ toneMapped: false, fog: false });
    material.depthFunc = THREE.AlwaysDepth;
    this.material_ = make_rounded(material, 'outline', this.primitive_, rows.texture, this.width_);
    this.batch_ = this.make(kCapacity);
  }

  /**
   * @param pixel_m size of a pixel at 1 m from the eye
   * @param crowd in which they are drawn by their parts
   */
  update(
    wanted: readonly Outlined[],
    pixel_m: number,
    crowd: {
      figure_of(skeleton: Skeleton): Figure;
      readonly rows: PoseRows;
    },
  ): void {
    this.width_.value = kWidth_px * pixel_m;
    // A body without rows is out of the picture.
    const rows = wanted.map(({ member }) => crowd.rows.row_of(member.id) ?? -1);
    const same =
      wanted.length === this.drawn_.length &&
      wanted.every(({ member, color }, i) => {
        const old = this.drawn_[i];
        return old?.member === member && old.color === color && rows[i] === this.rows_[i];
      });
    if (same) return;
    this.drawn_ = wanted;
    this.rows_ = rows;
    const needed = wanted.reduce(
      (n, { member }) => n + crowd.figure_of(member.skeleton).parts.length,
      0,
    );
    if (needed > this.batch_.capacity) {
      this.batch_.dispose();
      this.batch_ = this.make(2 ** Math.ceil(Math.log2(needed)));
    }
    let i = 0;
    wanted.forEach(({ member, color }, k) => {
      const row = rows[k] as number;
      if (row < 0) return;
      const coat = { color: new THREE.Color(color), surface: 'smooth', seed: 0 } as const;
      for (const part of crowd.figure_of(member.skeleton).parts as readonly FigurePart[])
        this.batch_.set_part(i++, row + part.link, part, part.shape, coat);
    });
    this.batch_.commit(i);
  }

  dispose(): void {
    this.batch_.dispose();
    this.primitive_.geometry.dispose();
    this.material_.dispose();
  }

  private make(capacity: number): RoundedMesh {
    const batch = new RoundedMesh(this.primitive_, this.material_, capacity);
    batch.mesh.renderOrder = kOrder.outline;
    this.parent_.add(batch.mesh);
    return batch;
  }
}

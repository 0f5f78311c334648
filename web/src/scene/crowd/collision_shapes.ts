import * as THREE from 'three';
import type { Cast } from '../../state/room/roster';
import { kEmptyCast } from '../../state/room/roster';
import type { Skeleton } from '../../state/figure/skeleton';
import { kOrder } from '../picture/draw_order';
import type { PoseRows } from '../figure/pose_rows';
import { make_rounded, RoundedMesh } from '../figure/rounded';
import { sharp_primitive } from '../figure/rounded_geometry';
import { Tailor, type FigurePart } from '../figure/tailor';

const kDetail = 2;
const kColor = new THREE.Color('#27b7e0');

/** The parts of a body's collision shapes, as wires. */
function wires_of(skeleton: Skeleton): readonly FigurePart[] {
  const tailor = new Tailor(skeleton, 'smooth');
  skeleton.links.forEach(({ shapes }, i) => {
    for (const shape of shapes) tailor.shape(i, 'light', shape);
  });
  return tailor.parts;
}

/** The shapes that the physics sees, as wires over the figures. One draw call. */
export class CollisionShapes {
  private readonly primitive_ = sharp_primitive(kDetail);
  private readonly material_: THREE.MeshStandardMaterial;
  private batch_: RoundedMesh | undefined;
  private cast_: Cast = kEmptyCast;
  private readonly wires_ = new WeakMap<Skeleton, readonly FigurePart[]>();
  private version_ = -1; // of the rows

  /** @param rows_ of the bodies that are drawn by parts: those further away have no wires */
  constructor(
    private readonly parent_: THREE.Object3D,
    private readonly rows_: PoseRows,
  ) {
    const wires = new THREE.MeshStandardMaterial({
      wireframe: true,
      transparent: true,
      opacity: 0.55,
      depthTest: false,
      emissive: 0x0b3a4a,
    });
    this.material_ = make_rounded(wires, 'plain', this.primitive_, rows_.texture);
  }

  update(cast: Cast, shown: boolean): void {
    if (!shown) {
      this.clear();
      return;
    }
    if (cast !== this.cast_ || this.version_ !== this.rows_.version) this.build(cast);
  }

  dispose(): void {
    this.clear();
    this.primitive_.geometry.dispose();
    this.material_.dispose();
  }

  private clear(): void {
    this.batch_?.dispose();
    this.batch_ = undefined;
    this.cast_ = kEmptyCast;
  }

  private wires(skeleton: Skeleton): readonly FigurePart[] {
    let wires = this.wires_.get(skeleton);
    if (!wires) this.wires_.set(skeleton, (wires = wires_of(skeleton)));
    return wires;
  }

  private build(cast: Cast): void {
    this.clear();
    this.cast_ = cast;
    this.version_ = this.rows_.version;
    const shapes = [...cast.members, ...cast.things].flatMap(({ id, skeleton }) => {
      const row = this.rows_.row_of(id);
      if (row === undefined) return [];
      return this.wires(skeleton).map((part) => ({ part, row: row + part.link }));
    });
    if (shapes.length === 0) return;
    const batch = new RoundedMesh(this.primitive_, this.material_, shapes.length);
    batch.mesh.renderOrder = kOrder.shapes;
    const coat = { color: kColor, surface: 'smooth', seed: 0 } as const;
    shapes.forEach(({ row, part }, i) => batch.set_part(i, row, part, part.shape, coat));
    batch.commit(shapes.length);
    this.parent_.add(batch.mesh);
    this.batch_ = batch;
  }
}

import * as THREE from 'three';
import type { WorldPose } from '../state/interpolate';
import { kPoseSize } from '../state/kinematics';
import type { Cast } from '../state/roster';
import { kEmptyCast } from '../state/roster';
import type { Skeleton } from '../state/skeleton';
import { kOrder } from './draw_order';
import type { PoseTexture } from './figure/pose_texture';
import { make_rounded, RoundedMesh } from './figure/rounded';
import { sharp_primitive } from './figure/rounded_geometry';
import { Tailor, type FigurePart } from './figure/tailor';

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

  /** @param poses in which the bodies are drawn */
  constructor(
    private readonly parent_: THREE.Object3D,
    poses: PoseTexture,
  ) {
    const wires = new THREE.MeshStandardMaterial({
      wireframe: true,
      transparent: true,
      opacity: 0.55,
      depthTest: false,
      emissive: 0x0b3a4a,
    });
    this.material_ = make_rounded(wires, 'plain', this.primitive_, poses);
  }

  update(pose: WorldPose, shown: boolean): void {
    if (!shown) {
      this.clear();
      return;
    }
    if (pose.cast !== this.cast_) this.build(pose.cast);
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

  private build(cast: Cast): void {
    this.clear();
    this.cast_ = cast;
    const shapes = [...cast.members, ...cast.things].flatMap((member) =>
      wires_of(member.skeleton).map((part) => ({
        part,
        row: member.pose / kPoseSize + part.link,
      })),
    );
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

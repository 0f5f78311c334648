import * as THREE from 'three';
import type { WorldPose } from '../state/interpolate';
import { kPoseSize } from '../state/kinematics';
import { at } from '../state/quaternion';
import type { Cast } from '../state/roster';
import { kEmptyCast } from '../state/roster';
import type { Skeleton } from '../state/skeleton';
import { make_rounded, RoundedMesh } from './figure/rounded';
import { Tailor, type FigurePart } from './figure/tailor';

interface Piece {
  readonly pose: number;
  readonly local: THREE.Matrix4;
}

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

function local_of({ position: p, rotation: q, scale }: FigurePart): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(...p),
    q ? new THREE.Quaternion(...q) : new THREE.Quaternion(),
    new THREE.Vector3(...scale),
  );
}

const link = new THREE.Matrix4();
const position = new THREE.Vector3();
const rotation = new THREE.Quaternion();
const one = new THREE.Vector3(1, 1, 1);

/** The shapes that the physics sees, as wires over the figures. One draw call. */
export class CollisionShapes {
  private readonly material_ = make_rounded(
    new THREE.MeshStandardMaterial({
      wireframe: true,
      transparent: true,
      opacity: 0.55,
      depthTest: false,
      emissive: 0x0b3a4a,
    }),
    false,
    kDetail,
  );
  private batch_: RoundedMesh | undefined;
  private pieces_: Piece[] = [];
  private cast_: Cast = kEmptyCast;

  constructor(private readonly parent_: THREE.Object3D) {}

  update(pose: WorldPose, shown: boolean): void {
    if (!shown) {
      this.clear();
      return;
    }
    if (pose.cast !== this.cast_) this.build(pose.cast);
    const batch = this.batch_;
    if (!batch) return;
    this.pieces_.forEach((piece, i) => {
      const p = piece.pose;
      position.set(at(pose.poses, p), at(pose.poses, p + 1), at(pose.poses, p + 2));
      rotation.set(
        at(pose.poses, p + 3),
        at(pose.poses, p + 4),
        at(pose.poses, p + 5),
        at(pose.poses, p + 6),
      );
      link
        .compose(position, rotation, one)
        .multiply(piece.local)
        .toArray(batch.matrices, 16 * i);
    });
    batch.matrices_changed(this.pieces_.length);
  }

  dispose(): void {
    this.clear();
    this.material_.dispose();
  }

  private clear(): void {
    this.batch_?.dispose();
    this.batch_ = undefined;
    this.cast_ = kEmptyCast;
    this.pieces_ = [];
  }

  private build(cast: Cast): void {
    this.clear();
    this.cast_ = cast;
    const shapes = [...cast.members, ...cast.things].flatMap((member) =>
      wires_of(member.skeleton).map((part) => ({
        shape: part.shape,
        pose: member.pose + part.link * kPoseSize,
        local: local_of(part),
      })),
    );
    if (shapes.length === 0) return;
    this.batch_ = new RoundedMesh(kDetail, this.material_, shapes.length, false);
    this.batch_.mesh.renderOrder = 5;
    const coat = { color: kColor, surface: 'smooth', seed: 0 } as const;
    shapes.forEach(({ shape }, i) => this.batch_?.set_shape(i, shape, coat, 0));
    this.batch_.shapes_changed();
    this.pieces_ = shapes.map(({ pose, local }) => ({ pose, local }));
    this.parent_.add(this.batch_.mesh);
  }
}

import * as THREE from 'three';
import type { WorldPose } from '../state/interpolate';
import { kPoseSize } from '../state/kinematics';
import { at } from '../state/quaternion';
import type { Cast } from '../state/roster';
import { kEmptyCast } from '../state/roster';
import type { LinkShape } from '../state/skeleton';
import { make_rounded, RoundedMesh, type RoundedShape } from './rounded';

interface Piece {
  readonly pose: number;
  readonly local: THREE.Matrix4;
}

function primitive(shape: LinkShape): { rounded: RoundedShape; local: THREE.Matrix4 } {
  if (shape.kind === 'box') {
    const r = 0.0015;
    const [x, y, z] = shape.half;
    return {
      rounded: { half: [x - r, y - r, z - r], top: r, bottom: r, taper: 1 },
      local: new THREE.Matrix4().makeTranslation(...shape.center),
    };
  }
  const a = new THREE.Vector3(...shape.from);
  const b = new THREE.Vector3(...shape.to);
  const axis = b.clone().sub(a);
  const length = axis.length();
  const q = new THREE.Quaternion().setFromUnitVectors(
    new THREE.Vector3(0, 0, 1),
    length > 0 ? axis.divideScalar(length) : new THREE.Vector3(0, 0, 1),
  );
  return {
    rounded: { half: [0, 0, length / 2], top: shape.radius, bottom: shape.radius, taper: 1 },
    local: new THREE.Matrix4().compose(a.add(b).multiplyScalar(0.5), q, new THREE.Vector3(1, 1, 1)),
  };
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
    const shapes = cast.members.flatMap((member) =>
      member.skeleton.links.flatMap((linked, i) =>
        linked.shapes.map((shape) => ({ pose: member.pose + i * kPoseSize, ...primitive(shape) })),
      ),
    );
    if (shapes.length === 0) return;
    this.batch_ = new RoundedMesh(2, this.material_, shapes.length, false);
    this.batch_.mesh.renderOrder = 5;
    const color = new THREE.Color('#27b7e0');
    shapes.forEach(({ rounded }, i) => this.batch_?.set_shape(i, rounded, color, 0));
    this.batch_.shapes_changed();
    this.pieces_ = shapes.map(({ pose, local }) => ({ pose, local }));
    this.parent_.add(this.batch_.mesh);
  }
}

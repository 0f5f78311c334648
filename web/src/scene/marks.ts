// Spheres, discs, rings, rods and cones that overlays ask for anew in every picture: five draw calls
// for all of them.
import * as THREE from 'three';
import type { Vec3 } from '../state/quaternion';

const kCapacity = 512;
const kUp = new THREE.Vector3(0, 0, 1);

const matrix = new THREE.Matrix4();
const position = new THREE.Vector3();
const direction = new THREE.Vector3();
const scale = new THREE.Vector3();
const rotation = new THREE.Quaternion();
const none = new THREE.Quaternion();
const tint = new THREE.Color();

class Kind {
  readonly mesh: THREE.InstancedMesh;
  private count_ = 0;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material) {
    this.mesh = new THREE.InstancedMesh(geometry, material, kCapacity);
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(
      new Float32Array(3 * kCapacity),
      3,
    );
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }

  begin(): void {
    this.count_ = 0;
  }

  add(where: THREE.Matrix4, color: string): void {
    if (this.count_ >= kCapacity) return;
    this.mesh.setMatrixAt(this.count_, where);
    this.mesh.setColorAt(this.count_, tint.set(color));
    ++this.count_;
  }

  end(): void {
    this.mesh.count = this.count_;
    this.mesh.visible = this.count_ > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }
}

export class Marks {
  readonly object = new THREE.Group();
  private readonly solid_ = new THREE.MeshStandardMaterial({
    roughness: 0.5,
    emissive: 0xffffff,
    emissiveIntensity: 0,
  });
  private readonly flat_ = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity: 0.75,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  });
  private readonly sphere_ = new Kind(new THREE.SphereGeometry(1, 16, 12), this.solid_);
  private readonly disc_ = new Kind(new THREE.CircleGeometry(1, 32), this.flat_);
  private readonly ring_ = new Kind(new THREE.RingGeometry(0.86, 1, 48), this.flat_);
  private readonly rod_ = new Kind(
    new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2),
    this.solid_,
  );
  private readonly cone_ = new Kind(
    new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2),
    this.solid_,
  );
  private readonly kinds_ = [this.sphere_, this.disc_, this.ring_, this.rod_, this.cone_];

  constructor() {
    this.disc_.mesh.renderOrder = this.ring_.mesh.renderOrder = 2;
    this.object.add(...this.kinds_.map((kind) => kind.mesh));
  }

  begin(): void {
    for (const kind of this.kinds_) kind.begin();
  }

  end(): void {
    for (const kind of this.kinds_) kind.end();
  }

  sphere(at: Vec3, radius: number, color: string): void {
    this.sphere_.add(matrix.compose(position.set(...at), none, scale.setScalar(radius)), color);
  }

  /** Flat on the ground. */
  disc(at: Vec3, radius: number, color: string): void {
    this.disc_.add(
      matrix.compose(position.set(at[0], at[1], at[2] + 0.004), none, scale.setScalar(radius)),
      color,
    );
  }

  ring(at: Vec3, radius: number, color: string): void {
    this.ring_.add(
      matrix.compose(position.set(at[0], at[1], at[2] + 0.004), none, scale.setScalar(radius)),
      color,
    );
  }

  rod(from: Vec3, to: Vec3, radius: number, color: string): void {
    direction.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const length = direction.length();
    if (length < 1e-6) return;
    rotation.setFromUnitVectors(kUp, direction.divideScalar(length));
    position.set((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
    this.rod_.add(matrix.compose(position, rotation, scale.set(radius, radius, length)), color);
  }

  arrow(from: Vec3, to: Vec3, radius: number, color: string): void {
    direction.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const length = direction.length();
    if (length < 1e-3) return;
    direction.divideScalar(length);
    const head = Math.min(length * 0.45, radius * 6);
    const neck: Vec3 = [
      to[0] - direction.x * head,
      to[1] - direction.y * head,
      to[2] - direction.z * head,
    ];
    rotation.setFromUnitVectors(kUp, direction);
    position.set(
      neck[0] + (direction.x * head) / 2,
      neck[1] + (direction.y * head) / 2,
      neck[2] + (direction.z * head) / 2,
    );
    this.cone_.add(
      matrix.compose(position, rotation, scale.set(radius * 2.6, radius * 2.6, head)),
      color,
    );
    this.rod(from, neck, radius, color);
  }

  /** A line of straight pieces. */
  line(points: readonly Vec3[], radius: number, color: string, closed = false): void {
    points.forEach((point, i) => {
      const next = points[i + 1] ?? (closed ? points[0] : undefined);
      if (next) this.rod(point, next, radius, color);
    });
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const kind of this.kinds_) kind.dispose();
    this.solid_.dispose();
    this.flat_.dispose();
  }
}

// Spheres, rods and arrows that overlays ask for anew in every picture, and discs and rings on the ground: two draw
// calls for all of them. They are drawn over bodies, or the bodies that they tell of would hide them, and are never
// smaller than can be seen.
import * as THREE from 'three';
import type { Vec3 } from '../../state/values/quaternion';
import { kOrder } from '../picture/draw_order';
import { kNoLink, PoseTexture } from '../figure/pose_texture';
import { make_rounded, RoundedMesh, type RoundedShape } from '../figure/rounded';
import { soft_primitive } from '../figure/rounded_geometry';
import { GroundMarks } from './ground_marks';

const kCapacity = 2048;
const kUp = new THREE.Vector3(0, 0, 1);
const kOne: Vec3 = [1, 1, 1];
const kUnturned = [0, 0, 0, 1] as const;
// Least sizes in the picture, px.
const kSphere_px = 5;
const kRod_px = 1.3;
const kShaft_px = 2;
const kRing_px = 8;

const direction = new THREE.Vector3();
const rotation = new THREE.Quaternion();
const tint = new THREE.Color();

export class Marks {
  readonly object = new THREE.Group();
  private readonly poses_ = new PoseTexture();
  private readonly primitive_ = soft_primitive(4);
  private readonly material_: THREE.MeshBasicMaterial;
  private readonly solid_: RoundedMesh;
  private readonly flat_ = new GroundMarks();
  private count_ = 0;
  private eye_: Vec3 = [0, 0, 0];
  private pixel_m_ = 0;

  constructor() {
    const material = new THREE.MeshBasicMaterial({
      toneMapped: false,
      fog: false,
      transparent: true, // so that they come after everything else
      blending: THREE.NoBlending,
    });
    this.material_ = make_rounded(material, 'mark', this.primitive_, this.poses_);
    this.solid_ = new RoundedMesh(this.primitive_, this.material_, kCapacity);
    const { mesh } = this.solid_;
    mesh.renderOrder = kOrder.overlays + 1;
    // The marks still hide each other by depth.
    mesh.onBeforeRender = (renderer) => {
      renderer.state.buffers.depth.setMask(true);
      renderer.clearDepth();
    };
    this.object.add(mesh, this.flat_.mesh);
  }

  /**
   * @param eye camera position, m, world frame
   * @param pixel_m size of a pixel at 1 m from it
   */
  begin(eye: Vec3, pixel_m: number): void {
    this.eye_ = eye;
    this.pixel_m_ = pixel_m;
    this.count_ = 0;
    this.flat_.begin();
  }

  end(): void {
    this.solid_.commit(this.count_);
    this.flat_.end();
  }

  sphere(at: Vec3, radius: number, color: string, least_px = kSphere_px): void {
    const r = Math.max(radius, this.pixels(at, least_px));
    this.add(at, kUnturned, { half: [0, 0, 0], top: r, bottom: r, taper: 1 }, color);
  }

  /** Flat on the ground. */
  disc(at: Vec3, radius: number, color: string): void {
    const least = this.pixels(at, 0.5 * kRing_px);
    this.flat_.add(at, Math.max(radius, least), 0, color);
  }

  ring(at: Vec3, radius: number, color: string): void {
    const r = Math.max(radius, this.pixels(at, kRing_px));
    const width = Math.max(0.14 * r, this.pixels(at, 2));
    this.flat_.add(at, r, Math.max(0, 1 - width / r), color);
  }

  rod(from: Vec3, to: Vec3, radius: number, color: string, least_px = kRod_px): void {
    const middle = between(from, to, 0.5);
    const length = this.turn(from, to);
    if (length < 1e-6) return;
    const r = Math.max(radius, this.pixels(middle, least_px));
    const shape = { half: [0, 0, length / 2], top: r, bottom: r, taper: 1 } as const;
    this.add(middle, rotation.toArray(), shape, color);
  }

  /** An arrow as long as it is from one point to the other; short ones are thin. */
  arrow(from: Vec3, to: Vec3, radius: number, color: string, least_px = kShaft_px): void {
    const length = this.turn(from, to);
    if (length < 1e-3) return;
    const wanted = Math.max(radius, this.pixels(between(from, to, 0.5), least_px));
    const r = Math.min(wanted, 0.12 * length);
    const head = Math.min(0.5 * length, 6 * r);
    const neck = between(to, from, head / length);
    const wide = 2.6 * r;
    const cone: RoundedShape = {
      half: [0, 0, head / 2],
      top: 0.05 * r,
      bottom: 0.05 * r,
      taper: wide / (0.1 * r),
      disc: 0.1 * r,
    };
    this.add(between(neck, to, 0.5), rotation.toArray(), cone, color);
    this.rod(from, neck, r, color, 0);
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
    this.solid_.dispose();
    this.flat_.dispose();
    this.primitive_.geometry.dispose();
    this.poses_.dispose();
    this.material_.dispose();
  }

  /** How long so many pixels are at a point, m. */
  private pixels(at: Vec3, count: number): number {
    const [x, y, z] = this.eye_;
    return count * this.pixel_m_ * Math.hypot(at[0] - x, at[1] - y, at[2] - z);
  }

  /** Turns `rotation` along a stretch. @return its length, m */
  private turn(from: Vec3, to: Vec3): number {
    direction.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const length = direction.length();
    if (length > 0) rotation.setFromUnitVectors(kUp, direction.divideScalar(length));
    return length;
  }

  private add(
    position: Vec3,
    turn: readonly [number, number, number, number],
    shape: RoundedShape,
    color: string,
  ): void {
    if (this.count_ >= kCapacity) return;
    const coat = { color: tint.set(color), surface: 'smooth', seed: 0 } as const;
    this.solid_.set_part(
      this.count_++,
      kNoLink,
      { position, rotation: turn, scale: kOne },
      shape,
      coat,
    );
  }
}

function between(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Scene } from '../../gen/promenade/v1/scene_pb';
import type { Vec3 } from '../../state/values/quaternion';
import { turned_view, type View, view_between } from '../../state/picture/camera_views';
import type { Ray } from '../../state/hand/picking';
import type { ScreenAxes } from '../../state/hand/push';

export type { View } from '../../state/picture/camera_views';

const kLowest_m = 0.15; // the camera stays above the ground
const kClosest_m = 0.8;
const kTiny_m = 0.004;
const kDeep_m = 3; // how deep a pit without a floor counts for the camera
const kLevel_rad = Math.PI / 2 - 0.02; // the camera does not look up through the ground
const kNadir_rad = Math.PI - 0.05;
const kFlight_s = 0.9;
const kTurn_hz = 11; // how fast the camera comes after keys that turn it
const kTop_rad = Math.PI / 2 - 0.02; // as high as keys turn it
const kFollow_hz = 6; // how fast the camera comes after a body that it follows
const kJump_m = 10; // a body that is this far off was put there: the camera goes along at once

function to_page([x, y, z]: Vec3, out = new THREE.Vector3()): THREE.Vector3 {
  return out.set(x, z, -y);
}
function to_world(v: THREE.Vector3): Vec3 {
  return [v.x, -v.z, v.y];
}

/** A turn about what the camera looks at: to its right, up, and a factor on the distance. */
export interface CameraTurn {
  readonly around_rad: number;
  readonly up_rad: number;
  readonly nearer: number;
}

const no_turn = () => ({ around_rad: 0, up_rad: 0, nearer: 1 });

function sum(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** Orbit, pan, zoom and follow. Callers use the world frame only. */
export class CameraRig {
  readonly controls: OrbitControls;
  /** Called when somebody turns, moves or zooms. */
  on_taken: () => void = () => {};
  private floor_m_ = 0;
  private flight_: { from: View; to: View; t: number } | undefined;
  private turn_ = no_turn(); // what is left of a turn by keys
  private followed_: THREE.Vector3 | undefined; // the followed point, smoothed; page axes
  private readonly caster_ = new THREE.Raycaster();
  private readonly shift_ = new THREE.Vector3();

  constructor(
    private readonly camera_: THREE.PerspectiveCamera,
    element: HTMLElement,
    private readonly still_: () => boolean,
  ) {
    this.controls = new OrbitControls(camera_, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.minDistance = kClosest_m;
    this.controls.maxDistance = 90;
    this.controls.maxPolarAngle = kLevel_rad;
    this.controls.zoomToCursor = false;
    this.controls.addEventListener('start', () => {
      this.flight_ = undefined;
      this.turn_ = no_turn();
      this.on_taken();
    });
  }

  get view(): View {
    return { from: to_world(this.camera_.position), at: to_world(this.controls.target) };
  }

  get axes(): ScreenAxes {
    const axis = (column: number) =>
      to_world(new THREE.Vector3().setFromMatrixColumn(this.camera_.matrixWorld, column));
    return { right: axis(0), up: axis(1) };
  }

  /** Moves the camera to a view, in a short flight unless the system asks for reduced motion. */
  go(to: View, at_once = false): void {
    this.followed_ = undefined; // the view is of another place
    this.turn_ = no_turn(); // what was left of a turn of the one before
    if (at_once || this.still_()) {
      this.flight_ = undefined;
      this.place(to);
    } else {
      this.flight_ = { from: this.view, to, t: 0 };
    }
  }

  /** Puts the camera to a view of a motion that the caller smooths. */
  steer(view: View): void {
    this.flight_ = undefined;
    this.followed_ = undefined;
    this.turn_ = no_turn();
    this.place(view);
  }

  /** Turns the camera about what it looks at, and moves it nearer; further turns add up. */
  turn({ around_rad, up_rad, nearer }: CameraTurn): void {
    this.flight_ = undefined;
    this.on_taken();
    const { turn_: left } = this;
    left.around_rad += around_rad;
    left.up_rad += up_rad;
    left.nearer *= nearer;
  }

  /** @param floor_m height of the lowest ground; minus infinity where there is none */
  set_floor(floor_m: number): void {
    this.floor_m_ = floor_m;
    this.controls.maxPolarAngle =
      floor_m < 0 && !Number.isFinite(floor_m) ? kNadir_rad : kLevel_rad;
  }

  /** Lets the camera come near enough to a body of this size, m. */
  set_least_size(size_m: number): void {
    this.controls.minDistance = Math.min(kClosest_m, Math.max(kTiny_m, size_m));
  }

  /**
   * Turns the camera to a point, from the same side; nearer if it is far away, further away if it is too close.
   * @param distance m
   * @param exactly whether the camera goes to that distance also where it is between half of it and all
   */
  look_at(point: Vec3, distance: number, exactly = false): void {
    const { from, at } = this.view;
    const d: Vec3 = [from[0] - at[0], from[1] - at[1], from[2] - at[2]];
    const length = Math.hypot(...d) || 1;
    const k = (exactly ? distance : Math.min(Math.max(length, 0.5 * distance), distance)) / length;
    const lowest = Math.min(0.5, 0.1 * distance);
    this.go({
      from: [
        point[0] + d[0] * k,
        point[1] + d[1] * k,
        Math.max(point[2] + d[2] * k, this.floor_m_ + lowest),
      ],
      at: point,
    });
  }

  /**
   * Moves along with the body that is followed. Pans, turns and zooms of the visitor meanwhile hold relative to the body.
   * @param point of the body, m, world frame; in the middle of the picture when following begins
   */
  follow(point: Vec3, elapsed_s: number): void {
    const to = to_page(point, this.shift_);
    if (!this.followed_) {
      // A flight that is under way leads to the body already.
      this.followed_ = this.flight_ ? to.clone() : this.controls.target.clone();
    }
    const shift = to.sub(this.followed_);
    if (shift.length() < kJump_m) shift.multiplyScalar(1 - Math.exp(-elapsed_s * kFollow_hz));
    this.followed_.add(shift);
    this.carry(shift);
  }

  /**
   * Follows from where the camera is now, relative to a body.
   * @param point of the body now, m, world frame
   * @param about where that was when the camera's place was noted
   */
  follow_from(point: Vec3, about: Vec3): void {
    this.followed_ = to_page(point);
    this.carry(to_page(about, this.shift_).sub(this.followed_).negate());
  }

  /** Lets the body go on without the camera. */
  unfollow(): void {
    this.followed_ = undefined;
  }

  /** The followed point, to which the camera keeps its place, m, world frame. */
  get followed(): Vec3 | undefined {
    return this.followed_ && to_world(this.followed_);
  }

  update(elapsed_s: number): void {
    if (this.flight_) {
      const { from, to } = this.flight_;
      this.flight_.t = Math.min(1, this.flight_.t + elapsed_s / kFlight_s);
      const s = this.flight_.t ** 2 * (3 - 2 * this.flight_.t);
      this.place(view_between(from, to, s));
      if (this.flight_.t >= 1) this.flight_ = undefined;
    }
    this.turn_on(elapsed_s);
    this.controls.update();
    this.controls.target.y = Math.max(this.floor_m_, this.controls.target.y);
    const lowest = Math.min(kLowest_m, 0.2 * this.controls.minDistance);
    if (Number.isFinite(this.floor_m_))
      this.camera_.position.y = Math.max(lowest, this.camera_.position.y);
    this.camera_.updateMatrixWorld();
  }

  /** @param x, y -1 to 1 across the picture */
  ray(x: number, y: number): Ray {
    this.caster_.setFromCamera(new THREE.Vector2(x, y), this.camera_);
    return {
      origin: to_world(this.caster_.ray.origin),
      direction: to_world(this.caster_.ray.direction),
    };
  }

  /** Where a point is on the picture, in its pixels; undefined behind the camera. */
  project(
    point: Vec3,
    width: number,
    height: number,
  ): { x: number; y: number; depth: number } | undefined {
    const p = to_page(point);
    const depth = p.distanceTo(this.camera_.position);
    p.project(this.camera_);
    if (p.z > 1 || p.z < -1) return undefined;
    return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, depth };
  }

  dispose(): void {
    this.controls.dispose();
  }

  /** Does what is due of a turn by keys. */
  private turn_on(elapsed_s: number): void {
    const { around_rad, up_rad, nearer } = this.turn_;
    if (around_rad === 0 && up_rad === 0 && nearer === 1) return;
    const done = this.still_() ? 1 : 1 - Math.exp(-elapsed_s * kTurn_hz);
    const step = { around_rad: around_rad * done, up_rad: up_rad * done, nearer: nearer ** done };
    const lowest = Math.PI / 2 - this.controls.maxPolarAngle;
    this.place(turned_view(this.view, step, lowest, kTop_rad));
    const rest = {
      around_rad: around_rad - step.around_rad,
      up_rad: up_rad - step.up_rad,
      nearer: nearer / step.nearer,
    };
    const over =
      Math.abs(rest.around_rad) + Math.abs(rest.up_rad) + Math.abs(rest.nearer - 1) < 1e-3;
    this.turn_ = over ? no_turn() : rest;
  }

  /** Moves the camera, and the flight that it is on. */
  private carry(shift: THREE.Vector3): void {
    if (this.flight_) {
      const by = to_world(shift);
      const moved = ({ from, at }: View): View => ({ from: sum(from, by), at: sum(at, by) });
      this.flight_.from = moved(this.flight_.from);
      this.flight_.to = moved(this.flight_.to);
    }
    this.controls.target.add(shift);
    this.camera_.position.add(shift);
  }

  private place({ from, at }: View): void {
    to_page(from, this.camera_.position);
    to_page(at, this.controls.target);
    this.camera_.lookAt(this.controls.target);
    this.camera_.updateMatrixWorld();
  }
}

/** The height below which the camera never goes, m: the ground, or the bottom of the deepest pit. */
export function floor_of(scene: Scene | undefined): number {
  if (scene?.noPlane) return -Infinity;
  const depths = (scene?.pits ?? []).map(({ depthM }) => depthM || kDeep_m);
  return -Math.max(0, ...depths);
}

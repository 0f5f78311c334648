// The force of a push from the arrow that is drawn on the screen.
import type { Vec3 } from '../values/quaternion';
import { kGravity_mps2 } from '../values/gravity';

const kWeightsPerPixel = 1 / 240; // 100 px push an adult of 73 kg with 300 N, whatever the camera
const kMost_weights = 3;

/** Where the camera's picture lies in the world: unit vectors, world frame. */
export interface ScreenAxes {
  readonly right: Vec3;
  readonly up: Vec3; // in the plane of the picture
}

/** Ways in which a drag on the screen becomes a direction in the world. */
export type PushPlane = 'ground' | 'screen';

function weighted(a: Vec3, x: number, b: Vec3, y: number): Vec3 {
  return [a[0] * x + b[0] * y, a[1] * x + b[1] * y, a[2] * x + b[2] * y];
}

/**
 * Up on the screen, laid onto the ground: away from the camera, also where that looks along the ground or up.
 * @return a level unit vector, world frame
 */
export function away_on_ground({ right }: ScreenAxes): Vec3 {
  // The camera never rolls, so `right` is level.
  const length = Math.hypot(right[0], right[1]) || 1;
  return [-right[1] / length, right[0] / length, 0];
}

/**
 * A push's direction and force.
 * Law: F = m g |d| / 240, at most 3 m g and at most `most_n`; d the arrow, px
 * The force depends on the length on the screen only, so that it is the same in every direction and at every camera.
 * @param drawn_px the arrow, px to the right and up
 * @param mass_kg of the body that is pushed
 * @param most_n what this viewer may push with
 * @return the force, N, world frame
 */
export function push_force(
  [dx, dy]: readonly [number, number],
  axes: ScreenAxes,
  plane: PushPlane,
  mass_kg: number,
  most_n = Infinity,
): Vec3 {
  const length_px = Math.hypot(dx, dy);
  if (length_px === 0) return [0, 0, 0];
  const weight_n = mass_kg * kGravity_mps2;
  const wanted_n = weight_n * Math.min(kMost_weights, kWeightsPerPixel * length_px);
  const k = Math.min(wanted_n, most_n) / length_px;
  const up = plane === 'ground' ? away_on_ground(axes) : axes.up;
  return weighted(axes.right, k * dx, up, k * dy);
}

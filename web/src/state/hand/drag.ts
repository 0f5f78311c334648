// Where a thing is dragged to.
import type { Ray } from './picking';
import type { Vec3 } from '../values/quaternion';

const kFurthest_m = 200;

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/**
 * The point of a plane through `held` that the pointer shows: of the plane of the picture, which lifts and
 * lowers, or of the level one, which moves away and near.
 * @param look from the eye to where it looks
 * @return undefined where the pointer meets it nowhere near
 */
export function drag_target(ray: Ray, held: Vec3, look: Vec3, level: boolean): Vec3 | undefined {
  const normal: Vec3 = level ? [0, 0, 1] : look;
  const facing = dot(normal, ray.direction);
  const gap = dot(normal, held) - dot(normal, ray.origin);
  const t = gap / facing;
  if (!Number.isFinite(t) || t < 0 || t > kFurthest_m) return undefined;
  const { origin: o, direction: d } = ray;
  return [o[0] + d[0] * t, o[1] + d[1] * t, o[2] + d[2] * t];
}

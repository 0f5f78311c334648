// The bodies that stand between the camera and what it looks at, and so are drawn see-through.
import { is_present, type WorldPose } from '../frames/interpolate';
import { at, type Vec3 } from '../values/quaternion';

const kWide = 0.32; // of a body's reach: this near to the line of sight it hides what is behind
const kTall = 0.6; // of a body's reach: how far it goes up and down from its root
const kMost = 0.75; // how much of somebody in front is left out: three of a pixel's four samples
const kFade_hz = 8;

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/**
 * Whether an upright body hides a point.
 * @param root of the body, m, world frame
 * @param reach of the body, m
 * @param gap m before the point in which nothing counts as in front of it
 */
export function hides(root: Vec3, reach: number, eye: Vec3, point: Vec3, gap: number): boolean {
  const line = minus(point, eye);
  const length = Math.hypot(...line);
  if (length < 1e-6) return false;
  const look: Vec3 = [line[0] / length, line[1] / length, line[2] / length];
  const from_eye = minus(root, eye);
  const along = dot(from_eye, look);
  if (along < -reach * kWide || along > length - gap) return false;
  // How far the line passes beside the root: to the side, and up or down.
  const side = Math.hypot(look[0], look[1]);
  const across = side > 1e-3 ? (from_eye[0] * look[1] - from_eye[1] * look[0]) / side : 0;
  const gone = minus(from_eye, [look[0] * along, look[1] * along, look[2] * along]);
  const height = Math.sqrt(Math.max(0, dot(gone, gone) - across * across));
  return Math.abs(across) < kWide * reach && height < kTall * reach + kWide * reach;
}

function is_nearer(poses: Float32Array, p: number, eye: Vec3, distance: number): boolean {
  const x = at(poses, p) - eye[0];
  const y = at(poses, p + 1) - eye[1];
  const z = at(poses, p + 2) - eye[2];
  return x * x + y * y + z * z < distance * distance;
}

/** How much of each body is left out of the picture, 0 to 1; changes gently. */
export class Veil {
  readonly amounts = new Map<number, number>();

  /**
   * @param focus the body that the camera watches; undefined: none
   * @param spared others that are never left out
   * @param elapsed_s since the last picture; Infinity: at once
   */
  update(
    pose: WorldPose,
    eye: Vec3,
    focus: { readonly id: number; readonly point: Vec3; readonly reach: number } | undefined,
    spared: (id: number) => boolean,
    elapsed_s: number,
  ): void {
    if (!focus && this.amounts.size === 0) return;
    const step = 1 - Math.exp(-elapsed_s * kFade_hz);
    const far = focus ? Math.hypot(...minus(focus.point, eye)) : 0;
    for (const member of pose.cast.members) {
      const { id, pose: p, skeleton } = member;
      const before = this.amounts.size > 0 ? (this.amounts.get(id) ?? 0) : 0;
      let wanted = 0;
      if (
        focus &&
        is_nearer(pose.poses, p, eye, far + skeleton.reach) &&
        id !== focus.id &&
        !spared(id) &&
        is_present(pose, member)
      ) {
        const root: Vec3 = [at(pose.poses, p), at(pose.poses, p + 1), at(pose.poses, p + 2)];
        const gap = 0.5 * kWide * (focus.reach + skeleton.reach);
        if (hides(root, skeleton.reach, eye, focus.point, gap)) wanted = kMost;
      }
      if (wanted === 0 && before === 0) continue;
      const now = before + (wanted - before) * step;
      if (wanted === 0 && now < 0.01) this.amounts.delete(id);
      else this.amounts.set(id, now);
    }
    for (const id of this.amounts.keys()) if (!pose.cast.by_id.has(id)) this.amounts.delete(id);
  }
}

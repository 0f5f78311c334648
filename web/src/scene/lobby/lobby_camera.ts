// How the lobby's small pictures look at a room: a plain perspective, without three.js.
import type { Vec3 } from '../../state/values/quaternion';

const kField = Math.tan((34 * Math.PI) / 360); // half the height of the picture at 1 m

export interface LobbyCamera {
  readonly eye: Vec3; // m, world frame
  /** Metres before the camera. */
  depth(point: Vec3): number;
  /** Pixels from the upper left corner, and pixels a metre there; nothing behind the camera. */
  project(
    point: Vec3,
  ): { readonly x: number; readonly y: number; readonly scale: number } | undefined;
  readonly horizon: number; // px from above
}

/**
 * Looks down at a place from aside, from as far as it takes to see what is around.
 * @param radius_m of what is to be seen
 * @param azimuth_rad of the eye
 */
export function lobby_camera(
  at: Vec3,
  radius_m: number,
  azimuth_rad: number,
  width: number,
  height: number,
): LobbyCamera {
  const pitch = (12 * Math.PI) / 180;
  const away = 3.2 + 1.75 * radius_m;
  const [ca, sa] = [Math.cos(azimuth_rad), Math.sin(azimuth_rad)];
  const [cp, sp] = [Math.cos(pitch), Math.sin(pitch)];
  const eye: Vec3 = [at[0] + away * cp * ca, at[1] + away * cp * sa, at[2] + 0.8 + away * sp];
  const focal = height / (2 * kField);
  const near = 0.4;
  const local = (point: Vec3) => {
    const [x, y, z] = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
    const forward = -(x * ca + y * sa);
    return {
      right: y * ca - x * sa,
      up: z * cp + forward * sp,
      ahead: forward * cp - z * sp,
    };
  };
  return {
    eye,
    depth: (point) => local(point).ahead,
    project: (point) => {
      const { right, up, ahead } = local(point);
      if (ahead < near) return undefined;
      const scale = focal / ahead;
      return { x: width / 2 + right * scale, y: height / 2 - up * scale, scale };
    },
    horizon: height / 2 - focal * Math.tan(pitch),
  };
}

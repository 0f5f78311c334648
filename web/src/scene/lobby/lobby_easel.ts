// The drawing tools of the lobby's small pictures: a pen, the camera, the light, and boxes, which rooms are full of.
import type { Vec3 } from '../../state/values/quaternion';
import type { LobbyCamera } from './lobby_camera';

export type Rgb = readonly [number, number, number];

/** The colours of a room's picture, by day or at dusk. */
export interface Light {
  readonly sky: readonly [string, string];
  readonly ground: readonly [string, string];
  readonly line: Rgb;
  readonly block: Rgb;
  readonly shadow: string;
  readonly edge: number; // of outlines: how dark, 0 to 1
  readonly lit: number; // of everything
}

export const kDay: Light = {
  sky: ['#8fbbe0', '#e9ecdf'],
  ground: ['#d6cab0', '#c6b798'],
  line: [120, 98, 66],
  block: [190, 172, 142],
  shadow: 'rgb(70 50 25 / 26%)',
  edge: 0.45,
  lit: 1,
};
export const kDusk: Light = {
  sky: ['#27335f', '#b78f96'],
  ground: ['#6f6668', '#4a4650'],
  line: [210, 196, 190],
  block: [128, 120, 122],
  shadow: 'rgb(12 10 20 / 42%)',
  edge: 0.55,
  lit: 0.88,
};

const kPlain: Rgb = [176, 138, 110];

/** A colour as '#rrggbb'; any other text gives a plain brown. */
export function parse(color: string): Rgb {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!found) return kPlain;
  return [1, 2, 3].map((k) => Number.parseInt(found[k] as string, 16)) as unknown as Rgb;
}

/** A colour made lighter or darker by a factor, for the canvas. @param alpha 0 to 1 */
export function shade([r, g, b]: Rgb, factor: number, alpha = 1): string {
  const one = (v: number) => Math.round(Math.max(0, Math.min(255, v * factor)));
  return `rgb(${one(r)} ${one(g)} ${one(b)} / ${alpha})`;
}

export type Pen = CanvasRenderingContext2D;

/** A picture that is being drawn. */
export interface Easel {
  readonly pen: Pen;
  readonly camera: LobbyCamera;
  readonly light: Light;
}

const kFaces: readonly (readonly [Vec3, readonly number[]])[] = [
  [
    [1, 0, 0],
    [1, 3, 7, 5],
  ],
  [
    [-1, 0, 0],
    [0, 4, 6, 2],
  ],
  [
    [0, 1, 0],
    [2, 6, 7, 3],
  ],
  [
    [0, -1, 0],
    [0, 1, 5, 4],
  ],
  [
    [0, 0, 1],
    [4, 5, 7, 6],
  ],
  [
    [0, 0, -1],
    [0, 2, 3, 1],
  ],
];

/** The faces of a box that are seen, lit from above. @param turn a direction of the box in the world */
export function draw_box(
  { pen, camera, light }: Easel,
  middle: Vec3,
  half: Vec3,
  turn: (v: Vec3) => Vec3,
  color: Rgb,
  alpha: number,
): void {
  const place = (v: Vec3): Vec3 => {
    const [x, y, z] = turn([v[0] * half[0], v[1] * half[1], v[2] * half[2]]);
    return [middle[0] + x, middle[1] + y, middle[2] + z];
  };
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
    place([k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]),
  );
  for (const [normal, face] of kFaces) {
    const n = turn(normal);
    const on = place(normal);
    const seen =
      (camera.eye[0] - on[0]) * n[0] +
      (camera.eye[1] - on[1]) * n[1] +
      (camera.eye[2] - on[2]) * n[2];
    if (seen <= 0) continue;
    const spots = face.map((k) => camera.project(corners[k] as Vec3));
    if (spots.some((spot) => !spot)) continue;
    pen.beginPath();
    for (const spot of spots) if (spot) pen.lineTo(spot.x, spot.y);
    pen.closePath();
    const sun = 0.8 + 0.26 * n[2] + 0.1 * n[0] - 0.06 * n[1];
    pen.fillStyle = shade(color, sun * light.lit, alpha);
    pen.strokeStyle = shade(color, 0.72 * light.lit, alpha);
    pen.lineWidth = 1;
    pen.lineJoin = 'round';
    pen.fill();
    pen.stroke();
  }
}

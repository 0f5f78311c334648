// Draws a room's small picture on a plane canvas: a browser has few WebGL contexts, and a lobby many rooms.
import type { LobbyBlock, LobbyPicture } from '../../gen/promenade/v1/lobby_pb';
import type { Vec3 } from '../../state/values/quaternion';
import type { Sketch } from '../../state/lobby/lobby_track';
import { draw_body, draw_shadow } from './lobby_bodies';
import { lobby_camera } from './lobby_camera';
import { draw_box, type Easel, kDay, kDusk, parse, type Pen, shade } from './lobby_easel';

/** A step of the ground's grid that leaves some ten lines in the picture. */
function step_of(radius_m: number): number {
  return radius_m < 3 ? 0.5 : radius_m < 7 ? 1 : 2;
}

/** The grid on the ground. */
function draw_grid({ pen, camera, light }: Easel, at: Vec3, radius: number): void {
  const step = step_of(radius);
  const far = 3 * radius + 5;
  const line = (a: Vec3, b: Vec3, alpha: number) => {
    const [p, q] = [camera.project(a), camera.project(b)];
    if (!p || !q) return;
    pen.strokeStyle = shade(light.line, 1, alpha);
    pen.beginPath();
    pen.moveTo(p.x, p.y);
    pen.lineTo(q.x, q.y);
    pen.stroke();
  };
  pen.lineWidth = 1;
  // In pieces, so that lines fade towards the horizon and none passes behind the camera.
  for (const along of [0, 1] as const) {
    const across = (1 - along) as 0 | 1;
    const first = Math.ceil((at[across] - far) / step) * step;
    for (let v = first; v <= at[across] + far; v += step) {
      const piece = far / 4;
      for (let w = at[along] - far; w < at[along] + far - 1e-6; w += piece) {
        const [a, b]: [number[], number[]] = [
          [0, 0, at[2]],
          [0, 0, at[2]],
        ];
        a[along] = w;
        b[along] = w + piece;
        a[across] = b[across] = v;
        const off = Math.hypot(v - at[across], w + piece / 2 - at[along]) / far;
        const alpha = 0.2 * Math.max(0, 1 - off);
        if (alpha > 0.01) line(a as unknown as Vec3, b as unknown as Vec3, alpha);
      }
    }
  }
}

/** Fills a band of the picture with colours from its top to its bottom, px from above. */
function fill(
  pen: Pen,
  width: number,
  top: number,
  bottom: number,
  colors: readonly (readonly [stop: number, color: string])[],
): void {
  const shades = pen.createLinearGradient(0, top, 0, bottom);
  for (const [stop, color] of colors) shades.addColorStop(stop, color);
  pen.fillStyle = shades;
  pen.fillRect(0, top, width, bottom - top);
}

/** The sky and the ground; a room without a ground has sky below the horizon, too. */
function draw_backdrop(
  easel: Easel,
  { noPlane, radiusM }: LobbyPicture,
  at: Vec3,
  width: number,
  height: number,
): void {
  const { pen, camera, light } = easel;
  const horizon = Math.round(Math.max(0, Math.min(height, camera.horizon)));
  const [zenith, haze] = light.sky;
  const [far, near] = light.ground;
  if (horizon > 0)
    fill(pen, width, 0, horizon, [
      [0, zenith],
      [1, haze],
    ]);
  if (noPlane) {
    fill(pen, width, horizon, height, [
      [0, haze],
      [1, zenith],
    ]);
    return;
  }
  fill(pen, width, horizon, height, [
    [0, haze],
    [0.16, far],
    [1, near],
  ]);
  draw_grid(easel, at, radiusM);
}

function draw_block(easel: Easel, center: Vec3, block: LobbyBlock): void {
  const [x = 0, y = 0, z = 0] = block.centerM;
  const [dx = 1, dy = 1, dz = 1] = block.sizeM;
  const [yaw, pitch] = [(block.yawDeg * Math.PI) / 180, (block.pitchDeg * Math.PI) / 180];
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const turn = ([a, b, c]: Vec3): Vec3 => {
    const level = a * cp + c * sp;
    return [level * cy - b * sy, level * sy + b * cy, c * cp - a * sp];
  };
  const middle: Vec3 = [center[0] + x, center[1] + y, center[2] + z];
  const color = block.color ? parse(block.color) : easel.light.block;
  draw_box(easel, middle, [dx / 2, dy / 2, dz / 2], turn, color, 1);
}

/** Blocks of the room and everybody in it, what is far away first. @param at middle of the room, m */
function draw_content(
  easel: Easel,
  blocks: readonly LobbyBlock[],
  sketches: readonly Sketch[],
  at: Vec3,
): void {
  const { pen, camera, light } = easel;
  const [x, y, z] = at;
  const sorted = blocks
    .map((block) => {
      const [bx = 0, by = 0, bz = 0] = block.centerM;
      return {
        block,
        far: camera.depth([x + bx, y + by, z + bz]),
        low: (block.sizeM[2] ?? 0) < 0.5,
      };
    })
    .sort((one, other) => other.far - one.far);
  for (const { block, low } of sorted) if (low) draw_block(easel, at, block);
  pen.fillStyle = light.shadow;
  for (const sketch of sketches) draw_shadow(easel, sketch, z);
  // Low blocks are under everybody's feet; high ones stand among them.
  const standing = [
    ...sorted
      .filter(({ low }) => !low)
      .map(({ block, far }) => ({ far, draw: () => draw_block(easel, at, block) })),
    ...sketches.map((sketch) => ({
      far: camera.depth(sketch.root),
      draw: () => draw_body(easel, sketch),
    })),
  ].sort((one, other) => other.far - one.far);
  for (const { draw } of standing) draw();
}

/**
 * Draws what is seen of a room now.
 * @param azimuth_rad from where the camera looks
 * @param ratio pixels of the canvas to those of the page
 */
export function draw_lobby_picture(
  pen: Pen,
  picture: LobbyPicture,
  sketches: readonly Sketch[],
  azimuth_rad: number,
  dark: boolean,
  ratio: number,
): void {
  const [width, height] = [pen.canvas.width / ratio, pen.canvas.height / ratio];
  const [x = 0, y = 0, z = 0] = picture.centerM;
  const at: Vec3 = [x, y, z];
  const camera = lobby_camera(at, picture.radiusM, azimuth_rad, width, height);
  const easel = { pen, camera, light: dark ? kDusk : kDay };
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw_backdrop(easel, picture, at, width, height);
  draw_content(easel, picture.blocks, sketches, at);
}

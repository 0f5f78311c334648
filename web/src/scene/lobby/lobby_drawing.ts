// Draws a room's small picture on a plane canvas: a browser has few WebGL contexts, and a lobby many rooms.
import type { LobbyBlock, LobbyPicture } from '../../gen/promenade/v1/lobby_pb';
import { rotate, type Vec3 } from '../../state/values/quaternion';
import type { Sketch } from '../../state/lobby/lobby_track';
import { lobby_camera, type LobbyCamera } from './lobby_camera';

type Rgb = readonly [number, number, number];

interface Light {
  readonly sky: readonly [string, string];
  readonly ground: readonly [string, string];
  readonly line: Rgb;
  readonly block: Rgb;
  readonly shadow: string;
  readonly edge: number; // of outlines: how dark, 0 to 1
  readonly lit: number; // of everything
}

const kDay: Light = {
  sky: ['#8fbbe0', '#e9ecdf'],
  ground: ['#d6cab0', '#c6b798'],
  line: [120, 98, 66],
  block: [190, 172, 142],
  shadow: 'rgb(70 50 25 / 26%)',
  edge: 0.45,
  lit: 1,
};
const kDusk: Light = {
  sky: ['#27335f', '#b78f96'],
  ground: ['#6f6668', '#4a4650'],
  line: [210, 196, 190],
  block: [128, 120, 122],
  shadow: 'rgb(12 10 20 / 42%)',
  edge: 0.55,
  lit: 0.88,
};

const kPlain: Rgb = [176, 138, 110];

function parse(color: string): Rgb {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!found) return kPlain;
  return [1, 2, 3].map((k) => Number.parseInt(found[k] as string, 16)) as unknown as Rgb;
}

function shade([r, g, b]: Rgb, factor: number, alpha = 1): string {
  const one = (v: number) => Math.round(Math.max(0, Math.min(255, v * factor)));
  return `rgb(${one(r)} ${one(g)} ${one(b)} / ${alpha})`;
}

type Pen = CanvasRenderingContext2D;

/** A step of the ground's grid that leaves some ten lines in the picture. */
function step_of(radius_m: number): number {
  return radius_m < 3 ? 0.5 : radius_m < 7 ? 1 : 2;
}

function draw_ground(pen: Pen, camera: LobbyCamera, at: Vec3, radius: number, light: Light): void {
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
function draw_box(
  pen: Pen,
  camera: LobbyCamera,
  middle: Vec3,
  half: Vec3,
  turn: (v: Vec3) => Vec3,
  color: Rgb,
  light: Light,
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

function draw_block(pen: Pen, camera: LobbyCamera, center: Vec3, block: LobbyBlock, light: Light) {
  const [x = 0, y = 0, z = 0] = block.centerM;
  const [dx = 1, dy = 1, dz = 1] = block.sizeM;
  const [yaw, pitch] = [(block.yawDeg * Math.PI) / 180, (block.pitchDeg * Math.PI) / 180];
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const turn = ([a, b, c]: Vec3): Vec3 => {
    const level = a * cp + c * sp;
    return [level * cy - b * sy, level * sy + b * cy, c * cp - a * sp];
  };
  const middle: Vec3 = [center[0] + x, center[1] + y, center[2] + z];
  const color = block.color ? parse(block.color) : light.block;
  draw_box(pen, camera, middle, [dx / 2, dy / 2, dz / 2], turn, color, light, 1);
}

function point_of({ root, points }: Sketch, index: number): Vec3 {
  if (index === 0) return root;
  const k = 3 * (index - 1);
  return [
    root[0] + (points[k] ?? 0),
    root[1] + (points[k + 1] ?? 0),
    root[2] + (points[k + 2] ?? 0),
  ];
}

function draw_figure(pen: Pen, camera: LobbyCamera, sketch: Sketch, light: Light): void {
  const { figure, presence } = sketch;
  const color = parse(figure.color);
  const bones = figure.parent
    .map((parent, i) => {
      const [a, b] = [point_of(sketch, parent), point_of(sketch, i + 1)];
      return {
        a,
        b,
        radius: 0.001 * (figure.radiusMm[i] ?? 20),
        far: camera.depth(b) + camera.depth(a),
      };
    })
    .sort((one, other) => other.far - one.far);
  const nearest = bones.at(-1)?.far ?? 0;
  const farthest = bones[0]?.far ?? 0;
  pen.lineCap = 'round';
  for (const outline of [true, false]) {
    for (const { a, b, radius, far } of bones) {
      const [p, q] = [camera.project(a), camera.project(b)];
      if (!p || !q) continue;
      const ball = radius < 0;
      const rim = outline ? 1.6 : 0;
      // Limbs on the far side are darker, so that left and right can be told apart.
      const side = farthest > nearest ? (farthest - far) / (farthest - nearest) : 1;
      const tone = (outline ? light.edge : 0.84 + 0.22 * side) * light.lit;
      const mild: Rgb = ball
        ? [color[0] * 0.5 + 118, color[1] * 0.5 + 98, color[2] * 0.5 + 84]
        : color;
      pen.strokeStyle = pen.fillStyle = shade(mild, tone, presence);
      const thick = ball ? 0.05 : Math.min(radius, 0.16);
      pen.lineWidth = Math.max(1.4, 2 * thick * ((p.scale + q.scale) / 2)) + rim;
      pen.beginPath();
      pen.moveTo(p.x, p.y);
      pen.lineTo(q.x, q.y);
      pen.stroke();
      if (!ball) continue;
      pen.beginPath();
      pen.arc(q.x, q.y, Math.max(1.2, -radius * q.scale) + rim / 2, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

function draw_thing(pen: Pen, camera: LobbyCamera, sketch: Sketch, light: Light): void {
  const { figure, rotation, root, presence } = sketch;
  const color = parse(figure.color);
  const out: [number, number, number] = [0, 0, 0];
  const turn = (v: Vec3): Vec3 => {
    rotate(rotation, 0, v[0], v[1], v[2], out, 0);
    return [out[0], out[1], out[2]];
  };
  const [mx = 0, my = 0, mz = 0] = figure.middleM;
  const [hx = 0.1, hy = 0.1, hz = 0.1] = figure.halfM;
  const [x, y, z] = turn([mx, my, mz]);
  const middle: Vec3 = [root[0] + x, root[1] + y, root[2] + z];
  if (!figure.round) {
    draw_box(pen, camera, middle, [hx, hy, hz], turn, color, light, presence);
    return;
  }
  const spot = camera.project(middle);
  if (!spot) return;
  const radius = Math.max(1.2, hx * spot.scale);
  const shine = pen.createRadialGradient(
    ...([spot.x - 0.35 * radius, spot.y - 0.4 * radius, 0.1 * radius] as const),
    ...([spot.x, spot.y, radius] as const),
  );
  shine.addColorStop(0, shade(color, 1.22 * light.lit, presence));
  shine.addColorStop(1, shade(color, 0.72 * light.lit, presence));
  pen.fillStyle = shine;
  pen.beginPath();
  pen.arc(spot.x, spot.y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function draw_shadow(pen: Pen, camera: LobbyCamera, sketch: Sketch, ground: number): void {
  const { figure, root } = sketch;
  const size =
    figure.halfM.length === 3 ? Math.hypot(figure.halfM[0] ?? 0, figure.halfM[1] ?? 0) : 0.26;
  const spots: Vec3[] = [[root[0], root[1], ground]];
  // Under everything that is near the ground: feet, paws, somebody who lies.
  for (let i = 0; i < figure.parent.length; ++i) {
    const point = point_of(sketch, i + 1);
    if (point[2] < ground + 0.3) spots.push([point[0], point[1], ground]);
  }
  for (const [i, at] of spots.entries()) {
    const spot = camera.project(at);
    if (!spot || root[2] - ground > 4) continue;
    const wide = (i === 0 ? size : 0.13) * spot.scale;
    pen.beginPath();
    pen.ellipse(spot.x, spot.y, wide, 0.36 * wide, 0, 0, 2 * Math.PI);
    pen.fill();
  }
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
  const light = dark ? kDusk : kDay;
  const [width, height] = [pen.canvas.width / ratio, pen.canvas.height / ratio];
  const [x = 0, y = 0, z = 0] = picture.centerM;
  const at: Vec3 = [x, y, z];
  const camera = lobby_camera(at, picture.radiusM, azimuth_rad, width, height);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const fill = (colors: readonly (readonly [number, string])[], top: number, bottom: number) => {
    const shades = pen.createLinearGradient(0, top, 0, bottom);
    for (const [stop, color] of colors) shades.addColorStop(stop, color);
    pen.fillStyle = shades;
    pen.fillRect(0, top, width, bottom - top);
  };
  const horizon = Math.round(Math.max(0, Math.min(height, camera.horizon)));
  const [zenith, haze] = light.sky;
  if (horizon > 0)
    fill(
      [
        [0, zenith],
        [1, haze],
      ],
      0,
      horizon,
    );
  if (picture.noPlane) {
    fill(
      [
        [0, haze],
        [1, zenith],
      ],
      horizon,
      height,
    );
  } else {
    const [far, near] = light.ground;
    fill(
      [
        [0, haze],
        [0.16, far],
        [1, near],
      ],
      horizon,
      height,
    );
    draw_ground(pen, camera, at, picture.radiusM, light);
  }
  const blocks = picture.blocks
    .map((block) => {
      const [bx = 0, by = 0, bz = 0] = block.centerM;
      return {
        block,
        far: camera.depth([x + bx, y + by, z + bz]),
        low: (block.sizeM[2] ?? 0) < 0.5,
      };
    })
    .sort((one, other) => other.far - one.far);
  const flat = blocks.filter(({ low }) => low);
  for (const { block } of flat) draw_block(pen, camera, at, block, light);
  pen.fillStyle = light.shadow;
  for (const sketch of sketches) draw_shadow(pen, camera, sketch, z);
  // Low blocks are under everybody's feet; high ones stand among them.
  const standing = [
    ...blocks
      .filter(({ low }) => !low)
      .map(({ block, far }) => ({ far, draw: () => draw_block(pen, camera, at, block, light) })),
    ...sketches.map((sketch) => ({
      far: camera.depth(sketch.root),
      draw: () =>
        sketch.figure.halfM.length === 3
          ? draw_thing(pen, camera, sketch, light)
          : draw_figure(pen, camera, sketch, light),
    })),
  ].sort((one, other) => other.far - one.far);
  for (const { draw } of standing) draw();
}

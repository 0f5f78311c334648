// Bodies in the lobby's small pictures, and their shadows.
import { rotate, type Vec3 } from '../../state/values/quaternion';
import type { Sketch } from '../../state/lobby/lobby_track';
import { draw_box, type Easel, parse, type Rgb, shade } from './lobby_easel';

function point_of({ root, points }: Sketch, index: number): Vec3 {
  if (index === 0) return root;
  const k = 3 * (index - 1);
  return [
    root[0] + (points[k] ?? 0),
    root[1] + (points[k + 1] ?? 0),
    root[2] + (points[k + 2] ?? 0),
  ];
}

function draw_figure({ pen, camera, light }: Easel, sketch: Sketch): void {
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

function draw_thing(easel: Easel, sketch: Sketch): void {
  const { pen, camera, light } = easel;
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
    draw_box(easel, middle, [hx, hy, hz], turn, color, presence);
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

/** A thing as a box or a ball, anybody else as bones. */
export function draw_body(easel: Easel, sketch: Sketch): void {
  if (sketch.figure.halfM.length === 3) draw_thing(easel, sketch);
  else draw_figure(easel, sketch);
}

/** The part of the ground that a body darkens. @param ground height of it, m */
export function draw_shadow({ pen, camera }: Easel, sketch: Sketch, ground: number): void {
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

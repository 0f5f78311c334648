// A figure's parts as flat shapes, seen from the front or from its right.
import type { FigurePart } from '../../scene/figure/figure';

type Point = readonly [number, number];
export type ViewName = 'front' | 'side';

/** Directions spread over the sphere, enough of them for a small picture. */
const kDirections: readonly (readonly [number, number, number])[] = (() => {
  const out: [number, number, number][] = [];
  const rows = 8;
  for (let row = 0; row <= rows; ++row) {
    const theta = (row / rows) * Math.PI;
    const columns = row === 0 || row === rows ? 1 : 16;
    for (let column = 0; column < columns; ++column) {
      // Off the axes, so that no direction lies between two octants.
      const phi = ((column + 0.5) / columns) * 2 * Math.PI;
      out.push([Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)]);
    }
  }
  return out;
})();

/** The convex hull of points, counter-clockwise, by Andrew's monotone chain. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]): Point[] => {
    const out: Point[] = [];
    for (const p of list) {
      for (;;) {
        const [a, b] = [out[out.length - 2], out[out.length - 1]];
        if (!a || !b) break;
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Points on the surface of a part, in its link's frame. */
function surface(part: FigurePart): [number, number, number][] {
  const { half, top, bottom, taper } = part.shape;
  const [qx, qy, qz, qw] = part.rotation ?? [0, 0, 0, 1];
  const out: [number, number, number][] = [];
  const push = (dx: number, dy: number, dz: number, low: boolean) => {
    const radius = low ? bottom : top;
    const k = low ? taper : 1;
    const x = (Math.sign(dx) * half[0] * k + dx * radius) * part.scale[0];
    const y = (Math.sign(dy) * half[1] * k + dy * radius) * part.scale[1];
    const z = ((low ? -1 : 1) * half[2] + dz * radius) * part.scale[2];
    // v + 2 q x (q x v + w v)
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    out.push([
      x + qw * tx + qy * tz - qz * ty + part.position[0],
      y + qw * ty + qz * tx - qx * tz + part.position[1],
      z + qw * tz + qx * ty - qy * tx + part.position[2],
    ]);
  };
  for (const [dx, dy, dz] of kDirections) {
    if (dz > -1e-9) push(dx, dy, dz, false);
    if (dz < 1e-9) push(dx, dy, dz, true);
  }
  return out;
}

/** How near a part is to the eye. */
export function nearness(part: FigurePart, view: ViewName): number {
  return view === 'front' ? part.position[0] : -part.position[1];
}

/** @param project from the link's frame to the picture */
export function silhouette(
  part: FigurePart,
  project: (x: number, y: number, z: number) => Point,
): string {
  const points = hull(surface(part).map(([x, y, z]) => project(x, y, z)));
  if (points.length === 0) return '';
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

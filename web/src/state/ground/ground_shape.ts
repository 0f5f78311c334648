// The ground's shape where it is not a plane: what the page draws of pits and height fields.
import type { HeightField, Pit } from '../../gen/promenade/v1/scene_pb';
import type { Vec3 } from '../values/quaternion';

/** Height of a height field at the points of its grid, m above its centre: [rows][columns]. */
export function heights_of(field: HeightField): Float32Array {
  const { columns, rows, waves, heightM } = field;
  const [size_x = 1, size_y = 1] = field.sizeM;
  if (heightM.length === columns * rows) return Float32Array.from(heightM);
  const out = new Float32Array(columns * rows);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const x = (column / (columns - 1) - 0.5) * size_x;
      const y = (row / (rows - 1) - 0.5) * size_y;
      for (const { amplitudeM, lengthXM, lengthYM, phaseDeg } of waves) {
        const phase = (phaseDeg * Math.PI) / 180;
        const along = lengthXM ? Math.sin((2 * Math.PI * x) / lengthXM + phase) : 1;
        const across = lengthYM ? Math.sin((2 * Math.PI * y) / lengthYM + phase) : 1;
        out[row * columns + column] =
          (out[row * columns + column] as number) + amplitudeM * along * across;
      }
    }
  }
  return out;
}

/** A level or upright rectangle: its corners in order, counter-clockwise seen from the free side. */
export interface Quad {
  readonly corners: readonly [Vec3, Vec3, Vec3, Vec3];
  readonly kind: 'floor' | 'wall';
}

/** Depth to which the walls of a pit without a floor are drawn. */
export const kBottomless_m = 40;

/** Floors and walls of pits in the plane z = 0. Pits that overlap are one, as deep as the deepest. */
export function pit_quads(pits: readonly Pit[]): Quad[] {
  const boxes = pits.map(({ centerM: [x = 0, y = 0], sizeM: [dx = 0, dy = 0], depthM }) => ({
    low: [x - dx / 2, y - dy / 2] as const,
    high: [x + dx / 2, y + dy / 2] as const,
    floor: depthM > 0 ? -depthM : -kBottomless_m,
  }));
  const lines = (k: 0 | 1) =>
    [...new Set(boxes.flatMap(({ low, high }) => [low[k], high[k]]))].sort((a, b) => a - b);
  const [xs, ys] = [lines(0), lines(1)];
  const floor = (i: number, j: number): number => {
    const [x0, x1, y0, y1] = [xs[i], xs[i + 1], ys[j], ys[j + 1]];
    if (x0 === undefined || x1 === undefined || y0 === undefined || y1 === undefined) return 0;
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return boxes.reduce(
      (z, { low, high, floor: f }) =>
        x > low[0] && x < high[0] && y > low[1] && y < high[1] ? Math.min(z, f) : z,
      0,
    );
  };
  const quads: Quad[] = [];
  /** From the higher side down to z, seen from the lower side; a to b has that side on its left. */
  const wall = (
    a: readonly [number, number],
    b: readonly [number, number],
    top: number,
    z: number,
  ) => {
    if (top <= z) return;
    quads.push({
      kind: 'wall',
      corners: [
        [b[0], b[1], z],
        [a[0], a[1], z],
        [a[0], a[1], top],
        [b[0], b[1], top],
      ],
    });
  };
  for (let i = 0; i + 1 < xs.length; ++i) {
    for (let j = 0; j + 1 < ys.length; ++j) {
      const z = floor(i, j);
      if (z >= 0) continue;
      const [x0, x1] = [xs[i] as number, xs[i + 1] as number];
      const [y0, y1] = [ys[j] as number, ys[j + 1] as number];
      if (z > -kBottomless_m)
        quads.push({
          kind: 'floor',
          corners: [
            [x0, y0, z],
            [x1, y0, z],
            [x1, y1, z],
            [x0, y1, z],
          ],
        });
      wall([x0, y0], [x1, y0], floor(i, j - 1), z);
      wall([x1, y0], [x1, y1], floor(i + 1, j), z);
      wall([x1, y1], [x0, y1], floor(i, j + 1), z);
      wall([x0, y1], [x0, y0], floor(i - 1, j), z);
    }
  }
  return quads;
}

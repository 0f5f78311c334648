// The primitive of all bodies: a sphere cut into octants whose corners the shader pulls apart.
import * as THREE from 'three';

export interface Primitive {
  readonly geometry: THREE.InstancedBufferGeometry;
  readonly first_row_rad: number; // from the pole to the first row: up to there the end of a disc is flat
}

/** Angles of one octant's columns, from its first axis, and of its rows, from the pole; rad. */
interface Grid {
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  readonly radius: number; // of the corners, for a sphere of 1
}

const kQuarter = Math.PI / 2;

function series(count: number, angle: (k: number) => number): readonly number[] {
  return Array.from({ length: count }, (_, k) => angle(k));
}

/**
 * For crates, wheels and whatever has flat faces: columns and rows lie on the axes, too, so that a face has one
 * normal. Neighbouring octants have columns of their own there, which costs triangles.
 * @param detail segments of a quarter turn
 */
export function sharp_primitive(detail: number): Primitive {
  const steps = series(detail + 1, (k) => (k / detail) * kQuarter);
  return make({ columns: steps, rows: steps, radius: 1 }, kQuarter / detail);
}

/**
 * For bodies: no column lies on an axis and no row on a pole, so none is needed twice. Sides keep their normals, as
 * the last row is the equator.
 * @param detail columns and rows of an octant
 */
export function soft_primitive(detail: number): Primitive {
  const rows = series(detail, (k) => ((k + 0.5) / (detail - 0.5)) * kQuarter);
  const columns = series(detail, (k) => ((k + 0.5) / detail) * kQuarter);
  return make({ columns, rows, radius: 1 }, rows[0] as number);
}

/** For bodies a few dozen pixels tall: prisms. */
export function plain_primitive(): Primitive {
  return make({ columns: [kQuarter / 4, (3 * kQuarter) / 4], rows: [0.9], radius: 1.08 }, 0.9);
}

/** A box of twelve triangles, about as wide as what it stands for: far away its shadow is the same. */
export function block_primitive(): Primitive {
  return make({ columns: [kQuarter / 2], rows: [0.96], radius: 1.15 }, 0.96);
}

function make(grid: Grid, first_row_rad: number): Primitive {
  const wide = grid.columns.length;
  const columns = 4 * wide;
  const rows = 2 * grid.rows.length;
  const points: number[] = [];
  const corners: number[] = [];
  for (let row = 0; row < rows; ++row) {
    const lower = row >= grid.rows.length;
    const theta = lower
      ? Math.PI - (grid.rows[rows - 1 - row] as number)
      : (grid.rows[row] as number);
    for (let column = 0; column < columns; ++column) {
      const quadrant = Math.floor(column / wide);
      const phi = quadrant * kQuarter + (grid.columns[column % wide] as number);
      const across = Math.sin(theta) * grid.radius;
      points.push(across * Math.cos(phi), across * Math.sin(phi), Math.cos(theta) * grid.radius);
      corners.push(
        quadrant === 0 || quadrant === 3 ? 1 : -1,
        quadrant < 2 ? 1 : -1,
        lower ? -1 : 1,
      );
    }
  }
  const indices: number[] = [];
  for (let row = 0; row + 1 < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const next = (column + 1) % columns;
      const [a, b] = [row * columns + column, row * columns + next];
      indices.push(a, a + columns, b, b, a + columns, b + columns);
    }
  // The ends: at a pole only the four corners are apart.
  const pole = grid.rows[0] === 0;
  const rim = pole ? [0, 1, 2, 3].map((quadrant) => quadrant * wide) : series(columns, (k) => k);
  const last = (rows - 1) * columns;
  for (let k = 1; k + 1 < rim.length; ++k) {
    const [p, q, r] = [rim[0], rim[k], rim[k + 1]] as [number, number, number];
    indices.push(p, q, r, last + p, last + r, last + q);
  }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute('corner', new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex(indices);
  return { geometry, first_row_rad };
}

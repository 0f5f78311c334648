// How dense people stand: a grid of cells on the ground, smoothed over space and over the last seconds.

const kCell_m = 0.5;
const kReach = 3; // cells, of the kernel
const kMemory_s = 2; // of the mean over time
const kMost = 256; // cells along a side

/**
 * Law:    d(x) = sum K(x - x_i), K(r) = 3 / (pi R^2) (1 - r^2 / R^2)^2 for r < R, whose integral is 1; R = 1.5 m
 * Source: Silverman, "Density Estimation for Statistics and Data Analysis", 1986, section 4.2 (the biweight kernel)
 */
export class DensityGrid {
  columns = 0;
  rows = 0;
  /** [rows][columns] people per m², mean over the last seconds. */
  density: Float32Array = new Float32Array(0);
  /** The lower left corner, m, world frame. */
  origin: readonly [number, number] = [0, 0];
  cell_m = kCell_m;
  private now_: Float32Array = new Float32Array(0);

  get size_m(): readonly [number, number] {
    return [this.columns * this.cell_m, this.rows * this.cell_m];
  }

  /** Lays the grid over a piece of ground; what is known is forgotten. */
  cover(low: readonly [number, number], high: readonly [number, number]): void {
    const wide = Math.max(high[0] - low[0], high[1] - low[1], kCell_m);
    this.cell_m = Math.max(kCell_m, wide / kMost);
    this.origin = low;
    this.columns = Math.max(1, Math.ceil((high[0] - low[0]) / this.cell_m));
    this.rows = Math.max(1, Math.ceil((high[1] - low[1]) / this.cell_m));
    this.density = new Float32Array(this.columns * this.rows);
    this.now_ = new Float32Array(this.columns * this.rows);
  }

  /** Whether a point is on the grid, with a margin. */
  covers(x: number, y: number): boolean {
    const [u, v] = [x - this.origin[0], y - this.origin[1]];
    const [w, d] = this.size_m;
    return u > 1 && v > 1 && u < w - 1 && v < d - 1;
  }

  /** @param places x, y of each person, m @param elapsed_s since the last time; Infinity: only now counts */
  update(places: readonly number[], elapsed_s: number): void {
    const { now_, density } = this;
    now_.fill(0);
    for (let i = 0; i + 1 < places.length; i += 2)
      this.add(places[i] as number, places[i + 1] as number);
    const share = 1 - Math.exp(-elapsed_s / kMemory_s);
    for (let i = 0; i < density.length; ++i)
      density[i] = (density[i] as number) + share * ((now_[i] as number) - (density[i] as number));
  }

  private add(x: number, y: number): void {
    const { columns, rows, now_, cell_m } = this;
    const u = (x - this.origin[0]) / cell_m - 0.5;
    const v = (y - this.origin[1]) / cell_m - 0.5;
    const reach = Math.max(1.5, (kReach * kCell_m) / cell_m); // cells
    const first = Math.max(0, Math.ceil(v - reach));
    const last = Math.min(rows - 1, Math.floor(v + reach));
    const peak = 3 / (Math.PI * (reach * cell_m) ** 2);
    for (let row = first; row <= last; ++row) {
      const from = Math.max(0, Math.ceil(u - reach));
      const to = Math.min(columns - 1, Math.floor(u + reach));
      for (let column = from; column <= to; ++column) {
        const near = 1 - ((column - u) ** 2 + (row - v) ** 2) / reach ** 2;
        if (near > 0) {
          const at = row * columns + column;
          now_[at] = (now_[at] as number) + peak * near * near;
        }
      }
    }
  }
}

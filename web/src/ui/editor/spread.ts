/** A place on the screen, px. */
export type Spot = readonly [number, number];

const kRounds = 40;

/** Moves spots apart until each pair is at least `least` apart, and no further than that needs. */
export function spread(spots: readonly Spot[], least: number): Spot[] {
  const out = spots.map(([x, y]): [number, number] => [x, y]);
  for (let round = 0, close = true; close && round < kRounds; ++round) {
    close = false;
    for (let i = 0; i < out.length; ++i) {
      for (let k = 0; k < i; ++k) {
        const [a, b] = [out[i] as [number, number], out[k] as [number, number]];
        const [x, y] = [a[0] - b[0], a[1] - b[1]];
        const apart = Math.hypot(x, y);
        if (apart >= least) continue;
        close = true;
        // Each of the two moves by a little more than half of what is missing, so that the rounds end. Spots that
        // coincide are moved apart along x.
        const by = (least - apart) / 2 + 0.05;
        const [ux, uy] = apart > 1e-6 ? [x / apart, y / apart] : [1, 0];
        out[i] = [a[0] + ux * by, a[1] + uy * by];
        out[k] = [b[0] - ux * by, b[1] - uy * by];
      }
    }
  }
  return out;
}

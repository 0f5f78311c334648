// Where a second body of a kind is put down beside the first.

/** A place on the ground, and a heading there. */
export interface Standing {
  readonly x: number; // m
  readonly y: number;
  readonly heading_rad: number;
}

/**
 * The n-th place beside somebody: to the left, to the right, further to the left and so on.
 * @param n from 0
 * @param apart m from one to the next
 */
export function place_beside({ x, y, heading_rad }: Standing, n: number, apart: number): Standing {
  const off = (n % 2 === 0 ? 1 : -1) * (Math.floor(n / 2) + 1) * apart;
  return {
    x: x - off * Math.sin(heading_rad),
    y: y + off * Math.cos(heading_rad),
    heading_rad,
  };
}

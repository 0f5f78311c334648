// How keys and the pad become intent: speeds on a ladder, a heading that turns while a key is held.

export interface Steer {
  readonly forward: number; // m/s, along the heading
  readonly left: number; // m/s
}

const kLadder = [-0.6, -0.4, 0, 0.6, 0.8, 1.0, 1.2, 1.4] as const;
const kSide_mps = 0.3;

/** The next speed up or down from here. The first step from standing is a comfortable walk. */
export function next_speed(current: number, direction: 1 | -1): number {
  const slack = 0.05;
  if (direction > 0)
    return kLadder.find((speed) => speed > current + slack) ?? kLadder[kLadder.length - 1] ?? 0;
  return [...kLadder].reverse().find((speed) => speed < current - slack) ?? kLadder[0];
}

/** Steps sideways on top of the walk, or back to none. */
export function next_side(current: number, direction: 1 | -1): number {
  return Math.sign(current) === -direction ? 0 : direction * kSide_mps;
}

/** An angle brought to -pi..pi. */
export function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

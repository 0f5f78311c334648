// Sizes of a link's shapes, in the link's frame; metres.
import type { Vec3 } from '../values/quaternion';
import type { LinkShape } from './skeleton';

export type Bounds = readonly [low: Vec3, high: Vec3];

function around(shape: { from: Vec3; to: Vec3 }, reach: (k: number) => number): Bounds {
  const { from, to } = shape;
  const low = from.map((x, k) => Math.min(x, to[k] as number) - reach(k));
  const high = from.map((x, k) => Math.max(x, to[k] as number) + reach(k));
  return [low as unknown as Vec3, high as unknown as Vec3];
}

/** Least and greatest of a shape along each axis. */
export function bounds_of(shape: LinkShape): Bounds {
  switch (shape.kind) {
    case 'box': {
      const { center, half } = shape;
      return [
        [center[0] - half[0], center[1] - half[1], center[2] - half[2]],
        [center[0] + half[0], center[1] + half[1], center[2] + half[2]],
      ];
    }
    case 'sphere':
      return around({ from: shape.center, to: shape.center }, () => shape.radius);
    case 'capsule':
      return around(shape, () => shape.radius);
    case 'cylinder': {
      const { from, to, radius } = shape;
      const axis = from.map((x, k) => (to[k] as number) - x);
      const length = Math.hypot(...axis) || 1;
      // A disc across the unit vector u reaches r sqrt(1 - u_k^2) along axis k.
      return around(
        shape,
        (k) => radius * Math.sqrt(Math.max(0, 1 - ((axis[k] as number) / length) ** 2)),
      );
    }
  }
}

/** The eight corners of a box. */
export function corners([low, high]: Bounds): readonly Vec3[] {
  return [low[0], high[0]].flatMap((x) =>
    [low[1], high[1]].flatMap((y) => [low[2], high[2]].map((z): Vec3 => [x, y, z])),
  );
}

/** Of several; undefined of none. */
export function bounds_of_all(boxes: readonly Bounds[]): Bounds | undefined {
  const first = boxes[0];
  if (!first) return undefined;
  return boxes.reduce(
    ([low, high], [a, b]): Bounds => [
      [Math.min(low[0], a[0]), Math.min(low[1], a[1]), Math.min(low[2], a[2])],
      [Math.max(high[0], b[0]), Math.max(high[1], b[1]), Math.max(high[2], b[2])],
    ],
    first,
  );
}

export function middle_of(shape: LinkShape): Vec3 {
  const [low, high] = bounds_of(shape);
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
}

/** Half of how thick it is, where it is thinnest. */
export function thickness_of(shape: LinkShape): number {
  return shape.kind === 'box' ? Math.min(...shape.half) : shape.radius;
}

// Where the parts of a body are when it stands upright, and where its lengths and widths are taken hold
// of. Metres; x forward, y left, z up, the ground at z = 0.
import type { Vec3 } from '../values/quaternion';
import { bounds_of, bounds_of_all, type Bounds } from '../figure/shapes';
import type { LinkShape, Skeleton, SkeletonLink } from '../figure/skeleton';

export interface OutlineLink {
  readonly name: string;
  readonly index: number;
  readonly origin: Vec3; // of the link's frame
  readonly near: Vec3; // the end where it hangs on its parent
  readonly far: Vec3; // the other end of its length
  readonly axis: 0 | 1 | 2; // its length is along x, y or z
  readonly half_width: number; // across, sideways
  readonly middle: Vec3;
}

export interface Outline {
  readonly links: readonly OutlineLink[];
  readonly low: Vec3;
  readonly high: Vec3;
  readonly legs: { readonly left: number; readonly right: number }; // hip to ankle, m
  readonly mass: number; // kg
}

function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function length(a: Vec3): number {
  return Math.hypot(...a);
}

function bounds(shapes: readonly LinkShape[]): Bounds | undefined {
  return bounds_of_all(shapes.map(bounds_of));
}

/** The server's rule (server/creature/creature_edit.cpp): the greatest part of the way to the joint. */
function axis_of(link: SkeletonLink): 0 | 1 | 2 {
  if (link.parent < 0) return 2;
  const [x, y, z] = link.at_child.map(Math.abs) as [number, number, number];
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  return [x, y, z][axis] ? axis : 2;
}

function with_axis(v: Vec3, axis: 0 | 1 | 2, value: number): Vec3 {
  return v.map((old, k) => (k === axis ? value : old)) as unknown as Vec3;
}

export function make_outline(skeleton: Skeleton): Outline {
  const origins: Vec3[] = skeleton.links.map(() => [0, 0, 0]);
  for (const i of skeleton.order) {
    const link = skeleton.links[i] as SkeletonLink;
    const parent = origins[link.parent];
    if (parent) origins[i] = minus(add(parent, link.at_parent), link.at_child);
  }
  let low: Vec3 = [0, 0, 0];
  let high: Vec3 = [0, 0, 0];
  const grow = (origin: Vec3, [a, b]: Bounds) => {
    low = low.map((v, k) =>
      Math.min(v, (origin[k] as number) + (a[k] as number)),
    ) as unknown as Vec3;
    high = high.map((v, k) =>
      Math.max(v, (origin[k] as number) + (b[k] as number)),
    ) as unknown as Vec3;
  };
  skeleton.links.forEach((link, i) => {
    const box = bounds(link.shapes);
    if (box) grow(origins[i] as Vec3, box);
  });
  const up: Vec3 = [0, 0, -low[2]];
  const links = skeleton.links.map((link, i) =>
    outline_link(skeleton, link, i, add(origins[i] as Vec3, up)),
  );
  return {
    links,
    low: add(low, up),
    high: add(high, up),
    legs: { left: leg(skeleton, 'left'), right: leg(skeleton, 'right') },
    mass: skeleton.mass,
  };
}

function outline_link(
  skeleton: Skeleton,
  link: SkeletonLink,
  index: number,
  origin: Vec3,
): OutlineLink {
  const axis = axis_of(link);
  const anchors = skeleton.links
    .filter(({ parent }) => parent === index)
    .map(({ at_parent }) => at_parent);
  const box = bounds(link.shapes) ?? [
    [-0.02, -0.02, -0.02],
    [0.02, 0.02, 0.02],
  ];
  const along = anchors.map((anchor) => anchor[axis]);
  // The root has no joint of its own: its length is between the joints on it.
  const near =
    link.parent >= 0
      ? link.at_child
      : with_axis([0, 0, 0], axis, along.length > 0 ? Math.max(...along) : box[1][axis]);
  const ends = along.length > 0 ? along : [box[0][axis], box[1][axis]];
  const farthest = ends.reduce((best, end) =>
    Math.abs(end - near[axis]) > Math.abs(best - near[axis]) ? end : best,
  );
  const middle_of_box = box[0].map((v, k) => (v + (box[1][k] as number)) / 2) as unknown as Vec3;
  const far = with_axis(link.parent >= 0 ? near : middle_of_box, axis, farthest);
  return {
    name: link.name,
    index,
    origin,
    near: add(origin, near),
    far: add(origin, far),
    axis,
    half_width: (box[1][1] - box[0][1]) / 2,
    middle: add(origin, middle_of_box),
  };
}

/** Hip to ankle: along the leg on that side of the body, to the first link that stands on the ground. */
function leg(skeleton: Skeleton, side: 'left' | 'right'): number {
  const limb = skeleton.limbs.find(({ kind, links }) => {
    const hip = skeleton.links[links[0] ?? 0]?.at_parent[1] ?? 0;
    return kind === 'leg' && (side === 'left' ? hip > 0 : hip < 0);
  });
  if (!limb) return 0;
  const chain = limb.links.map((i) => skeleton.links[i] as SkeletonLink);
  const stretches = chain.slice(0, chain.length - limb.soles.length);
  return stretches.reduce((sum, link, i) => {
    const next = chain[i + 1];
    return next ? sum + length(minus(next.at_parent, link.at_child)) : sum;
  }, 0);
}

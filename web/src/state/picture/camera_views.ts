// Places of the camera, and the ways between them.
import type { Vec3 } from '../values/quaternion';
import type { Skeleton, SkeletonLimb } from '../figure/skeleton';

export interface View {
  readonly from: Vec3; // m, world frame
  readonly at: Vec3;
}

/** A side of what is looked at; `right` and `left` are its own. */
export type Side = 'front' | 'back' | 'right' | 'left' | 'top';

/** A part of a body that the camera can follow. */
export interface Part {
  readonly key: string; // '' for the whole body
  readonly title: string;
  readonly link: number;
}

const kRise = 0.14; // of the distance: how much higher than its target the camera is at the sides
const kTopLean = 0.02; // of the distance: from straight above there would be no up on the screen

const kHeading_rad: Readonly<Record<Exclude<Side, 'top'>, number>> = {
  front: 0,
  left: Math.PI / 2,
  back: Math.PI,
  right: -Math.PI / 2,
};

/**
 * A view of one side.
 * @param at what is looked at, m, world frame
 * @param heading_rad where it looks, about z from x
 */
export function view_of_side(side: Side, at: Vec3, heading_rad: number, distance_m: number): View {
  const [x, y, z] = at;
  if (side === 'top') {
    // The way ahead of it is up on the screen.
    const lean = kTopLean * distance_m;
    const back: Vec3 = [
      x - lean * Math.cos(heading_rad),
      y - lean * Math.sin(heading_rad),
      z + distance_m,
    ];
    return { from: back, at };
  }
  const angle = heading_rad + kHeading_rad[side];
  const level = distance_m / Math.hypot(1, kRise);
  const from: Vec3 = [x + level * Math.cos(angle), y + level * Math.sin(angle), z + kRise * level];
  return { from, at };
}

interface Orbit {
  readonly distance: number;
  readonly around: number; // rad, about z from x
  readonly up: number; // rad, above the level
}

function orbit_of({ from, at }: View): Orbit {
  const [x, y, z] = [from[0] - at[0], from[1] - at[1], from[2] - at[2]];
  const distance = Math.hypot(x, y, z);
  return { distance, around: Math.atan2(y, x), up: Math.asin(distance > 0 ? z / distance : 0) };
}

function from_orbit(at: Vec3, { distance, around, up }: Orbit): Vec3 {
  const level = distance * Math.cos(up);
  return [
    at[0] + level * Math.cos(around),
    at[1] + level * Math.sin(around),
    at[2] + distance * Math.sin(up),
  ];
}

function mix(a: number, b: number, s: number): number {
  return a + (b - a) * s;
}

/** The turn from one angle to another, rad, that is nearest to a wanted one. */
function turn_between(from: number, to: number, near: number): number {
  const turn = to - from;
  return turn - 2 * Math.PI * Math.round((turn - near) / (2 * Math.PI));
}

/**
 * A view on the way from one to another. The camera goes around what it looks at in the end, and comes no nearer to it
 * than at the beginning or the end, so that it never goes through it; meanwhile it turns its eye there.
 * @param s 0 to 1 of the way
 */
export function view_between(a: View, b: View, s: number): View {
  const [p, q] = [orbit_of({ from: a.from, at: b.at }), orbit_of(b)]; // the way
  const [u, v] = [orbit_of(a), q]; // the look
  const way = turn_between(p.around, q.around, 0);
  const look = turn_between(u.around, v.around, way);
  const least = 1e-6;
  const far = (from: Orbit, to: Orbit) =>
    Math.max(least, from.distance) ** (1 - s) * Math.max(least, to.distance) ** s;
  const from = from_orbit(b.at, {
    distance: far(p, q),
    around: p.around + way * s,
    up: mix(p.up, q.up, s),
  });
  const back = from_orbit([0, 0, 0], {
    distance: far(u, v),
    around: u.around + look * s,
    up: mix(u.up, v.up, s),
  });
  return { from, at: [from[0] - back[0], from[1] - back[1], from[2] - back[2]] };
}

/**
 * A view that is turned about what is looked at.
 * @param around_rad, up_rad of the camera, seen from above counter-clockwise, and upward
 * @param nearer factor on the distance
 * @param lowest_rad, highest_rad limits of the angle above the level
 */
export function turned_view(
  view: View,
  { around_rad, up_rad, nearer }: { around_rad: number; up_rad: number; nearer: number },
  lowest_rad: number,
  highest_rad: number,
): View {
  const { distance, around, up } = orbit_of(view);
  const orbit = {
    distance: distance * nearer,
    around: around + around_rad,
    up: Math.min(highest_rad, Math.max(lowest_rad, up + up_rad)),
  };
  return { from: from_orbit(view.at, orbit), at: view.at };
}

function title_of(limb: SkeletonLimb): string {
  const words = limb.name.replaceAll('_', ' ');
  const end = { leg: 'foot', arm: 'hand', head: 'head', trunk: 'chest', tail: 'tail' }[limb.kind];
  const named = words.replace(new RegExp(`\\b${limb.kind}\\b`), end);
  return named.charAt(0).toUpperCase() + named.slice(1);
}

/** The parts of a body that are worth a camera: the whole, then the ends of its limbs. */
export function parts_of({ limbs }: Skeleton): readonly Part[] {
  const order = ['head', 'trunk', 'arm', 'leg', 'tail'];
  const ends = [...limbs]
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .flatMap((limb): readonly Part[] => {
      const link = limb.kind === 'leg' ? limb.soles[0] : limb.links[limb.links.length - 1];
      return link === undefined ? [] : [{ key: limb.name, title: title_of(limb), link }];
    });
  return [{ key: '', title: 'Whole body', link: 0 }, ...ends];
}

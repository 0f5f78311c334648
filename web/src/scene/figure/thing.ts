// Things: the material of each shape is chosen by its size, by its density and, where these leave a choice, by the
// names in the file.
import type { Vec3 } from '../../state/values/quaternion';
import { thickness_of } from '../../state/figure/shapes';
import type { LinkShape, SkeletonLink } from '../../state/figure/skeleton';
import type { Tint } from './looks';
import type { Surface } from './surfaces';
import { between, type Stretch, type Tailor } from './tailor';

const kHeavy_kgpm3 = 3500; // from here on metal
const kStone_kgpm3 = 1500;
const kLight_kgpm3 = 450; // a ball that is lighter is hollow
const kSpokes = 8;
const kOverlap = 0.03; // of a barrel's length
const kHalfHoop = 0.022; // of a barrel's length

function volume(shape: LinkShape): number {
  switch (shape.kind) {
    case 'box':
      return 8 * shape.half[0] * shape.half[1] * shape.half[2];
    case 'sphere':
      return (4 / 3) * Math.PI * shape.radius ** 3;
    case 'cylinder':
      return Math.PI * shape.radius ** 2 * length(shape);
    case 'capsule':
      return Math.PI * shape.radius ** 2 * (length(shape) + (4 / 3) * shape.radius);
  }
}

function length({ from, to }: Stretch): number {
  return Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
}

export function dress_thing(t: Tailor): void {
  t.skeleton.links.forEach((link, i) => {
    const whole = link.shapes.reduce((sum, shape) => sum + volume(shape), 0);
    const density = whole > 0 ? link.mass / whole : 0;
    const words = `${t.skeleton.name} ${link.name}`;
    for (const shape of link.shapes) dress_shape(t, i, link, shape, density, words);
  });
}

function dress_shape(
  t: Tailor,
  i: number,
  link: SkeletonLink,
  shape: LinkShape,
  density: number,
  words: string,
): void {
  const named = (pattern: RegExp) => pattern.test(words);
  switch (shape.kind) {
    case 'sphere': {
      const surface =
        density < kLight_kgpm3 ? 'panels' : density < kHeavy_kgpm3 ? 'stone' : 'metal';
      t.shape(i, surface === 'metal' ? 'metal' : 'given', shape, { surface });
      return;
    }
    case 'box':
      dress_box(t, i, link, shape, solid(density, named(/domino/)), words);
      return;
    case 'cylinder':
      if (is_wheel(link, shape)) wheel(t, i, shape);
      else if (named(/barrel|cask|keg/)) barrel(t, i, shape);
      else t.shape(i, tint_of(density), shape, { surface: solid(density, false) });
      return;
    case 'capsule':
      if (named(/rope|cord|string/)) t.shape(i, 'light', shape, { surface: 'rope' });
      else if (named(/chain/)) chain(t, i, shape);
      else t.shape(i, tint_of(density), shape, { surface: solid(density, false) });
      return;
  }
}

function tint_of(density: number): Tint {
  return density >= kHeavy_kgpm3 ? 'metal' : 'given';
}

function solid(density: number, polished: boolean): Surface {
  if (polished) return 'domino';
  return density >= kHeavy_kgpm3 ? 'metal' : density >= kStone_kgpm3 ? 'stone' : 'wood';
}

function dress_box(
  t: Tailor,
  i: number,
  link: SkeletonLink,
  shape: LinkShape & { kind: 'box' },
  surface: Surface,
  words: string,
): void {
  const [a, b, c] = [...shape.half].sort((x, y) => x - y) as [number, number, number];
  const cubic = c < 2.2 * a;
  if (surface === 'wood' && cubic && t.skeleton.links.length === 1) {
    t.shape(i, 'given', shape, { surface: 'crate' });
    return;
  }
  const upright = shape.half[2] === c && a < 0.2 * b;
  if (
    surface === 'wood' &&
    upright &&
    /door|gate|leaf/.test(words) &&
    link.joint.kind === 'hinge'
  ) {
    t.shape(i, 'given', shape, { surface: 'door' });
    knobs(t, i, link, shape);
    return;
  }
  const post = /post|frame|leg|stand|base|beam|jamb/.test(link.name);
  t.shape(i, surface === 'metal' ? 'metal' : post ? 'trim' : 'given', shape, { surface });
}

/** On both faces of a door, where it is furthest from its hinge. */
function knobs(
  t: Tailor,
  i: number,
  link: SkeletonLink,
  { center, half }: LinkShape & { kind: 'box' },
): void {
  const thin = half[0] < half[1] ? 0 : 1;
  const wide = thin === 0 ? 1 : 0;
  const away = Math.sign(center[wide] - link.at_child[wide]) || 1;
  const r = Math.min(half[wide] * 0.07, 2 * half[thin]);
  for (const side of [1, -1]) {
    const at: [number, number, number] = [center[0], center[1], center[2] - 0.05 * half[2]];
    at[wide] += away * half[wide] * 0.82;
    at[thin] += side * (half[thin] + r * 0.9);
    t.ball(i, 'metal', at, [r, r, r], { surface: 'metal' });
  }
}

/** A disc that turns about its own axis. */
function is_wheel(link: SkeletonLink, shape: Stretch & { readonly radius: number }): boolean {
  if (link.joint.kind !== 'hinge' || length(shape) > 1.2 * shape.radius) return false;
  const { axis } = link.joint;
  const along = shape.from.map((x, k) => (shape.to[k] as number) - x);
  const dot = along.reduce((sum, x, k) => sum + x * (axis[k] as number), 0);
  return Math.abs(dot) > 0.95 * length(shape);
}

/** Felloes in the shape of a ring are more than one convex part can be: short pieces, a hub, spokes. */
function wheel(t: Tailor, i: number, shape: LinkShape & { kind: 'cylinder' }): void {
  const { from, to, radius } = shape;
  const width = length(shape);
  const axis = from.map((x, k) => ((to[k] as number) - x) / width) as unknown as Vec3;
  const helper: Vec3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const u = unit(cross(axis, helper));
  const v = cross(axis, u);
  const middle = between(from, to, 0.5);
  const at = (turn: number, r: number): Vec3 => {
    const [c, s] = [Math.cos(turn) * r, Math.sin(turn) * r];
    return middle.map((m, k) => m + c * (u[k] as number) + s * (v[k] as number)) as unknown as Vec3;
  };
  const rim = radius * 0.11;
  const pieces = 2 * kSpokes;
  // The corners of the polygon lie on the circle, so that it stands on the ground.
  for (let k = 0; k < pieces; ++k) {
    const [a, b] = [(k / pieces) * 2 * Math.PI, ((k + 1) / pieces) * 2 * Math.PI];
    t.limb(i, 'trim', { from: at(a, radius - rim), to: at(b, radius - rim) }, rim, rim, {
      surface: 'wood',
    });
  }
  for (let k = 0; k < kSpokes; ++k) {
    const turn = ((k + 0.5) / kSpokes) * 2 * Math.PI;
    t.limb(
      i,
      'given',
      { from: at(turn, radius * 0.15), to: at(turn, radius - rim) },
      rim * 0.75,
      rim * 0.6,
      {
        surface: 'wood',
      },
    );
  }
  t.disc(
    i,
    'metal',
    { from: between(middle, from, 1.15), to: between(middle, to, 1.15) },
    radius * 0.2,
    {
      surface: 'metal',
    },
  );
}

/** Staves that bulge, and four hoops. */
function barrel(t: Tailor, i: number, shape: LinkShape & { kind: 'cylinder' }): void {
  const { from, to, radius } = shape;
  const end = radius * 0.84;
  // Neighbouring staves overlap a little, or their round edges would show as a seam.
  const [low, high] = [between(from, to, 0.5 - kOverlap), between(from, to, 0.5 + kOverlap)];
  t.disc(i, 'given', { from: high, to: from }, radius, { bottom: end, surface: 'staves' });
  t.disc(i, 'given', { from: low, to }, radius, { bottom: end, surface: 'staves' });
  for (const where of [0.06, 0.24, 0.76, 0.94]) {
    const out = Math.abs(where - 0.5) * 2;
    const hoop = {
      from: between(from, to, where - kHalfHoop),
      to: between(from, to, where + kHalfHoop),
    };
    const r = (radius + (end - radius) * out) * 1.015;
    t.disc(i, 'metal', hoop, r, { surface: 'metal', seen: out < 0.6 ? 'close' : 'near' });
  }
}

/** Links of a chain: flat rings are drawn as short capsules, turned by a quarter from one to the next. */
function chain(t: Tailor, i: number, shape: LinkShape & { kind: 'capsule' }): void {
  const r = thickness_of(shape);
  const out = r / (length(shape) || 1); // a capsule is longer than its axis by a radius at either end
  const [from, to] = [between(shape.from, shape.to, -out), between(shape.from, shape.to, 1 + out)];
  const long = Math.max(1, Math.round(length({ from, to }) / (r * 4)));
  for (let k = 0; k < long; ++k) {
    const [a, b] = [between(from, to, k / long), between(from, to, (k + 1) / long)];
    t.limb(i, 'metal', { from: between(a, b, 0.1), to: between(a, b, 0.9) }, r, r, {
      scale: k % 2 === 0 ? [1, 0.45, 1] : [0.45, 1, 1],
      surface: 'metal',
    });
  }
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function unit(a: Vec3): Vec3 {
  const l = Math.hypot(...a) || 1;
  return [a[0] / l, a[1] / l, a[2] / l];
}

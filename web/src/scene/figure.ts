// The visible body: parts in the links' frames, drawn over the collision shapes and sized by them, so
// that every body, whatever its proportions, is dressed by the same few rules.
import * as THREE from 'three';
import type { Vec3 } from '../state/quaternion';
import type { LinkShape, Skeleton, SkeletonLink } from '../state/skeleton';
import { make_of, type Make, type Tint } from './looks';
import type { RoundedShape } from './rounded';

export interface FigurePart {
  readonly link: number;
  readonly position: Vec3; // m, in the link's frame
  readonly rotation: readonly [number, number, number, number] | undefined; // undefined: none
  readonly scale: Vec3;
  readonly shape: RoundedShape;
  readonly tint: Tint;
  readonly fine: boolean; // left out far away
}

export interface Figure {
  readonly parts: readonly FigurePart[]; // coarse ones first
  readonly coarse: number; // how many are not fine
  readonly height: number; // m, roughly, above the root, for labels
}

interface Limb {
  readonly link: number;
  readonly from: Vec3;
  readonly to: Vec3;
  readonly radius: number;
}

const kOne: Vec3 = [1, 1, 1];

class Tailor {
  readonly parts: FigurePart[] = [];
  private readonly index_ = new Map<string, number>();

  constructor(readonly skeleton: Skeleton) {
    skeleton.links.forEach((link, i) => this.index_.set(link.name, i));
  }

  find(name: string): number | undefined {
    return this.index_.get(name);
  }

  link(i: number): SkeletonLink {
    return this.skeleton.links[i] as SkeletonLink;
  }

  child(name: string): SkeletonLink | undefined {
    const i = this.find(name);
    return i === undefined ? undefined : this.link(i);
  }

  box(
    link: number,
    tint: Tint,
    position: Vec3,
    half: Vec3,
    radius: number,
    options: { taper?: number; bottom?: number; scale?: Vec3; fine?: boolean } = {},
  ): void {
    this.parts.push({
      link,
      position,
      rotation: undefined,
      scale: options.scale ?? kOne,
      tint,
      fine: options.fine ?? false,
      shape: { half, top: radius, bottom: options.bottom ?? radius, taper: options.taper ?? 1 },
    });
  }

  ball(link: number, tint: Tint, position: Vec3, radii: Vec3, fine = false): void {
    this.box(link, tint, position, [0, 0, 0], 1, { scale: radii, fine });
  }

  /** A limb that is `top` thick at `from` and `bottom` thick at `to`. */
  limb(
    link: number,
    tint: Tint,
    from: Vec3,
    to: Vec3,
    top: number,
    bottom: number,
    fine = false,
  ): void {
    const axis = new THREE.Vector3(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
    const length = axis.length();
    const q = new THREE.Quaternion().setFromUnitVectors(
      new THREE.Vector3(0, 0, 1),
      axis.normalize(),
    );
    this.parts.push({
      link,
      position: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
      rotation: [q.x, q.y, q.z, q.w],
      scale: kOne,
      tint,
      fine,
      shape: { half: [0, 0, length / 2], top, bottom, taper: 1 },
    });
  }
}

function radius_of(shape: LinkShape | undefined): number {
  if (!shape) return 0.05;
  return shape.kind === 'capsule' ? shape.radius : Math.min(...shape.half);
}

function middle_of(shape: LinkShape | undefined): Vec3 {
  if (!shape) return [0, 0, 0];
  if (shape.kind === 'box') return shape.center;
  return [0, 1, 2].map(
    (k) => ((shape.from[k] as number) + (shape.to[k] as number)) / 2,
  ) as unknown as Vec3;
}

/** The link's own stretch: from its joint to the joint of its child, as thick as its shape. */
function limb_of(tailor: Tailor, name: string, child: string): Limb | undefined {
  const link = tailor.find(name);
  if (link === undefined) return undefined;
  const { at_child, shapes } = tailor.link(link);
  const end = tailor.child(child);
  const shape = shapes[0];
  const to: Vec3 = end
    ? end.at_parent
    : shape?.kind === 'capsule'
      ? shape.to
      : [0, 0, -at_child[2]];
  return { link, from: at_child, to, radius: radius_of(shape) };
}

function dress_leg(t: Tailor, side: string, make: Make): void {
  const thigh = limb_of(t, `${side}_thigh`, `${side}_shank`);
  const shank = limb_of(t, `${side}_shank`, `${side}_foot`);
  if (thigh)
    t.limb(thigh.link, 'trousers', thigh.from, thigh.to, thigh.radius * 1.5, thigh.radius * 1.08);
  if (shank) {
    const r = shank.radius;
    t.limb(shank.link, 'trousers', shank.from, shank.to, r * 1.08, r * 0.82);
    // The calf, behind and above the middle.
    const at = (k: 0 | 1 | 2) => shank.from[k] + 0.3 * (shank.to[k] - shank.from[k]);
    const length = Math.abs(shank.to[2] - shank.from[2]);
    t.ball(
      shank.link,
      'trousers',
      [at(0) - r * 0.3, at(1), at(2)],
      [r * 0.98, r * 0.98, length * 0.28],
    );
    if (make === 'robot')
      t.ball(
        shank.link,
        'light',
        [shank.from[0] + r, shank.from[1], shank.from[2]],
        [r * 0.35, r * 0.5, r * 0.5],
        true,
      );
  }
  dress_foot(t, `${side}_foot`, true);
  dress_foot(t, `${side}_toes`, false);
}

function dress_foot(t: Tailor, name: string, heel: boolean): void {
  const i = t.find(name);
  const shape = i === undefined ? undefined : t.link(i).shapes.find((s) => s.kind === 'box');
  if (i === undefined || shape?.kind !== 'box') return;
  const [hx, hy, hz] = shape.half;
  const [cx, cy, cz] = shape.center;
  const r = Math.min(hx, hy, hz) * 0.95;
  const sole = Math.min(hz * 0.32, 0.012);
  t.box(i, 'sole', [cx, cy, cz - hz + sole], [hx - sole * 0.6, hy - sole * 0.6, 0.0001], sole, {
    fine: true,
  });
  if (heel) {
    const ankle = t.link(i).at_child;
    t.box(i, 'shoe', [cx, cy, cz + sole * 0.3], [hx - r, hy - r, hz - r], r);
    // The shaft of the shoe, leaning back to the ankle.
    t.limb(
      i,
      'shoe',
      [ankle[0], ankle[1], ankle[2] + hz * 0.6],
      [cx + hx * 0.1, cy, cz],
      hy * 0.85,
      hy * 0.92,
    );
  } else {
    t.box(
      i,
      'shoe',
      [cx - hx * 0.1, cy, cz + sole * 0.3],
      [hx * 1.05 - r, Math.max(hy, r) - r, hz - r],
      r,
      { scale: [1, 1.3, 1.12] },
    );
  }
}

function dress_arm(t: Tailor, side: string, make: Make): void {
  const upper = limb_of(t, `${side}_upper_arm`, `${side}_lower_arm`);
  if (upper)
    t.limb(upper.link, 'sleeve', upper.from, upper.to, upper.radius * 1.36, upper.radius * 1.02);
  const lower = t.find(`${side}_lower_arm`);
  if (lower === undefined) return;
  const { at_child: elbow, shapes } = t.link(lower);
  const shape = shapes[0];
  const r = radius_of(shape);
  const tip =
    shape?.kind === 'capsule' ? Math.min(shape.from[2], shape.to[2]) - shape.radius : -elbow[2];
  const length = elbow[2] - tip;
  const wrist: Vec3 = [elbow[0], elbow[1], tip + length * 0.3];
  t.limb(lower, 'skin', elbow, wrist, r * 0.98, r * 0.7);
  t.limb(
    lower,
    'sleeve',
    elbow,
    [elbow[0], elbow[1], elbow[2] - length * 0.16],
    r * 1.08,
    r * 1.06,
    true,
  );
  const inward = side === 'left' ? -1 : 1;
  const hand: Vec3 = [elbow[0] + r * 0.1, elbow[1] + inward * r * 0.05, tip + length * 0.15];
  t.ball(lower, make === 'robot' ? 'shoe' : 'skin', hand, [r * 0.95, r * 0.6, length * 0.18]);
  t.ball(
    lower,
    make === 'robot' ? 'shoe' : 'skin',
    [hand[0] + r * 0.75, hand[1] + inward * r * 0.3, hand[2] + length * 0.04],
    [r * 0.34, r * 0.34, length * 0.08],
    true,
  );
}

function dress_trunk(t: Tailor, make: Make): void {
  const pelvis = t.find('pelvis');
  const back = t.find('lower_back');
  const torso = t.find('torso');
  if (pelvis !== undefined) {
    const shape = t.link(pelvis).shapes[0];
    const [x, y, z] = middle_of(shape);
    const r = radius_of(shape);
    const hip = Math.abs(t.child('left_thigh')?.at_parent[1] ?? r);
    const wide = shape?.kind === 'capsule' ? Math.abs(shape.to[1] - shape.from[1]) / 2 : r;
    t.box(
      pelvis,
      'trousers',
      [x, y, z],
      [r * 0.12, Math.max(wide, hip * 0.72), r * 0.22],
      r * 1.06,
      { taper: 1.04 },
    );
    if (make === 'person')
      t.box(
        pelvis,
        'dark',
        [x, y, z + r * 0.95],
        [r * 0.2, Math.max(wide, hip * 0.72) * 0.96, r * 0.02],
        r * 0.86,
        { fine: true },
      );
  }
  if (back !== undefined) {
    const { at_child, shapes } = t.link(back);
    const r = radius_of(shapes[0]);
    const up = t.child('torso')?.at_parent ?? [0, 0, r];
    const z = (at_child[2] + up[2]) / 2;
    t.box(
      back,
      'shirt',
      [middle_of(shapes[0])[0], 0, z],
      [r * 0.12, r * 0.62, (up[2] - at_child[2]) * 0.32],
      r * 1.0,
      { taper: 1.02 },
    );
  }
  if (torso !== undefined) {
    const { at_child, shapes } = t.link(torso);
    const r = radius_of(shapes[0]);
    const shoulder = t.child('left_upper_arm')?.at_parent ?? [0, r, r];
    const neck = t.child('head')?.at_parent ?? [0, 0, shoulder[2] + r * 0.5];
    const depth = r * 0.84;
    const low = at_child[2] + depth * 0.55;
    const high = shoulder[2] - depth * 0.42;
    const half_z = Math.max(0.01, (high - low) / 2);
    const x = middle_of(shapes[0])[0] * 0.75;
    t.box(
      torso,
      'shirt',
      [x, 0, (low + high) / 2],
      [r * 0.1, Math.max(0.01, Math.abs(shoulder[1]) - depth * 0.62), half_z],
      depth,
      { taper: 0.62, bottom: depth * 1.02 },
    );
    // Collar bones lead from the neck to the shoulders.
    for (const side of [1, -1]) {
      t.limb(
        torso,
        'shirt',
        [neck[0], side * r * 0.2, neck[2] - r * 0.16],
        [shoulder[0], side * Math.abs(shoulder[1]) * 0.92, shoulder[2]],
        r * 0.44,
        r * 0.4,
      );
    }
    if (make === 'robot')
      t.ball(
        torso,
        'light',
        [x + depth * 1.0, 0, shoulder[2] * 0.2],
        [r * 0.1, r * 0.24, r * 0.24],
      );
  }
}

function dress_head(t: Tailor, make: Make): void {
  const head = t.find('head');
  if (head === undefined) return;
  const { at_child, shapes } = t.link(head);
  const shape = shapes[0];
  const r = radius_of(shape);
  const [x, y, z] = middle_of(shape);
  const tall = shape?.kind === 'capsule' ? Math.abs(shape.to[2] - shape.from[2]) / 2 : r * 0.2;
  t.limb(
    head,
    make === 'robot' ? 'shoe' : 'skin',
    [x - r * 0.15, y, z - r * 0.3],
    [at_child[0], at_child[1], at_child[2] - r * 0.2],
    r * 0.52,
    r * 0.6,
  );
  switch (make) {
    case 'robot':
      t.box(head, 'skin', [x, y, z], [r * 0.4, r * 0.38, tall], r * 0.55);
      t.box(
        head,
        'dark',
        [x + r * 0.62, y, z + r * 0.12],
        [r * 0.02, r * 0.42, r * 0.04],
        r * 0.34,
      );
      t.box(head, 'light', [x + r * 0.9, y, z + r * 0.12], [0.0001, r * 0.38, 0.0001], r * 0.1);
      t.limb(
        head,
        'shoe',
        [x - r * 0.2, y + r * 0.5, z + r * 1.7],
        [x - r * 0.2, y + r * 0.5, z + r * 0.7],
        r * 0.06,
        r * 0.08,
        true,
      );
      t.ball(
        head,
        'light',
        [x - r * 0.2, y + r * 0.5, z + r * 1.75],
        [r * 0.13, r * 0.13, r * 0.13],
        true,
      );
      return;
    case 'beast':
      t.box(head, 'skin', [x, y, z], [r * 0.1, r * 0.05, tall * 0.8], r * 0.96);
      t.limb(
        head,
        'skin',
        [x + r * 0.35, y, z - r * 0.05],
        [x + r * 1.15, y, z - r * 0.32],
        r * 0.6,
        r * 0.42,
      );
      t.ball(head, 'dark', [x + r * 1.52, y, z - r * 0.22], [r * 0.16, r * 0.22, r * 0.15]);
      for (const side of [1, -1]) {
        t.limb(
          head,
          'hair',
          [x - r * 0.3, side * r * 1.05, z + r * 1.45],
          [x - r * 0.1, side * r * 0.5, z + r * 0.7],
          r * 0.1,
          r * 0.3,
        );
        t.ball(
          head,
          'dark',
          [x + r * 0.72, side * r * 0.44, z + r * 0.38],
          [r * 0.13, r * 0.14, r * 0.16],
          true,
        );
      }
      return;
    case 'person':
      t.box(head, 'skin', [x, y, z], [r * 0.06, 0.0001, tall], r * 0.9, { bottom: r * 0.8 });
      // Hair: a cap pushed back and up, so that the face stays free.
      t.box(
        head,
        'hair',
        [x - r * 0.2, y, z + r * 0.3],
        [r * 0.05, r * 0.04, tall * 0.6],
        r * 0.9,
        { bottom: r * 0.84 },
      );
      t.ball(head, 'skin', [x + r * 0.98, y, z - r * 0.02], [r * 0.15, r * 0.11, r * 0.17], true);
      for (const side of [1, -1]) {
        t.ball(
          head,
          'dark',
          [x + r * 0.83, side * r * 0.34, z + r * 0.16],
          [r * 0.09, r * 0.1, r * 0.13],
          true,
        );
        t.ball(
          head,
          'skin',
          [x - r * 0.02, side * r * 0.9, z],
          [r * 0.16, r * 0.12, r * 0.22],
          true,
        );
      }
      return;
  }
}

/** Links that the rules above do not know are drawn as their collision shapes. */
function dress_others(t: Tailor): void {
  const dressed = new Set(t.parts.map((part) => part.link));
  t.skeleton.links.forEach((link, i) => {
    if (dressed.has(i)) return;
    for (const shape of link.shapes) {
      if (shape.kind === 'capsule') {
        t.limb(i, 'shirt', shape.from, shape.to, shape.radius, shape.radius);
      } else {
        const r = Math.min(...shape.half) * 0.6;
        t.box(
          i,
          'shirt',
          shape.center,
          [shape.half[0] - r, shape.half[1] - r, shape.half[2] - r],
          r,
        );
      }
    }
  });
}

/** The figure of a body. Sizes follow its joints and collision shapes. */
export function make_figure(skeleton: Skeleton): Figure {
  const tailor = new Tailor(skeleton);
  const make = make_of(skeleton.kin);
  dress_trunk(tailor, make);
  dress_head(tailor, make);
  for (const side of ['left', 'right']) {
    dress_arm(tailor, side, make);
    dress_leg(tailor, side, make);
  }
  dress_others(tailor);
  const parts = [
    ...tailor.parts.filter((part) => !part.fine),
    ...tailor.parts.filter((part) => part.fine),
  ];
  return {
    parts,
    coarse: tailor.parts.filter((part) => !part.fine).length,
    height: height_above_root(skeleton),
  };
}

function height_above_root(skeleton: Skeleton): number {
  const z = new Array<number>(skeleton.links.length).fill(0);
  let top = 0;
  for (const i of skeleton.order) {
    const link = skeleton.links[i] as SkeletonLink;
    if (link.parent >= 0) z[i] = (z[link.parent] as number) + link.at_parent[2] - link.at_child[2];
    for (const shape of link.shapes) {
      const reach =
        shape.kind === 'capsule'
          ? Math.max(shape.from[2], shape.to[2]) + shape.radius
          : shape.center[2] + shape.half[2];
      top = Math.max(top, (z[i] as number) + reach);
    }
  }
  return top;
}

// Bodies that walk upright on two legs, in clothes, in a shell or in fur: drawn over the collision shapes and sized
// by them, so that every such body, whatever its proportions, is dressed by the same few rules.
import type { Vec3 } from '../../state/values/quaternion';
import { middle_of, thickness_of } from '../../state/figure/shapes';
import type { LinkShape, Look, SkeletonLimb } from '../../state/figure/skeleton';
import { type Stretch, type Tailor } from './tailor';
import { beast_head, human_head, machine_head } from './upright_heads';

/** The parts of an upright body, by the links of its limbs. */
interface Parts {
  readonly pelvis: number;
  readonly backs: readonly number[]; // between pelvis and torso
  readonly torso: number;
  readonly head: number | undefined;
  readonly neck: Vec3 | undefined; // on the torso
  readonly arms: readonly SkeletonLimb[];
  readonly legs: readonly SkeletonLimb[];
}

interface Limb extends Stretch {
  readonly link: number;
  readonly radius: number;
}

/** The limbs of an upright body; undefined for a body that does not walk upright on two legs with feet. */
function parts_of(t: Tailor): Parts | undefined {
  const legs = t.limbs('leg');
  const trunk = t.limbs('trunk')[0]?.links ?? [];
  const [pelvis, ...above] = trunk;
  const torso = above.pop();
  const sound = legs.every(({ links, soles }) => soles.length > 0 && links.length >= 3);
  if (legs.length !== 2 || !sound || pelvis === undefined || torso === undefined) return undefined;
  const [x, y, z] = t.link(torso).at_child;
  if (z > -Math.hypot(x, y)) return undefined; // the torso leans too far to be upright
  const head_links = t.limbs('head')[0]?.links ?? [];
  return {
    pelvis,
    backs: above,
    torso,
    head: head_links[head_links.length - 1],
    neck: head_links[0] === undefined ? undefined : t.link(head_links[0]).at_parent,
    arms: t.limbs('arm'),
    legs,
  };
}

function radius_of(shape: LinkShape | undefined): number {
  return shape ? thickness_of(shape) : 0.05;
}
function centre_of(shape: LinkShape | undefined): Vec3 {
  return shape ? middle_of(shape) : [0, 0, 0];
}

/** The link's own stretch: from its joint to the joint of the next in its limb, as thick as its shape. */
function limb_of(t: Tailor, limb: SkeletonLimb, k: number): Limb | undefined {
  const link = limb.links[k];
  if (link === undefined) return undefined;
  const { at_child, shapes } = t.link(link);
  const next = limb.links[k + 1];
  const shape = shapes[0];
  const to: Vec3 =
    next !== undefined
      ? t.link(next).at_parent
      : shape?.kind === 'capsule'
        ? shape.to
        : [0, 0, -at_child[2]];
  return { link, from: at_child, to, radius: radius_of(shape) };
}

function dress_leg(t: Tailor, leg: SkeletonLimb, look: Look): void {
  const [thigh, shank] = [limb_of(t, leg, 0), limb_of(t, leg, 1)];
  // Thigh and shank end in the same ball, so that a bent knee does not show one through the other.
  const knee = 1.08 * Math.max(thigh?.radius ?? 0, shank?.radius ?? 0);
  if (thigh) t.limb(thigh.link, 'trousers', thigh, Math.max(thigh.radius * 1.5, knee), knee);
  if (shank) {
    const r = shank.radius;
    t.limb(shank.link, 'trousers', shank, knee, r * 0.82);
    // The calf, behind and above the middle.
    const at = (k: 0 | 1 | 2) => shank.from[k] + 0.3 * (shank.to[k] - shank.from[k]);
    const length = Math.abs(shank.to[2] - shank.from[2]);
    t.ball(
      shank.link,
      'trousers',
      [at(0) - r * 0.3, at(1), at(2)],
      [r * 0.98, r * 0.98, length * 0.28],
      { seen: 'near' },
    );
    if (look === 'machine') {
      // The pin of the hinge.
      const [x, y, z] = shank.from;
      const pin = { from: [x, y + 1.06 * knee, z], to: [x, y - 1.06 * knee, z] } as const;
      t.disc(shank.link, 'metal', pin, knee * 0.5, { seen: 'close', surface: 'metal' });
    }
  }
  leg.soles.forEach((sole, k) => dress_foot(t, sole, k === 0));
}

function dress_foot(t: Tailor, i: number, heel: boolean): void {
  const shape = t.link(i).shapes.find((s) => s.kind === 'box');
  if (shape?.kind !== 'box') return;
  const [hx, hy, hz] = shape.half;
  const [cx, cy, cz] = shape.center;
  const r = Math.min(hx, hy, hz) * 0.95;
  const sole = Math.min(hz * 0.32, 0.012);
  t.box(i, 'sole', [cx, cy, cz - hz + sole], [hx - sole * 0.6, hy - sole * 0.6, 0.0001], sole, {
    seen: 'close',
  });
  if (heel) {
    const ankle = t.link(i).at_child;
    t.box(i, 'shoe', [cx, cy, cz + sole * 0.3], [hx - r, hy - r, hz - r], r);
    // The shaft of the shoe, leaning back to the ankle.
    t.limb(
      i,
      'shoe',
      { from: [ankle[0], ankle[1], ankle[2] + hz * 0.6], to: [cx + hx * 0.1, cy, cz] },
      hy * 0.85,
      hy * 0.92,
      { seen: 'near' },
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

function dress_arm(t: Tailor, arm: SkeletonLimb, look: Look): void {
  const upper = limb_of(t, arm, 0);
  if (upper) t.limb(upper.link, 'sleeve', upper, upper.radius * 1.36, upper.radius * 1.02);
  const lower = arm.links[1];
  if (lower === undefined) return;
  const on_left = t.link(arm.links[0] as number).at_parent[1] > 0;
  const { at_child: elbow, shapes } = t.link(lower);
  const shape = shapes[0];
  const r = radius_of(shape);
  const tip =
    shape?.kind === 'capsule' ? Math.min(shape.from[2], shape.to[2]) - shape.radius : -elbow[2];
  const length = elbow[2] - tip;
  const wrist: Vec3 = [elbow[0], elbow[1], tip + length * 0.3];
  t.limb(lower, 'skin', { from: elbow, to: wrist }, r * 0.98, r * 0.7);
  t.limb(
    lower,
    'sleeve',
    { from: elbow, to: [elbow[0], elbow[1], elbow[2] - length * 0.16] },
    r * 1.08,
    r * 1.06,
    { seen: 'close' },
  );
  const inward = on_left ? -1 : 1;
  const hand: Vec3 = [elbow[0] + r * 0.1, elbow[1] + inward * r * 0.05, tip + length * 0.15];
  t.ball(lower, look === 'machine' ? 'shoe' : 'skin', hand, [r * 0.95, r * 0.6, length * 0.18]);
  t.ball(
    lower,
    look === 'machine' ? 'shoe' : 'skin',
    [hand[0] + r * 0.75, hand[1] + inward * r * 0.3, hand[2] + length * 0.04],
    [r * 0.34, r * 0.34, length * 0.08],
    { seen: 'close' },
  );
}

function dress_pelvis(t: Tailor, { pelvis, legs }: Parts, look: Look): void {
  const shape = t.link(pelvis).shapes[0];
  const [x, y, z] = centre_of(shape);
  const r = radius_of(shape);
  const thigh = legs[0]?.links[0];
  const hip = thigh === undefined ? r : Math.abs(t.link(thigh).at_parent[1]);
  const wide = shape?.kind === 'capsule' ? Math.abs(shape.to[1] - shape.from[1]) / 2 : r;
  const across = Math.max(wide, hip * 0.72);
  t.box(pelvis, 'trousers', [x, y, z], [r * 0.12, across, r * 0.22], r * 1.06, { taper: 1.04 });
  if (look !== 'person') return;
  const belt: Vec3 = [r * 0.2, across * 0.96, r * 0.02];
  t.box(pelvis, 'dark', [x, y, z + r * 0.95], belt, r * 0.86, { seen: 'close' });
}

function dress_torso(t: Tailor, { backs, torso, arms, neck: at_neck }: Parts, look: Look): void {
  [...backs].forEach((back, k) => {
    const { at_child, shapes } = t.link(back);
    const r = radius_of(shapes[0]);
    const up = t.link(backs[k + 1] ?? torso).at_parent;
    const z = (at_child[2] + up[2]) / 2;
    t.box(
      back,
      'shirt',
      [centre_of(shapes[0])[0], 0, z],
      [r * 0.12, r * 0.62, (up[2] - at_child[2]) * 0.32],
      r * 1.0,
      { taper: 1.02 },
    );
  });
  const { at_child, shapes } = t.link(torso);
  const r = radius_of(shapes[0]);
  const arm = arms[0]?.links[0];
  const shoulder = arm === undefined ? ([0, r, r] as const) : t.link(arm).at_parent;
  const neck = at_neck ?? [0, 0, shoulder[2] + r * 0.5];
  const depth = r * 0.84;
  const low = at_child[2] + depth * 0.55;
  const high = shoulder[2] - depth * 0.42;
  const half_z = Math.max(0.12 * r, (high - low) / 2);
  const x = centre_of(shapes[0])[0] * 0.75;
  t.box(
    torso,
    'shirt',
    [x, 0, (low + high) / 2],
    [r * 0.1, Math.max(0.08 * r, Math.abs(shoulder[1]) - depth * 0.62), half_z],
    depth,
    { taper: 0.62, bottom: depth * 1.02 },
  );
  // Collar bones lead from the neck to the shoulders.
  for (const side of [1, -1]) {
    t.limb(
      torso,
      'shirt',
      {
        from: [neck[0], side * r * 0.2, neck[2] - r * 0.16],
        to: [shoulder[0], side * Math.abs(shoulder[1]) * 0.92, shoulder[2]],
      },
      r * 0.44,
      r * 0.4,
      { seen: 'near' },
    );
  }
  if (look === 'machine')
    t.ball(torso, 'light', [x + depth, 0, shoulder[2] * 0.2], [r * 0.1, r * 0.24, r * 0.24]);
}

function dress_head(t: Tailor, head: number, look: Look): void {
  const { at_child, shapes } = t.link(head);
  const shape = shapes[0];
  const r = radius_of(shape);
  const middle = centre_of(shape);
  const [x, y, z] = middle;
  const tall = shape?.kind === 'capsule' ? Math.abs(shape.to[2] - shape.from[2]) / 2 : r * 0.2;
  t.limb(
    head,
    look === 'machine' ? 'shoe' : 'skin',
    { from: [x - r * 0.15, y, z - r * 0.3], to: [at_child[0], at_child[1], at_child[2] - r * 0.2] },
    r * 0.52,
    r * 0.6,
  );
  switch (look) {
    case 'machine':
      machine_head(t, { link: head, middle, r, tall });
      return;
    case 'beast':
      beast_head(t, { link: head, middle, r, tall });
      return;
    case 'person':
      human_head(t, { link: head, middle, r, tall });
      return;
    case 'plain':
    case 'insect':
      t.shape(head, 'skin', shape ?? { kind: 'sphere', center: [x, y, z], radius: r });
      return;
  }
}

/** Dresses a body that walks upright on two legs. @return whether the body is of that kind */
export function dress_upright(t: Tailor): boolean {
  const { look } = t.skeleton;
  const parts = look === 'plain' || look === 'insect' ? undefined : parts_of(t);
  if (!parts) return false;
  dress_pelvis(t, parts, look);
  dress_torso(t, parts, look);
  if (parts.head !== undefined) dress_head(t, parts.head, look);
  for (const arm of parts.arms) dress_arm(t, arm, look);
  for (const leg of parts.legs) dress_leg(t, leg, look);
  return true;
}

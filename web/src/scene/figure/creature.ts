// Creatures that do not walk upright: each limb is drawn by its shapes, thicker at the root than at the tip; a head has
// eyes, and ears or feelers where the creature's look asks for them.
import type { Vec3 } from '../../state/values/quaternion';
import { bounds_of, thickness_of } from '../../state/figure/shapes';
import type { LimbKind, LinkShape, Look, Skeleton } from '../../state/figure/skeleton';
import type { Tint } from './looks';
import { between, type Tailor } from './tailor';

const kTints: Readonly<Record<LimbKind, Tint>> = {
  trunk: 'shirt',
  head: 'skin',
  leg: 'trousers',
  arm: 'sleeve',
  tail: 'hair',
};

interface Role {
  readonly kind: LimbKind;
  readonly sole: boolean;
  readonly first: boolean;
  readonly last: boolean;
}

function roles_of({ limbs }: Skeleton): ReadonlyMap<number, Role> {
  return new Map(
    limbs.flatMap(({ kind, links, soles }) =>
      links.map((link, k): [number, Role] => [
        link,
        { kind, sole: soles.includes(link), first: k === 0, last: k === links.length - 1 },
      ]),
    ),
  );
}

function tint_of(role: Role | undefined): Tint {
  return !role ? 'shirt' : role.sole ? 'shoe' : kTints[role.kind];
}

/** The colour of each link by the limb that it is in. */
export function creature_tints(skeleton: Skeleton): (link: number) => Tint {
  const roles = roles_of(skeleton);
  return (link) => tint_of(roles.get(link));
}

export function dress_creature(t: Tailor): void {
  const roles = roles_of(t.skeleton);
  const { look, ornaments } = t.skeleton;
  // A file that says how a link looks leaves no room for a face of ours.
  const adorned = new Set(ornaments.map(({ link }) => link));
  const surface = look === 'beast' ? 'fur' : 'smooth';
  t.skeleton.links.forEach((link, i) => {
    const role = roles.get(i);
    const tint = tint_of(role);
    for (const shape of link.shapes) dress_shape(t, i, shape, role, tint, surface);
    const shape = link.shapes[0];
    if (role?.kind === 'head' && role.last && shape && !adorned.has(i))
      dress_face(t, i, shape, look);
    // A joint is round: hips and knees do not show gaps when they bend.
    if (shape && link.parent >= 0 && role && role.kind !== 'trunk' && !role.sole) {
      const r = thickness_of(shape) * 1.06;
      if (Math.hypot(...link.at_child) > r * 0.8)
        t.ball(i, tint, link.at_child, [r, r, r], { surface, seen: 'close' });
    }
  });
}

function dress_shape(
  t: Tailor,
  i: number,
  shape: LinkShape,
  role: Role | undefined,
  tint: Tint,
  surface: 'fur' | 'smooth',
): void {
  if (shape.kind !== 'capsule' || !role || role.kind === 'trunk' || role.kind === 'head') {
    if (shape.kind === 'box') {
      // Feet and bodies of creatures are rounder than boxes.
      const r = Math.min(...shape.half) * 0.7;
      const [x, y, z] = shape.half;
      t.box(i, tint, shape.center, [x - r, y - r, z - r], r, { surface });
    } else {
      t.shape(i, tint, shape, { surface });
    }
    return;
  }
  // Thick at the joint to the parent link.
  const { at_child } = t.link(i);
  const far = (end: Vec3) => Math.hypot(...end.map((x, k) => x - (at_child[k] as number)));
  const [near, tip] =
    far(shape.from) <= far(shape.to) ? [shape.from, shape.to] : [shape.to, shape.from];
  const r = shape.radius;
  const end = role.kind === 'tail' ? 0.7 : 0.86;
  t.limb(i, tint, { from: near, to: tip }, r * 1.14, r * end, { surface });
}

function dress_face(t: Tailor, head: number, shape: LinkShape, look: Look): void {
  const [low, high] = bounds_of(shape);
  const half: Vec3 = [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2];
  const [x, y, z] = between(low, high, 0.5);
  const r = Math.min(...half);
  if (look === 'machine') {
    t.ball(head, 'light', [high[0] - r * 0.1, y, z], [r * 0.2, r * 0.6, r * 0.35]);
    return;
  }
  for (const side of [1, -1]) {
    const eye: Vec3 = [high[0] - r * 0.42, y + side * r * 0.62, z + r * 0.42];
    switch (look) {
      case 'insect':
        t.ball(head, 'dark', eye, [r * 0.3, r * 0.34, r * 0.4]);
        t.limb(
          head,
          'hair',
          {
            from: [high[0], y + side * r * 0.3, z + r * 0.3],
            to: [high[0] + half[0] * 1.3, y + side * half[1] * 1.5, z + half[2] * 1.6],
          },
          r * 0.1,
          r * 0.06,
          { seen: 'close' },
        );
        t.limb(
          head,
          'dark',
          {
            from: [high[0] - r * 0.2, y + side * r * 0.5, z - r * 0.3],
            to: [high[0] + r * 0.7, y + side * r * 0.12, z - r * 0.4],
          },
          r * 0.14,
          r * 0.06,
          { seen: 'close' },
        );
        break;
      case 'beast':
        t.ball(head, 'dark', eye, [r * 0.16, r * 0.16, r * 0.2], { surface: 'smooth' });
        t.limb(
          head,
          'hair',
          {
            from: [x - half[0] * 0.25, y + side * r * 0.6, z + r * 0.6],
            to: [x - half[0] * 0.2, y + side * r * 0.78, z + r * 1.35],
          },
          r * 0.36,
          r * 0.08,
        );
        t.limb(
          head,
          'light',
          {
            from: [high[0] - r * 0.1, y + side * r * 0.2, z - r * 0.25],
            to: [high[0] - r * 0.1, y + side * r * 1.5, z - r * 0.2],
          },
          r * 0.02,
          r * 0.01,
          { seen: 'close', surface: 'smooth' },
        );
        break;
      case 'plain':
      case 'person':
        t.ball(head, 'dark', eye, [r * 0.15, r * 0.15, r * 0.18], {
          surface: 'smooth',
          seen: 'close',
        });
        break;
    }
  }
  if (look === 'beast') {
    t.ball(head, 'light', [high[0] - r * 0.18, y, z - r * 0.28], [r * 0.42, r * 0.46, r * 0.34]);
    t.ball(head, 'dark', [high[0] + r * 0.2, y, z - r * 0.16], [r * 0.14, r * 0.18, r * 0.13], {
      surface: 'smooth',
    });
  }
}

// The visible body: parts in the links' frames, drawn over the collision shapes and sized by them.
import { bounds_of } from '../../state/figure/shapes';
import type { Skeleton, SkeletonLink } from '../../state/figure/skeleton';
import { creature_tints, dress_creature } from './creature';
import { coated, dress_ornaments } from './ornaments';
import { Tailor, type FigurePart, type Seen } from './tailor';
import { dress_thing } from './thing';
import { dress_upright } from './upright';

export type { FigurePart } from './tailor';

/** From far only the largest parts of a figure are drawn, this many at most. */
export const kFarParts = 24;

export interface Figure {
  readonly parts: readonly FigurePart[]; // those seen from far first, then those from near, then close
  readonly counts: Readonly<Record<Seen, number>>; // number of parts drawn of a body that is far, near or close
  readonly height: number; // m, roughly, above the root, for labels
}

/** How large a part looks, roughly: m2, of the box around it. */
export function size_of({ shape, scale }: FigurePart): number {
  const r = Math.max(shape.top, shape.bottom) + (shape.disc ?? 0);
  const [x, y, z] = [0, 1, 2].map((k) => ((shape.half[k] ?? 0) + r) * (scale[k] ?? 1));
  const [a, b, c] = [x ?? 0, y ?? 0, z ?? 0];
  return a * b + b * c + c * a;
}

/** Parts of which the first `most` that are seen from far stay so, the largest first. */
function within(most: number, parts: readonly FigurePart[]): readonly FigurePart[] {
  const far = parts.filter(({ seen }) => seen === 'far').sort((a, b) => size_of(b) - size_of(a));
  const left_out = new Set(far.slice(Math.max(0, most)));
  return parts.map((part) => (left_out.has(part) ? { ...part, seen: 'near' } : part));
}

/** The figure of a body. Sizes follow its joints and collision shapes. */
export function make_figure(skeleton: Skeleton): Figure {
  const thing = skeleton.limbs.length === 0 && skeleton.look === 'plain';
  const tailor = new Tailor(skeleton, skeleton.look === 'beast' ? 'fur' : 'cloth');
  if (thing) dress_thing(tailor);
  else if (!dress_upright(tailor)) dress_creature(tailor);
  // Links that no rule has dressed are drawn as their collision shapes.
  const dressed = new Set(tailor.parts.map((part) => part.link));
  skeleton.links.forEach((link, i) => {
    if (!dressed.has(i)) for (const shape of link.shapes) tailor.shape(i, 'shirt', shape);
  });
  const plain = tailor.parts.splice(0).map((part) => coated(part, skeleton));
  dress_ornaments(tailor, creature_tints(skeleton));
  // A head without ears is still a head: ornaments get what the links leave.
  const links = within(kFarParts, plain);
  const room = kFarParts - links.filter(({ seen }) => seen === 'far').length;
  const parts = [...links, ...within(room, tailor.parts)];
  const [far, near, close] = (['far', 'near', 'close'] as const).map((seen) =>
    parts.filter((part) => part.seen === seen),
  ) as [FigurePart[], FigurePart[], FigurePart[]];
  return {
    parts: [...far, ...near, ...close],
    counts: {
      far: far.length,
      near: far.length + near.length,
      close: parts.length,
    },
    height: height_above_root(skeleton),
  };
}

/** How many of its parts are drawn of a figure that is far, near or close. */
export function part_count({ counts }: Figure, seen: Seen): number {
  return counts[seen];
}

function height_above_root(skeleton: Skeleton): number {
  const z = new Array<number>(skeleton.links.length).fill(0);
  let top = 0;
  for (const i of skeleton.order) {
    const link = skeleton.links[i] as SkeletonLink;
    if (link.parent >= 0) z[i] = (z[link.parent] as number) + link.at_parent[2] - link.at_child[2];
    for (const shape of link.shapes) top = Math.max(top, (z[i] as number) + bounds_of(shape)[1][2]);
  }
  return top;
}

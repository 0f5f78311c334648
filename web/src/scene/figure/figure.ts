// The visible body: parts in the links' frames, drawn over the collision shapes and sized by them.
import { bounds_of } from '../../state/shapes';
import type { Skeleton, SkeletonLink } from '../../state/skeleton';
import { dress_creature } from './creature';
import { Tailor, type FigurePart } from './tailor';
import { dress_thing } from './thing';
import { dress_upright } from './upright';

export type { FigurePart } from './tailor';

export interface Figure {
  readonly parts: readonly FigurePart[]; // coarse ones first
  readonly coarse: number; // how many are not fine
  readonly height: number; // m, roughly, above the root, for labels
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
  const coarse = tailor.parts.filter((part) => !part.fine);
  return {
    parts: [...coarse, ...tailor.parts.filter((part) => part.fine)],
    coarse: coarse.length,
    height: height_above_root(skeleton),
  };
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

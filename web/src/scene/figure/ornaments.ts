// The coats and ornaments of a body's file: fur of a colour, ears, eyes, beaks, a lamp's shade.
import * as THREE from 'three';
import type { SkeletonOrnament } from '../../state/figure/dress';
import type { Skeleton } from '../../state/figure/skeleton';
import type { Tint } from './looks';
import type { FigurePart, Seen, Tailor } from './tailor';

// Of the reach of the body: ornaments that are smaller are left out from further away.
const kFar = 0.1;
const kNear = 0.035;

function seen({ from, to, radius, tip }: SkeletonOrnament, reach: number): Seen {
  const length = to ? Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) : 0;
  const size = (length / 2 + Math.max(radius, tip)) / reach;
  return size > kFar ? 'far' : size > kNear ? 'near' : 'close';
}

/** A part in the coat of its link. Eyes, teeth and the like, which are dark or light by themselves, stay. */
export function coated(part: FigurePart, { coats }: Skeleton): FigurePart {
  const coat = coats[part.link];
  if (!coat || part.tint === 'dark' || part.tint === 'light') return part;
  const paint = coat.color ? new THREE.Color(coat.color) : undefined;
  return { ...part, tint: 'shirt', paint, surface: coat.finish ?? part.surface };
}

/** @param tint_of the colour of a link, for ornaments that have none of their own */
export function dress_ornaments(t: Tailor, tint_of: (link: number) => Tint): void {
  const { ornaments, coats, reach } = t.skeleton;
  for (const ornament of ornaments) {
    const { link, from, to, radius, tip, flat, flat_ends } = ornament;
    const paint = ornament.color ?? coats[link]?.color;
    const surface = ornament.finish ?? coats[link]?.finish;
    const options = {
      seen: seen(ornament, reach),
      ...(paint ? { paint } : {}),
      ...(surface ? { surface } : {}),
    };
    const rod = flat < 1 ? { ...options, scale: [flat, 1, 1] as const } : options;
    const tint = coats[link] ? 'shirt' : tint_of(link);
    if (!to) t.ball(link, tint, from, [radius * flat, radius, radius], options);
    else if (flat_ends) t.disc(link, tint, { from, to }, radius, { ...rod, bottom: tip });
    else t.limb(link, tint, { from, to }, radius, tip, rod);
  }
}

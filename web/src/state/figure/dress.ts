// Coats and ornaments of a body's file: drawn only, physics knows none of it.
import { type Creature, type Ornament, Coat_Finish } from '../../gen/promenade/v1/creature_pb';
import type { Vec3 } from '../values/quaternion';

export type Finish =
  'smooth' | 'fur' | 'tabby' | 'feathers' | 'bristles' | 'wood' | 'metal' | 'rubber' | 'glow';

/** Without a colour it has that of the character, without a finish that of the body's look. */
export interface LinkCoat {
  readonly color: string | undefined; // "#rrggbb"
  readonly finish: Finish | undefined;
}

/** A rod with round or flat ends, or a ball. */
export interface SkeletonOrnament extends LinkCoat {
  readonly link: number;
  readonly from: Vec3; // m, in the link's frame
  readonly to: Vec3 | undefined; // undefined: a ball
  readonly radius: number; // m, around `from`
  readonly tip: number; // m, around `to`
  readonly flat: number; // factor of the thickness from front to back, up and down where it points forward
  readonly flat_ends: boolean;
}

function finish_of(finish: Coat_Finish): Finish | undefined {
  switch (finish) {
    case Coat_Finish.LIKE_LOOK:
      return undefined;
    case Coat_Finish.SMOOTH:
      return 'smooth';
    case Coat_Finish.FUR:
      return 'fur';
    case Coat_Finish.TABBY:
      return 'tabby';
    case Coat_Finish.FEATHERS:
      return 'feathers';
    case Coat_Finish.BRISTLES:
      return 'bristles';
    case Coat_Finish.WOOD:
      return 'wood';
    case Coat_Finish.METAL:
      return 'metal';
    case Coat_Finish.RUBBER:
      return 'rubber';
    case Coat_Finish.GLOW:
      return 'glow';
  }
}

/** @return [links] the coat of each link; undefined where the file says nothing of it */
export function coats_of({ links, coats }: Creature): readonly (LinkCoat | undefined)[] {
  const of_links = new Map<string, LinkCoat>();
  for (const coat of coats) {
    const worn = { color: coat.color || undefined, finish: finish_of(coat.finish) };
    const names = coat.links.length > 0 ? coat.links : links.map(({ name }) => name);
    for (const name of names) of_links.set(name, worn);
  }
  return links.map(({ name }) => of_links.get(name));
}

/** The link of the same name on the other side; the link itself where its name has no side. */
function across(link: string): string {
  return link.replace(/^(left|right)_/, (side) => (side === 'left_' ? 'right_' : 'left_'));
}

function place([x = 0, y = 0, z = 0]: readonly number[], side: 1 | -1): Vec3 {
  return [x, y * side, z];
}

function ornament(one: Ornament, link: number, side: 1 | -1): SkeletonOrnament {
  return {
    link,
    from: place(one.fromM, side),
    to: one.toM.length > 0 ? place(one.toM, side) : undefined,
    radius: one.radiusM,
    tip: one.tipM || one.radiusM,
    flat: one.flat || 1,
    flat_ends: one.flatEnds,
    color: one.color || undefined,
    finish: finish_of(one.finish),
  };
}

/** @return the ornaments of both sides; those of links that are not there are left out */
export function ornaments_of({ links, ornaments }: Creature): readonly SkeletonOrnament[] {
  const index = new Map(links.map(({ name }, i) => [name, i]));
  return ornaments.flatMap((one) => {
    const here = index.get(one.link);
    const there = one.bothSides ? index.get(across(one.link)) : undefined;
    return [
      ...(here === undefined ? [] : [ornament(one, here, 1)]),
      ...(there === undefined ? [] : [ornament(one, there, -1)]),
    ];
  });
}

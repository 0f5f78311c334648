// Who can move what: the controllers that are known here, in words, and which bodies each can take.
import type { LimbKind, Skeleton, SkeletonLimb } from './skeleton';

export const kWalking = 'gbwc';

export interface ControllerWords {
  readonly title: string;
  readonly hint: string;
}

const kWords: Readonly<Record<string, ControllerWords>> = {
  gbwc: { title: 'Walk', hint: 'Walks on two legs, in a style (gbwc)' },
  hold: { title: 'Hold its pose', hint: 'Muscles hold the pose in which it is put down (hold)' },
  limp: { title: 'Limp', hint: 'No muscles: it falls as a doll does (limp)' },
};

/** Others are shown by their name. */
export function controller_words(name: string): ControllerWords {
  return kWords[name] ?? { title: name, hint: `The controller ${name}` };
}

/** Whether a controller walks in a style. @param name '' in rooms that know of one controller only */
export function is_walking(name: string): boolean {
  return name === '' || name === kWalking;
}

// What the walking controller needs, as the server has it (creature/biped): links of each limb.
const kBiped: readonly { kind: LimbKind; count: number; links: number; soles: number }[] = [
  { kind: 'trunk', count: 1, links: 3, soles: 0 },
  { kind: 'head', count: 1, links: 1, soles: 0 },
  { kind: 'arm', count: 2, links: 2, soles: 0 },
  { kind: 'leg', count: 2, links: 4, soles: 2 },
];

/** Whether it has the limbs of a person. */
export function is_biped({ limbs }: { readonly limbs: readonly SkeletonLimb[] }): boolean {
  return kBiped.every(({ kind, count, links, soles }) => {
    const of_kind = limbs.filter((limb) => limb.kind === kind);
    return (
      of_kind.length === count &&
      of_kind.every((limb) => limb.links.length === links && limb.soles.length === soles)
    );
  });
}

/** Who moves a body where nobody says it: walking, or the first of those that can. */
export function own_controller(
  skeleton: Skeleton | undefined,
  offered: readonly string[],
): string | undefined {
  const able = controllers_for(skeleton, offered);
  return able.includes(kWalking) ? kWalking : able[0];
}

/**
 * Those of the offered controllers that can move a body.
 * @param skeleton undefined: a body that the page has not seen; the room will say
 * @param offered by the scene; none: one that knows of walking only
 */
export function controllers_for(
  skeleton: Skeleton | undefined,
  offered: readonly string[],
): readonly string[] {
  const names = offered.length > 0 ? offered : [kWalking];
  return skeleton && !is_biped(skeleton) ? names.filter((name) => name !== kWalking) : names;
}

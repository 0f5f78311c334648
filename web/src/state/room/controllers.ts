// The controllers that the page knows: their names for the user, and which bodies each can drive.
import type { LimbKind, Skeleton, SkeletonLimb } from '../figure/skeleton';

export const kWalking = 'gbwc';

export interface ControllerWords {
  readonly title: string;
  readonly hint: string;
}

const kWords: Readonly<Record<string, ControllerWords>> = {
  gbwc: { title: 'Walk', hint: 'Walks on two legs, in a style (gbwc)' },
  pendulum: {
    title: 'Pendulum',
    hint: 'Steps as a pendulum, without the physics of the body (pendulum)',
  },
  hold: { title: 'Hold the pose', hint: 'Muscles hold the body’s rest pose (hold)' },
  rise: {
    title: 'Getting up',
    hint: 'Gets up after a fall by its own joints, then goes on as before (rise)',
  },
  limp: { title: 'Limp', hint: 'No muscles: falls like a rag doll (limp)' },
};

/** The words for a controller; one that the page does not know is shown by its name. */
export function controller_words(name: string): ControllerWords {
  return kWords[name] ?? { title: name, hint: `The controller ${name}` };
}

/** Controllers that walk in a style. */
const kStyled: readonly string[] = [kWalking, 'pendulum'];
/** Controllers for bodies with the limbs of a person, as in server/control/registry.cpp. */
const kForBipeds: readonly string[] = [...kStyled, 'rise'];

/** Whether a controller walks in a style. @param name '' from a server that has the walking controller only */
export function is_walking(name: string): boolean {
  return name === '' || kStyled.includes(name);
}

// The limbs that the walking controller needs, as in server/creature/biped: how many, of how many links and soles.
const kBiped: readonly { kind: LimbKind; count: number; links: number; soles: number }[] = [
  { kind: 'trunk', count: 1, links: 3, soles: 0 },
  { kind: 'head', count: 1, links: 1, soles: 0 },
  { kind: 'arm', count: 2, links: 2, soles: 0 },
  { kind: 'leg', count: 2, links: 4, soles: 2 },
];

/** Whether a body has the limbs of a person. */
export function is_biped({ limbs }: { readonly limbs: readonly SkeletonLimb[] }): boolean {
  return kBiped.every(({ kind, count, links, soles }) => {
    const of_kind = limbs.filter((limb) => limb.kind === kind);
    return (
      of_kind.length === count &&
      of_kind.every((limb) => limb.links.length === links && limb.soles.length === soles)
    );
  });
}

/** The controller that a body gets unless one is named: the walking one, or the first that can drive the body. */
export function own_controller(
  skeleton: Skeleton | undefined,
  offered: readonly string[],
): string | undefined {
  const able = controllers_for(skeleton, offered);
  return able.includes(kWalking) ? kWalking : able[0];
}

/**
 * The offered controllers that can drive a body.
 * @param skeleton undefined: a body of unknown shape, for which all are given; the room will refuse those that cannot
 * @param offered by the scene; empty: an older server, which has the walking controller only
 */
export function controllers_for(
  skeleton: Skeleton | undefined,
  offered: readonly string[],
): readonly string[] {
  const names = offered.length > 0 ? offered : [kWalking];
  return skeleton && !is_biped(skeleton)
    ? names.filter((name) => !kForBipeds.includes(name))
    : names;
}

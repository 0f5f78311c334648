// Variations of a toy's gait, found beside the room: which of them a gait has, and how they come into it.
import { equals } from '@bufbuild/protobuf';
import {
  type Gait,
  type GaitState,
  GaitStateSchema,
  type GaitVariant,
} from '../../gen/promenade/v1/gait_pb';
import type { GaitLook, GaitStudy } from '../../gen/promenade/v1/gait_study_pb';
import { kMostVariants, type Shares } from './gait_mix';

const kVariation = 'variation-'; // as in search/gaits/gait_surroundings.cpp

export const is_variation = (variant: string): boolean => variant.startsWith(kVariation);

/** Whether a study has variations of this gait of this character. */
export function has_variations_of(
  study: GaitStudy | undefined,
  character: number,
  gait: Gait,
): boolean {
  const found = study?.variations;
  return (
    found !== undefined &&
    study?.order?.character === character &&
    study.gait === gait.name &&
    found.gait !== undefined &&
    same_states(found.gait, gait)
  );
}

export function same_states(a: Gait, b: Gait): boolean {
  const same = (state: GaitState, i: number) => {
    const other = b.states[i];
    return other !== undefined && equals(GaitStateSchema, state, other);
  };
  return a.states.length === b.states.length && a.states.every(same);
}

/** The variants of a study that are variations, in the order of its looks. */
export function found_variants({ variations }: GaitStudy): readonly GaitVariant[] {
  const by_name = new Map(variations?.gait?.variants.map((one) => [one.name, one]));
  return (variations?.variations ?? []).flatMap(({ name }) => by_name.get(name) ?? []);
}

/**
 * A gait with variations as its variants, in place of earlier ones that have no share: as many as there is room for.
 * The gait itself where it has them all.
 */
export function with_variations(
  gait: Gait,
  variations: readonly GaitVariant[],
  shares: Shares,
): Gait {
  const wanted = new Set(variations.map(({ name }) => name));
  const kept = gait.variants.filter(
    ({ name }, i) => !is_variation(name) || wanted.has(name) || (shares[1 + i] ?? 0) !== 0,
  );
  const there = new Set(kept.map(({ name }) => name));
  const come = variations.filter(({ name }) => !there.has(name));
  if (come.length === 0 && kept.length === gait.variants.length) return gait;
  return { ...gait, variants: [...kept, ...come.slice(0, kMostVariants - kept.length)] };
}

/** How a variation differs, with a capital; where that has no word, its kind. */
export function look_title({ kind, words }: GaitLook): string {
  const text = words || kind.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Its footfalls and its speed. */
export function look_figures({ kind, speedMps }: GaitLook): string {
  return `${kind.replaceAll('_', ' ')}, ${speedMps.toFixed(2)} m/s`;
}

/** Why there are no more, in a sentence; '' where there are as many as were wanted. */
export function shortage({ order, variations }: GaitStudy): string {
  const wanted = order?.what.case === 'variations' ? order.what.value.count : 0;
  const { length } = variations?.variations ?? [];
  if (!variations || length >= wanted) return '';
  const ends = variations.ends.map(({ count, end }) => `${count} times ${end}`).join('; ');
  const found = length === 0 ? 'No variation was found' : `Only ${length} of ${wanted} were found`;
  return `${found} along ${variations.directions} directions, which end where: ${ends}.`;
}

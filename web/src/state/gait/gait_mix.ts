// Mixing the gaits of wind-up toys (control/posegraph on the server): shares of a gait and of its variants, gaits that can
// be mixed in, and the gait that a mixture is. Source: Panne1996, "Parameterizing motions"
import type { Creature } from '../../gen/promenade/v1/creature_pb';
import {
  Gait_Symmetry,
  type Gait,
  GaitOriginSchema,
  type GaitState,
  type GaitVariant,
  GaitVariant_Use,
  GaitVariantSchema,
  JointPoseSchema,
  type JointPose,
} from '../../gen/promenade/v1/gait_pb';
import { create } from '@bufbuild/protobuf';
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import { is_leap } from './leap';

/** The share of a gait itself, then of each of its variants; their sum is 1. */
export type Shares = readonly number[];

export const kMostVariants = 16;
/** How far shares go where they may extrapolate. */
export const kBeyond = { least: -0.5, most: 1.5 } as const;

const kShortest_s = 0.005; // limits of a state's duration, as on the server
const kLongest_s = 10;
const kRounding = 1e-3; // of a share that comes from the server

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/**
 * Shares as the server tells them; of a gait that it has told nothing of the gait alone. What it tells of a leap is the size
 * of the last one, no share of the cycle.
 */
export function shares_of(weights: readonly number[], { variants }: Gait): Shares {
  const told = weights.length === 1 + variants.length;
  const of_variants = variants.map((one, i) =>
    told && !is_leap(one) ? (weights[1 + i] as number) : 0,
  );
  return [1 - sum(of_variants), ...of_variants];
}

/**
 * Gives one of the variants another share; the gait itself has what is left.
 * @param variant counted from 0
 * @param beyond whether shares may be below 0 or above 1; else other variants make room
 */
export function with_share(
  shares: Shares,
  variant: number,
  value: number,
  beyond: boolean,
): Shares {
  const own = beyond ? value : Math.min(1, Math.max(0, value));
  const others = sum(shares.slice(1)) - (shares[1 + variant] ?? 0);
  const room = !beyond && others > 1 - own ? (1 - own) / others : 1;
  const of_variants = shares.slice(1).map((share, i) => (i === variant ? own : room * share));
  return [1 - sum(of_variants), ...of_variants];
}

/** Whether some share is below 0 or above 1. */
export function extrapolates(shares: Shares): boolean {
  return shares.some((share) => share < -kRounding || share > 1 + kRounding);
}

/** The shares of another gait whose variants of the same names keep theirs; undefined where all is the gait's own. */
export function carried(shares: Shares, before: Gait, after: Gait): Shares | undefined {
  const known = new Map(before.variants.map(({ name }, i) => [name, shares[1 + i] ?? 0]));
  const of_variants = after.variants.map(({ name }) => known.get(name) ?? 0);
  if (of_variants.every((share) => share === 0)) return undefined;
  return [1 - sum(of_variants), ...of_variants];
}

/** Those of the catalogue's gaits that can be a further variant of a gait, whose creature or its like they were found for. */
export function that_mix(
  gait: Gait,
  creature: string,
  catalogue: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  if (gait.variants.length >= kMostVariants) return [];
  const taken = new Set([gait.name, ...gait.variants.map(({ name }) => name)]);
  return gaits_of(creature, catalogue).filter(
    ({ name, states }) => states === gait.states.length && !taken.has(name),
  );
}

/** The catalogue's gaits of a creature, the fastest first. */
export function gaits_of(
  creature: string,
  catalogue: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  return catalogue
    .filter((entry) => entry.creature === creature)
    .sort((a, b) => b.speedMps - a.speedMps);
}

/** Another gait of as many states becomes a variant. A leap stays as it is, unless the other's has as many states. */
export function with_variant(gait: Gait, other: Gait): Gait {
  const { name, states } = other;
  const chain = other.chain.length === gait.chain.length ? other.chain : gait.chain;
  const variant = create(GaitVariantSchema, { name, use: GaitVariant_Use.MIX, states, chain });
  return { ...gait, variants: [...gait.variants, variant] };
}

export function without_variant(gait: Gait, name: string): Gait {
  return { ...gait, variants: gait.variants.filter((variant) => variant.name !== name) };
}

/** Whether something that steers the character mixes in variants by itself. */
export function is_steered({ variants }: Gait): boolean {
  return variants.some((one) => one.use !== GaitVariant_Use.MIX && !is_leap(one));
}

/** Whether a variant that is the mirror image of another has a share: only the server knows what it does. */
export function mixes_mirrored(gait: Gait, shares: Shares): boolean {
  return gait.variants.some(
    ({ mirrorOf }, i) => mirrorOf !== '' && Math.abs(shares[1 + i] ?? 0) >= kRounding,
  );
}

/** A variant whose gait is another than the one that its search began at. How fast it is goes on to count. */
export function without_search(variant: GaitVariant): GaitVariant {
  if (!variant.origin) return variant;
  const { speedMps, kind } = variant.origin;
  return { ...variant, origin: create(GaitOriginSchema, { speedMps, kind }) };
}

/**
 * The gait that a mixture is: its states are as they are mixed now, its variants stay, but for mirror images,
 * which need a symmetry. It comes from no search any more, and its variants are not what their searches would find for it.
 * @param body whose joints it moves; undefined: it is not known
 */
export function mixture(gait: Gait, shares: Shares, body: Creature | undefined): Gait {
  if (gait.variants.length === 0 || shares.slice(1).every((share) => Math.abs(share) < kRounding))
    return gait;
  const mixed = (own: GaitState[], of: (variant: number) => GaitState[]) =>
    own.map((state, i) => {
      const parts = [state, ...gait.variants.map((_, v) => of(v)[i] ?? state)];
      return mixed_state(parts, shares, body);
    });
  const { origin: _, ...rest } = gait;
  return {
    ...rest,
    symmetry: Gait_Symmetry.NONE, // variants need have none
    variants: gait.variants.filter(({ mirrorOf }) => mirrorOf === '').map(without_search),
    states: mixed(gait.states, (v) => gait.variants[v]?.states ?? []),
    chain: mixed(gait.chain, (v) => gait.variants[v]?.chain ?? []),
  };
}

function mixed_state(
  parts: readonly GaitState[],
  shares: Shares,
  body: Creature | undefined,
): GaitState {
  const total = (value: (state: GaitState) => number) =>
    sum(parts.map((state, i) => (shares[i] ?? 0) * value(state)));
  const joints = [...new Set(parts.flatMap(({ pose }) => pose.map(({ joint }) => joint)))];
  const pose = joints.map((joint) => {
    const of = body?.joints.find(({ name }) => name === joint);
    const poses = parts.map((state) => state.pose.find((one) => one.joint === joint));
    const mixed = (key: 'atRad' | 'atM', rest: number[], low: number[], high: number[]) => {
      const size = Math.max(0, ...poses.map((one) => one?.[key].length ?? 0));
      return Array.from({ length: size }, (_, k) => {
        // Joints that a pose leaves out go to their rest pose.
        const value = sum(
          poses.map((one, i) => (shares[i] ?? 0) * (one?.[key][k] ?? rest[k] ?? 0)),
        );
        return Math.min(high[k] ?? Infinity, Math.max(low[k] ?? -Infinity, value));
      });
    };
    return create(JointPoseSchema, {
      joint,
      atRad: mixed('atRad', of?.restRad ?? [], of?.lowerRad ?? [], of?.upperRad ?? []),
      atM: mixed('atM', of?.restM ?? [], of?.lowerM ?? [], of?.upperM ?? []),
    }) satisfies JointPose;
  });
  const durationS = total(({ durationS: s }) => s);
  return {
    ...(parts[0] as GaitState),
    durationS: Math.min(kLongest_s, Math.max(kShortest_s, durationS)),
    pose,
  };
}

/** A gait in words: its title, what it is by its footfalls, and its speed. */
export function gait_words({ name, title, kind, speedMps }: CatalogueEntry): string {
  const called = title || name.replaceAll(/[_-]+/g, ' ');
  const what = kind.replaceAll('_', ' ');
  const figures = [
    ...(what && what.toLowerCase() !== called.toLowerCase() ? [what] : []),
    ...(speedMps > 0 ? [`${speedMps.toFixed(2)} m/s`] : []),
  ];
  return figures.length > 0 ? `${called} – ${figures.join(', ')}` : called;
}

/** The name of a gait in words, by the catalogue where that has it. */
export function gait_title(name: string, catalogue: readonly CatalogueEntry[]): string {
  const title = catalogue.find((entry) => entry.name === name)?.title;
  return title || name.replaceAll(/[_-]+/g, ' ');
}

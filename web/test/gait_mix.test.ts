import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { create, fromJsonString } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { type Gait, Gait_Symmetry, GaitSchema } from '../src/gen/promenade/v1/gait_pb';
import { CatalogueEntrySchema, CharacterDetailsSchema } from '../src/gen/promenade/v1/wire_pb';
import { parse_gait, print_gait } from '../src/state/edit/gait_doc';
import { gait_differences, merged_gait } from '../src/state/edit/merge';
import {
  carried,
  extrapolates,
  gait_words,
  is_steered,
  mixes_mirrored,
  mixture,
  shares_of,
  that_mix,
  with_share,
  with_variant,
  without_variant,
} from '../src/state/gait/gait_mix';
import { Pace } from '../src/state/gait/pace';

const data = path.resolve(import.meta.dirname, '../../server/data');
const gait_of = (name: string) => parse_gait(readFileSync(`${data}/gaits/${name}.json`, 'utf8'));
const trot = { ...gait_of('cat_trot'), variants: [] };
const bound = gait_of('cat_bound');
const cat = fromJsonString(CreatureSchema, readFileSync(`${data}/creatures/cat.json`, 'utf8'));

const kCatalogue = readdirSync(`${data}/gaits`).map((file) => {
  const { name, title, creature, states, origin } = gait_of(file.replace('.json', ''));
  const { kind = '', speedMps = 0 } = origin ?? {};
  return create(CatalogueEntrySchema, {
    ...{ name, title, creature, kind, speedMps, states: states.length, builtIn: true },
  });
});

function angle(gait: Gait, state: number, joint: string): number {
  const pose = gait.states[state]?.pose.find((one) => one.joint === joint);
  return pose?.atRad[0] ?? Number.NaN;
}

describe('shares of a mix', () => {
  test('are those of the room, or all the gait’s own where it told nothing', () => {
    const two = with_variant(with_variant(trot, bound), gait_of('cat_walk'));
    expect(shares_of([0.25, 0.5, 0.25], two)).toEqual([0.25, 0.5, 0.25]);
    expect(shares_of([], two)).toEqual([1, 0, 0]);
    expect(shares_of([1], with_variant(trot, bound))).toEqual([1, 0]);
  });

  test('are no sizes of leaps, which nothing mixes', () => {
    const skip = gait_of('luxo_skip');
    const leaps = skip.variants.map((_, i) => (i === 0 ? 1 : 0));
    const hops = [1, ...leaps.map(() => 0)];
    expect(shares_of([0, ...leaps], skip)).toEqual(hops);
    expect(is_steered(skip)).toBe(false);
    expect(is_steered(gait_of('cat_trot'))).toBe(true);
    const { origin, chain } = mixture(skip, shares_of([0, ...leaps], skip), undefined);
    expect([origin, chain]).toEqual([skip.origin, skip.chain]);
  });

  test('always have the sum 1; other variants make room', () => {
    expect(with_share([1, 0, 0], 0, 0.4, false)).toEqual([0.6, 0.4, 0]);
    const full = with_share([0.2, 0.2, 0.6], 0, 0.7, false);
    expect(full[1]).toBe(0.7);
    expect(full[2]).toBeCloseTo(0.3);
    expect(full[0]).toBeCloseTo(0);
    expect(with_share([1, 0], 0, 2, false)).toEqual([0, 1]);
  });

  test('extrapolate only where that is wanted', () => {
    const beyond = with_share([1, 0, 0], 1, 1.5, true);
    expect(beyond).toEqual([-0.5, 0, 1.5]);
    expect(extrapolates(beyond)).toBe(true);
    expect(extrapolates([0.5, 0.5])).toBe(false);
    expect(extrapolates([1.0000002, -0.0000002])).toBe(false); // as floats come
  });
});

describe('gaits that are mixed in', () => {
  test('are of the same creature and have as many states', () => {
    const offered = that_mix(trot, 'cat', kCatalogue).map(({ name }) => name);
    expect(offered).toEqual(['cat_gallop', 'cat_bound', 'cat_rack', 'cat_walk']);
    const longer = { ...trot, states: [...trot.states, ...trot.states] };
    expect(that_mix(longer, 'cat', kCatalogue)).toEqual([]);
  });

  test('become variants, which are not offered again and go again', () => {
    const both = with_variant(trot, bound);
    expect(both.variants.map(({ name }) => name)).toEqual(['cat_bound']);
    expect(both.states).toEqual(trot.states);
    expect(that_mix(both, 'cat', kCatalogue)).toHaveLength(3);
    expect(without_variant(both, 'cat_bound').variants).toEqual([]);
  });

  test('leave a leap as it is, unless they have one of as many states', () => {
    const leaps = { ...trot, chain: trot.states.slice(0, 2) };
    const other = { ...bound, chain: bound.states.slice(0, 2) };
    expect(with_variant(leaps, bound).variants[0]?.chain).toEqual(leaps.chain);
    expect(with_variant(leaps, other).variants[0]?.chain).toEqual(other.chain);
    expect(with_variant(trot, other).variants[0]?.chain).toEqual([]);
  });

  test('keep their shares while others come and go', () => {
    const one = with_variant(trot, bound);
    const two = with_variant(one, gait_of('cat_walk'));
    expect(carried([0.7, 0.3], one, two)).toEqual([0.7, 0.3, 0]);
    expect(carried([0.5, 0.3, 0.2], two, without_variant(two, 'cat_bound'))).toEqual([0.8, 0.2]);
    expect(carried([0.7, 0.3], one, trot)).toBeUndefined();
  });
});

describe('a mixture that is kept', () => {
  const both = with_variant(trot, bound);

  test('has the poses and durations in between, and comes from no search', () => {
    const half = mixture(both, [0.5, 0.5], cat);
    for (const state of [0, 3]) {
      const mean = (angle(trot, state, 'spine') + angle(bound, state, 'spine')) / 2;
      expect(angle(half, state, 'spine')).toBeCloseTo(mean, 12);
    }
    const seconds = (gait: Gait) => gait.states[1]?.durationS ?? 0;
    expect(seconds(half)).toBeCloseTo((seconds(trot) + seconds(bound)) / 2, 12);
    expect(half.origin).toBeUndefined();
    expect(half.symmetry).toBe(Gait_Symmetry.NONE);
    expect(half.variants).toHaveLength(1);
  });

  test('has no variants that are mirror images, which need a symmetry', () => {
    const steered = gait_of('cat_trot');
    const at = (name: string) => steered.variants.findIndex((one) => one.name === name);
    const shares = (name: string) => [
      0.5,
      ...steered.variants.map((one) => (one.name === name ? 0.5 : 0)),
    ];
    expect(steered.variants[at('right')]?.mirrorOf).toBe('left');
    expect(mixes_mirrored(steered, shares('right'))).toBe(true);
    expect(mixes_mirrored(steered, shares('fast'))).toBe(false);
    const fast = mixture(steered, shares('fast'), cat);
    expect(fast.variants.map(({ name }) => name)).toEqual(['fast', 'left']);
    // Their searches began at another gait; how fast they are still counts.
    expect(steered.variants[at('fast')]?.origin?.search).toBeDefined();
    const [kept] = fast.variants;
    expect(kept?.origin?.search).toBeUndefined();
    expect(kept?.origin?.speedMps).toBe(steered.variants[at('fast')]?.origin?.speedMps);
  });

  test('is the gait itself where nothing is mixed in', () => {
    expect(mixture(both, [1, 0], cat)).toBe(both);
  });

  test('stays within the limits of joints and durations, and gives a joint that is left out its rest pose', () => {
    const far = mixture(both, [-20, 21], cat);
    const limit = cat.joints.find(({ name }) => name === 'left_fore_knee');
    for (let i = 0; i < far.states.length; ++i) {
      const at = angle(far, i, 'left_fore_knee');
      expect(at).toBeGreaterThanOrEqual(limit?.lowerRad[0] ?? 0);
      expect(at).toBeLessThanOrEqual(limit?.upperRad[0] ?? 0);
      expect(far.states[i]?.durationS).toBeGreaterThanOrEqual(0.005);
    }
    const rest = limit?.restRad[0] ?? 0;
    const states = bound.states.map((state) => ({
      ...state,
      pose: state.pose.filter(({ joint }) => joint !== 'left_fore_knee'),
    }));
    const half = mixture(with_variant(trot, { ...bound, states }), [0.5, 0.5], cat);
    const own = angle(trot, 0, 'left_fore_knee');
    expect(angle(half, 0, 'left_fore_knee')).toBeCloseTo((own + rest) / 2, 12);
  });

  test('can be written to a file and read again', () => {
    const half = mixture(both, [0.5, 0.5], cat);
    expect(parse_gait(print_gait(half))).toEqual(create(GaitSchema, half));
  });
});

test('two people who mix in at once keep each other’s gaits', () => {
  const mine = with_variant(trot, bound);
  const theirs = with_variant(trot, gait_of('cat_walk'));
  const both = merged_gait(trot, mine, theirs);
  expect(both.variants.map(({ name }) => name)).toEqual(['cat_walk', 'cat_bound']);
  expect(gait_differences(trot, both)).toEqual([
    'What is mixed in: cat_walk',
    'What is mixed in: cat_bound',
  ]);
  expect(merged_gait(trot, mine, bound)).toBe(bound); // another gait altogether
});

test('a gait is told by its title, its footfalls and its speed', () => {
  const words = (init: object) => gait_words(create(CatalogueEntrySchema, init));
  expect(words({ title: 'Trot', kind: 'trot', speedMps: 0.657 })).toBe('Trot – 0.66 m/s');
  expect(words({ title: 'Mine', kind: 'diagonal_walk', speedMps: 0.2 })).toBe(
    'Mine – diagonal walk, 0.20 m/s',
  );
  expect(words({ name: 'half_trot' })).toBe('half trot');
});

test('the pace is how far the mass centre comes, and begins anew where it is put elsewhere', () => {
  const pace = new Pace();
  const at = (x: number, id = 1) => create(CharacterDetailsSchema, { id, comM: [x, 0, 0.2] });
  for (let i = 0; i <= 60; ++i) pace.add(at(0.5 * (i / 30) + 0.02 * Math.sin(i)), i / 30);
  expect(pace.mps).toBeCloseTo(0.5, 1);
  pace.add(at(-5), 61 / 30);
  expect(pace.mps).toBeUndefined();
  pace.add(at(0, 2), 62 / 30);
  for (let i = 63; i <= 93; ++i) pace.add(at(0, 2), i / 30);
  expect(pace.mps).toBe(0);
});

import { describe, expect, test } from 'vitest';
import { Aiming, direction_words, force_of, push_words, type Aim } from '../src/state/hand/aim';
import {
  happening_of,
  Happenings,
  sentence_of,
  type Happening,
} from '../src/state/visitors/happenings';
import { kMe, type Doer, type MarkKind } from '../src/state/recording/marks';
import { kKeys } from '../src/ui/keys/help_tables';
import { kBindings } from '../src/ui/keys/keyboard';
import { velocity_words } from '../src/ui/character/velocity_pad';

describe('keys', () => {
  const bound = kBindings.flatMap(({ keys }) => keys);

  test('no key does two things', () => {
    expect(new Set(bound).size).toBe(bound.length);
  });

  test('each is in the help', () => {
    const listed = kKeys
      .map(([keys]) => keys)
      .join(' ')
      .toLowerCase();
    const names: Record<string, string> = { ' ': 'space', escape: 'esc', '=': '+', '-': '−' };
    for (const key of bound) expect(listed.split(/\s+/), key).toContain(names[key] ?? key);
  });
});

const kAxes = { right: [1, 0, 0], up: [0, 0.2, 0.98] } as const; // the camera looks along y
const kRight = { right: 1, away: 0, shift: false };
const kAway = { right: 0, away: 1, shift: false };

function push_of({ aim }: Aiming): Extract<Aim, { kind: 'push' }> {
  if (aim.value.kind !== 'push') throw new Error(aim.value.kind);
  return aim.value;
}

describe('a push by keys', () => {
  test('begins away from the camera, with a part of the weight', () => {
    const aiming = new Aiming();
    aiming.push(70, Infinity);
    const force = force_of(push_of(aiming), kAxes);
    expect(force[0]).toBeCloseTo(0);
    expect(force[1]).toBeCloseTo(270);
    expect(force[2]).toBe(0);
    aiming.push(70, 150);
    expect(push_of(aiming).force_n).toBe(150); // no more than this viewer may
  });

  test('turns to where the arrow points, and up', () => {
    const aiming = new Aiming();
    aiming.push(70, Infinity);
    for (let i = 0; i < 6; ++i) aiming.change_push(kRight, Infinity);
    expect(force_of(push_of(aiming), kAxes)[0]).toBeCloseTo(270);
    expect(push_words(push_of(aiming))).toBe('270 N to the right');
    aiming.raise(2);
    expect(force_of(push_of(aiming), kAxes)[2]).toBeCloseTo(135);
    expect(push_words(push_of(aiming))).toBe('270 N to the right, 30° up');
    for (let i = 0; i < 7; ++i) aiming.change_push(kRight, Infinity);
    expect(direction_words(push_of(aiming).turn_rad)).toBe('towards you');
  });

  test('goes by whole steps of force, to what this viewer may', () => {
    const aiming = new Aiming();
    aiming.push(70, Infinity);
    const forces = [kAway, kAway, kAway].map((press) => {
      aiming.change_push(press, 380);
      return push_of(aiming).force_n;
    });
    expect(forces).toEqual([300, 350, 380]);
    aiming.change_push({ ...kAway, away: -1, shift: true }, 380);
    expect(push_of(aiming).force_n).toBe(370);
    for (let i = 0; i < 99; ++i) aiming.change_push({ ...kAway, away: -1 }, 380);
    expect(push_of(aiming).force_n).toBe(10);
  });
});

test('a way by keys ends where its last point is given once more', () => {
  const aiming = new Aiming();
  aiming.path([0, 0, 0]);
  expect(aiming.add_point()).toBeUndefined();
  aiming.move_to([1, 0, 0]);
  expect(aiming.add_point()).toBeUndefined();
  expect(aiming.add_point()).toEqual([
    [0, 0, 0],
    [1, 0, 0],
  ]);
  expect(aiming.end()).toBe(true);
  expect(aiming.end()).toBe(false);
});

const one = (kind: Happening['kind'], name = '', by = ''): Happening => ({ kind, name, by });

describe('what happens', () => {
  test('is one sentence, and many of a kind are counted', () => {
    expect(sentence_of([])).toBe('');
    expect(sentence_of([one('fall', 'Human 3')])).toBe('Human 3 fell.');
    expect(sentence_of([one('push', 'Human 3', 'you'), one('fall', 'Human 3')])).toBe(
      'Human 3 fell and you pushed Human 3.',
    );
    expect(sentence_of([one('push', 'Human 3', 'Amber Fox'), one('push', 'Human 4', 'you')])).toBe(
      'You pushed Human 4 and Amber Fox pushed Human 3.',
    );
    const four = [1, 2, 3, 4].map((id) => one('fall', `Human ${id}`));
    expect(sentence_of([one('join', 'Cat 9'), ...four, one('up', 'Ant 7')])).toBe(
      '4 characters fell, Ant 7 got up and Cat 9 arrived.',
    );
    expect(sentence_of([one('edit', 'Human 1'), one('edit', 'Human 2')])).toBe(
      'Human 1 and Human 2 were changed.',
    );
  });

  test('tells how the clock ended up, and the last scene', () => {
    expect(sentence_of([one('pause'), one('resume')])).toBe('The scene was resumed.');
    expect(sentence_of([one('scene', 'A'), one('scene', 'B')])).toBe('B started.');
  });

  test('of others is told once: what a toast tells is told again only of the past', () => {
    const fox = { name: 'Amber Fox', color: '#c2410c', mine: false };
    const mark = (kind: MarkKind, by?: Doer) => ({ t_ms: 0, kind, character: 1, name: 'H', by });
    const live = (kind: MarkKind, by?: Doer) => happening_of(mark(kind, by), true)?.by;
    expect((['edit', 'join', 'leave', 'scene'] as const).map((kind) => live(kind, fox))).toEqual(
      new Array(4).fill(undefined),
    );
    expect(live('push', fox)).toBe('Amber Fox'); // told in the picture, not by a toast
    expect(live('edit', kMe)).toBe('you');
    expect(live('edit')).toBe('');
    expect(happening_of(mark('edit', fox), false)?.by).toBe('Amber Fox');
  });

  test('is told no more than once in two seconds, and then all of it', () => {
    const happenings = new Happenings();
    expect(happenings.take(0)).toBeUndefined();
    happenings.add(one('fall', 'Human 1'));
    expect(happenings.take(100)).toBe('Human 1 fell.');
    happenings.add(one('fall', 'Human 2'));
    expect(happenings.take(2000)).toBeUndefined();
    happenings.add(one('up', 'Human 1'));
    expect(happenings.take(2100)).toBe('Human 2 fell and Human 1 got up.');
    expect(happenings.take(9000)).toBeUndefined();
  });
});

test('a velocity in words', () => {
  expect(velocity_words(0.4, -0.1)).toBe('0.4 m/s forward, 0.1 m/s right');
  expect(velocity_words(0, 0)).toBe('standing');
});

import { expect, test } from 'vitest';
import { type Wanted, without_overlap } from '../src/scene/overlays/label_layout';

function label(key: string, x: number, y: number, depth: number, first = false): Wanted {
  return { key, text: 'Athlete 12', x, y, depth, first };
}
const shown = (wanted: readonly Wanted[], before: readonly string[] = [], most = 48) =>
  without_overlap(wanted, new Set(before), most).map(({ key }) => key);

test('of names that would lie over each other the nearest is shown', () => {
  const crowd = [
    label('far', 100, 100, 20),
    label('near', 110, 104, 8),
    label('aside', 300, 100, 30),
  ];
  expect(shown(crowd)).toEqual(['near', 'aside']);
});

test('names that stand beside or above each other are all shown', () => {
  expect(
    shown([label('a', 100, 100, 5), label('b', 190, 100, 6), label('c', 100, 122, 7)]),
  ).toEqual(['a', 'b', 'c']);
});

test('a name that is shown stays while another is only a little nearer, and goes when it is much nearer', () => {
  const pair = (depth: number) => [label('old', 100, 100, 10), label('new', 104, 100, depth)];
  expect(shown(pair(9.5), ['old'])).toEqual(['old']);
  expect(shown(pair(9.5))).toEqual(['new']);
  expect(shown(pair(7), ['old'])).toEqual(['new']);
});

test('a selected character keeps its name, however far away', () => {
  expect(shown([label('near', 100, 100, 3), label('chosen', 100, 100, 30, true)])).toEqual([
    'chosen',
  ]);
});

test('no more than asked for', () => {
  const row = Array.from({ length: 9 }, (_, i) => label(String(i), 100 * i, 50, i));
  expect(shown(row, [], 4)).toEqual(['0', '1', '2', '3']);
});

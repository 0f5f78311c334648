import { expect, test } from 'vitest';
import { making_words } from '../src/state/room/making_words';
import { progress_words, seconds_left } from '../src/state/values/time_left';
import { kHelp, kKeys, rows_found } from '../src/ui/keys/help_tables';
import { loads_unasked } from '../src/ui/page/shared_view';

test('a clip tells how long it takes once that can be told', () => {
  expect(progress_words(0.1, 500)).toBe('10 %');
  expect(progress_words(0.25, 4000)).toBe('25 %, about 12 s left');
  expect(progress_words(0.01, 4000)).toBe('1 %');
  expect(progress_words(0.1, 60_000)).toBe('10 %, about 9 min left');
  expect(seconds_left(1, 5000)).toBe(0);
});

test('a scene that is being made is told by its title', () => {
  const making = { scene: 'plaza', share: 0.404, doing: 'measuring how people walk', first: false };
  const scenes = [{ name: 'plaza', title: 'The plaza' }];
  expect(making_words(making, scenes)).toBe(
    '“The plaza” is being made: 40 % · measuring how people walk',
  );
  expect(making_words({ ...making, doing: '', share: 2 }, [])).toBe('“plaza” is being made: 100 %');
});

test('the help is in groups that a search goes through', () => {
  expect(kHelp.length).toBeGreaterThan(4);
  expect(kHelp.every(({ rows }) => rows.length > 0)).toBe(true);
  const found = (search: string) => kHelp.flatMap((group) => rows_found(group, search));
  expect(found('').length).toBe(kHelp.flatMap(({ rows }) => rows).length);
  expect(found('camera follows').map(([, how]) => how)).toEqual(['F', 'T']);
  expect(found('KEYS lobby').map(([, how]) => how)).toEqual(['H']);
  expect(found('nothing of the kind')).toEqual([]);
  expect(kKeys.length).toBeGreaterThan(25);
});

test('a scene of a link is loaded unasked only in a room that the visitor has alone', () => {
  expect(loads_unasked(true, 1, 0, false)).toBe(true);
  expect(loads_unasked(true, 2, 0, false)).toBe(false);
  expect(loads_unasked(true, 1, 1, false)).toBe(false); // the frame has not counted them yet
  expect(loads_unasked(true, 1, 0, true)).toBe(false); // somebody has changed the room since
  expect(loads_unasked(false, 1, 0, false)).toBe(false);
});

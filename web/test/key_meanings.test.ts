// One key has one meaning: the tables of all parts of the page that take keys, side by side.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { kPlotKeys } from '../src/ui/lookback/big_plot';
import { kCurveKeys } from '../src/ui/editor/curve_plot';
import { kBindings, kPlacingKeys } from '../src/ui/keys/keyboard';
import { kTimelineKeys } from '../src/ui/lookback/lookback_bar';
import { kErrandKeys } from '../src/ui/tasks/task_goals';

type Table = Readonly<Record<string, string | undefined>>;

/** The keys of a part, letters small as in those of the room. */
function keys_of(table: Table): Map<string, string> {
  return new Map(Object.entries(table).map(([key, does]) => [key.toLowerCase(), does ?? '']));
}

const kRoom = kBindings.flatMap(({ keys, does }) => keys.map((key) => [key, does] as const));

// Each with what it takes the keys from: the room's go on to have their meaning beside them.
const kParts: Readonly<Record<string, Table>> = {
  placing: kPlacingKeys,
  timeline: kTimelineKeys,
  plot: kPlotKeys,
  curve: kCurveKeys,
  errand: kErrandKeys,
};

describe('one key, one meaning', () => {
  test('in the room', () => {
    const keys = kRoom.map(([key]) => key);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  test('a part with the focus gives no key of the room another meaning', () => {
    const room = new Map(kRoom);
    const clashes = Object.entries(kParts).flatMap(([part, table]) =>
      [...keys_of(table)].flatMap(([key, does]) => {
        const here = room.get(key);
        return here !== undefined && here !== does ? [`${key}: ${here}; ${part}: ${does}`] : [];
      }),
    );
    expect(clashes).toEqual([]);
  });

  test.each([
    ['timeline', 'plot'],
    ['placing', 'errand'],
  ] as const)('%s and %s, which are there together, agree', (one, other) => {
    const there = keys_of(kParts[one] as Table);
    const shared = [...keys_of(kParts[other] as Table)].filter(([key]) => there.has(key));
    expect(shared.length).toBeGreaterThan(0);
    for (const [key, does] of shared) expect(there.get(key), key).toBe(does);
  });

  test('every part that listens to keys is known here', () => {
    const src = path.resolve(import.meta.dirname, '../src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
    const listening = files.filter(
      (file) =>
        file.endsWith('.ts') &&
        /'keydown'|\bkeydown: /.test(readFileSync(path.join(src, file), 'utf8')),
    );
    // Those without a table take arrows and Enter for their own list or figure, or only look on; a new one belongs here.
    expect(listening.sort()).toEqual(
      [
        'scene/hand/pointer_tools.ts', // Shift alone
        'ui/lookback/big_plot.ts',
        'ui/crowd/flow_editor.ts', // Ctrl Z, Esc, Delete: as in the room
        'ui/crowd/flow_items.ts',
        'ui/editor/body_figure.ts',
        'ui/editor/curve_plot.ts',
        'ui/editor/save_form.ts',
        'ui/editor/number_field.ts',
        'ui/page/fingers.ts', // looks on
        'ui/show/first_minute.ts', // looks on
        'ui/visitors/here_now.ts',
        'ui/keys/key_focus.ts', // looks on
        'ui/keys/keyboard.ts',
        'ui/learn/map_view.ts',
        'ui/lobby/lobby.ts', // covers the room
        'ui/show/show_me.ts', // Esc
        'ui/parts/tabs.ts',
        'ui/tasks/task_goals.ts',
        'ui/tasks/task_menu.ts',
        'ui/variations/landscape_view.ts',
        'ui/lookback/timeline_track.ts',
        'ui/character/velocity_pad.ts',
      ].sort(),
    );
  });
});

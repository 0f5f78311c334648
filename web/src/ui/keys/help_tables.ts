// The help on mouse, fingers and keys, in groups that can be searched: text that loads late.
import { h } from '../parts/dom';

/** By what something is done. */
export type Means = 'mouse' | 'touch' | 'keys';
export type HelpRow = readonly [means: Means, how: string, what: string];
export interface HelpGroup {
  readonly title: string;
  readonly rows: readonly HelpRow[];
}

export const kHelp: readonly HelpGroup[] = [
  {
    title: 'Look around',
    rows: [
      ['mouse', 'Drag the ground', 'turn the camera'],
      ['mouse', 'Right-drag', 'move the camera sideways'],
      ['mouse', 'Wheel', 'zoom in or out'],
      ['touch', 'Drag the ground', 'turn the camera'],
      ['touch', 'Two fingers', 'move the camera sideways; pinch to zoom'],
      ['keys', 'Arrows', 'turn the camera'],
      ['keys', '+  −', 'zoom in, out'],
      ['keys', 'F', 'the camera follows the selected character'],
      [
        'keys',
        'T',
        'the camera follows the next part of the body: head, hands, feet; with Shift the previous one',
      ],
      ['keys', '1  2  3', 'view from the front, the side, above; again: from the opposite side'],
      ['keys', '0', 'the scene directs the camera again'],
    ],
  },
  {
    title: 'Select',
    rows: [
      ['mouse', 'Click a character', 'select; with Shift: add to the selection'],
      [
        'mouse',
        'Click a thing',
        'select; while one person is selected: open a menu of what they can do with it. Right-click: a menu for the ground, too',
      ],
      ['touch', 'Tap a character', 'select'],
      [
        'touch',
        'Tap a thing',
        'select; while one person is selected: open a menu of what they can do with it',
      ],
      ['keys', 'N  ]  [', 'select the next character; with Shift N or [ the previous one'],
      ['keys', 'O  }  {', 'select the next thing; with Shift O or { the previous one'],
      [
        'keys',
        'M',
        'select the character nearest to the middle of the picture; again: the next one outward',
      ],
      ['keys', 'I', 'add the next character to the selection; with Shift the previous one'],
      ['keys', 'Esc', 'cancel, close what is open, then deselect: one after the other'],
    ],
  },
  {
    title: 'Push and grab',
    rows: [
      [
        'mouse',
        'Drag a character',
        'push along the ground: the longer the arrow, the harder. With Shift also up or down',
      ],
      [
        'mouse',
        'Drag a thing',
        'move it; let go while moving to throw it. Shift: along the ground. Wheel: nearer or farther',
      ],
      ['touch', 'Drag a character', 'push: the longer the arrow, the harder'],
      ['touch', 'Drag a thing', 'move it; let go while moving to throw it'],
      [
        'keys',
        'X',
        'aim a push: arrow keys set direction and force, Page Up and Page Down tilt it, Enter pushes. In Grab mode, and for things: take hold and move',
      ],
      ['keys', 'G', 'switch what a drag does to characters: push or grab'],
    ],
  },
  {
    title: 'Steer and send',
    rows: [
      ['mouse', 'Click the ground', 'send the selected characters there'],
      ['mouse', 'Shift and drag', 'on the ground: draw a path for the selected characters'],
      ['mouse', 'Drag a see-through thing or ring', 'change where an errand leads'],
      [
        'touch',
        'Tap the ground',
        'send the selected characters there; press long: open a menu of what they can do there',
      ],
      ['keys', 'W  S', 'faster; slower, then backward'],
      ['keys', 'A  D', 'turn left, right'],
      ['keys', 'Q  E', 'step left, right'],
      ['keys', 'Space', 'stop'],
      [
        'keys',
        'K',
        'choose a place on the ground: arrow keys move it, with Shift farther; Enter sends the selected characters there',
      ],
      [
        'keys',
        'L',
        'draw a path on the ground; by keys: arrow keys, Enter for each point, Enter again at the last',
      ],
      [
        'keys',
        'U',
        'open a menu of what the selected person can do with a thing, or at a place; arrow keys, Enter. While a place is chosen: R turns the thing',
      ],
    ],
  },
  {
    title: 'Build and paint',
    rows: [
      [
        'mouse',
        'Build, then click',
        'place the chosen thing or creature. Wheel or R: turn it. Esc: finish',
      ],
      [
        'mouse',
        'Crowd, then a tool',
        'paint where people come in, leave, walk around and stay. Select: click or drag what is painted',
      ],
      ['touch', '☰, then Build', 'choose something, then tap where it goes'],
      ['keys', 'R', 'turn what you are placing'],
      ['keys', 'Arrows  Enter', 'move what you are placing, place it'],
      ['keys', 'Delete', 'remove what is selected'],
      ['keys', 'Ctrl Z', 'undo in an editor; with Shift: redo'],
    ],
  },
  {
    title: 'Time and looking back',
    rows: [
      [
        'mouse',
        'Drag the timeline',
        'look back. Arrow keys: by one frame; with Shift: by one second; Page Up, Page Down: by events',
      ],
      ['keys', 'P', 'pause, continue: the room, or what you look back at'],
      ['keys', '.', 'pause, and one step on; while looking back one frame on'],
      ['keys', 'B', 'look back at the last minute; B again returns to live'],
      ['keys', ',', 'one frame back: this looks back'],
      [
        'keys',
        'On the timeline',
        'arrow keys: one frame, with Shift one second; Page Up and Page Down: events; Home and End',
      ],
      [
        'keys',
        'On a plot',
        'arrow keys tell values; Page Up and Page Down: events; Enter looks back there; + and − zoom',
      ],
    ],
  },
  {
    title: 'The page',
    rows: [
      [
        'mouse',
        '▶ Show me',
        'show what the scene suggests to try, once, and again slowly. Esc stops it',
      ],
      ['touch', '▶ Show me', 'show what the scene suggests to try, once, and again slowly'],
      ['keys', 'H', 'open the lobby: all rooms'],
      ['keys', 'V', 'hide all panels, show them again'],
      ['keys', 'J', 'go to the next part of the page; with Shift to the previous one'],
      ['keys', '?', 'open this help'],
    ],
  },
];

/** The keys and what they do. */
export const kKeys: readonly (readonly [string, string])[] = kHelp.flatMap(({ rows }) =>
  rows.flatMap(([means, how, what]) => (means === 'keys' ? [[how, what] as const] : [])),
);

const kMeans: Readonly<Record<Means, string>> = { mouse: 'Mouse', touch: 'Touch', keys: 'Keys' };

/** Rows of one group that have all words of a search in them, or in the group's title. */
export function rows_found({ title, rows }: HelpGroup, search: string): readonly HelpRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(([means, how, what]) => {
    const text = `${title} ${kMeans[means]} ${how} ${what}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** @param fingers whether the page is used with fingers: then these come first, and the mouse last */
export function help_tables(fingers: boolean): readonly HTMLElement[] {
  const order: readonly Means[] = fingers ? ['touch', 'keys', 'mouse'] : ['mouse', 'keys', 'touch'];
  const found = h('div', { class: 'help-groups' });
  const none = h('p', { class: 'faint', text: 'Nothing here has these words.' });
  const search = h('input', {
    class: 'help-search',
    attributes: {
      type: 'search',
      placeholder: 'Search: push, camera, Enter …',
      'aria-label': 'Search the help',
      'data-test': 'help-search',
    },
  });
  const show = () => {
    const groups = kHelp.flatMap((group) => {
      const rows = rows_found(group, search.value);
      return rows.length > 0 ? [group_of(group.title, rows, order)] : [];
    });
    found.replaceChildren(...groups);
    none.hidden = groups.length > 0;
  };
  search.addEventListener('input', show);
  show();
  return [search, none, found];
}

function group_of(title: string, rows: readonly HelpRow[], order: readonly Means[]): HTMLElement {
  const lists = order.flatMap((means) => {
    const own = rows.filter(([by]) => by === means);
    if (own.length === 0) return [];
    const items = own.flatMap(([, how, what]) => [h('dt', { text: how }), h('dd', { text: what })]);
    return [h('h3', { text: kMeans[means] }), h('dl', { class: 'help-list' }, ...items)];
  });
  return h('section', { class: 'help-group' }, h('h2', { text: title }), ...lists);
}

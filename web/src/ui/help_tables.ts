// What the help says of the mouse, of fingers and of keys: text that comes late.
import { h } from './dom';

type Rows = readonly (readonly [string, string])[];

const kMouse: Rows = [
  ['Click a character', 'select; with Shift: add to the selection'],
  ['Click the ground', 'send the selected characters there'],
  [
    'Click a thing',
    'select; while one person is selected: what they can do with it. Right-click: of the ground, too',
  ],
  ['Drag a see-through thing or ring', 'change where an errand leads'],
  [
    'Drag a character',
    'push along the ground: the longer the arrow, the harder. With Shift also up or down',
  ],
  [
    'Drag a thing',
    'move it; let go while moving to throw it. Shift: along the ground. Wheel: nearer or farther',
  ],
  ['Shift and drag', 'on the ground: draw a path for the selected characters'],
  ['Drag the ground', 'turn the camera'],
  ['Right-drag', 'move the camera sideways'],
  [
    'Drag the timeline',
    'look back. Arrow keys: by one frame; with Shift: by one second; Page Up, Page Down: by events',
  ],
  ['Wheel', 'zoom in or out'],
  ['Build, then click', 'place the chosen thing or creature. Wheel or R: turn it. Esc: finish'],
  [
    'Crowd, then a tool',
    'paint where people come in, leave, walk around and stay. Select: click or drag what is painted',
  ],
  ['▶ Show me', 'what the scene suggests to try, once, and again slowly. Esc stops it'],
];

const kTouch: Rows = [
  ['Tap a character', 'select'],
  ['Tap the ground', 'send the selected characters there; press long: what they can do there'],
  ['Tap a thing', 'select; while one person is selected: what they can do with it'],
  ['Drag a character', 'push: the longer the arrow, the harder'],
  ['Drag a thing', 'move it; let go while moving to throw it'],
  ['Drag the ground', 'turn the camera'],
  ['Two fingers', 'move the camera sideways; pinch to zoom'],
  ['☰, then Build', 'choose something, then tap where it goes'],
  ['▶ Show me', 'what the scene suggests to try, once, and again slowly'],
];

function table(rows: Rows): HTMLElement {
  return h(
    'dl',
    { class: 'help-list' },
    ...rows.flatMap(([key, text]) => [h('dt', { text: key }), h('dd', { text })]),
  );
}

/** The keys and what they do, for the help dialog. */
export const kKeys = [
  ['W  S', 'faster; slower, then backward'],
  ['A  D', 'turn left, right'],
  ['Q  E', 'step left, right'],
  ['Space', 'stop'],
  ['N  ]  [', 'select the next character; with Shift N or [ the previous one'],
  ['O  }  {', 'select the next thing; with Shift O or { the previous one'],
  ['M', 'select the character nearest to the middle of the picture; again: the next one outward'],
  ['I', 'add the next character to the selection; with Shift the previous one'],
  [
    'X',
    'aim a push: arrow keys set direction and force, Page Up and Page Down tilt it, Enter pushes. In Grab mode, and for things: take hold and move',
  ],
  [
    'K',
    'choose a place on the ground: arrow keys move it, with Shift farther; Enter sends the selected characters there',
  ],
  [
    'U',
    'what the selected person can do: with a thing, or at a place; arrow keys, Enter. While a place is chosen: R turns the thing',
  ],
  ['G', 'switch what a drag does to characters: push or grab'],
  ['R', 'turn what you are placing'],
  ['Arrows  Enter', 'move what you are placing, place it'],
  ['Delete', 'remove what is selected'],
  ['F', 'the camera follows the selected character'],
  [
    'T',
    'the camera follows the next part of the body: head, hands, feet; with Shift the previous one',
  ],
  ['1  2  3', 'view from the front, the side, above; again: from the opposite side'],
  ['0', 'the scene directs the camera again'],
  ['Arrows', 'turn the camera'],
  ['+  −', 'zoom in, out'],
  [
    'L',
    'draw a path on the ground; by keys: arrow keys, Enter for each point, Enter again at the last',
  ],
  ['H', 'the lobby: all rooms'],
  ['V', 'hide all panels, show them again'],
  ['J', 'go to the next part of the page; with Shift to the previous one'],
  ['P', 'pause, continue'],
  ['.', 'pause and advance one step'],
  ['B', 'look back at the last minute; B again returns to live'],
  ['P  ,  .', 'while looking back: play or pause, one frame back, one frame forward'],
  [
    'On the timeline',
    'arrow keys: one frame, with Shift one second; Page Up and Page Down: events; Home and End; Space plays',
  ],
  [
    'On a plot',
    'arrow keys tell values; Page Up and Page Down: events; Enter looks back there; + and − zoom',
  ],
  ['Ctrl Z', 'undo in an editor; with Shift: redo'],
  ['Esc', 'cancel, deselect'],
  ['?', 'this help'],
] as const;

/** @param fingers whether the page is used with fingers: then these come first */
export function help_tables(fingers: boolean): readonly HTMLElement[] {
  const part = (title: string, rows: Rows) =>
    h('section', {}, h('h2', { text: title }), table(rows));
  const [mouse, touch] = [part('Mouse', kMouse), part('Touch', kTouch)];
  const keys = part('Keyboard', kKeys);
  return fingers ? [touch, mouse, keys] : [mouse, keys, touch];
}

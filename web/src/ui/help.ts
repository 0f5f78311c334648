import type { Signal } from '../state/signal';
import { kKeys } from './keyboard';
import { h } from './dom';

type Rows = readonly (readonly [string, string])[];

const kMouse: Rows = [
  ['Click a character', 'select; with Shift: add to the selection'],
  ['Click the ground', 'send the selected characters there'],
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
  ['▶ Show me', 'what the scene suggests to try, once, and again slowly. Esc stops it'],
];

const kTouch: Rows = [
  ['Tap a character', 'select'],
  ['Tap the ground', 'send the selected characters there'],
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

/**
 * The dialog that lists what the pointer and the keys do.
 * @param fingers whether the page is used with fingers: then these come first
 */
export function help_dialog(fingers: Signal<boolean>): HTMLDialogElement {
  const title = (text: string) => h('h2', { text });
  const mouse = h('section', {}, title('Mouse'), table(kMouse));
  const touch = h('section', {}, title('Touch'), table(kTouch));
  const keys = h('section', {}, title('Keyboard'), table(kKeys));
  // It has the focus at first, or the dialog would open at its end, where the button is.
  const body = h('div', { class: 'help-body', attributes: { tabindex: '-1', autofocus: '' } });
  fingers.watch((on) =>
    body.replaceChildren(...(on ? [touch, mouse, keys] : [mouse, keys, touch])),
  );
  const dialog = h(
    'dialog',
    { class: 'help scrolls', attributes: { 'aria-label': 'Help' } },
    body,
    h('form', { attributes: { method: 'dialog' } }, h('button', { text: 'Close' })),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

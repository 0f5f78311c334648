import type { Signal } from '../state/signal';
import { kKeys } from './keyboard';
import { h } from './dom';

type Rows = readonly (readonly [string, string])[];

const kMouse: Rows = [
  ['Click somebody', 'select; with Shift, select one more'],
  ['Click the ground', 'send whoever is selected there'],
  [
    'Drag a character',
    'push: the longer the arrow, the harder. Along the ground; with Shift also up or down',
  ],
  ['Drag a thing', 'move it, let go in motion to throw. Shift: along the ground. Wheel: nearer'],
  ['Shift and drag', 'on the ground: draw a path for whoever is selected'],
  ['Drag the ground', 'turn the camera'],
  ['Right-drag', 'shift the camera'],
  [
    'Drag the line of the past',
    'look back; Shift with arrows goes by seconds, Page Up and Down by events',
  ],
  ['Wheel', 'move the camera nearer or further'],
  ['Build, then click', 'put down what is chosen. The wheel or R turns it, Esc ends'],
  ['▶ Show me', 'what the scene suggests to try, once, and again slowly. Esc stops it'],
];

const kTouch: Rows = [
  ['Tap somebody', 'select'],
  ['Tap the ground', 'send whoever is selected there'],
  ['Drag a character', 'push: the longer the arrow, the harder'],
  ['Drag a thing', 'move it; let go in motion to throw'],
  ['Drag the ground', 'turn the camera'],
  ['Two fingers', 'shift the camera; apart or together: nearer or further'],
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
  const mouse = h('section', {}, title('With the mouse'), table(kMouse));
  const touch = h('section', {}, title('With fingers'), table(kTouch));
  const keys = h('section', {}, title('With keys'), table(kKeys));
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

import { kKeys } from './keyboard';
import { h } from './dom';

const kGestures = [
  ['Drag a character', 'push; the arrow is the force. In Grab mode: take hold of it'],
  [
    'Drag a thing',
    'move it; with Shift over the ground, the wheel brings it nearer. Let go to throw',
  ],
  ['Build, then click', 'put down what is chosen; the wheel or R turns it, Esc ends'],
  ['Click a character or thing', 'select; Shift adds'],
  ['Click the ground', 'send the selected there (right click too)'],
  ['Shift-drag the ground', 'draw a path for the selected'],
  [
    'Drag the line of the past',
    'look back; Shift with arrows goes by seconds, Page Up and Down by events',
  ],
  ['Drag, right-drag, wheel', 'orbit, pan, zoom; on touch one and two fingers'],
] as const;

/** The dialog that lists what the pointer and the keys do. */
export function help_dialog(): HTMLDialogElement {
  const table = (rows: readonly (readonly [string, string])[]) =>
    h(
      'dl',
      { class: 'help-list' },
      ...rows.flatMap(([key, text]) => [h('dt', { text: key }), h('dd', { text })]),
    );
  const dialog = h(
    'dialog',
    { class: 'help', attributes: { 'aria-label': 'Help' } },
    h('h2', { text: 'Getting about' }),
    table(kGestures),
    h('h2', { text: 'Keys' }),
    table(kKeys),
    h('form', { attributes: { method: 'dialog' } }, h('button', { text: 'Close' })),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

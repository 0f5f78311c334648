import type { Signal } from '../../state/values/signal';
import { h } from '../parts/dom';
import { kLater } from '../page/late_parts';
import { tell_missing } from '../parts/later';
import type { Toasts } from '../parts/toasts';

/**
 * The dialog that lists what the pointer and the keys do; the lists come when it is opened.
 * @param fingers whether the page is used with fingers
 */
export function help_dialog(
  fingers: Signal<boolean>,
  toasts: Toasts,
): { readonly element: HTMLDialogElement; readonly show: () => void } {
  // It has the focus at first, or the dialog would open at its end, where the button is.
  const body = h('div', { class: 'help-body', attributes: { tabindex: '-1', autofocus: '' } });
  const element = h(
    'dialog',
    { class: 'help scrolls', attributes: { 'aria-label': 'Help' } },
    body,
    h('form', { attributes: { method: 'dialog' } }, h('button', { text: 'Close' })),
  );
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  const fill = () =>
    kLater.help.get().then(
      ({ help_tables }) => body.replaceChildren(...help_tables(fingers.value)),
      (error: unknown) => {
        element.close();
        tell_missing(toasts, error);
      },
    );
  const show = () => {
    element.showModal();
    void fill();
  };
  return { element, show };
}

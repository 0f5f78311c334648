import { h } from './dom';

export type Tone = 'info' | 'error';

interface Action {
  readonly text: string;
  readonly run: () => void;
}

const kShown_ms = { info: 5000, error: 9000 } as const;
const kMost = 4;

/** Short messages that disappear after some seconds. A message that is shown again replaces its earlier copy. */
export class Toasts {
  readonly element = h('div', {
    class: 'toasts',
    attributes: { role: 'status', 'aria-live': 'polite' },
  });

  show(text: string, tone: Tone = 'info', action?: Action): void {
    for (const toast of [...this.element.children]) {
      if ((toast as HTMLElement).dataset['text'] === text) toast.remove();
    }
    while (this.element.children.length >= kMost) this.element.firstElementChild?.remove();
    const toast = h('div', { class: `toast toast-${tone}` }, h('span', { text }));
    toast.dataset['text'] = text;
    if (action) {
      toast.append(
        h('button', { text: action.text, on: { click: () => (action.run(), toast.remove()) } }),
      );
    }
    toast.append(
      h('button', {
        class: 'quiet',
        text: '×',
        attributes: { 'aria-label': 'Dismiss' },
        on: { click: () => toast.remove() },
      }),
    );
    this.element.append(toast);
    const leave = () => {
      // Nothing goes away under the pointer or the focus.
      if (toast.matches(':hover, :focus-within')) setTimeout(leave, kShown_ms.info);
      else toast.remove();
    };
    setTimeout(leave, kShown_ms[tone] * (action ? 2 : 1));
  }
}

import { h, write } from './dom';

export type Tone = 'info' | 'error';

interface Action {
  readonly text: string;
  readonly run: () => void;
  readonly stays?: boolean; // until it is answered or dismissed
}

/** The subject of a toast: a newer one of the same key takes its place. */
interface Subject {
  readonly key: string;
  readonly color: string; // "#rrggbb", of the visitor who did it
}

const kShown_ms = { info: 5000, error: 9000 } as const;
const kMost = 4;

/**
 * Which toast makes room for another: the oldest that says neither what went wrong nor what can be done.
 * @param weighty of each toast, the oldest first: whether it does say that
 * @param note whether the new one tells what another visitor does, for which none of those leaves
 * @return its place; -1: none
 */
export function leaving(weighty: readonly boolean[], note: boolean): number {
  const light = weighty.indexOf(false);
  return light < 0 && !note ? 0 : light;
}

/** Short messages that disappear after some seconds. A message that is shown again replaces its earlier copy. */
export class Toasts {
  readonly element = h('div', {
    class: 'toasts',
    attributes: { role: 'status', 'aria-live': 'polite' },
  });
  private readonly timers_ = new WeakMap<Element, ReturnType<typeof setTimeout>>();

  show(text: string, tone: Tone = 'info', action?: Action): void {
    this.find(text)?.remove();
    this.make_room(false);
    const toast = this.add(text, text, tone);
    if (tone === 'error' || action) toast.dataset['weighty'] = '';
    if (action) {
      toast.lastElementChild?.before(
        h('button', { text: action.text, on: { click: () => (action.run(), toast.remove()) } }),
      );
    }
    if (!action?.stays) this.keep(toast, kShown_ms[tone] * (action ? 2 : 1));
  }

  /** Something that goes on, such as another visitor's edit: one toast, that stays while it is told again. */
  tell(text: string, { key, color }: Subject): void {
    let toast = this.find(key);
    if (!toast) {
      if (!this.make_room(true)) return;
      toast = this.add(key, text, 'info');
      toast.prepend(h('i', { class: 'visitor-dot', attributes: { 'aria-hidden': 'true' } }));
    }
    (toast.firstElementChild as HTMLElement).style.background = color;
    write(toast.querySelector('span') as HTMLElement, text);
    this.keep(toast, kShown_ms.info);
  }

  private find(key: string): HTMLElement | undefined {
    return [...this.element.children].find(
      (toast): toast is HTMLElement => (toast as HTMLElement).dataset['text'] === key,
    );
  }

  /** @return whether there is room for another */
  private make_room(note: boolean): boolean {
    const all = [...this.element.children] as HTMLElement[];
    if (all.length < kMost) return true;
    const weighty = all.map(({ dataset }) => dataset['weighty'] !== undefined);
    const one = all[leaving(weighty, note)];
    one?.remove();
    return one !== undefined;
  }

  private add(key: string, text: string, tone: Tone): HTMLElement {
    const toast = h('div', { class: `toast toast-${tone}` }, h('span', { text }));
    toast.dataset['text'] = key;
    toast.append(
      h('button', {
        class: 'quiet',
        text: '×',
        attributes: { 'aria-label': 'Dismiss' },
        on: { click: () => toast.remove() },
      }),
    );
    this.element.append(toast);
    return toast;
  }

  private keep(toast: HTMLElement, ms: number): void {
    clearTimeout(this.timers_.get(toast));
    const leave_in = (time_ms: number) => {
      clearTimeout(this.timers_.get(toast));
      this.timers_.set(toast, setTimeout(leave, time_ms));
    };
    const leave = () => {
      // Nothing goes away under the pointer or the focus.
      if (toast.matches(':hover, :focus-within')) leave_in(kShown_ms.info);
      else toast.remove();
    };
    // From when it can be seen: the page may be busy with its first picture, or hidden.
    requestAnimationFrame(() => leave_in(ms));
  }
}

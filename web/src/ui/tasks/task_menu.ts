// A small menu at a point of the picture, for the pointer and for keys.
import { h } from '../parts/dom';

export interface Entry {
  readonly key: string;
  readonly text: string;
  readonly why_not: string; // empty: it can be chosen
  run(): void;
}

const kMargin_px = 8;

export class TaskMenu {
  private element_: HTMLElement | undefined;
  private stop_: AbortController | undefined;

  /** @param focus_ gives the keys back to the picture */
  constructor(private readonly focus_: () => void) {}

  get open(): boolean {
    return this.element_ !== undefined;
  }

  /** @param x, y px of the page */
  show(title: string, entries: readonly Entry[], x: number, y: number): void {
    this.close();
    const items = entries.map((entry) => {
      const item = h(
        'button',
        {
          class: 'task-entry',
          attributes: { role: 'menuitem', tabindex: '-1', 'data-entry': entry.key },
          on: { click: () => this.choose(entry) },
        },
        h('span', { text: entry.text }),
      );
      if (entry.why_not) {
        item.setAttribute('aria-disabled', 'true');
        item.append(h('small', { text: entry.why_not }));
      }
      return item;
    });
    const element = h(
      'div',
      {
        class: 'task-menu',
        attributes: { role: 'menu', 'aria-label': title, 'data-test': 'task-menu' },
      },
      h('p', { class: 'task-menu-title', text: title, attributes: { 'aria-hidden': 'true' } }),
      ...items,
    );
    document.body.append(element);
    const { offsetWidth: width, offsetHeight: height } = element;
    const within = (value: number, size: number, room: number) =>
      Math.max(kMargin_px, Math.min(value, room - size - kMargin_px));
    element.style.left = `${within(x + 4, width, innerWidth)}px`;
    element.style.top = `${within(y + 4, height, innerHeight)}px`;
    this.element_ = element;
    this.stop_ = new AbortController();
    const { signal } = this.stop_;
    element.addEventListener('keydown', (event) => this.key(event, items), { signal });
    element.addEventListener('focusout', (event) => {
      const to = event.relatedTarget;
      if (!(to instanceof Node && element.contains(to))) this.close(false);
    });
    // A press beside it puts it away, and does nothing else.
    const beside = (event: Event) => {
      if (event.target instanceof Node && element.contains(event.target)) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      this.close();
    };
    window.addEventListener('pointerdown', beside, { signal, capture: true });
    items[0]?.focus();
  }

  close(give_back = true): void {
    const element = this.element_;
    this.element_ = undefined;
    this.stop_?.abort();
    element?.remove();
    if (element && give_back) this.focus_();
  }

  private choose(entry: Entry): void {
    if (entry.why_not) return;
    this.close();
    entry.run();
  }

  private key(event: KeyboardEvent, items: readonly HTMLElement[]): void {
    const now = items.indexOf(document.activeElement as HTMLElement);
    const go = (to: number) => items[(to + items.length) % items.length]?.focus();
    event.stopPropagation();
    if (event.key === 'ArrowDown') go(now + 1);
    else if (event.key === 'ArrowUp') go(now - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(items.length - 1);
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    else return;
    event.preventDefault();
  }
}

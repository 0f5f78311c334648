import { Signal } from '../../state/values/signal';
import { h } from './dom';

export interface Tab {
  readonly key: string;
  readonly title: string;
  readonly panel: HTMLElement;
}

export interface Tabs {
  readonly bar: HTMLElement;
  readonly chosen: Signal<string>;
}

/** A row of tabs, of which the chosen one shows its panel; arrow keys go to the next tab. */
export function tabs(label: string, list: readonly Tab[]): Tabs {
  const chosen = new Signal(list[0]?.key ?? '');
  const buttons = list.map(({ key, title, panel }) => {
    const id = `tab-${key}`;
    panel.id = `${id}-panel`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', id);
    const button = h('button', {
      text: title,
      attributes: { type: 'button', role: 'tab', 'aria-controls': panel.id, 'data-tab': key },
      on: { click: () => chosen.set(key) },
    });
    button.id = id;
    return button;
  });
  const bar = h(
    'div',
    { class: 'tabs', attributes: { role: 'tablist', 'aria-label': label } },
    ...buttons,
  );
  bar.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const now = list.findIndex(({ key }) => key === chosen.value);
    const next = (now + by + list.length) % list.length;
    chosen.set(list[next]?.key ?? '');
    buttons[next]?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  chosen.watch((key) =>
    list.forEach((tab, i) => {
      tab.panel.hidden = tab.key !== key;
      buttons[i]?.setAttribute('aria-selected', String(tab.key === key));
      if (buttons[i]) buttons[i].tabIndex = tab.key === key ? 0 : -1;
    }),
  );
  return { bar, chosen };
}

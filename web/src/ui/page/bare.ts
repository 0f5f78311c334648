// The picture alone: a key and a button hide all panels and bring them back.
import { h } from '../parts/dom';

export interface Bare {
  readonly button: HTMLButtonElement;
  toggle(): void;
}

/** @param host takes the class `bare` while panels are hidden @param focus gives the picture the focus */
export function bare_switch(host: HTMLElement, focus: () => void): Bare {
  const button = h('button', {
    class: 'round bare-switch',
    text: '▢',
    attributes: { 'aria-label': 'Only the picture', 'data-test': 'bare' },
    on: { click: () => toggle() },
  });
  const show = (bare: boolean) => {
    host.classList.toggle('bare', bare);
    button.title = bare ? 'Show the panels (V)' : 'Hide all panels (V)';
    button.setAttribute('aria-pressed', String(bare));
  };
  const toggle = () => {
    const bare = !host.classList.contains('bare');
    const inside = document.activeElement?.closest('.panel, .bottom, .title-bar');
    show(bare);
    // The keyboard does not stay with what cannot be seen.
    if (bare && inside && document.activeElement !== button) focus();
  };
  show(false);
  return { button, toggle };
}

import type { Viewport } from '../../scene/picture/viewport';
import { h } from '../parts/dom';

const kPatience_ms = 4000; // a browser that gives the picture back does so sooner

/**
 * The text in place of a picture that the browser has taken away, as after the graphics card was reset. The room goes on,
 * and so do the panels.
 */
export function picture_loss(viewport: Viewport): HTMLElement {
  const reload = h('button', { text: 'Reload the page', on: { click: () => location.reload() } });
  const element = h(
    'div',
    { class: 'picture-loss', attributes: { role: 'alert', 'data-test': 'picture-loss' } },
    h('p', {
      text: 'The browser has taken the picture away, as it does when the graphics card is reset. It usually comes back by itself; the room goes on meanwhile.',
    }),
    reload,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  viewport.stage.lost.watch((lost) => {
    clearTimeout(timer);
    element.hidden = !lost;
    reload.hidden = true;
    if (lost) timer = setTimeout(() => (reload.hidden = false), kPatience_ms);
  });
  return element;
}

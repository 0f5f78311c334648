import { making_words } from '../../state/room/making_words';
import type { World } from '../../state/room/world';
import { h, write } from '../parts/dom';

const kFade_ms = 600; // as in style/chrome.css

/**
 * The sign over the empty picture until there is a frame. The file of the page has the same sign, which is there
 * before any script; this one takes its place.
 */
export function loading(world: World, host: HTMLElement): HTMLElement {
  host.querySelector('.loading')?.remove();
  const text = h('p', { text: 'Opening the room …' });
  const share = h('progress', { attributes: { max: '1', 'aria-label': 'The scene' } });
  share.hidden = true;
  const element = h(
    'div',
    { class: 'loading', attributes: { role: 'status', 'data-test': 'loading' } },
    h('i', { class: 'spinner' }),
    text,
    share,
  );
  const stop = world.frame.watch((frame) => {
    if (!frame) return;
    element.classList.add('done');
    setTimeout(() => element.remove(), kFade_ms);
    queueMicrotask(() => stop());
  });
  world.scene.watch((scene) => {
    if (scene) write(text, 'Waiting for the first picture …');
  });
  world.making.watch((making) => {
    share.hidden = !making?.first;
    if (!making?.first) return;
    share.value = making.share;
    write(text, making_words(making, world.scene.value?.scenes ?? []));
  });
  return element;
}

import { making_words } from '../../state/room/making_words';
import type { World } from '../../state/room/world';
import { h, write } from '../parts/dom';

/** The line that says that another scene is being made, while the one that is shown goes on. */
export function making_strip(world: World): HTMLElement {
  const text = h('p', { attributes: { role: 'status' } });
  const share = h('progress', { attributes: { max: '1', 'aria-label': 'The next scene' } });
  const element = h(
    'div',
    { class: 'making panel', attributes: { 'data-test': 'making' } },
    text,
    share,
  );
  world.making.watch((making) => {
    element.hidden = !making || making.first;
    if (!making || making.first) return;
    share.value = making.share;
    write(text, making_words(making, world.scene.value?.scenes ?? []));
  });
  return element;
}

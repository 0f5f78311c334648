import type { Context } from './context';
import { h, write } from '../parts/dom';

/** The name of the scene, and buttons beside it. */
export function title_bar({ world }: Context, buttons: readonly HTMLElement[]): HTMLElement {
  const scene = h('span', { class: 'scene-title' });
  // The title of the picture's scene: a visitor who looks back may see the scene before.
  const refresh = () => {
    const name = world.shown_scene.value?.scene?.title ?? '';
    write(scene, name);
    const past = world.lookback.on.value ? 'Looking back – ' : '';
    document.title = name ? `${past}${name} – Promenade` : 'Promenade';
  };
  world.shown_scene.watch(refresh);
  world.lookback.on.watch(refresh);
  return h(
    'header',
    { class: 'title-bar' },
    h('h1', { text: 'Promenade' }),
    scene,
    h('div', { class: 'title-buttons' }, ...buttons),
  );
}

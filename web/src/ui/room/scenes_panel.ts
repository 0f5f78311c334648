import type { SceneName } from '../../gen/promenade/v1/wire_pb';
import type { Signal } from '../../state/values/signal';
import { apply_rights, type Context, sends } from '../page/context';
import { h, section } from '../parts/dom';
import { for_fingers } from '../page/hint';
import { load_scene } from './load_scene';

/**
 * The list of scenes, each with its description, the current one also with a hint on what to try.
 * @param shower makes the button that shows it; undefined where the scene has no demonstration
 */
export function scenes_panel(
  context: Context,
  fingers: Signal<boolean>,
  shower: () => HTMLElement | undefined,
): HTMLElement {
  const list = h('ul', { class: 'scene-list' });
  const panel = section('Scenes', true, list);
  panel.classList.add('scenes');
  const load = async (scene: SceneName, button: HTMLButtonElement) => {
    button.setAttribute('aria-busy', 'true');
    await load_scene(context, scene.name);
    button.removeAttribute('aria-busy');
  };
  let shown: string | undefined;
  const show_current = () =>
    list.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  panel.addEventListener('toggle', show_current);
  const refresh = () => {
    const info = context.world.scene.value;
    const current = info?.scene?.name;
    list.replaceChildren(
      ...(info?.scenes ?? []).map((scene) => {
        const button = h(
          'button',
          {
            class: 'scene',
            title: scene.description,
            attributes: {
              'aria-current': String(scene.name === current),
              'data-scene': scene.name,
            },
          },
          h('strong', { text: scene.title || scene.name }),
          h('span', { text: scene.description }),
        );
        if (scene.name === current && scene.hint)
          button.append(
            h('em', { text: `Try: ${fingers.value ? for_fingers(scene.hint) : scene.hint}` }),
          );
        button.addEventListener('click', () => void load(scene, button));
        sends('load_scene', button);
        const show = scene.name === current ? shower() : undefined;
        return h('li', {}, button, ...(show ? [show] : []));
      }),
    );
    apply_rights(panel, context.world);
    if (current !== shown) show_current();
    shown = current;
  };
  context.world.scene.watch(refresh);
  fingers.watch(refresh);
  return panel;
}

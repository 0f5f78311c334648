import type { Api } from '../../net/api';
import { apply_rights, type Context, needs } from '../page/context';
import { h, section } from '../parts/dom';
import { room_form } from './room_form';
import { people_in } from './room_words';

const kRefresh_ms = 4000;

/** The rooms that can be entered; for admins a form that makes another one. */
export function rooms_panel(
  context: Context,
  api: Api,
  enter: (room: string) => void,
  show_lobby: () => void,
): HTMLElement {
  const { toasts, world } = context;
  const list = h('ul', { class: 'scene-list room-list' });
  const form = room_form(api, toasts, ({ id }) => enter(id));
  needs('admin', ...form.controls);
  world.scene.watch((info) => form.set_scenes(info?.scenes ?? []));
  const lobby = h('button', { text: 'All rooms, with pictures', on: { click: show_lobby } });
  const panel = section('Rooms', false, list, lobby, form.element);

  const title_of = (scene: string) =>
    world.scene.value?.scenes.find(({ name }) => name === scene)?.title || scene;
  const refresh = async () => {
    const answer = await api.rooms();
    if (answer.kind !== 'done') return;
    const here = world.hello.value?.room;
    list.replaceChildren(
      ...answer.value.rooms.map((room) => {
        const button = h(
          'button',
          {
            class: 'scene',
            attributes: { 'aria-current': String(room.id === here), 'data-room': room.id },
            on: { click: () => enter(room.id) },
          },
          h('strong', { text: room.title || room.id }),
          h('span', { text: `${title_of(room.scene)} · ${people_in(room)}` }),
        );
        return h('li', {}, button);
      }),
    );
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  panel.addEventListener('toggle', () => {
    clearInterval(timer);
    if (!panel.open) return;
    void refresh();
    timer = setInterval(() => void refresh(), kRefresh_ms);
  });
  world.hello.watch(() => panel.open && void refresh());
  const show = () => {
    form.element.hidden = !world.can_administer;
    apply_rights(panel, world);
  };
  world.hello.watch(show);
  world.rights.watch(show);
  return panel;
}

import type { Api } from '../../net/api';
import { apply_rights, type Context, needs } from '../page/context';
import { h, section } from '../parts/dom';
import { kLater } from '../page/late_parts';
import { tell_missing } from '../parts/later';
import type { RoomForm } from './room_form';
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
  const lobby = h('button', { text: 'All rooms, with pictures', on: { click: show_lobby } });
  const making = h('div', {}); // the form, whose code comes when the panel is opened
  const panel = section('Rooms', false, list, lobby, making);

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
  let form: RoomForm | undefined;
  const show = () => {
    if (form) form.element.hidden = !world.can_administer;
    apply_rights(panel, world);
  };
  const add_form = ({ room_form }: typeof import('./room_form')) => {
    if (form) return;
    const made = (form = room_form(api, toasts, ({ id }) => enter(id)));
    needs('admin', ...made.controls);
    world.scene.watch((info) => made.set_scenes(info?.scenes ?? []));
    making.append(made.element);
    show();
  };
  panel.addEventListener('toggle', () => {
    if (panel.open)
      kLater.room_form.get().then(add_form, (error: unknown) => tell_missing(toasts, error));
  });
  world.hello.watch(show);
  world.rights.watch(show);
  return panel;
}

// Making and configuring a room: the form that the panel and the lobby share.
import type { SceneName } from '../../gen/promenade/v1/wire_pb';
import type { RoomSpec } from '../../gen/promenade/v1/people_pb';
import type { Api } from '../../net/api';
import { read_whole } from '../../state/values/number_text';
import { explain } from './actions';
import { field, fill_select, h } from '../parts/dom';
import type { Toasts } from '../parts/toasts';

const kMostVisitors = 100_000; // that a room may be set to; the server has a limit of its own

export interface RoomForm {
  readonly element: HTMLFormElement;
  /** All that can be set, for rights. */
  readonly controls: readonly HTMLElement[];
  set_scenes(scenes: readonly SceneName[]): void;
  /** Fills it with a room that is there; its scene stays. undefined: for a new one. */
  show(spec: RoomSpec | undefined): void;
}

/** @param done called with the room when it has been made or configured */
export function room_form(api: Api, toasts: Toasts, done: (spec: RoomSpec) => void): RoomForm {
  let shown: RoomSpec | undefined;
  const title = h('input', { attributes: { maxlength: '40', placeholder: 'Title of the room' } });
  const scene = h('select');
  const guests = h('select');
  const most = h('input', {
    attributes: { inputmode: 'numeric', autocomplete: 'off', placeholder: 'server’s limit' },
  });
  const by_link = h('input', { attributes: { type: 'checkbox' } });
  const save = h('button', { text: 'New room', attributes: { 'data-test': 'new-room' } });
  const scene_row = field('Scene', scene);
  const element = h(
    'form',
    { class: 'new-room' },
    field('Title', title),
    scene_row,
    field('Guests can', guests),
    field('Most visitors', most),
    field('Only by link', by_link),
    h('div', { class: 'buttons' }, save),
  );
  fill_select(guests, [
    { value: '', text: 'server’s default' },
    { value: 'viewer', text: 'watch' },
    { value: 'player', text: 'play' },
    { value: 'operator', text: 'operate' },
  ]);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const visitors = most.value.trim() === '' ? 0 : read_whole(most.value, 0, kMostVisitors);
    if (visitors === undefined) {
      toasts.show(
        `Most visitors is “${most.value}”; it can be a whole number up to ${kMostVisitors}, or empty for the server’s limit.`,
        'error',
      );
      most.focus();
      return;
    }
    const wish = {
      title: title.value,
      guestRole: guests.value,
      byLink: by_link.checked,
      maxViewers: visitors,
    };
    const asked = shown
      ? api.configure_room({ ...shown, ...wish })
      : api.make_room({ ...wish, scene: scene.value });
    void asked.then((answer) => {
      if (answer.kind === 'done') done(answer.value);
      else toasts.show(explain(answer.error), 'error');
    });
  });
  return {
    element,
    controls: [title, scene, guests, most, by_link, save],
    set_scenes: (scenes) =>
      fill_select(
        scene,
        scenes.map((one) => ({ value: one.name, text: one.title || one.name })),
      ),
    show: (spec) => {
      shown = spec;
      title.value = spec?.title ?? '';
      guests.value = spec?.guestRole ?? '';
      most.value = spec?.maxViewers ? String(spec.maxViewers) : '';
      by_link.checked = spec?.byLink ?? false;
      scene_row.hidden = spec !== undefined;
      save.textContent = spec ? 'Save' : 'New room';
    },
  };
}

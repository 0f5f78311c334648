import type { SceneName } from '../../gen/promenade/v1/wire_pb';
import type { RoomSpec } from '../../gen/promenade/v1/people_pb';
import type { Api } from '../../net/api';
import { explain } from './actions';
import { h, write } from '../parts/dom';
import { room_form } from './room_form';
import type { Toasts } from '../parts/toasts';

export interface RoomDialog {
  readonly element: HTMLDialogElement;
  set_scenes(scenes: readonly SceneName[]): void;
  make(): void;
  /** Asks the server for the room first. */
  configure(id: string): Promise<void>;
}

/**
 * A dialog in which an admin makes, configures and closes rooms.
 * @param made called with a new room
 * @param changed called when a room was configured or closed
 */
export function room_dialog(
  api: Api,
  toasts: Toasts,
  made: (id: string) => void,
  changed: () => void,
): RoomDialog {
  let spec: RoomSpec | undefined;
  let sure = false;
  const heading = h('h2');
  const form = room_form(api, toasts, (room) => {
    element.close();
    if (spec) changed();
    else made(room.id);
  });
  const close = h('button', { class: 'danger', attributes: { 'data-test': 'close-room' } });
  const cancel = h('button', { text: 'Cancel', on: { click: () => element.close() } });
  const element = h(
    'dialog',
    { class: 'help room-dialog', attributes: { 'aria-label': 'Room' } },
    heading,
    form.element,
    h('div', { class: 'buttons' }, close, cancel),
  );
  const show = (room: RoomSpec | undefined) => {
    spec = room;
    sure = false;
    form.show(room);
    write(heading, room ? `Room “${room.title || room.id}”` : 'A new room');
    write(close, 'Close the room');
    close.hidden = !room || room.permanent;
    if (!element.open) element.showModal();
  };
  close.addEventListener('click', () => {
    if (!spec) return;
    if (!sure) {
      // Everybody in it is sent out and what it holds is gone: once more, to be sure.
      sure = true;
      write(close, 'Close it for everyone?');
      return;
    }
    void api.close_room(spec.id).then((answer) => {
      if (answer.kind === 'refused') toasts.show(explain(answer.error), 'error');
      element.close();
      changed();
    });
  });
  return {
    element,
    set_scenes: (scenes) => form.set_scenes(scenes),
    make: () => show(undefined),
    configure: async (id) => {
      const answer = await api.room(id);
      if (answer.kind === 'done') show(answer.value);
      else toasts.show(explain(answer.error), 'error');
    },
  };
}

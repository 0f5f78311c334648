import { Role } from '../../gen/promenade/v1/wire_pb';
import { now_ms } from '../../net/clock';
import { sentence } from '../../state/values/sentence';
import type { Context } from './context';
import { h, write } from '../parts/dom';

/** The line above the picture that says that the connection is lost, or that the viewer's role may only watch. */
export function banner({ client, world }: Context): HTMLElement {
  const text = h('span', { attributes: { role: 'alert' } });
  const wait = h('span'); // apart, so that a screen reader does not count along
  const retry = h('button', { text: 'Try now', on: { click: () => client.retry() } });
  const element = h('div', { class: 'banner' }, h('span', {}, text, wait), retry);
  let had_line = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  const show = (tone: 'lost' | 'note' | 'none', message: string, can_retry: boolean) => {
    element.hidden = tone === 'none';
    element.dataset['tone'] = tone;
    write(text, message);
    write(wait, '');
    retry.hidden = !can_retry;
  };
  const refresh = () => {
    const status = world.status.value;
    switch (status.kind) {
      case 'online':
        had_line = true;
        if (world.rights.value?.muted) {
          show('note', sentence(world.rights.value.text) || 'You may only watch for now.', false);
        } else if (world.role === Role.VIEWER) {
          show(
            'note',
            'You are a viewer: look around and select anyone. To push, steer or add people you need the operator role; for scenes and the clock, the admin role. If you have an access token, enter it under Connection.',
            false,
          );
        } else if (world.own_character === 0) {
          const most = world.rights.value?.pushForceN ?? 0;
          show(
            'note',
            `You are a player: add a character of your own under Crowd, then steer them and change their style and body. You can push anyone with up to ${most.toFixed(0)} N.`,
            false,
          );
        } else {
          show('none', '', false);
        }
        return;
      case 'connecting':
        if (had_line) show('lost', 'Connection lost. Trying again …', false);
        else show('none', '', false);
        return;
      case 'waiting': {
        const seconds = Math.max(0, Math.ceil((status.retry_at_ms - now_ms()) / 1000));
        const what = had_line ? 'Connection lost. You see the last picture.' : 'No connection yet.';
        show('lost', `${what} ${sentence(status.reason)} Trying again`, true);
        write(wait, seconds > 0 ? ` in ${seconds} s` : ' …');
        return;
      }
      case 'refused':
        if (status.missing) {
          show(
            'lost',
            'The room of this link is not here. Choose another one in the lobby (H).',
            true,
          );
          return;
        }
        show(
          'lost',
          `${sentence(status.reason)} Check the access token under Connection, or try again.`,
          true,
        );
        return;
    }
  };
  world.status.watch((status) => {
    clearInterval(timer);
    if (status.kind === 'waiting') timer = setInterval(refresh, 250);
    refresh();
  });
  world.hello.watch(refresh);
  world.rights.watch(refresh);
  return element;
}

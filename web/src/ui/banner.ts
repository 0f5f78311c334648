import { Role } from '../gen/promenade/v1/wire_pb';
import { now_ms } from '../net/clock';
import type { Context } from './context';
import { h, write } from './dom';

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
          show('note', world.rights.value.text || 'You may only watch for now.', false);
        } else if (world.role === Role.VIEWER) {
          show(
            'note',
            'You are watching as a viewer: look around and select as you like. Pushing, steering and adding people need the operator role, scenes and clock the admin role: enter a token under Connection.',
            false,
          );
        } else if (world.own_character === 0) {
          const most = world.rights.value?.pushForceN ?? 0;
          show(
            'note',
            `You play as a guest: add a character of your own under Crowd, then steer and dress it. You may push everybody with up to ${most.toFixed(0)} N.`,
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
        const what = had_line ? 'Connection lost; you see the last picture.' : 'No connection yet.';
        show('lost', `${what} ${status.reason} Trying again`, true);
        write(wait, seconds > 0 ? ` in ${seconds} s` : ' …');
        return;
      }
      case 'refused':
        show('lost', `${status.reason} Correct it under Connection, or try again.`, true);
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

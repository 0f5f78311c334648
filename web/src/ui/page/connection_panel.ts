import { role_name } from '../../state/room/roles';
import type { Context } from './context';
import { field, h, section, write } from '../parts/dom';

function bytes(per_s: number): string {
  return per_s >= 1e6 ? `${(per_s / 1e6).toFixed(1)} MB/s` : `${(per_s / 1e3).toFixed(1)} kB/s`;
}

/** Figures of the connection to the server, and the field for an access token. */
export function connection_panel(
  context: Context,
  pictures: () => { readonly fps: number; readonly coarse: boolean },
  use_token: (token: string) => void,
): HTMLElement {
  const { world } = context;
  const rows = new Map<string, HTMLElement>();
  const table = h('dl', { class: 'figures' });
  const row = (key: string, title: string, hint: string) => {
    const value = h('dd', { text: '–' });
    rows.set(key, value);
    table.append(h('dt', { text: title, title: hint }), value);
  };
  row('latency', 'Latency', 'Time for a message to the server and back');
  row('rate', 'Frames', 'Received from the server per second');
  row('bytes', 'Data', 'Received from the server per second');
  row('dropped', 'Skipped', 'Frames that the server left out because this connection was too slow');
  row('speed', 'Real-time factor', 'Simulated seconds per second');
  row('behind', 'Delay', 'How far this page stays behind the server so that motion is smooth');
  row('fps', 'Drawn', 'Pictures drawn by this page per second');
  row('viewers', 'Watching', 'People who have this room open, including you');
  row(
    'role',
    'Your role',
    'Viewers watch. Players push anyone and steer one character of their own. Operators command everyone. Admins also load scenes and set the clock.',
  );
  row('version', 'Server', 'Version and room');
  const set = (key: string, text: string) => {
    const element = rows.get(key);
    if (element) write(element, text);
  };

  const token = h('input', {
    attributes: { type: 'password', autocomplete: 'off', placeholder: 'none', spellcheck: 'false' },
  });
  const form = h(
    'form',
    { class: 'token' },
    field('Access token', token, h('button', { text: 'Use' })),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    use_token(token.value);
  });

  world.stats.watch((stats) => {
    if (!stats) return;
    const frame = world.frame.value;
    set('latency', stats.latency_ms === undefined ? '–' : `${stats.latency_ms.toFixed(1)} ms`);
    set('rate', `${stats.frames_per_s.toFixed(0)} /s`);
    set('bytes', bytes(stats.bytes_per_s));
    set('behind', `${world.delay_ms.toFixed(0)} ms`);
    const { fps, coarse } = pictures();
    set('fps', `${fps.toFixed(0)} /s${coarse ? ', less detail' : ''}`);
    if (!frame) return;
    set('dropped', `${frame.dropped} frames`);
    set('speed', frame.paused ? 'paused' : `${frame.real_time_factor.toFixed(2)} ×`);
    set('viewers', String(frame.viewers));
  });
  world.hello.watch((hello) => {
    set('version', hello ? `${hello.version}, ${hello.room}` : '–');
  });
  world.rights.watch(() => set('role', world.hello.value ? role_name(world.role) : '–'));
  return section('Connection', false, table, form);
}

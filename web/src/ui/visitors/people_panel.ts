import type { Person } from '../../gen/promenade/v1/people_pb';
import type { Api } from '../../net/api';
import { read_whole } from '../../state/values/number_text';
import { explain } from '../room/actions';
import type { Context } from '../page/context';
import { field, fill_select, h, section } from '../parts/dom';

const kRefresh_ms = 3000;
const kDay_s = 86_400;
const kMostUses = 10_000; // of an invitation, as the server has it

const kActs = [
  { value: 'mute', text: 'Mute' },
  { value: 'unmute', text: 'Unmute' },
  { value: 'freeze', text: 'Freeze' },
  { value: 'unfreeze', text: 'Unfreeze' },
  { value: 'hand_over', text: 'Give character to a player without one' },
  { value: 'kick', text: 'Remove from the room' },
  { value: 'ban', text: 'Ban by address' },
  { value: 'ban-token', text: 'Ban by token' },
] as const;

function name_of(person: Person): string {
  return person.name || `visitor ${person.visitor.slice(0, 6)}`;
}

/** A line about a visitor: role, what an admin has done about them, how busy they are. */
function told(person: Person): string {
  return [
    person.role,
    person.frozen ? 'frozen' : person.muted ? 'muted' : '',
    person.ownCharacter ? `character ${person.ownCharacter}` : '',
    person.connections === 0 ? 'away' : '',
    person.commandsHz >= 0.1 ? `${person.commandsHz.toFixed(1)} commands/s` : '',
    person.address,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Who is here, for operators; for admins also what can be done about them, and links that invite others. */
export function people_panel({ toasts, world }: Context, api: Api): HTMLElement {
  const list = h('ul', { class: 'people' });
  const reason = h('input', { attributes: { maxlength: '100', placeholder: 'none' } });
  const why = field('Reason they see', reason);
  const role = h('select');
  fill_select(
    role,
    ['player', 'operator', 'viewer', 'admin'].map((value) => ({ value, text: value })),
  );
  const uses = h('input', {
    attributes: { inputmode: 'numeric', autocomplete: 'off', value: '1' },
  });
  const link = h('input', {
    class: 'link',
    attributes: { readonly: '', 'aria-label': 'Invitation link', 'data-test': 'invitation' },
  });
  link.hidden = true;
  const invite = h('form', {}, field('Invite as', role), field('For how many', uses), link);
  invite.append(
    h('div', { class: 'buttons' }, h('button', { text: 'Make a link, valid for one day' })),
  );
  const panel = section('Who is here', false, list, why, invite);

  const act = async (person: Person, value: string, others: readonly Person[]) => {
    const action = value === 'ban-token' ? 'ban' : value;
    const by = value === 'ban-token' ? 'token' : '';
    const free = others.filter((one) => one.role === 'player' && !one.ownCharacter);
    const to = value === 'hand_over' ? (free[0]?.visitor ?? '') : '';
    const answer = await api.act(person.visitor, { action, by, to, reason: reason.value });
    if (answer.kind !== 'done') toasts.show(explain(answer.error), 'error');
    await refresh();
  };
  const row = (person: Person, all: readonly Person[]) => {
    const choice = h('select', {
      attributes: { 'aria-label': `Action on ${name_of(person)}`, 'data-person': person.visitor },
    });
    fill_select(choice, [{ value: '', text: '…' }, ...kActs]);
    choice.hidden = !world.can_administer;
    choice.addEventListener('change', () => {
      if (choice.value) void act(person, choice.value, all);
    });
    const own = person.visitor === world.rights.value?.visitor;
    return h(
      'li',
      {},
      h('strong', { text: own ? `${name_of(person)} (you)` : name_of(person) }),
      h('span', { class: 'faint', text: told(person) }),
      choice,
    );
  };
  const refresh = async () => {
    if (!world.can_command) return;
    const answer = await api.people();
    if (answer.kind !== 'done') return;
    list.replaceChildren(...answer.value.map((person) => row(person, answer.value)));
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  panel.addEventListener('toggle', () => {
    clearInterval(timer);
    if (!panel.open) return;
    void refresh();
    timer = setInterval(() => {
      // A list that is replaced would close a choice that is open just now.
      if (!list.contains(document.activeElement)) void refresh();
    }, kRefresh_ms);
  });
  invite.addEventListener('submit', (event) => {
    event.preventDefault();
    const visitors = read_whole(uses.value, 1, kMostUses);
    if (visitors === undefined) {
      toasts.show(
        `For how many is “${uses.value}”; it can be a whole number from 1 to ${kMostUses}.`,
        'error',
      );
      uses.focus();
      return;
    }
    const wish = { role: role.value, seconds: kDay_s, uses: visitors };
    void api.invite(wish).then((answer) => {
      if (answer.kind !== 'done') return toasts.show(explain(answer.error), 'error');
      // Below where this page was loaded, also where the server does not know that it is below a path.
      link.value = new URL(answer.value.link.replace(/^[^?]*/, '.'), document.baseURI).href;
      link.hidden = false;
      link.select();
    });
  });
  const show = () => {
    panel.hidden = !world.can_command;
    why.hidden = invite.hidden = !world.can_administer;
  };
  world.hello.watch(show);
  world.rights.watch(show);
  return panel;
}

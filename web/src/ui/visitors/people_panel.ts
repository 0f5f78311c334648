// The section “Who is here”: all visitors with the acts that an admin has for them, and links that invite others.
import type { Person } from '../../gen/promenade/v1/people_pb';
import type { Api } from '../../net/api';
import { read_whole } from '../../state/values/number_text';
import type { World } from '../../state/room/world';
import { explain } from '../room/actions';
import type { Context } from '../page/context';
import { field, fill_select, h, section } from '../parts/dom';
import type { Toasts } from '../parts/toasts';

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

/** The list of visitors, each with the acts that an admin has for them, and the reason that they are then told. */
class PeopleList {
  readonly element = h('ul', { class: 'people' });
  readonly why: HTMLElement;
  private readonly reason_ = h('input', { attributes: { maxlength: '100', placeholder: 'none' } });

  constructor(
    private readonly world_: World,
    private readonly api_: Api,
    private readonly toasts_: Toasts,
  ) {
    this.why = field('Reason they see', this.reason_);
  }

  /** Whether something in the list has the focus. */
  get in_use(): boolean {
    return this.element.contains(document.activeElement);
  }

  async refresh(): Promise<void> {
    if (!this.world_.can_command) return;
    const answer = await this.api_.people();
    if (answer.kind !== 'done') return;
    this.element.replaceChildren(...answer.value.map((person) => this.row(person, answer.value)));
  }

  private row(person: Person, all: readonly Person[]): HTMLElement {
    const choice = h('select', {
      attributes: { 'aria-label': `Action on ${name_of(person)}`, 'data-person': person.visitor },
    });
    fill_select(choice, [{ value: '', text: '…' }, ...kActs]);
    choice.hidden = !this.world_.can_administer;
    choice.addEventListener('change', () => {
      if (choice.value) void this.act(person, choice.value, all);
    });
    const own = person.visitor === this.world_.rights.value?.visitor;
    return h(
      'li',
      {},
      h('strong', { text: own ? `${name_of(person)} (you)` : name_of(person) }),
      h('span', { class: 'faint', text: told(person) }),
      choice,
    );
  }

  private async act(person: Person, value: string, others: readonly Person[]): Promise<void> {
    const action = value === 'ban-token' ? 'ban' : value;
    const by = value === 'ban-token' ? 'token' : '';
    const free = others.filter((one) => one.role === 'player' && !one.ownCharacter);
    const to = value === 'hand_over' ? (free[0]?.visitor ?? '') : '';
    const reason = this.reason_.value;
    const answer = await this.api_.act(person.visitor, { action, by, to, reason });
    if (answer.kind !== 'done') this.toasts_.show(explain(answer.error), 'error');
    await this.refresh();
  }
}

/** The form that makes a link by which others come in with a role. */
class InviteForm {
  readonly element: HTMLFormElement;
  private readonly role_ = h('select');
  private readonly uses_ = h('input', {
    attributes: { inputmode: 'numeric', autocomplete: 'off', value: '1' },
  });
  private readonly link_ = h('input', {
    class: 'link',
    attributes: { readonly: '', 'aria-label': 'Invitation link', 'data-test': 'invitation' },
  });

  constructor(
    private readonly api_: Api,
    private readonly toasts_: Toasts,
  ) {
    fill_select(
      this.role_,
      ['player', 'operator', 'viewer', 'admin'].map((value) => ({ value, text: value })),
    );
    this.link_.hidden = true;
    this.element = h(
      'form',
      {},
      field('Invite as', this.role_),
      field('For how many', this.uses_),
      this.link_,
      h('div', { class: 'buttons' }, h('button', { text: 'Make a link, valid for one day' })),
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.invite();
    });
  }

  private invite(): void {
    const uses = read_whole(this.uses_.value, 1, kMostUses);
    if (uses === undefined) {
      this.toasts_.show(
        `For how many is “${this.uses_.value}”; it can be a whole number from 1 to ${kMostUses}.`,
        'error',
      );
      this.uses_.focus();
      return;
    }
    const wish = { role: this.role_.value, seconds: kDay_s, uses };
    void this.api_.invite(wish).then((answer) => {
      if (answer.kind !== 'done') return this.toasts_.show(explain(answer.error), 'error');
      this.show_link(answer.value.link);
    });
  }

  /** @param link as the server wrote it */
  private show_link(link: string): void {
    // Below where this page was loaded, also where the server does not know that it is below a path.
    this.link_.value = new URL(link.replace(/^[^?]*/, '.'), document.baseURI).href;
    this.link_.hidden = false;
    this.link_.select();
  }
}

/** Asks for the visitors anew every few seconds, while the section is open. */
function keep_fresh(panel: HTMLDetailsElement, people: PeopleList): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  panel.addEventListener('toggle', () => {
    clearInterval(timer);
    if (!panel.open) return;
    void people.refresh();
    timer = setInterval(() => {
      // A list that is replaced would close a choice that is open just now.
      if (!people.in_use) void people.refresh();
    }, kRefresh_ms);
  });
}

/** The list of visitors, for operators; for admins also what can be done about them, and links that invite others. */
export function people_panel({ toasts, world }: Context, api: Api): HTMLElement {
  const people = new PeopleList(world, api, toasts);
  const invite = new InviteForm(api, toasts);
  const panel = section('Who is here', false, people.element, people.why, invite.element);
  keep_fresh(panel, people);
  const show = () => {
    panel.hidden = !world.can_command;
    people.why.hidden = invite.element.hidden = !world.can_administer;
  };
  world.hello.watch(show);
  world.rights.watch(show);
  return panel;
}

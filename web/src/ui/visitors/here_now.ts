// The other visitors of the room: a button with a dot for each visitor, and the panel that it opens. Nothing while one is alone.
import type { Visitor } from '../../state/visitors/company';
import { name_of } from '../../state/recording/marks';
import { listed } from '../../state/visitors/act_words';
import { Signal } from '../../state/values/signal';
import type { Client } from '../../net/client';
import { explain } from '../room/actions';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import type { Toasts } from '../parts/toasts';

const kNameKey = 'promenade.name';
const kMostDots = 4;
const kMostRows = 40;
const kMostBytes = 40; // of a name, in UTF-8: the server takes no more

/** The name that this visitor has chosen; '' for none. */
export function chosen_name(): string {
  return localStorage.getItem(kNameKey) ?? '';
}

function dot(visitor: Visitor): HTMLElement {
  const element = h('i', { class: 'visitor-dot', attributes: { 'aria-hidden': 'true' } });
  element.style.background = visitor.color;
  return element;
}

/** The activity of a visitor, in words. */
function about({ world }: Context, visitor: Visitor): string {
  const { by_id } = world.cast.value;
  const names = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const member = by_id.get(id);
      return member ? [name_of(member)] : [];
    });
  const [handled] = names([world.company.handled_by(visitor)]);
  const selected = names(world.company.selected_by(visitor));
  if (handled) return `moves ${handled}`;
  return selected.length > 0 ? `has selected ${listed(selected)}` : '';
}

/** The button in the title bar, with a dot for each of the others and the number of all; hidden while one is alone. */
class HereButton {
  readonly element: HTMLElement;
  private readonly dots_ = h('span', { class: 'dots' });
  private readonly count_ = h('span', { class: 'count' });

  constructor() {
    this.element = h(
      'button',
      {
        class: 'here-now',
        title: 'Here now',
        attributes: { 'aria-expanded': 'false', 'data-test': 'here-now' },
      },
      this.dots_,
      this.count_,
    );
    this.element.hidden = true;
  }

  /** @param all how many are here, with this visitor */
  show(others: readonly Visitor[], all: number): void {
    this.element.hidden = others.length === 0;
    this.dots_.replaceChildren(...others.slice(0, kMostDots).map(dot));
    write(this.count_, String(all));
    this.element.setAttribute('aria-label', `Here now: ${all} visitors`);
  }
}

/** The form in which the visitor chooses a name, and the line below it that says why a name was not taken. */
class OwnName {
  readonly form: HTMLFormElement;
  readonly wrong = h('p', { class: 'wrong', attributes: { role: 'alert' } });
  private readonly dot_ = h('i', { class: 'visitor-dot', attributes: { 'aria-hidden': 'true' } });
  private readonly name_ = h('input', {
    attributes: {
      maxlength: String(kMostBytes),
      autocomplete: 'nickname',
      spellcheck: 'false',
      'aria-label': 'Your name',
      'data-test': 'own-name',
    },
  });

  /** @param done_ called when the server has taken a name */
  constructor(
    private readonly client_: Client,
    private readonly toasts_: Toasts,
    private readonly done_: () => void,
  ) {
    this.form = h(
      'form',
      { class: 'own-name' },
      this.dot_,
      h('span', { text: 'You are' }),
      this.name_,
      h('button', { text: 'Save' }),
    );
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.introduce(this.name_.value.trim());
    });
  }

  /** Shows how others see this visitor. @param always also while the name is being typed */
  show(me: Visitor | undefined, always: boolean): void {
    if (!me) return;
    this.dot_.style.background = me.color;
    if (always || document.activeElement !== this.name_) this.name_.value = me.name;
  }

  private async introduce(wanted: string): Promise<void> {
    const outcome = await this.client_.introduce(wanted);
    if (outcome.kind === 'refused') return write(this.wrong, explain(outcome.error));
    if (outcome.kind === 'lost') return write(this.wrong, outcome.reason);
    localStorage.setItem(kNameKey, wanted);
    this.done_();
    this.toasts_.show(wanted ? `You are now “${wanted}”.` : 'You have a made-up name again.');
  }
}

/** A row for each of the others, with what they are about; many are counted at the end. */
function rows_of(context: Context): HTMLElement[] {
  const { others } = context.world.company;
  const rows = others
    .slice(0, kMostRows)
    .map((visitor) =>
      h(
        'li',
        { attributes: { 'data-visitor': visitor.id } },
        dot(visitor),
        h('strong', { text: visitor.name }),
        h('span', { class: 'faint', text: about(context, visitor) }),
      ),
    );
  const more = others.length - rows.length;
  if (more > 0) rows.push(h('li', { class: 'faint', text: `and ${more} more` }));
  return rows;
}

/** The button, and the panel that it opens: the visitor's own name, and the others. */
export class HereNow {
  readonly button: HTMLElement;
  readonly panel: HTMLElement;
  readonly open = new Signal(false);
  private readonly opener_ = new HereButton();
  private readonly own_: OwnName;
  private readonly list_ = h('ul', { class: 'visitors' });

  constructor(private readonly context_: Context) {
    const { client, toasts, world } = context_;
    this.button = this.opener_.element;
    this.own_ = new OwnName(client, toasts, () => this.end());
    const close = h('button', {
      class: 'quiet',
      text: '×',
      attributes: { 'aria-label': 'Close' },
    });
    this.panel = h(
      'section',
      { class: 'here-now-panel panel', attributes: { 'aria-label': 'Here now', tabindex: '-1' } },
      h('header', {}, h('h2', { text: 'Here now' }), close),
      this.own_.form,
      this.own_.wrong,
      this.list_,
    );
    this.panel.hidden = true;
    this.open.watch((on) => this.show(on));
    world.company.visitors.watch((all) => this.refresh(all.length));
    world.company.attention.watch(() => this.refresh_rows());
    this.button.addEventListener('click', () => this.open.set(this.panel.hidden === true));
    close.addEventListener('click', () => this.end());
    this.close_from_outside();
    this.panel.addEventListener('keydown', (event) => this.key(event));
  }

  private show(on: boolean): void {
    this.panel.hidden = !on;
    this.button.setAttribute('aria-expanded', String(on));
    write(this.own_.wrong, '');
    if (!on) return;
    this.refresh_rows();
    this.own_.show(this.context_.world.company.me, true);
    this.panel.focus(); // not the name: on a phone that would bring up the keyboard
  }

  /** @param all how many are here, with this visitor */
  private refresh(all: number): void {
    const { me, others } = this.context_.world.company;
    this.opener_.show(others, all);
    if (others.length === 0) this.open.set(false);
    this.own_.show(me, false);
    this.refresh_rows();
  }

  private refresh_rows(): void {
    if (!this.panel.hidden) this.list_.replaceChildren(...rows_of(this.context_));
  }

  /** Closes the panel and gives the focus back to the button. */
  private end(): void {
    this.open.set(false);
    this.button.focus();
  }

  private close_from_outside(): void {
    document.addEventListener('pointerdown', ({ target }) => {
      const inside =
        target instanceof Node && (this.panel.contains(target) || this.button.contains(target));
      if (!inside && !this.panel.hidden) this.open.set(false);
    });
  }

  private key(event: KeyboardEvent): void {
    // Letters are no commands here, but for the one that leads on to the next part of the page.
    if (event.key.toLowerCase() !== 'j') event.stopPropagation();
    if (event.key === 'Escape') this.end();
  }
}

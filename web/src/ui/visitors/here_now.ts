// Who else is here: a button with a dot for each visitor, and the panel that it opens. Nothing while one is alone.
import type { Visitor } from '../../state/visitors/company';
import { name_of } from '../../state/recording/marks';
import { listed } from '../../state/visitors/act_words';
import { explain } from '../room/actions';
import { Signal } from '../../state/values/signal';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';

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

/** What a visitor is about, in words. */
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

/** @return the button, and the panel that it opens */
export function here_now(context: Context): {
  readonly button: HTMLElement;
  readonly panel: HTMLElement;
  readonly open: Signal<boolean>;
} {
  const { client, toasts, world } = context;
  const { company } = world;
  const dots = h('span', { class: 'dots' });
  const count = h('span', { class: 'count' });
  const button = h(
    'button',
    {
      class: 'here-now',
      title: 'Here now',
      attributes: { 'aria-expanded': 'false', 'data-test': 'here-now' },
    },
    dots,
    count,
  );
  const list = h('ul', { class: 'visitors' });
  const name = h('input', {
    attributes: {
      maxlength: String(kMostBytes),
      autocomplete: 'nickname',
      spellcheck: 'false',
      'aria-label': 'Your name',
      'data-test': 'own-name',
    },
  });
  const wrong = h('p', { class: 'wrong', attributes: { role: 'alert' } });
  const own_dot = h('i', { class: 'visitor-dot', attributes: { 'aria-hidden': 'true' } });
  const form = h(
    'form',
    { class: 'own-name' },
    own_dot,
    h('span', { text: 'You are' }),
    name,
    h('button', { text: 'Save' }),
  );
  const close = h('button', {
    class: 'quiet',
    text: '×',
    attributes: { 'aria-label': 'Close' },
  });
  const panel = h(
    'section',
    { class: 'here-now-panel panel', attributes: { 'aria-label': 'Here now', tabindex: '-1' } },
    h('header', {}, h('h2', { text: 'Here now' }), close),
    form,
    wrong,
    list,
  );
  panel.hidden = true;
  button.hidden = true;

  const shown = new Signal(false);
  const open = (on: boolean) => shown.set(on);
  shown.watch((on) => {
    panel.hidden = !on;
    button.setAttribute('aria-expanded', String(on));
    write(wrong, '');
    if (!on) return;
    show_rows();
    show_own(true);
    panel.focus(); // not the name: on a phone that would bring up the keyboard
  });
  function show_own(always: boolean): void {
    const { me } = company;
    if (!me) return;
    own_dot.style.background = me.color;
    if (always || document.activeElement !== name) name.value = me.name;
  }
  function show_rows(): void {
    const { others } = company;
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
    list.replaceChildren(...rows);
  }
  company.visitors.watch((all) => {
    const alone = company.others.length === 0;
    button.hidden = alone;
    if (alone) open(false);
    dots.replaceChildren(...company.others.slice(0, kMostDots).map(dot));
    write(count, String(all.length));
    button.setAttribute('aria-label', `Here now: ${all.length} visitors`);
    show_own(false);
    if (!panel.hidden) show_rows();
  });
  company.attention.watch(() => {
    if (!panel.hidden) show_rows();
  });
  button.addEventListener('click', () => open(panel.hidden === true));
  const end = () => (open(false), button.focus());
  close.addEventListener('click', end);
  document.addEventListener('pointerdown', ({ target }) => {
    const inside = target instanceof Node && (panel.contains(target) || button.contains(target));
    if (!inside && !panel.hidden) open(false);
  });
  panel.addEventListener('keydown', (event) => {
    // Letters are no commands here, but for the one that leads on to the next part of the page.
    if (event.key.toLowerCase() !== 'j') event.stopPropagation();
    if (event.key === 'Escape') end();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const wanted = name.value.trim();
    void client.introduce(wanted).then((outcome) => {
      if (outcome.kind === 'refused') return write(wrong, explain(outcome.error));
      if (outcome.kind === 'lost') return write(wrong, outcome.reason);
      localStorage.setItem(kNameKey, wanted);
      end();
      toasts.show(wanted ? `You are now “${wanted}”.` : 'You have a made-up name again.');
    });
  });
  return { button, panel, open: shown };
}

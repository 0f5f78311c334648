import { kTieChoices, type Kit } from '../state/build';
import type { Spot } from '../state/build';
import type { Skeleton } from '../state/skeleton';
import { apply_rights, type Context, needs } from './context';
import { h, section, write } from './dom';

/** What the panel needs of the picture. */
export interface Scenery {
  portrait(skeleton: Skeleton): string;
  /** The ground in the middle of the picture. */
  middle(): Spot | undefined;
  focus(): void;
}

/** Things and creatures to put down, and ties between them. */
export function build_panel(context: Context, scenery: () => Scenery): HTMLElement {
  const { build, world } = context;
  const search = h('input', {
    class: 'kit-search',
    attributes: {
      type: 'search',
      placeholder: 'Find a thing or a creature',
      'aria-label': 'Find a thing or a creature',
      'data-test': 'kit-search',
    },
  });
  const list = h('div', { class: 'kits', attributes: { 'data-test': 'kits' } });
  const none = h('p', { class: 'faint', text: 'Nothing has this in its name.' });
  const note = h('p', { class: 'faint' });

  const take = (kit: Kit, by_keyboard: boolean) => {
    const tool = build.tool.value;
    if (tool.kind === 'place' && tool.kit.name === kit.name && tool.kit.thing === kit.thing) {
      build.end();
      return;
    }
    build.take(kit, by_keyboard ? scenery().middle() : undefined);
    if (by_keyboard) scenery().focus();
  };
  const tile = (kit: Kit): HTMLElement => {
    const picture = kit.skeleton
      ? h('img', { attributes: { src: scenery().portrait(kit.skeleton), alt: '' } })
      : h('i', { class: 'kit-blank' });
    const button = h(
      'button',
      {
        class: 'kit',
        title: `Put down: ${kit.title}`,
        attributes: {
          'aria-pressed': 'false',
          'data-kit': kit.name,
          'data-thing': String(kit.thing),
        },
        // A click that came from the keyboard has no number of presses.
        on: { click: (event) => take(kit, event.detail === 0) },
      },
      picture,
      h('span', { text: kit.title }),
    );
    needs('operator', button);
    return button;
  };
  const show = () => {
    const words = search.value.trim().toLowerCase();
    const fits = ({ name, title }: Kit) =>
      words === '' || name.includes(words) || title.toLowerCase().includes(words);
    const kits = world.kits.filter(fits);
    const group = (title: string, of: readonly Kit[]) =>
      of.length > 0
        ? [h('h3', { text: title }), h('div', { class: 'kit-grid' }, ...of.map(tile))]
        : [];
    list.replaceChildren(
      ...group(
        'Things',
        kits.filter(({ thing }) => thing),
      ),
      ...group(
        'Creatures',
        kits.filter(({ thing }) => !thing),
      ),
    );
    none.hidden = kits.length > 0;
    mark();
    apply_rights(list, world);
  };
  const mark = () => {
    const tool = build.tool.value;
    for (const button of list.querySelectorAll<HTMLElement>('.kit')) {
      const held =
        tool.kind === 'place' &&
        tool.kit.name === button.dataset['kit'] &&
        String(tool.kit.thing) === button.dataset['thing'];
      button.setAttribute('aria-pressed', String(held));
    }
  };
  const ties = kTieChoices.map(({ key, title, hint }) => {
    const button = h('button', {
      text: title,
      title: hint,
      attributes: { 'aria-pressed': 'false', 'data-tie': key },
      on: {
        click: () => {
          const tool = build.tool.value;
          if (tool.kind === 'tie' && tool.choice === key) build.end();
          else build.take_tie(key);
        },
      },
    });
    needs('operator', button);
    return { key, button };
  });
  build.tool.watch((tool) => {
    mark();
    for (const { key, button } of ties)
      button.setAttribute('aria-pressed', String(tool.kind === 'tie' && tool.choice === key));
  });

  // Pictures are made when somebody looks: the panel is folded at first.
  let stale = true;
  const panel = section(
    'Build',
    false,
    search,
    list,
    none,
    h('h3', { text: 'Tie two points' }),
    h(
      'div',
      { class: 'buttons', attributes: { 'data-test': 'ties' } },
      ...ties.map(({ button }) => button),
    ),
    note,
  );
  panel.classList.add('build');
  const refresh = () => {
    stale = true;
    if (!panel.open) return;
    stale = false;
    show();
  };
  panel.addEventListener('toggle', () => {
    if (panel.open && stale) refresh();
  });
  search.addEventListener('input', show);
  world.scene.watch(refresh);
  world.catalogue.watch(refresh);
  world.hello.watch(() =>
    write(
      note,
      world.can_command
        ? ''
        : 'You are watching as a viewer: putting down, dragging and tying need the operator role.',
    ),
  );
  return panel;
}

/** Whether a drag pushes characters or moves them; things are moved in both. */
export function mode_switch({ build }: Context): HTMLElement {
  const choice = (mode: 'push' | 'grab', text: string, title: string) => {
    const button = h('button', {
      text,
      title,
      attributes: { 'data-mode': mode },
      on: { click: () => build.mode.set(mode) },
    });
    needs('operator', button);
    build.mode.watch((now) => button.setAttribute('aria-pressed', String(now === mode)));
    return button;
  };
  return h(
    'div',
    {
      class: 'segmented mode',
      attributes: { role: 'group', 'aria-label': 'What a drag does (G)' },
    },
    choice('push', 'Push', 'A drag pushes characters and moves things (G)'),
    choice('grab', 'Grab', 'A drag takes hold of characters and of things (G)'),
  );
}

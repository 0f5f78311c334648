import { kTieChoices, type Kit } from '../../state/hand/build';
import type { Spot } from '../../state/hand/build';
import type { Skeleton } from '../../state/figure/skeleton';
import { controllers_for, controller_words } from '../../state/room/controllers';
import { apply_rights, type Context, needs } from '../page/context';
import { controller_choice } from '../character/controller_choice';
import { h, section, write } from '../parts/dom';

/** The parts of the picture that the panel needs. */
export interface Scenery {
  /** Calls `told` with the address of a small picture of a body, once that is drawn. */
  portrait(skeleton: Skeleton, told: (url: string) => void): void;
  /** The ground in the middle of the picture. */
  middle(): Spot | undefined;
  focus(): void;
}

function hand_of(event: MouseEvent): 'mouse' | 'finger' | 'keyboard' {
  // A click that was made with the keyboard has a press count of 0.
  if (event.detail === 0) return 'keyboard';
  return event instanceof PointerEvent && event.pointerType === 'touch' ? 'finger' : 'mouse';
}

/** The palette: things and creatures to put down, and kinds of ties. */
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
  const none = h('p', { class: 'faint', text: 'No thing or creature has this name.' });
  const note = h('p', { class: 'faint' });

  const mover = controller_choice(world, 'kit-controller', 'Automatic');
  needs('operator', mover.select);
  // The next scene may not offer the chosen controller; the select has dropped it then.
  world.scene.watch(() => build.controller.set(mover.select.value));
  mover.select.addEventListener('change', () => {
    build.controller.set(mover.select.value);
    show();
  });
  /** Why a body can not be put down now; undefined if it can. */
  const refused = ({ thing, skeleton, title }: Kit): string | undefined => {
    if (thing) return undefined;
    const chosen = build.controller.value;
    const able = controllers_for(skeleton, world.controllers);
    if (chosen ? able.includes(chosen) : able.length > 0) return undefined;
    return chosen
      ? `${title} cannot use “${controller_words(chosen).title}”, which needs the limbs of a person`
      : `${title} cannot be placed: no controller in this room can move it`;
  };

  const take = (kit: Kit, hand: 'mouse' | 'finger' | 'keyboard') => {
    const tool = build.tool.value;
    if (tool.kind === 'place' && tool.kit.name === kit.name && tool.kit.thing === kit.thing) {
      build.end();
      return;
    }
    // Without a mouse pointer over the picture the body is shown in the middle of the picture.
    build.take(kit, hand === 'mouse' ? undefined : scenery().middle());
    if (hand === 'keyboard') scenery().focus();
  };
  const tile = (kit: Kit): HTMLElement => {
    const refusal = refused(kit);
    const picture = kit.skeleton
      ? h('img', { attributes: { alt: '' } })
      : h('i', { class: 'kit-blank' });
    if (kit.skeleton && picture instanceof HTMLImageElement)
      scenery().portrait(kit.skeleton, (url) => (picture.src = url));
    const button = h(
      'button',
      {
        class: 'kit',
        title: refusal ?? `Place: ${kit.title}`,
        attributes: {
          'aria-pressed': 'false',
          'data-kit': kit.name,
          'data-thing': String(kit.thing),
        },
        on: { click: (event) => take(kit, hand_of(event)) },
      },
      picture,
      h('span', { text: kit.title }),
    );
    if (refusal) button.disabled = true;
    else needs('operator', button);
    return button;
  };
  const show = () => {
    const words = search.value.trim().toLowerCase();
    const fits = ({ name, title }: Kit) =>
      words === '' || name.includes(words) || title.toLowerCase().includes(words);
    const kits = world.kits.filter(fits);
    const group = (title: string, of: readonly Kit[], ...before: HTMLElement[]) =>
      of.length > 0
        ? [h('h3', { text: title }), ...before, h('div', { class: 'kit-grid' }, ...of.map(tile))]
        : [];
    list.replaceChildren(
      ...group(
        'Things',
        kits.filter(({ thing }) => thing),
      ),
      ...group(
        'Creatures',
        kits.filter(({ thing }) => !thing),
        mover.row,
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

  // The small pictures are drawn when the panel is opened, not before.
  let stale = true;
  const panel = section(
    'Build',
    false,
    note,
    h('h3', { text: 'Tie two bodies, or a body to the ground' }),
    h(
      'div',
      { class: 'buttons ties', attributes: { 'data-test': 'ties' } },
      ...ties.map(({ button }) => button),
    ),
    search,
    list,
    none,
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
  // Shapes come one after another: the list is made anew once for many.
  let coming: ReturnType<typeof setTimeout> | undefined;
  world.shapes.watch(() => {
    coming ??= setTimeout(() => {
      coming = undefined;
      refresh();
    }, 100);
  });
  world.hello.watch(() =>
    write(
      note,
      world.can_command
        ? ''
        : 'As a viewer you can only watch. Placing, dragging and tying need the operator role.',
    ),
  );
  return panel;
}

/** The switch for what a drag does to characters: push them, or move them. Things are moved in both modes. */
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
    choice('grab', 'Grab', 'A drag grabs and moves characters and things (G)'),
  );
}

// The panel of what can be put into the room: bodies, and ties between them.
import { kTieChoices } from '../../state/hand/build';
import { type Context, sends } from '../page/context';
import { h, section, write } from '../parts/dom';
import { KitList, type Scenery } from './kit_list';

const kShapesFor_ms = 100; // for so long shapes are awaited before the list is made anew

/** The palette: things and creatures to put down, and kinds of ties. */
export function build_panel(context: Context, scenery: () => Scenery): HTMLElement {
  const { world } = context;
  const note = h('p', { class: 'faint' });
  const kits = new KitList(context, scenery);
  const panel = section(
    'Build',
    false,
    note,
    h('h3', { text: 'Tie two bodies, or a body to the ground' }),
    tie_buttons(context),
    ...kits.elements,
  );
  panel.classList.add('build');
  show_when_open(context, panel, kits);
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

/** Keeps the list up to date while the panel is open: its small pictures are drawn then, not before. */
function show_when_open({ world }: Context, panel: HTMLDetailsElement, kits: KitList): void {
  let stale = true;
  const refresh = () => {
    stale = true;
    if (!panel.open) return;
    stale = false;
    kits.show();
  };
  panel.addEventListener('toggle', () => {
    if (panel.open && stale) refresh();
  });
  world.scene.watch(refresh);
  world.catalogue.watch(refresh);
  // Shapes come one after another: the list is made anew once for many.
  let coming: ReturnType<typeof setTimeout> | undefined;
  world.shapes.watch(() => {
    coming ??= setTimeout(() => {
      coming = undefined;
      refresh();
    }, kShapesFor_ms);
  });
}

/** A button for each kind of tie, which takes that kind in hand or puts it away. */
function tie_buttons({ build }: Context): HTMLElement {
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
    sends('tie', button);
    return { key, button };
  });
  build.tool.watch((tool) => {
    for (const { key, button } of ties)
      button.setAttribute('aria-pressed', String(tool.kind === 'tie' && tool.choice === key));
  });
  return h(
    'div',
    { class: 'buttons ties', attributes: { 'data-test': 'ties' } },
    ...ties.map(({ button }) => button),
  );
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
    sends('drag', button);
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

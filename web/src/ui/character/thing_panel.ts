// The panel of a selected thing.
import { kTieChoices } from '../../state/hand/build';
import { at } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { Builder } from '../hand/builder';
import { type Context, sends } from '../page/context';
import { field, h, write } from '../parts/dom';
import { held_list } from './held_list';
import { Figures, first_selected, SelectedHead } from './selected_head';

const kStep = 0.25; // of the thing's reach: how far a press of an arrow button moves the thing
const kTurnedAbove = 0.01; // of the thing's reach: how far it is lifted to be turned
const kTurn_rad = Math.PI / 12;

/**
 * Panel of the first selected body if that is a thing: name, mass, place, and buttons that move it.
 * @param away level unit vector along which the camera looks, world frame
 * @param panel to be filled
 */
export function fill_thing_panel(
  context: Context,
  builder: Builder,
  away: () => readonly [number, number],
  panel: HTMLElement,
): void {
  new ThingPanel(context, builder, away, panel);
}

class ThingPanel {
  private readonly head_: SelectedHead;
  private readonly about_ = h('p', { class: 'about faint' });
  private readonly mass_: HTMLElement;
  private readonly links_: HTMLElement;
  private readonly place_: HTMLElement;
  private readonly pair_: HTMLElement;

  constructor(
    private readonly context_: Context,
    builder: Builder,
    away: () => readonly [number, number],
    private readonly panel_: HTMLElement,
  ) {
    const { selection, world } = context_;
    this.head_ = new SelectedHead(selection, 'Nothing', h('span'));
    const figures = new Figures();
    this.mass_ = figures.add('Mass');
    this.links_ = figures.add('Links');
    this.place_ = figures.add('Position');
    const moves = move_buttons(() => first_selected(context_, true), builder, away);
    this.pair_ = tie_pair(context_, builder);
    panel_.append(
      this.head_.element,
      h(
        'div',
        { class: 'thing-body' },
        this.about_,
        figures.element,
        moves,
        this.pair_,
        end_buttons(builder),
        held_list(context_, builder),
      ),
    );
    selection.ids.watch(() => this.refresh());
    world.cast.watch(() => this.refresh());
    world.frame.watch(() => this.show_place());
  }

  private refresh(): void {
    const thing = first_selected(this.context_, true);
    this.panel_.hidden = !thing;
    if (!thing) return;
    const { skeleton } = thing;
    this.head_.show(thing, thing.color);
    write(this.about_, skeleton.description);
    write(
      this.mass_,
      skeleton.mass < 1
        ? `${(1000 * skeleton.mass).toPrecision(3)} g`
        : `${skeleton.mass.toPrecision(3)} kg`,
    );
    write(this.links_, String(skeleton.links.length));
    this.pair_.hidden = this.context_.selection.ids.value.length !== 2;
  }

  private show_place(): void {
    const thing = first_selected(this.context_, true);
    if (!thing) return;
    const { poses } = this.context_.world.pose;
    const numbers = [0, 1, 2].map((k) => (at(poses, thing.pose + k) ?? 0).toFixed(2));
    write(this.place_, `${numbers.join(', ')} m`);
  }
}

/** Buttons that move a thing along the ground as seen in the picture, lift it, and turn it. */
function move_buttons(
  chosen: () => Member | undefined,
  builder: Builder,
  away: () => readonly [number, number],
): HTMLElement {
  const button = (text: string, label: string, act: (thing: Member, reach: number) => void) => {
    const click = () => {
      const thing = chosen();
      if (thing) act(thing, thing.skeleton.reach);
    };
    const attributes = { 'aria-label': label };
    const one = h('button', { text, title: label, attributes, on: { click } });
    sends('place', one);
    return one;
  };
  /** @param forward, left in steps */
  const shift = (text: string, label: string, forward: number, left: number) =>
    button(text, label, (thing, reach) => {
      const [x, y] = away();
      const step = kStep * reach;
      builder.nudge(thing, step * (x * forward - y * left), step * (y * forward + x * left), 0, 0);
    });
  const turn = (text: string, label: string, by_rad: number) =>
    button(text, label, (thing, reach) => builder.nudge(thing, 0, 0, kTurnedAbove * reach, by_rad));
  return h(
    'div',
    { class: 'buttons nudges' },
    shift('↑', 'Move away from the camera', 1, 0),
    shift('↓', 'Move towards the camera', -1, 0),
    shift('←', 'Move left', 0, 1),
    shift('→', 'Move right', 0, -1),
    button('⤒', 'Lift', (thing, reach) => builder.nudge(thing, 0, 0, 2 * kStep * reach, 0)),
    turn('↺', 'Turn left', kTurn_rad),
    turn('↻', 'Turn right', -kTurn_rad),
  );
}

/** A choice of ties, and the button that ties the two bodies that are selected. */
function tie_pair({ selection, world }: Context, builder: Builder): HTMLElement {
  const kind = h(
    'select',
    {},
    ...kTieChoices.map(({ key, title: text }) => h('option', { text, attributes: { value: key } })),
  );
  const tie = h('button', {
    text: 'Tie the two selected',
    on: {
      click: () => {
        const [a, b] = selection.ids.value.flatMap((id) => world.cast.value.by_id.get(id) ?? []);
        const choice = kTieChoices.find(({ key }) => key === kind.value)?.key;
        if (a && b && choice) builder.tie_members(a, b, choice);
      },
    },
  });
  sends('tie', kind, tie);
  return h('div', { class: 'pair' }, field('Tie', kind), tie);
}

/** Buttons that end all ties of the selected bodies, and that remove these. */
function end_buttons(builder: Builder): HTMLElement {
  const release = h('button', {
    text: 'Release all',
    on: { click: () => builder.release_selected() },
  });
  const remove = h('button', {
    text: 'Remove',
    title: 'Remove from the room (Delete)',
    attributes: { 'data-test': 'remove-thing' },
    on: { click: () => builder.remove_selected() },
  });
  sends('release', release);
  sends('remove', remove);
  return h('div', { class: 'buttons' }, release, remove);
}

import { kTieChoices } from '../../state/hand/build';
import { at } from '../../state/values/quaternion';
import type { HeldTie, Member } from '../../state/room/roster';
import { type Builder } from '../hand/builder';
import { apply_rights, type Context, needs } from '../page/context';
import { field, h, section, write } from '../parts/dom';

const kStep = 0.25; // of the thing's reach: how far a press of an arrow button moves the thing
const kTurn_rad = Math.PI / 12;

const kTieTitles: Readonly<Record<HeldTie['kind'], string>> = {
  ball: 'Ball',
  hinge: 'Hinge',
  slider: 'Slider',
  weld: 'Weld',
  spring: 'Spring',
};

/** List of the ties and grips of the first selected body, each with a button that releases it. */
export function held_list(context: Context, builder: Builder): HTMLElement {
  const { world, selection } = context;
  const list = h('ul', { class: 'held' });
  const box = section('Ties and grips', true, list);
  const name = (id: number): string => {
    if (id === 0) return 'the ground';
    const member = world.cast.value.by_id.get(id);
    return member ? `${member.skeleton.title} ${id}` : String(id);
  };
  let shown = '';
  const refresh = () => {
    const id = selection.first;
    const ties = world.cast.value.ties.filter(({ a, b }) => a.id === id || b.id === id);
    const key = `${id}: ${ties.map((tie) => tie.id).join()}`;
    box.hidden = ties.length === 0;
    if (key === shown) return;
    shown = key;
    list.replaceChildren(
      ...ties.map((tie) => {
        const other = tie.a.id === id ? tie.b.id : tie.a.id;
        const what = tie.grip ? 'Grip' : kTieTitles[tie.kind];
        const release = h('button', {
          text: 'Release',
          attributes: { 'aria-label': `Release: ${what} to ${name(other)}` },
          on: { click: () => builder.release(tie.id) },
        });
        needs('operator', release);
        return h('li', {}, h('span', { text: `${what} to ${name(other)}` }), release);
      }),
    );
    apply_rights(list, world);
  };
  selection.ids.watch(refresh);
  world.cast.watch(refresh);
  return box;
}

/**
 * Panel of the first selected body if that is a thing: name, mass, place, and buttons that move it.
 * @param away level unit vector along which the camera looks, world frame
 */
export function thing_panel(
  context: Context,
  builder: Builder,
  away: () => readonly [number, number],
): HTMLElement {
  const { world, selection } = context;
  const swatch = h('i', { class: 'portrait' });
  const title = h('h2', { text: 'Nothing' });
  const about = h('p', { class: 'about faint' });
  const figures = h('dl', { class: 'figures' });
  const figure = (name: string) => {
    const value = h('dd', { text: '–' });
    figures.append(h('dt', { text: name }), value);
    return value;
  };
  const mass = figure('Mass');
  const links = figure('Links');
  const place = figure('Position');
  const close = h('button', {
    class: 'quiet',
    text: '×',
    title: 'Deselect (Esc)',
    attributes: { 'aria-label': 'Deselect' },
    on: { click: () => selection.clear() },
  });
  const member = (): Member | undefined => {
    const first =
      selection.first === undefined ? undefined : world.cast.value.by_id.get(selection.first);
    return first?.thing ? first : undefined;
  };
  const move = (text: string, label: string, act: (thing: Member, step: number) => void) => {
    const button = h('button', {
      text,
      title: label,
      attributes: { 'aria-label': label },
      on: {
        click: () => {
          const thing = member();
          if (thing) act(thing, kStep * thing.skeleton.reach);
        },
      },
    });
    needs('operator', button);
    return button;
  };
  const shift = (thing: Member, forward: number, left: number) => {
    const [x, y] = away();
    builder.nudge(thing, x * forward - y * left, y * forward + x * left, 0, 0);
  };
  const moves = h(
    'div',
    { class: 'buttons nudges' },
    move('↑', 'Move away from the camera', (thing, step) => shift(thing, step, 0)),
    move('↓', 'Move towards the camera', (thing, step) => shift(thing, -step, 0)),
    move('←', 'Move left', (thing, step) => shift(thing, 0, step)),
    move('→', 'Move right', (thing, step) => shift(thing, 0, -step)),
    move('⤒', 'Lift', (thing, step) => builder.nudge(thing, 0, 0, 2 * step, 0)),
    move('↺', 'Turn left', (thing) =>
      builder.nudge(thing, 0, 0, 0.01 * thing.skeleton.reach, kTurn_rad),
    ),
    move('↻', 'Turn right', (thing) =>
      builder.nudge(thing, 0, 0, 0.01 * thing.skeleton.reach, -kTurn_rad),
    ),
  );
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
  const pair = h('div', { class: 'pair' }, field('Tie', kind), tie);
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
  needs('operator', kind, tie, release, remove);
  const element = h(
    'aside',
    { class: 'panel character thing', attributes: { 'aria-label': 'Selected thing' } },
    h('header', { class: 'character-head' }, swatch, title, h('span'), close),
    h(
      'div',
      { class: 'thing-body' },
      about,
      figures,
      moves,
      pair,
      h('div', { class: 'buttons' }, release, remove),
      held_list(context, builder),
    ),
  );
  const refresh = () => {
    const thing = member();
    element.hidden = !thing;
    if (!thing) return;
    const others = selection.ids.value.length - 1;
    const { skeleton } = thing;
    write(title, `${skeleton.title} ${thing.id}${others > 0 ? ` and ${others} more` : ''}`);
    write(about, skeleton.description);
    swatch.style.background = thing.color;
    write(
      mass,
      skeleton.mass < 1
        ? `${(1000 * skeleton.mass).toPrecision(3)} g`
        : `${skeleton.mass.toPrecision(3)} kg`,
    );
    write(links, String(skeleton.links.length));
    pair.hidden = selection.ids.value.length !== 2;
  };
  selection.ids.watch(refresh);
  world.cast.watch(refresh);
  world.frame.watch(() => {
    const thing = member();
    if (!thing) return;
    const { poses } = world.pose;
    write(
      place,
      [0, 1, 2].map((k) => (at(poses, thing.pose + k) ?? 0).toFixed(2)).join(', ') + ' m',
    );
  });
  return element;
}

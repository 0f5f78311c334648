import { is_biped, is_walking, own_controller } from '../../state/room/controllers';
import { type Context, needs } from '../page/context';
import { controller_choice } from '../character/controller_choice';
import { field, fill_select, h, write } from '../parts/dom';

const kRandom = '';

function one_of<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

/** The number of characters and their bodies, with controls to add and remove some. */
export function people_controls(context: Context): readonly HTMLElement[] {
  const { world, actions } = context;
  const count = h('output', { class: 'big-number', text: '0' });
  const mix = h('p', { class: 'mix' });
  const body = h('select');
  const style = h('select');
  const style_row = field('Style', style);
  const mover = controller_choice(world, 'crowd-controller', 'Automatic');
  const own = () => mover.select.value || own_controller(chosen(), world.controllers) || '';
  const chosen = () => (body.value ? world.skeleton_of(body.value) : undefined);
  const refresh = () => {
    mover.offer(chosen());
    style_row.hidden = !is_walking(own());
  };
  body.addEventListener('change', refresh);
  mover.select.addEventListener('change', refresh);
  const add_one = h('button', {
    text: 'Add 1',
    attributes: { 'data-test': 'add-one' },
    on: { click: () => add(1) },
  });
  const add_ten = h('button', { text: 'Add 10', on: { click: () => add(10) } });
  const remove_one = h('button', { text: 'Remove 1', on: { click: () => remove(1) } });
  const remove_ten = h('button', { text: 'Remove 10', on: { click: () => remove(10) } });
  const reset_all = h('button', {
    text: 'Reset all',
    title: 'Everyone goes back to their starting place and first task',
    attributes: { 'data-test': 'reset-all' },
    on: { click: () => void actions.send({ case: 'reset', value: { character: 0 } }) },
  });
  needs('player', add_one, body, style);
  needs('operator', add_ten, mover.select, remove_one, remove_ten);
  needs('admin', reset_all);

  const add = async (n: number) => {
    const scene = world.scene.value;
    if (!scene) return;
    const walks = is_walking(own());
    const dealt = world.built_in_skeletons.filter((skeleton) => !walks || is_biped(skeleton));
    for (let i = 0; i < n; ++i) {
      const outcome = await actions.send({
        case: 'spawn',
        value: {
          body: body.value || (one_of(dealt)?.name ?? ''),
          style: walks ? style.value || (one_of(scene.styles)?.name ?? '') : '',
          headingRad: Math.random() * 2 * Math.PI,
          wander: walks,
          controller: mover.select.value,
        },
      });
      if (outcome.kind !== 'done') return;
      if (n === 1) context.selection.choose(outcome.character);
    }
  };
  const remove = async (n: number) => {
    for (const member of world.cast.value.members.slice(-n).reverse()) {
      const outcome = await actions.send({ case: 'remove', value: { character: member.id } });
      if (outcome.kind !== 'done') return;
    }
  };

  world.catalogue.watch((catalogue) => {
    fill_select(body, [
      { value: kRandom, text: 'Any body' },
      ...(catalogue?.bodies ?? []).map(({ name, title }) => ({ value: name, text: title || name })),
    ]);
    refresh();
    fill_select(style, [
      { value: kRandom, text: 'Any style' },
      ...(catalogue?.styles ?? []).map(({ name, title }) => ({ value: name, text: title || name })),
    ]);
  });
  world.cast.watch((cast) => {
    write(count, String(cast.members.length));
    const kinds = new Map<string, number>();
    for (const { skeleton } of cast.members)
      kinds.set(skeleton.title, (kinds.get(skeleton.title) ?? 0) + 1);
    write(
      mix,
      [...kinds]
        .sort((a, b) => b[1] - a[1])
        .map(([title, n]) => `${n} ${title}`)
        .join(' · '),
    );
  });
  return [
    h('div', { class: 'row' }, count, h('span', { class: 'faint', text: 'in the room' })),
    mix,
    field('Body', body),
    mover.row,
    style_row,
    h('div', { class: 'buttons' }, add_one, add_ten, remove_one, remove_ten, reset_all),
  ];
}

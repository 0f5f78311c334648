import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { is_walking } from '../../state/room/controllers';
import type { Member } from '../../state/room/roster';
import type { CommandKind } from '../room/actions';
import { type Context, needs } from '../page/context';
import { controller_choice, told_select } from './controller_choice';
import { field, fill_select, h, section, write } from '../parts/dom';
import { velocity_pad } from './velocity_pad';

const kPushes = [
  { text: '↑', name: 'from behind', angle: 0 },
  { text: '←', name: 'from the right', angle: Math.PI / 2 },
  { text: '→', name: 'from the left', angle: -Math.PI / 2 },
  { text: '↓', name: 'from the front', angle: Math.PI },
] as const;

export interface CommandsPanel {
  readonly element: HTMLElement;
  show(details: CharacterDetails | undefined, member: Member): void;
}

/** Controls that command the selected characters. */
export function commands_panel(context: Context): CommandsPanel {
  const { actions, selection, settings, steering, world } = context;
  const pad = velocity_pad((forward, left) => steering.set_velocity(forward, left));

  const style = h('select', { attributes: { 'data-test': 'style' } });
  /** Sends each of the characters a command. @return whether the room accepted all of them */
  const tell = async (ids: readonly number[], make: (character: number) => CommandKind) => {
    const outcomes = await Promise.all(ids.map((character) => actions.send(make(character))));
    return outcomes.every(({ kind }) => kind === 'done');
  };
  const told_style = told_select(style, (value) =>
    tell(actions.walkers, (character) => ({
      case: 'setStyle',
      value: { character, style: value },
    })),
  );
  world.catalogue.watch((catalogue) =>
    fill_select(
      style,
      (catalogue?.styles ?? []).map(({ name, title }) => ({ value: name, text: title || name })),
    ),
  );

  const style_row = field('Style', style);

  const controller = controller_choice(world, 'controller');
  const told_controller = told_select(controller.select, (value) =>
    tell(actions.characters, (character) => ({
      case: 'setController',
      value: { character, controller: value },
    })),
  );

  const force = h('input', {
    attributes: { type: 'range', min: '50', max: '1000', step: '10', value: '300' },
  });
  const force_value = h('output', { text: '300 N' });
  force.addEventListener('input', () => write(force_value, `${force.value} N`));
  const push = (angle: number) => {
    const newton = Number(force.value);
    for (const id of selection.ids.value) {
      const facing = (world.details.value.get(id)?.details.headingRad ?? 0) + angle;
      void actions.push(
        id,
        '',
        [0, 0, 0],
        [newton * Math.cos(facing), newton * Math.sin(facing), 0],
      );
    }
  };
  const pushes = kPushes.map(({ text, name, angle }) =>
    h('button', {
      text,
      title: `Push ${name}`,
      attributes: { 'aria-label': `Push ${name}` },
      on: { click: () => push(angle) },
    }),
  );

  const button = (text: string, title: string, click: () => void) =>
    h('button', { text, title, on: { click } });
  const stop = button('Stop', 'Stop walking (Space)', () => steering.stop());
  const stroll = button('Stroll', 'Wander from place to place', () =>
    actions.for_selected((character) => ({ case: 'setWander', value: { character } })),
  );
  const path = button('Draw path', 'Draw a path on the ground to walk along (L)', () =>
    settings.path_tool.set(!settings.path_tool.value),
  );
  settings.path_tool.watch((on) => path.setAttribute('aria-pressed', String(on)));
  const follow = button('Follow', 'The camera follows (F)', () =>
    settings.follow.set(!settings.follow.value),
  );
  settings.follow.watch((on) => follow.setAttribute('aria-pressed', String(on)));
  const reset = button('Reset', 'Back to the starting place and the first task', () =>
    actions.for_selected((character) => ({ case: 'reset', value: { character } })),
  );
  const remove = button('Remove', 'Remove from the room (Delete)', () =>
    actions.for_selected((character) => ({ case: 'remove', value: { character } })),
  );
  needs('player', style, force, ...pushes, stop, stroll, path);
  needs('operator', controller.select, reset, remove);

  const buttons = h('div', { class: 'buttons column' }, stop, stroll, path, follow, reset, remove);
  const element = section(
    'Commands',
    true,
    h('div', { class: 'pad-row' }, pad.element, buttons),
    controller.row,
    style_row,
    field('Push', force, force_value),
    h('div', { class: 'buttons pushes' }, ...pushes),
  );
  return {
    element,
    show(details, member) {
      told_style.show(member.style);
      controller.offer(member.skeleton);
      told_controller.show(member.controller);
      const walks = is_walking(member.controller);
      for (const one of [style_row, pad.element, stop, stroll, path]) one.hidden = !walks;
      buttons.classList.toggle('column', walks);
      if (!details) return;
      const [x = 0, y = 0] = details.desiredVelocityMps;
      const c = Math.cos(details.desiredHeadingRad),
        s = Math.sin(details.desiredHeadingRad);
      pad.show(x * c + y * s, -x * s + y * c);
    },
  };
}

// Controls that command the selected characters.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import type { Member } from '../../state/room/roster';
import type { Signal } from '../../state/values/signal';
import type { Actions, CommandKind } from '../room/actions';
import { type Context, sends } from '../page/context';
import {
  controller_choice,
  type ControllerChoice,
  told_select,
  type ToldSelect,
} from './controller_choice';
import { field, fill_select, h, section } from '../parts/dom';
import { PushButtons } from './push_buttons';
import { velocity_pad, type VelocityPad } from './velocity_pad';

function button(text: string, title: string, click: () => void): HTMLElement {
  return h('button', { text, title, on: { click } });
}

/** A button that turns a setting on and off. */
function switch_button(text: string, title: string, setting: Signal<boolean>): HTMLElement {
  const one = button(text, title, () => setting.set(!setting.value));
  setting.watch((on) => one.setAttribute('aria-pressed', String(on)));
  return one;
}

/** Sends each of the characters a command. @return whether the room accepted all of them */
async function tell(
  actions: Actions,
  ids: readonly number[],
  make: (character: number) => CommandKind,
): Promise<boolean> {
  const outcomes = await Promise.all(ids.map((character) => actions.send(make(character))));
  return outcomes.every(({ kind }) => kind === 'done');
}

/** The section "Commands": a pad, buttons, the controller, the style, and pushes. */
export class CommandsPanel {
  readonly element: HTMLElement;
  private readonly pad_: VelocityPad;
  private readonly style_: ToldSelect;
  private readonly controllers_: ControllerChoice;
  private readonly controller_: ToldSelect;
  private readonly buttons_: HTMLElement;
  private readonly style_row_: HTMLElement;
  private readonly of_walkers_: readonly HTMLElement[]; // shown only for characters that go where they are told

  constructor(context: Context) {
    const { actions, settings, steering, world } = context;
    this.pad_ = velocity_pad((forward, left) => steering.set_velocity(forward, left));
    const { select: style, told } = style_choice(context);
    this.style_ = told;
    this.style_row_ = field('Style', style);
    this.controllers_ = controller_choice(world, 'controller');
    const { row, select } = this.controllers_;
    this.controller_ = told_select(select, (controller) =>
      tell(actions, actions.characters, (character) => ({
        case: 'setController',
        value: { character, controller },
      })),
    );
    const pushes = new PushButtons(context);
    const stop = button('Stop', 'Stop walking (Space)', () => steering.stop());
    const stroll = button('Stroll', 'Wander from place to place', () =>
      actions.for_selected((character) => ({ case: 'setWander', value: { character } })),
    );
    const path = switch_button(
      'Draw path',
      'Draw a path on the ground to walk along (L)',
      settings.path_tool,
    );
    const follow = switch_button('Follow', 'The camera follows (F)', settings.follow);
    const reset = button('Reset', 'Back to the starting place and the first task', () =>
      actions.for_selected((character) => ({ case: 'reset', value: { character } })),
    );
    const remove = button('Remove', 'Remove from the room (Delete)', () =>
      actions.for_selected((character) => ({ case: 'remove', value: { character } })),
    );
    sends('set_velocity', this.pad_.element);
    sends('set_style', style);
    sends('stop', stop);
    sends('set_wander', stroll);
    sends('follow_path', path);
    sends('set_controller', select);
    sends('reset', reset);
    sends('remove', remove);
    const all = [stop, stroll, path, follow, reset, remove];
    this.buttons_ = h('div', { class: 'buttons column' }, ...all);
    this.of_walkers_ = [this.pad_.element, stop, stroll, path];
    this.element = section(
      'Commands',
      true,
      h('div', { class: 'pad-row' }, this.pad_.element, this.buttons_),
      row,
      this.style_row_,
      ...pushes.elements,
    );
  }

  /** Shows a character, and what it is asked to do; undefined: that is not known. */
  show(details: CharacterDetails | undefined, member: Member): void {
    this.style_.show(member.style);
    this.controllers_.offer(member.skeleton);
    this.controller_.show(member.controller);
    const { styled, walks } = member.family;
    this.style_row_.hidden = !styled;
    for (const one of this.of_walkers_) one.hidden = !walks;
    this.buttons_.classList.toggle('column', walks);
    if (!details) return;
    const [x = 0, y = 0] = details.desiredVelocityMps;
    const c = Math.cos(details.desiredHeadingRad),
      s = Math.sin(details.desiredHeadingRad);
    this.pad_.show(x * c + y * s, -x * s + y * c);
  }
}

/** A choice of the styles that the room has, for the selected characters that have one. */
function style_choice({ actions, world }: Context): {
  readonly select: HTMLSelectElement;
  readonly told: ToldSelect;
} {
  const select = h('select', { attributes: { 'data-test': 'style' } });
  const told = told_select(select, (style) =>
    tell(actions, actions.styled, (character) => ({
      case: 'setStyle',
      value: { character, style },
    })),
  );
  world.catalogue.watch((catalogue) =>
    fill_select(
      select,
      (catalogue?.styles ?? []).map(({ name, title }) => ({ value: name, text: title || name })),
    ),
  );
  return { select, told };
}

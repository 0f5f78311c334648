import { does_tasks } from '../../state/room/roster';
import type { Signal } from '../../state/values/signal';
import { aim_hint } from '../keys/aim_keys';
import { mode_switch } from '../hand/build_panel';
import type { Context } from './context';
import { h, write } from '../parts/dom';
import { hint_of } from './hint';
import type { LastMinute } from '../lookback/last_minute';
import { is_narrow, kNarrow } from './narrow';
import type { ShowMe } from '../show/show_me';

/** The bars at the lower edge, besides the hint. */
interface Parts {
  readonly clock: HTMLElement;
  readonly hand: HTMLElement;
  readonly docks: readonly HTMLElement[];
  readonly past: LastMinute;
  readonly show: ShowMe;
  readonly tip: HTMLElement; // of the first minute
}

/** The lower edge of the page: what can be done now, what is in the hand, the timeline and the clock. */
export function bottom_bar(
  context: Context,
  fingers: Signal<boolean>,
  { clock, docks, hand, past, show, tip }: Parts,
): HTMLElement {
  const { actions, build, selection, settings, world } = context;
  const hint = h('p', { class: 'hint' });
  const refresh = () => {
    const { length: walkers } = actions.walkers;
    const { length: characters } = actions.characters;
    const things = selection.ids.value.length - characters;
    const { by_id, things: around } = world.cast.value;
    const able = [...selection.ids.value].some((id) => {
      const member = by_id.get(id);
      return member !== undefined && does_tasks(member);
    });
    const errands = able && around.length > 0;
    const selected = { walkers, others: characters - walkers, things, errands };
    const { value: draws_path } = settings.path_tool;
    const aimed = aim_hint(context);
    // An act under way needs its keys shown; a hint at a possible act gives way to panels.
    const busy = aimed !== undefined || draws_path || build.tool.value.kind !== 'none';
    hint.toggleAttribute('data-busy', busy);
    write(hint, aimed ?? hint_of(build, selected, draws_path, !fingers.value, is_narrow()));
  };
  kNarrow.addEventListener('change', refresh);
  fingers.watch(refresh);
  selection.ids.watch(refresh);
  settings.path_tool.watch(refresh);
  world.cast.watch(refresh);
  build.tool.watch(refresh);
  build.mode.watch(refresh);
  build.dragging.watch(refresh);
  build.pushing.watch(refresh);
  context.aiming.aim.watch(refresh);
  const bar = h('div', { class: 'bar' }, mode_switch(context), clock, past.buttons);
  return h(
    'footer',
    { class: 'bottom' },
    tip,
    show.beside(hint),
    hand,
    show.element,
    ...docks,
    bar,
  );
}

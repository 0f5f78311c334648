// The panel of a selected character.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { kFlag } from '../../net/frame';
import { looks_of } from '../../scene/figure/looks';
import type { Signal } from '../../state/values/signal';
import type { Builder } from '../hand/builder';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import type { Editors } from '../editor/editors';
import { tabs } from '../parts/tabs';
import { first_selected, SelectedHead } from './selected_head';
import { LateWalkTab } from './late_walk_tab';

export interface CharacterPanel {
  readonly element: HTMLElement;
  /** Which tab is open. */
  readonly tab: Signal<string>;
  /** Whether every tick of the room is wanted. */
  readonly every_tick: Signal<boolean>;
  /** Draws the plots; called a few times a second. */
  draw(): void;
}

/** Speed and step time that an edit leads to; nothing for a character that does not walk. */
function outcome_of({ state, speedMps, stepTimeS }: CharacterDetails): string {
  if (state !== 'walking') return '';
  const steps = stepTimeS ? ` · ${stepTimeS.toFixed(2)} s` : ''; // toys have none
  return `${speedMps.toFixed(2)} m/s${steps}`;
}

/**
 * Panel of the first selected character: its body, its measurements, its editors, and commands for all selected
 * characters.
 * @param tasks the section with its errands
 * @param open_lab opens the gait lab for the selected character
 */
export function character_panel(
  context: Context,
  editors: Editors,
  builder: Builder,
  tasks: HTMLElement,
  open_lab: () => void,
): CharacterPanel {
  const { world, selection } = context;
  const state = h('span', { class: 'badge' });
  const head = new SelectedHead(selection, 'Nobody', state);
  const walk = new LateWalkTab(context, { editors, builder, tasks, open_lab });
  // Beside the tabs while an editor is open: the speed and step time that an edit leads to.
  const outcome = h('output', { class: 'outcome', title: 'Achieved speed and step time' });
  const { bar, chosen } = tabs('Selected character', [
    { key: 'walk', title: 'Walk', panel: walk.element },
    { key: 'style', title: 'Style', panel: editors.style_panel },
    { key: 'body', title: 'Body', panel: editors.body_panel },
  ]);
  const element = h(
    'aside',
    { class: 'panel character', attributes: { 'aria-label': 'Selected character' } },
    head.element,
    h('div', { class: 'tab-row' }, outcome, bar),
    walk.element,
    editors.style_panel,
    editors.body_panel,
  );
  chosen.watch((key) => {
    element.dataset['tab'] = key;
    editors.refresh();
  });

  const refresh = () => {
    const current = first_selected(context, false);
    element.hidden = !current;
    walk.show(current);
    if (!current) return;
    const { shirt } = looks_of(current.color, current.id, current.skeleton.look);
    head.show(current, shirt.getStyle());
  };
  selection.ids.watch(refresh);
  world.cast.watch(refresh);
  world.catalogue.watch(refresh);
  world.details.watch((all) => {
    const current = first_selected(context, false);
    const live = current && all.get(current.id);
    if (current && !live && world.lookback.on.value) {
      // Nobody had asked for its figures at the time that is looked at.
      write(state, 'not measured');
      walk.not_measured();
    }
    if (!current || !live) return;
    const { details, tick } = live;
    const flags = world.frame.value?.flags[current.index] ?? 0;
    write(state, flags & kFlag.quarantined ? 'being restored' : details.state || 'walking');
    state.dataset['state'] = details.state;
    write(outcome, outcome_of(details));
    walk.measured(details, tick, current);
  });

  return {
    element,
    tab: chosen,
    every_tick: walk.every_tick,
    draw() {
      if (!element.hidden) walk.draw();
    },
  };
}

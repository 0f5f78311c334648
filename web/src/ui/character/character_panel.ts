import { looks_of } from '../../scene/figure/looks';
import { kFlag } from '../../net/frame';
import { achieved_speed, step_length_text } from '../../state/room/achieved';
import { controller_words, is_walking, kWalking } from '../../state/room/controllers';
import { mass_words } from '../../state/edit/body_warning';
import { has_gait_cycles } from '../../state/figure/legs';
import type { Member } from '../../state/room/roster';
import type { Signal } from '../../state/values/signal';
import { type Builder } from '../hand/builder';
import { commands_panel } from './commands_panel';
import type { Context } from '../page/context';
import { h, section, write } from '../parts/dom';
import type { Editors } from '../editor/editors';
import { asked_speed, gait_panel } from './gait_panel';
import { Plot } from '../parts/plot';
import { tabs } from '../parts/tabs';
import { held_list } from './thing_panel';
import { kGravity_mps2 } from '../../state/values/gravity';

const kMostForce = 2.5; // times the weight: limit of the plot, exceeded for an instant at foot-strike

export interface CharacterPanel {
  readonly element: HTMLElement;
  /** Which tab is open. */
  readonly tab: Signal<string>;
  /** Draws the plots; called a few times a second. */
  draw(): void;
}

function no_gait_of({ controller }: Member): string {
  const { title } = controller_words(controller);
  return `There is no gait to set: the controller is “${title}”, and only “${controller_words(kWalking).title}” takes steps.`;
}

/**
 * Panel of the first selected character: its body, its measurements, its editors, and commands for all selected
 * characters.
 * @param tasks the section with its errands
 * @param open_lab opens the gait lab for whoever is selected
 */
export function character_panel(
  context: Context,
  editors: Editors,
  builder: Builder,
  tasks: HTMLElement,
  open_lab: () => void,
): CharacterPanel {
  const { world, selection } = context;
  const swatch = h('i', { class: 'portrait' });
  const title = h('h2', { text: 'Nobody' });
  const about = h('p', { class: 'about faint' });
  const state = h('span', { class: 'badge' });
  const close = h('button', {
    class: 'quiet',
    text: '×',
    title: 'Deselect (Esc)',
    attributes: { 'aria-label': 'Deselect' },
    on: { click: () => selection.clear() },
  });
  const figures = h('dl', { class: 'figures' });
  const figure = (name: string) => {
    const value = h('dd', { text: '–' });
    figures.append(h('dt', { text: name }), value);
    return value;
  };
  const step = figure('Step length');
  step.dataset['test'] = 'step-length';
  const height = figure('Height of centre of mass');
  const mass = figure('Mass');

  const plots = {
    speed: new Plot({
      title: 'Speed',
      unit: 'm/s',
      digits: 2,
      least_span: 0.8,
      series: [
        { name: 'desired', color: '--plot-1' },
        { name: 'achieved', color: '--plot-2' },
      ],
    }),
    phase: new Plot({
      title: 'Phase of the step',
      unit: '',
      digits: 2,
      least_span: 1,
      series: [{ name: 'phase', color: '--plot-3' }],
    }),
    forces: new Plot({
      title: 'Ground force',
      hint: `The line marks the body’s weight. Forces above ${kMostForce} times the weight are cut off and marked`,
      unit: 'N',
      digits: 0,
      least_span: 400,
      series: [
        { name: 'left', color: '--plot-1' },
        { name: 'right', color: '--plot-4' },
      ],
    }),
    energy: new Plot({
      title: 'Energy',
      unit: 'J',
      digits: 0,
      least_span: 20,
      series: [
        { name: 'kinetic', color: '--plot-4' },
        { name: 'Δ potential', color: '--plot-2', hint: 'Difference from its running mean' },
      ],
    }),
  };
  const all = Object.values(plots);
  const commands = commands_panel(context);
  const gait = gait_panel(context, editors.style);
  editors.on_style = () => gait.refresh(world.can_command);
  const measures = section('Measurements', true, figures, ...all.map((plot) => plot.element));
  const held = held_list(context, builder);
  const no_gait = h('p', { class: 'editor-note', attributes: { 'data-test': 'no-gait' } });
  const lab = h('button', {
    class: 'open-lab',
    text: 'Gait lab …',
    title: 'Joint angles, forces and power over the gait cycle, compared with real people',
    attributes: { 'data-test': 'open-lab' },
    on: { click: open_lab },
  });
  const walk = h(
    'div',
    {},
    about,
    lab,
    tasks, // first: open only where there are errands, and then what somebody is looked at for
    gait.element,
    no_gait,
    commands.element,
    held,
    measures,
  );
  // Shown only for characters that walk on two legs.
  const gait_figures = [
    step,
    step.previousElementSibling as HTMLElement,
    ...[plots.speed, plots.phase, plots.forces].map(({ element: plot }) => plot),
  ];
  // Beside the tabs while an editor is open: the speed and step time that an edit leads to.
  const outcome = h('output', { class: 'outcome', title: 'Achieved speed and step time' });
  const { bar, chosen } = tabs('Selected character', [
    { key: 'walk', title: 'Walk', panel: walk },
    { key: 'style', title: 'Style', panel: editors.style_panel },
    { key: 'body', title: 'Body', panel: editors.body_panel },
  ]);
  const element = h(
    'aside',
    { class: 'panel character', attributes: { 'aria-label': 'Selected character' } },
    h('header', { class: 'character-head' }, swatch, title, state, close),
    h('div', { class: 'tab-row' }, outcome, bar),
    walk,
    editors.style_panel,
    editors.body_panel,
  );
  chosen.watch((key) => {
    element.dataset['tab'] = key;
    editors.refresh();
  });

  let shown: number | undefined;
  let potential = Number.NaN; // running mean of the potential energy, J

  const member = (): Member | undefined => {
    const { by_id } = world.cast.value;
    const first = selection.first === undefined ? undefined : by_id.get(selection.first);
    return first?.thing ? undefined : first;
  };
  const refresh = () => {
    const current = member();
    element.hidden = !current;
    if (!current) return;
    if (shown !== current.id) {
      shown = current.id;
      potential = Number.NaN;
      for (const plot of all) plot.clear();
    }
    const others = selection.ids.value.length - 1;
    write(
      title,
      `${current.skeleton.title} ${current.id}${others > 0 ? ` and ${others} more` : ''}`,
    );
    const style = world.catalogue.value?.styles.find(({ name }) => name === current.style);
    const walks = is_walking(current.controller);
    const of_style = `${style?.title || current.style}${current.style_edited ? ', edited' : ''}`;
    const what = current.skeleton.description || current.skeleton.name;
    write(about, walks && of_style ? `${what} Style: ${of_style}.` : what);
    const { shirt } = looks_of(current.color, current.id, current.skeleton.look);
    swatch.style.background = shirt.getStyle();
    write(mass, mass_words(current.skeleton.mass));
    const weight = current.skeleton.mass * kGravity_mps2;
    plots.forces.set_limit(kMostForce * weight, weight);
    const details = world.details.value.get(current.id)?.details;
    commands.show(details, current);
    gait.show(details);
    gait.element.hidden = !walks;
    lab.hidden = !has_gait_cycles(current);
    no_gait.hidden = walks;
    write(no_gait, walks ? '' : no_gait_of(current));
    for (const one of gait_figures) one.hidden = !walks;
  };
  selection.ids.watch(refresh);
  world.cast.watch(refresh);
  world.catalogue.watch(refresh);

  world.details.watch((all_details) => {
    const current = member();
    const live = current && all_details.get(current.id);
    if (current && !live && world.lookback.on.value) {
      // Nobody had asked for its figures at the time that is looked at.
      write(state, 'not measured');
      for (const figure_of_then of [step, height]) write(figure_of_then, '–');
      gait.show(undefined);
    }
    if (!current || !live) return;
    const { details, tick } = live;
    const flags = world.frame.value?.flags[current.index] ?? 0;
    write(state, flags & kFlag.quarantined ? 'being restored' : details.state || 'walking');
    state.dataset['state'] = details.state;
    write(step, step_length_text(details));
    write(height, `${(details.comM[2] ?? 0).toFixed(3)} m`);
    write(
      outcome,
      details.state === 'walking'
        ? `${details.speedMps.toFixed(2)} m/s · ${details.stepTimeS.toFixed(2)} s`
        : '',
    );
    commands.show(details, current);
    gait.show(details);
    const time = tick * (world.hello.value?.tick_s ?? 1 / 60);
    const [, , left = 0, , , right = 0] = details.footForceN;
    potential = Number.isNaN(potential)
      ? details.potentialEnergyJ
      : potential + 0.005 * (details.potentialEnergyJ - potential);
    plots.speed.add(time, [asked_speed(details), achieved_speed(details)]);
    plots.phase.add(time, [details.phase]);
    plots.forces.add(time, [left, right]);
    plots.energy.add(time, [details.kineticEnergyJ, details.potentialEnergyJ - potential]);
  });

  return {
    element,
    tab: chosen,
    draw() {
      if (element.hidden || walk.hidden || !measures.open) return;
      for (const plot of all) plot.draw();
    },
  };
}

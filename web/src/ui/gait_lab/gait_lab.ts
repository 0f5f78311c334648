// The gait lab: how the selected character walks, held against people, over the gait cycle.
import { GaitCycles, type Side } from '../../state/gait/gait_cycle';
import { GaitSampler, type Signal } from '../../state/gait/gait_sample';
import { has_gait_cycles, leg_length_of } from '../../state/figure/legs';
import type { Member } from '../../state/room/roster';
import { type Band, kSource, people_at, share_within } from '../../state/gait/walk_reference';
import { kRootSize } from '../../net/frame';
import type { Context } from '../page/context';
import { needs } from '../page/context';
import { CyclePlot, type CyclePlotOptions, kLegColors } from './cycle_plot';
import { h, throttled, write } from '../parts/dom';
import { gait_figures } from './gait_figures';
import { asked_speed } from '../character/gait_panel';
import type { Sheet, SheetWork } from '../parts/later';

const kFastest_mps = 2;
const kTrust_ms = 1000; // for this long after the slider was moved, older values from the server do not move it back
const kSlowest_mps = 0.1; // asked of people: slower is no walk

type Plotted = CyclePlotOptions & { readonly key: Signal };

const kInverse =
  'Calculated from poses and ground forces, by inverse dynamics in the plane of the walk. Above 0 the muscles ' +
  'drive the joint, below they brake it. Per kg of the body; cut off beyond 6.';

const kPlots: readonly Plotted[] = [
  {
    key: 'hip',
    title: 'Hip',
    unit: '°, flexed is up',
    digits: 0,
    range: [-30, 50],
    tick: 20,
    hint: 'Angle of the thigh, forward of the vertical',
  },
  {
    key: 'knee',
    title: 'Knee',
    unit: '°, flexed is up',
    digits: 0,
    range: [0, 80],
    tick: 20,
    hint: 'Angle between shank and thigh; 0 is straight',
  },
  {
    key: 'ankle',
    title: 'Ankle',
    unit: '°, toes up is up',
    digits: 0,
    range: [-40, 20],
    tick: 20,
    hint: 'Angle between foot and shank; 0 is a right angle',
  },
  {
    key: 'vertical_force',
    title: 'Ground force',
    unit: 'body weights',
    digits: 2,
    range: [0, 1.5],
    limit: [0, 2],
    tick: 0.5,
    hint: 'Upward force of the ground on each foot, in body weights; cut off above 2',
  },
  {
    key: 'hip_power',
    title: 'Hip power',
    unit: 'W/kg',
    digits: 1,
    range: [-2, 2],
    limit: [-6, 6],
    tick: 1,
    hint: kInverse,
  },
  {
    key: 'knee_power',
    title: 'Knee power',
    unit: 'W/kg',
    digits: 1,
    range: [-2, 2],
    limit: [-6, 6],
    tick: 1,
    hint: kInverse,
  },
  {
    key: 'ankle_power',
    title: 'Ankle power',
    unit: 'W/kg',
    digits: 1,
    range: [-2, 4],
    limit: [-6, 6],
    tick: 1,
    hint: kInverse,
  },
];

function legend(): HTMLElement {
  const key = (kind: string, text: string, color: string, title: string) => {
    const element = h('span', { class: `lab-key lab-key-${kind}`, text, title });
    element.style.setProperty('--key', `var(${color})`);
    return element;
  };
  return h(
    'div',
    { class: 'lab-legend' },
    key('line', 'left', kLegColors[0], 'Thick: the present cycle. Thin: mean of the last five'),
    key('line', 'right', kLegColors[1], 'Thick: the present cycle. Thin: mean of the last five'),
    key(
      'band',
      'real people ± 1 SD',
      '--people',
      `At this speed, with legs of this length. ${kSource}`,
    ),
    key('mark', 'foot off', '--faint', 'Where the foot leaves the ground; dashed: real people'),
  );
}

export function gait_lab(context: Context, { element, open }: Sheet): SheetWork {
  const { selection, steering, world } = context;
  const cycles = new GaitCycles();
  const plots = kPlots.map((options) => ({ options, plot: new CyclePlot(options) }));
  const figures = gait_figures();
  let cursor: number | undefined;
  for (const { plot } of plots) plot.on_cursor = (share) => (cursor = share);

  const who = h('span', { class: 'lab-who' });
  const strides = h('span', {
    class: 'faint lab-strides',
    attributes: { 'data-test': 'lab-strides' },
  });
  const asked = h('output', { attributes: { 'data-test': 'lab-asked' } });
  const slider = h('input', {
    title: 'Desired speed; 0 stands still',
    attributes: {
      ...{ type: 'range', min: '0', max: String(kFastest_mps), step: '0.05', id: 'lab-speed' },
      'data-test': 'lab-speed-slider',
    },
  });
  needs('player', slider);
  let touched_ms = -Infinity;
  let asked_mps = 0;
  const go = throttled(80, (speed: number) =>
    speed > 0 ? steering.set_velocity(speed, 0) : steering.stop(),
  );
  slider.addEventListener('input', () => {
    touched_ms = performance.now();
    go(Number(slider.value));
    tell_asked(Number(slider.value));
  });
  const tell_asked = (speed: number) => {
    asked_mps = speed;
    write(asked, `${speed.toFixed(2)} m/s`);
  };
  const place_slider = (speed: number) => {
    slider.value = String(speed);
    tell_asked(speed);
  };
  const close = h('button', {
    class: 'quiet',
    text: '×',
    title: 'Close the gait lab',
    attributes: { 'aria-label': 'Close the gait lab', 'data-test': 'lab-close' },
    on: { click: () => open.set(false) },
  });
  const note = h('p', {
    class: 'lab-note',
    text: 'Select someone who walks on two legs. The plots show the first one selected.',
  });
  element.append(
    h(
      'header',
      { class: 'lab-head' },
      h('h2', { text: 'Gait lab' }),
      who,
      h(
        'div',
        { class: 'lab-speed' },
        h('label', { text: 'Speed', attributes: { for: 'lab-speed' } }),
        slider,
        asked,
      ),
      legend(),
      strides,
      close,
    ),
    note,
    h(
      'div',
      // It scrolls where it is narrow: by arrow keys, too.
      { class: 'lab-grid', attributes: { tabindex: '0', role: 'group', 'aria-label': 'Plots' } },
      ...plots.map(({ plot }) => plot.element),
      h('div', { class: 'lab-figures-box' }, figures.element),
    ),
  );

  let sampler: { of: GaitSampler; id: number; skeleton: Member['skeleton'] } | undefined;
  let leg_length = 0;
  const member = (): Member | undefined => {
    const id = selection.first;
    const found = id === undefined ? undefined : world.cast.value.by_id.get(id);
    return found && found.complete && has_gait_cycles(found) ? found : undefined;
  };
  const refresh = () => {
    const now = open.value ? member() : undefined;
    note.hidden = now !== undefined;
    element.classList.toggle('nobody', now === undefined);
    write(who, now ? `${now.skeleton.title} ${now.id}` : '');
    if (now && now.id === sampler?.id && now.skeleton === sampler.skeleton) return;
    cycles.clear();
    sampler = now && { of: new GaitSampler(now.skeleton), id: now.id, skeleton: now.skeleton };
    leg_length = now ? leg_length_of(now.skeleton) : 0;
  };
  open.watch(refresh);
  selection.ids.watch(refresh);
  world.cast.watch(refresh);

  world.details.watch((all) => {
    const now = open.value ? member() : undefined;
    const live = now && all.get(now.id);
    const frame = world.frame.value;
    // The details of a frame come right after it; those of another one do not fit its poses.
    if (!sampler || !live || !frame || frame.tick !== live.tick) return;
    const { details, tick } = live;
    const time_s = tick * (world.hello.value?.tick_s ?? 1 / 60);
    const root = kRootSize * now.index;
    const sample = sampler.of.push(
      time_s,
      frame.roots,
      root,
      frame.joints,
      now.coordinate,
      details,
    );
    if (sample) cycles.add(sample);
    if (performance.now() - touched_ms < kTrust_ms) return;
    place_slider(asked_speed(details));
  });

  const draw = () => {
    if (!open.value || !sampler) return;
    const own = cycles.figures();
    const people = own && people_at(Math.max(kSlowest_mps, own.speed), leg_length);
    figures.show(own, people, asked_mps);
    const count = cycles.count;
    write(
      strides,
      count > 0 ? `thin lines: mean of ${count} cycles` : 'waiting for a full gait cycle …',
    );
    strides.dataset['count'] = String(count);
    const live = [cycles.live(0), cycles.live(1)] as const;
    for (const { options, plot } of plots) {
      const { key } = options;
      const band = people?.bands.get(key);
      const leg = (side: Side) => ({
        mean: cycles.mean(side)?.[key],
        live: live[side]?.curves[key],
        phase: live[side]?.phase ?? [],
        foot_off: cycles.foot_off(side),
      });
      const legs = [leg(0), leg(1)] as const;
      const means = legs.flatMap(({ mean }) => (mean ? [mean] : []));
      plot.draw({
        legs,
        band,
        people_foot_off: people?.foot_off,
        cursor,
        note: band && means.length > 0 ? `${inside(means, band)} % in the band` : '',
      });
    }
  };
  return { draw };
}

/** % of the cycle that the curves are inside people's band, mean of the curves. */
function inside(curves: readonly (readonly number[])[], band: Band): string {
  const sum = curves.reduce((total, curve) => total + share_within(curve, band), 0);
  return (sum / curves.length).toFixed(0);
}

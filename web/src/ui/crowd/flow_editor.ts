// The editor of who comes and goes: tools that paint on the ground, the list of what is painted, and plots of what comes
// of it.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import { FlowDoc } from '../../state/flow/flow_doc';
import { FlowRates } from '../../state/flow/flow_rates';
import type { Tool } from '../../state/flow/flow_shapes';
import { kLookingBack } from '../room/actions';
import { apply_rights, type Context, needs } from '../page/context';
import { h, write } from '../parts/dom';
import { SliderRow } from '../editor/slider_row';
import { is_narrow } from '../page/narrow';
import { Plot } from '../parts/plot';
import { FlowItems } from './flow_items';
import { FlowLink } from './flow_link';
import { FlowPainter, type Hand } from './flow_painter';

const kPollEvery_ms = 1000;
const kPlot_s = 120;
const kAlarm_m = 15;
const kUsualPeople = 5000; // that a flow lets in at once where it does not say

const kTools: readonly { readonly tool: Tool; readonly text: string; readonly hint: string }[] = [
  { tool: 'entrance', text: 'Entrance', hint: 'Drag a rectangle: people come in there' },
  { tool: 'exit', text: 'Exit', hint: 'Drag a rectangle: people leave there' },
  { tool: 'wall', text: 'Wall', hint: 'Draw a line that people walk around' },
  { tool: 'bench', text: 'Bench', hint: 'Draw a row: people stay there side by side' },
  { tool: 'sight', text: 'Sight', hint: 'Drag outwards: people gather around it' },
  { tool: 'queue', text: 'Queue', hint: 'Draw from the counter along the line' },
  { tool: 'people', text: 'People', hint: 'Drag outwards: people stand there at once' },
];

export function flow_editor(
  context: Context,
  api: Api,
  viewport: Viewport,
  panel: HTMLDetailsElement,
): HTMLElement {
  const { actions, toasts, world } = context;
  const doc = new FlowDoc();
  const painter = new FlowPainter(doc, viewport);
  const rates = new FlowRates();
  const link = new FlowLink(api, doc, () =>
    world.lookback.on.value
      ? kLookingBack
      : world.can_command
        ? undefined
        : 'Changing who comes and goes needs the operator role.',
  );
  const rights = (element: HTMLElement) => apply_rights(element, world);

  painter.on_full = () => toasts.show('There are as many of these as there may be.', 'error');
  painter.on_alarm = ([x, y]) => {
    const value = { centerM: [x, y], radiusM: kAlarm_m };
    void actions.send({ case: 'alarm', value }).then(({ kind }) => {
      if (kind === 'done') toasts.show(`Alarm: all within ${kAlarm_m} m flee.`);
    });
  };

  const tools = kTools.map(({ tool, text, hint }) => tool_button(painter, tool, text, hint));
  const select = tool_button(painter, 'select', 'Select', 'Click an item, or drag it elsewhere');
  const alarm = tool_button(
    painter,
    'alarm',
    'Alarm',
    `Then click a place on the ground: people within ${kAlarm_m} m flee from it`,
  );
  alarm.classList.add('alarm');
  const undo = h('button', {
    text: '↶',
    title: 'Undo (Ctrl Z)',
    attributes: { 'aria-label': 'Undo', 'data-test': 'flow-undo' },
    on: { click: () => doc.undo() },
  });
  const redo = h('button', {
    text: '↷',
    title: 'Redo (Ctrl Shift Z)',
    attributes: { 'aria-label': 'Redo', 'data-test': 'flow-redo' },
    on: { click: () => doc.redo() },
  });
  const status = h('p', {
    class: 'flow-status',
    attributes: { role: 'status', 'data-test': 'flow-status' },
  });
  const most = new SliderRow({
    ...{ title: 'Most people', unit: '', low: 1, high: 2000, step: 1, test: 'flow-most' },
    hint: 'How many may be here at once',
  });
  most.on_change = (value) =>
    doc.change('most', (flow) => {
      flow.most_people = value;
      flow.present_at_start = Math.min(value, flow.present_at_start ?? 0);
    });
  most.on_end = () => doc.separate();
  const stops = new SliderRow({
    ...{ title: 'Stops', unit: '', low: 0, high: 6, step: 1, test: 'flow-stops' },
    hint: 'Benches, sights and queues that somebody visits, at most',
  });
  stops.on_change = (value) =>
    doc.change('stops', (flow) => {
      flow.most_stops = value;
      flow.least_stops = Math.min(value, flow.least_stops ?? 0);
    });
  stops.on_end = () => doc.separate();
  const close = h('button', {
    text: 'Let everybody leave',
    title: 'Nobody comes in any more; all who are here go to an exit',
    attributes: { 'data-test': 'flow-close' },
    on: {
      click: () =>
        doc.change(undefined, (flow) => {
          for (const entrance of flow.entrances) entrance.rates = [{ at_s: 0, per_minute: 0 }];
          flow.places = [];
          flow.queues = [];
          flow.gatherings = [];
          flow.least_stops = flow.most_stops = 0;
        }),
    },
  });
  needs('operator', ...tools, alarm, close, most.slider, stops.slider);
  const items = new FlowItems(doc, () => viewport.away, rights);

  const through = new Plot({
    ...{ title: 'People a minute', unit: '/ min', digits: 0, least_span: 10, window_s: kPlot_s },
    hint: 'Over the last half minute; the last two minutes are shown',
    series: [
      { name: 'in', color: '--plot-1' },
      { name: 'out', color: '--plot-2' },
    ],
  });
  const speed = new Plot({
    ...{ title: 'Mean speed', unit: 'm/s', digits: 2, least_span: 1, window_s: kPlot_s },
    hint: 'Of all who come and go, those who stand included',
    series: [{ name: 'mean', color: '--plot-3' }],
  });
  const count = new Plot({
    ...{ title: 'People', unit: '', digits: 0, least_span: 10, window_s: kPlot_s },
    hint: 'Who is in the scene, and who waits for room at an entrance',
    series: [
      { name: 'here', color: '--plot-1' },
      { name: 'waiting', color: '--plot-4' },
    ],
  });

  let taken = false; // while a loaded flow is taken over, which is not to be sent back
  const load = async () => {
    taken = true;
    const problem = await link.load();
    taken = false;
    write(status, problem ?? '');
  };
  doc.flow.watch((flow) => {
    undo.toggleAttribute('disabled', !doc.can_undo);
    redo.toggleAttribute('disabled', !doc.can_redo);
    close.toggleAttribute('disabled', !doc.complete || !world.can_command);
    // Only people who come and go flee.
    alarm.hidden = !doc.complete;
    if (alarm.hidden && painter.hand.value === 'alarm') painter.hand.set('none');
    most.show(flow?.most_people || kUsualPeople);
    stops.show(flow?.most_stops ?? 0);
    // What was loaded has nothing before it or after it.
    if (!taken && (doc.can_undo || doc.can_redo)) link.changed();
  });
  link.refusal.watch((refusal) => {
    items.refuse(refusal);
    painter.wrong = refusal?.item;
    status.classList.toggle('wrong', refusal !== undefined);
    write(
      status,
      refusal && !refusal.item ? refusal.text : refusal ? 'Not taken over: see below.' : '',
    );
  });

  let timer: ReturnType<typeof setInterval> | undefined;
  const poll = async () => {
    if (document.hidden) return;
    const figures = await link.figures();
    if (!figures || !timer) return;
    const time_s = figures.time_s ?? 0;
    if (rates.add(figures)) {
      const [into, out] = [rates.all('entered'), rates.all('left')];
      if (into !== undefined && out !== undefined) through.add(time_s, [into, out]);
      if (figures.people) speed.add(time_s, [figures.mean_speed_mps ?? 0]);
      count.add(time_s, [figures.people ?? 0, figures.waiting ?? 0]);
    }
    items.tell(rates, figures);
    for (const plot of [through, speed, count]) plot.draw();
  };
  const turn = (on: boolean) => {
    painter.show(on);
    clearInterval(timer);
    timer = undefined;
    if (!on) {
      link.forget();
      return;
    }
    void load().then(poll);
    timer = setInterval(() => void poll(), kPollEvery_ms);
  };
  panel.addEventListener('toggle', () => turn(panel.open));
  if (panel.open) turn(true);
  world.scene.watch(() => {
    painter.hand.set('none');
    for (const plot of [through, speed, count]) plot.clear();
    if (timer) void load();
  });
  panel.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) doc.redo();
    else doc.undo();
  });

  const element = h(
    'div',
    { class: 'flow' },
    h('h3', { text: 'Who comes and goes' }),
    h('div', { class: 'buttons flow-main' }, select, undo, redo, alarm),
    h('div', { class: 'buttons flow-tools', attributes: { 'data-test': 'flow-tools' } }, ...tools),
    status,
    most.element,
    stops.element,
    items.element,
    close,
    through.element,
    speed.element,
    count.element,
  );
  add_hand_bar(painter, doc, rights);
  return element;
}

/** A mouse or finger takes the tool in hand; the keyboard puts an item into the middle of the picture. */
function tool_button(
  painter: FlowPainter,
  hand: Exclude<Hand, 'none'>,
  text: string,
  hint: string,
): HTMLButtonElement {
  const button = h('button', {
    text,
    title: hint,
    attributes: { 'aria-pressed': 'false', 'data-tool': hand },
  });
  button.addEventListener('click', ({ detail }) => {
    if (detail === 0 && hand !== 'select' && hand !== 'alarm')
      return painter.put_in_the_middle(hand);
    painter.hand.set(painter.hand.value === hand ? 'none' : hand);
  });
  painter.hand.watch((now) => button.setAttribute('aria-pressed', String(now === hand)));
  return button;
}

/** What stands below the picture while a tool is in hand: what to do, and its end. */
function add_hand_bar(
  painter: FlowPainter,
  doc: FlowDoc,
  rights: (element: HTMLElement) => void,
): void {
  const words = h('span', { class: 'flow-hint' });
  const button = (text: string, test: string, click: () => void) =>
    h('button', { text, attributes: { 'data-test': test }, on: { click } });
  const remove = button('Remove', 'flow-hand-remove', () => {
    const { value: id } = doc.selected;
    if (id) doc.remove(id);
  });
  needs('operator', remove);
  const undo = button('Undo', 'flow-hand-undo', () => doc.undo());
  const done = button('Done', 'flow-hand-done', () => painter.hand.set('none'));
  done.title = 'Put the tool down (Esc)';
  const bar = h(
    'div',
    { class: 'hand flow-hand', attributes: { role: 'toolbar', 'aria-label': 'Painting' } },
    ...[words, undo, remove, done],
  );
  document.querySelector('.bottom .hand')?.after(bar);
  const refresh = () => {
    const { value: hand } = painter.hand;
    bar.hidden = hand === 'none';
    remove.hidden = hand !== 'select' || !doc.selected.value;
    undo.hidden = hand === 'alarm';
    undo.disabled = !doc.can_undo;
    const tool = kTools.find(({ tool: one }) => one === hand);
    const select = 'Click an item, or drag it elsewhere';
    write(words, tool?.hint ?? (hand === 'alarm' ? 'Click a place on the ground' : select));
    if (!bar.hidden) rights(bar);
  };
  painter.hand.watch(refresh);
  painter.hand.watch((hand) => {
    if (hand === 'none' || !is_narrow()) return;
    // The sheet of panels covers the ground that is painted on.
    document.querySelector<HTMLElement>('[aria-label="Panels"][aria-expanded="true"]')?.click();
  });
  doc.selected.watch(refresh);
  doc.flow.watch(refresh);
  // Before the picture's own meaning of these keys.
  window.addEventListener(
    'keydown',
    (event) => {
      if (painter.hand.value === 'none') return;
      const { value: id } = doc.selected;
      if (event.key === 'Escape') painter.hand.set('none');
      else if (event.key === 'Delete' && id && event.target instanceof HTMLCanvasElement)
        doc.remove(id);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

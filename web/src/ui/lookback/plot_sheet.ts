// The sheet with the large plot: what is plotted, of whom, over which time; and the table of it for other programs.
import { csv_of } from '../../state/values/csv';
import { mark_text, name_of } from '../../state/recording/marks';
import { type Quantity, quantities_of } from '../../state/recording/quantities';
import { Series } from '../../state/recording/series';
import { BigPlot, type BigPicture, type Curve } from './big_plot';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import { download } from '../parts/download';
import type { Sheet, SheetWork } from '../parts/later';

const kSpans_s = [2, 5, 10, 30, 60] as const;
const kMost = 4; // characters
const kNear_ms = 1; // of the line: what happened there is told
const kLeastBudget_ms = 8; // for reading the recording, each time it is drawn
const kMostBudget_ms = 100;
const kBudget = 0.15; // of the time, where pictures take long
const kDashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

export function plot_sheet({ selection, world }: Context, { element, open }: Sheet): SheetWork {
  const { lookback, recording } = world;
  let quantities: readonly Quantity[] = [];
  let span_ms = 10_000;
  let key = 'speed';
  const series = new Map<string, Series>();
  const plot = new BigPlot();
  plot.on_press = (t_ms) => lookback.enter(t_ms);
  plot.on_zoom = (factor) => set_span(span_ms * factor);

  const what = h('select', {
    attributes: { 'aria-label': 'What is plotted', 'data-test': 'plot-what' },
    on: { change: () => (key = what.value) },
  });
  const spans = h('select', {
    attributes: { 'aria-label': 'Length of time shown', 'data-test': 'plot-span' },
    on: { change: () => set_span(1000 * Number(spans.value)) },
  });
  spans.append(
    ...kSpans_s.map((s) => h('option', { text: `${s} s`, attributes: { value: String(s) } })),
  );
  const set_span = (ms: number) => {
    span_ms = Math.min(60_000, Math.max(500, ms));
    const near = kSpans_s.find((s) => Math.abs(1000 * s - span_ms) < 50);
    spans.value = near === undefined ? '' : String(near);
  };
  set_span(span_ms);
  const legend = h('div', { class: 'plots-legend', attributes: { 'data-test': 'plot-legend' } });
  const empty = h('p', {
    class: 'plots-empty',
    text: 'Select someone to plot. Shift-click adds another.',
  });
  element.append(
    h(
      'div',
      { class: 'plots-head' },
      what,
      spans,
      legend,
      h('button', {
        text: 'CSV',
        title: 'Download the shown values as a table (CSV)',
        attributes: { 'data-test': 'plot-csv' },
        on: { click: () => save() },
      }),
      h('button', {
        class: 'quiet',
        text: '×',
        title: 'Close the plot',
        attributes: { 'aria-label': 'Close the plot' },
        on: { click: () => open.set(false) },
      }),
    ),
    h('div', { class: 'plots-body' }, plot.element, empty),
  );

  const member_of = (id: number) => world.pose.cast.by_id.get(id) ?? world.cast.value.by_id.get(id);
  /** Whom to plot: the selected characters, or the only one. */
  const ids = (): readonly number[] => {
    const { members } = world.pose.cast;
    const chosen = selection.ids.value.filter((id) => member_of(id)?.thing === false);
    return chosen.length > 0 || members.length !== 1
      ? chosen.slice(0, kMost)
      : members.map(({ id }) => id);
  };
  let drawn_ms = performance.now();
  let listed: unknown;
  const list = () => {
    const [first] = ids();
    const skeleton = first === undefined ? undefined : member_of(first)?.skeleton;
    if (skeleton === listed && quantities.length > 0) return;
    listed = skeleton;
    quantities = quantities_of(skeleton);
    const groups = [...new Set(quantities.map(({ group }) => group))];
    what.replaceChildren(
      ...groups.map((group) =>
        h(
          'optgroup',
          { attributes: { label: group } },
          ...quantities
            .filter((one) => one.group === group)
            .map((one) => h('option', { text: one.title, attributes: { value: one.key } })),
        ),
      ),
    );
    if (!quantities.some((one) => one.key === key)) key = 'speed';
    what.value = key;
  };
  const curves = (quantity: Quantity): Curve[] => {
    const wanted = ids();
    const names = new Set(wanted.map((id) => `${id} ${quantity.key}`));
    for (const name of series.keys()) if (!names.has(name)) series.delete(name);
    return wanted.map((id, i) => {
      const name = `${id} ${quantity.key}`;
      let one = series.get(name);
      if (one?.quantity !== quantity) series.set(name, (one = new Series(recording, id, quantity)));
      const member = member_of(id);
      return {
        name: member ? name_of(member) : String(id),
        color: `--plot-${(i % 4) + 1}`,
        dash: kDashes[i % kDashes.length] as readonly number[],
        series: one,
      };
    });
  };
  const picture = (): BigPicture | undefined => {
    list();
    const quantity = quantities.find((one) => one.key === key);
    if (!quantity) return undefined;
    const shown = curves(quantity);
    const end_ms = recording.to_ms;
    const now_ms = lookback.on.value ? lookback.t_ms : end_ms;
    // The moment that is looked at stays in the middle, as far as there is anything on both sides.
    const half = lookback.on.value ? span_ms / 2 : 0;
    const to_ms = Math.max(recording.from_ms + span_ms, Math.min(end_ms, now_ms + half));
    const marks = recording.marks.filter(
      ({ character, kind }) =>
        kind === 'scene' || shown.some(({ series: one }) => one.id === character),
    );
    return { from_ms: to_ms - span_ms, to_ms, end_ms, now_ms, quantity, curves: shown, marks };
  };
  const save = () => {
    const now = picture();
    if (!now) return;
    for (const { series: one } of now.curves) one.update(Infinity);
    download('promenade.csv', new Blob([table(now)], { type: 'text/csv' }));
  };

  open.watch((on) => {
    document.documentElement.classList.toggle('plotting', on);
    if (!on) series.clear();
  });
  return {
    draw() {
      if (!open.value) return;
      const now = picture();
      if (!now) return;
      const since_ms = performance.now() - drawn_ms;
      drawn_ms += since_ms;
      const all_ms = Math.min(kMostBudget_ms, Math.max(kLeastBudget_ms, kBudget * since_ms));
      const budget_ms = all_ms / Math.max(1, now.curves.length);
      for (const { series: one } of now.curves) one.update(budget_ms);
      empty.hidden = now.curves.length > 0;
      plot.draw(now);
      tell(legend, now, plot);
    },
  };
}

/** The names of the curves with the values at the pointer, or at the moment that the picture shows. */
function tell(legend: HTMLElement, now: BigPicture, plot: BigPlot): void {
  const { quantity } = now;
  while (legend.children.length > now.curves.length) legend.lastElementChild?.remove();
  const told = now.curves.map(({ name, color, series }, i) => {
    let row = legend.children[i] as HTMLElement | undefined;
    if (!row) legend.append((row = h('span', { class: 'plot-key plots-key' })));
    row.style.setProperty('--key', `var(${color})`);
    const value = series.at(plot.told_ms(now));
    const text = Number.isNaN(value)
      ? `${name}: –`
      : `${name}: ${value.toFixed(quantity.digits)} ${quantity.unit}`;
    write(row, text);
    return text;
  });
  const seconds = (t_ms: number) => ((t_ms - now.end_ms) / 1000).toFixed(1);
  const at_ms = plot.told_ms(now);
  const mark = now.marks.find(({ t_ms }) => Math.abs(t_ms - at_ms) < kNear_ms);
  const texts = [
    `${seconds(at_ms).slice(1) || '0'} s ago`,
    ...told,
    ...(mark ? [mark_text(mark)] : []),
  ];
  const { element } = plot;
  element.setAttribute('aria-label', `Plot: ${quantity.title}`);
  element.setAttribute('aria-valuemin', seconds(now.from_ms));
  element.setAttribute('aria-valuemax', seconds(now.to_ms));
  element.setAttribute('aria-valuenow', seconds(at_ms));
  element.setAttribute('aria-valuetext', texts.join('. '));
}

/** The rows that are shown; what happened stands beside the time that it happened at. */
function table({ curves, quantity, from_ms, to_ms, marks }: BigPicture): string {
  const unit = quantity.unit ? ` (${quantity.unit})` : '';
  const head = [
    'time (s)',
    ...curves.map(({ name }) => `${name} ${quantity.title}${unit}`),
    'event',
  ];
  const [first] = curves;
  const rows: (string | number)[][] = [];
  for (let i = 0; first && i < first.series.length; ++i) {
    const t_ms = first.series.time_ms(i);
    if (t_ms < from_ms || t_ms > to_ms) continue;
    const next_ms = first.series.time_ms(i + 1) || Infinity;
    const happened = marks.filter((mark) => mark.t_ms >= t_ms && mark.t_ms < next_ms);
    rows.push([
      Number((t_ms / 1000).toFixed(4)),
      ...curves.map(({ series }) => Number(series.at(t_ms).toPrecision(7))),
      happened.map(mark_text).join('; '),
    ]);
  }
  return csv_of(head, rows);
}

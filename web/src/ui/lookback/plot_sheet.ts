// The sheet with the large plot: its quantities, characters and time; and the table of it for other programs.
import { down_words, leg_rows } from '../../state/gait/footfalls';
import { csv_of } from '../../state/values/csv';
import { mark_text, name_of } from '../../state/recording/marks';
import type { Quantity } from '../../state/recording/quantities';
import { Series } from '../../state/recording/series';
import type { Member } from '../../state/room/roster';
import type { World } from '../../state/room/world';
import { footfalls_at } from '../gait/footfall_bars';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import { download } from '../parts/download';
import type { Sheet, SheetWork } from '../parts/later';
import { BigPlot, type BigPicture, type Curve } from './big_plot';
import { QuantityChoice, SpanChoice } from './plot_choices';

const kMost = 4; // characters
const kNear_ms = 1; // of the line: what happened there is told
const kLeastBudget_ms = 8; // for reading the recording, each time it is drawn
const kMostBudget_ms = 100;
const kBudget = 0.15; // of the time, where pictures take long
const kDashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

export function plot_sheet(context: Context, sheet: Sheet): SheetWork {
  return new PlotSheet(context, sheet);
}

class PlotSheet implements SheetWork {
  private readonly world_: World;
  private readonly plot_ = new BigPlot();
  private readonly what_ = new QuantityChoice();
  private readonly span_ = new SpanChoice();
  private readonly legend_ = h('div', {
    class: 'plots-legend',
    attributes: { 'data-test': 'plot-legend' },
  });
  private readonly empty_ = h('p', {
    class: 'plots-empty',
    text: 'Select someone to plot. Shift-click adds another.',
  });
  private readonly series_ = new Map<string, Series>(); // by character and quantity
  private drawn_ms_ = performance.now();

  constructor(
    private readonly context_: Context,
    private readonly sheet_: Sheet,
  ) {
    this.world_ = context_.world;
    this.plot_.on_press = (t_ms) => this.world_.lookback.enter(t_ms);
    this.plot_.on_zoom = (factor) => this.span_.set(this.span_.span_ms * factor);
    sheet_.element.append(
      h(
        'div',
        { class: 'plots-head' },
        this.what_.element,
        this.span_.element,
        this.legend_,
        ...this.make_buttons(),
      ),
      h('div', { class: 'plots-body' }, this.plot_.element, this.empty_),
    );
    sheet_.open.watch((on) => {
      document.documentElement.classList.toggle('plotting', on);
      if (!on) this.series_.clear();
    });
  }

  draw(): void {
    if (!this.sheet_.open.value) return;
    const now = this.picture();
    if (!now) return;
    const since_ms = performance.now() - this.drawn_ms_;
    this.drawn_ms_ += since_ms;
    const all_ms = Math.min(kMostBudget_ms, Math.max(kLeastBudget_ms, kBudget * since_ms));
    const budget_ms = all_ms / Math.max(1, now.curves.length);
    for (const { series } of now.curves) series.update(budget_ms);
    this.empty_.hidden = now.curves.length > 0;
    this.plot_.draw(now);
    tell(this.legend_, now, this.plot_);
  }

  private make_buttons(): readonly HTMLElement[] {
    return [
      h('button', {
        text: 'CSV',
        title: 'Download the shown values as a table (CSV)',
        attributes: { 'data-test': 'plot-csv' },
        on: { click: () => this.save() },
      }),
      h('button', {
        class: 'quiet',
        text: '×',
        title: 'Close the plot',
        attributes: { 'aria-label': 'Close the plot' },
        on: { click: () => this.sheet_.open.set(false) },
      }),
    ];
  }

  /** The curves shown now; undefined while there is no quantity to show. */
  private picture(): BigPicture | undefined {
    const { lookback, recording } = this.world_;
    const ids = this.ids();
    const [first] = ids;
    this.what_.offer(first === undefined ? undefined : this.member_of(first)?.skeleton);
    const quantity = this.what_.chosen;
    if (!quantity) return undefined;
    const curves = this.curves(quantity, ids);
    const { span_ms } = this.span_;
    const end_ms = recording.to_ms;
    const now_ms = lookback.on.value ? lookback.t_ms : end_ms;
    // The moment that is looked at stays in the middle, as far as there is anything on both sides.
    const half = lookback.on.value ? span_ms / 2 : 0;
    const to_ms = Math.max(recording.from_ms + span_ms, Math.min(end_ms, now_ms + half));
    const marks = recording.marks.filter(
      ({ character, kind }) =>
        kind === 'scene' || curves.some(({ series }) => series.id === character),
    );
    return { from_ms: to_ms - span_ms, to_ms, end_ms, now_ms, quantity, curves, marks };
  }

  /** The characters to plot: the selected ones, or the only one. */
  private ids(): readonly number[] {
    const { members } = this.world_.pose.cast;
    const chosen = this.context_.selection.ids.value.filter(
      (id) => this.member_of(id)?.thing === false,
    );
    return chosen.length > 0 || members.length !== 1
      ? chosen.slice(0, kMost)
      : members.map(({ id }) => id);
  }

  private member_of(id: number): Member | undefined {
    const { cast, pose } = this.world_;
    return pose.cast.by_id.get(id) ?? cast.value.by_id.get(id);
  }

  /** One curve for each; what was read of them stays, what was read of others is forgotten. */
  private curves(quantity: Quantity, ids: readonly number[]): Curve[] {
    const names = new Set(ids.map((id) => `${id} ${quantity.key}`));
    for (const name of this.series_.keys()) if (!names.has(name)) this.series_.delete(name);
    return ids.map((id, i) => {
      const member = this.member_of(id);
      return {
        name: member ? name_of(member) : String(id),
        color: `--plot-${(i % 4) + 1}`,
        dash: kDashes[i % kDashes.length] as readonly number[],
        series: this.series_of(id, quantity),
        legs: member && quantity.feet ? leg_rows(member.skeleton) : [],
      };
    });
  }

  private series_of(id: number, quantity: Quantity): Series {
    const name = `${id} ${quantity.key}`;
    const known = this.series_.get(name);
    if (known?.quantity === quantity) return known;
    const made = new Series(this.world_.recording, id, quantity);
    this.series_.set(name, made);
    return made;
  }

  /** Saves all that is shown as a table. */
  private save(): void {
    const now = this.picture();
    if (!now) return;
    for (const { series } of now.curves) series.update(Infinity);
    download('promenade.csv', new Blob([table(now)], { type: 'text/csv' }));
  }
}

/** The names of the curves with the values at the pointer, or at the moment that the picture shows. */
function tell(legend: HTMLElement, now: BigPicture, plot: BigPlot): void {
  const { quantity } = now;
  while (legend.children.length > now.curves.length) legend.lastElementChild?.remove();
  const told = now.curves.map((curve, i) => {
    const { name, color, series } = curve;
    let row = legend.children[i] as HTMLElement | undefined;
    if (!row) legend.append((row = h('span', { class: 'plot-key plots-key' })));
    row.style.setProperty('--key', `var(${color})`);
    const value = series.at(plot.told_ms(now));
    const text = Number.isNaN(value)
      ? `${name}: –`
      : quantity.feet
        ? `${name}: ${feet_words(curve, value, plot.told_ms(now))}`
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

/** Which feet are down, and how long a stride is. */
function feet_words({ legs, series }: Curve, down: number, t_ms: number): string {
  const found = footfalls_at(series, legs, t_ms);
  const stride = found ? `; stride ${found.stride_s.toFixed(2)} s` : '';
  return `${down_words(down, legs)}${stride}`;
}

/** The rows that are shown; what happened stands beside the time that it happened at. */
function table({ curves, quantity, from_ms, to_ms, marks }: BigPicture): string {
  const unit = quantity.unit ? ` (${quantity.unit})` : '';
  const head = [
    'time (s)',
    ...curves.flatMap(({ name, legs }) =>
      quantity.feet
        ? legs.map(({ title }) => `${name} ${title} down`)
        : [`${name} ${quantity.title}${unit}`],
    ),
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
      ...curves.flatMap(({ series, legs }) => {
        const value = series.at(t_ms);
        if (!quantity.feet) return [Number(value.toPrecision(7))];
        return legs.map(({ bit }) => (Number.isNaN(value) ? value : Math.sign(value & bit)));
      }),
      happened.map(mark_text).join('; '),
    ]);
  }
  return csv_of(head, rows);
}

// Hildebrand's diagram of the selected character, live: a row for each leg, with a bar while its foot presses on something,
// over the last two strides.
import {
  bars_of,
  type Footfalls,
  type FootSample,
  leg_rows,
  type LegRow,
  reference_of,
  samples_until,
} from '../../state/gait/footfalls';
import { kFootfalls } from '../../state/recording/quantities';
import { Series } from '../../state/recording/series';
import type { Member } from '../../state/room/roster';
import type { World } from '../../state/room/world';
import { h, write } from '../parts/dom';
import { fit_canvas } from '../parts/plot';
import { draw_bars, footfalls_at, leg_color, share_words } from './footfall_bars';

const kBudget_ms = 4; // for reading the recording, each time it is drawn
const kStrides = 2; // shown
const kNoStride_s = 2; // shown where no stride repeats

interface Row {
  readonly leg: LegRow;
  readonly canvas: HTMLCanvasElement;
  readonly duty: HTMLElement;
  readonly phase: HTMLElement;
}

export class FootfallPanel {
  readonly elements: readonly HTMLElement[];
  private readonly told_ = h('p', { class: 'faint', attributes: { 'data-test': 'stride' } });
  private readonly body_ = h('tbody', {});
  private readonly table_: HTMLElement;
  private member_: Member | undefined;
  private series_: Series | undefined;
  private rows_: readonly Row[] = [];

  constructor(private readonly world_: World) {
    const head = (text: string, title: string) =>
      h('th', { text, title, attributes: { scope: 'col' } });
    this.table_ = h(
      'table',
      { class: 'footfalls', attributes: { 'data-test': 'footfalls' } },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head('Leg', 'Its foot presses on something where there is a bar'),
          head('Last two strides', 'From one fall of the first leg, or the left hind one, on'),
          head('Duty', 'Share of the stride during which the foot is down'),
          head('Phase', 'How far the middle of its stance is behind that of the first leg'),
        ),
      ),
      this.body_,
    );
    this.elements = [this.told_, this.table_];
  }

  /** undefined: nobody is selected. */
  show(member: Member | undefined): void {
    const legs = member ? leg_rows(member.skeleton) : [];
    if (member?.id !== this.member_?.id || member?.skeleton !== this.member_?.skeleton) {
      this.series_ = member && new Series(this.world_.recording, member.id, kFootfalls);
      this.rows_ = legs.map((leg) => row_of(leg));
      this.body_.replaceChildren(...this.rows_.map(cells_of));
    }
    this.member_ = member;
  }

  draw(): void {
    const { series_: series } = this;
    if (!series) return;
    series.update(kBudget_ms);
    if (series.length === 0) return;
    const { shown_ms } = this.world_;
    const legs = this.rows_.map(({ leg }) => leg);
    const samples = samples_until(series, series.nearest(shown_ms));
    const found = footfalls_at(series, legs, shown_ms);
    this.tell(found, legs);
    const now_s = samples.at(-1)?.time_s ?? 0;
    const { stride_s = 0, begins_s = 0 } = found ?? {};
    // The picture stands still: it ends where the last stride did.
    const whole = stride_s > 0 ? Math.floor((now_s - begins_s) / stride_s) : 0;
    const to_s = stride_s > 0 ? begins_s + whole * stride_s : now_s;
    const from_s = to_s - (stride_s > 0 ? kStrides * stride_s : kNoStride_s);
    for (const { leg, canvas } of this.rows_) draw_row(canvas, leg, samples, from_s, to_s);
  }

  private tell(found: Footfalls | undefined, legs: readonly LegRow[]): void {
    this.rows_.forEach(({ duty, phase }, i) => {
      write(duty, share_words(found?.legs[i]?.duty));
      write(phase, share_words(found?.legs[i]?.phase));
    });
    const first = legs[reference_of(legs)]?.title ?? '';
    const behind = legs.length > 1 ? ` Phases are behind the ${first} leg.` : '';
    write(
      this.told_,
      found
        ? `A stride takes ${found.stride_s.toFixed(2)} s.${behind}`
        : 'No stride repeats: this is what the feet did in the last two seconds.',
    );
  }
}

function row_of(leg: LegRow): Row {
  return {
    leg,
    canvas: h('canvas', { attributes: { 'aria-hidden': 'true' } }),
    duty: h('td', { text: '–' }),
    phase: h('td', { text: '–' }),
  };
}

function cells_of({ leg, canvas, duty, phase }: Row): HTMLElement {
  const name = h('th', { text: leg.title, attributes: { scope: 'row' } });
  return h('tr', {}, name, h('td', { class: 'footfall-bars' }, canvas), duty, phase);
}

function draw_row(
  canvas: HTMLCanvasElement,
  leg: LegRow,
  samples: readonly FootSample[],
  from_s: number,
  to_s: number,
): void {
  const pen = fit_canvas(canvas);
  if (!pen) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const x = (time_s: number) => ((time_s - from_s) / (to_s - from_s)) * width;
  const style = getComputedStyle(canvas);
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = style.getPropertyValue('--line');
  for (const at of [0, width / 2, width]) pen.fillRect(Math.min(width - 1, at), 0, 1, height);
  pen.fillStyle = style.getPropertyValue(leg_color(leg));
  draw_bars(pen, bars_of(samples, leg.bit), x, 3, height - 6);
}

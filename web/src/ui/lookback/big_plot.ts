// A plot that one reads: curves of several characters over the time of the recording, with axes, events and the value
// under the pointer.
import type { LegRow } from '../../state/gait/footfalls';
import type { Mark } from '../../state/recording/marks';
import type { Quantity } from '../../state/recording/quantities';
import { digits_for, round_numbers, round_step } from '../../state/values/scale';
import type { Series } from '../../state/recording/series';
import { h } from '../parts/dom';
import { fit_canvas } from '../parts/plot';
import { draw_feet, feet_margin } from './footfall_rows';
import { draw_mark, kMarkColors } from './timeline_track';

export interface Curve {
  readonly name: string;
  readonly color: string; // a CSS variable
  readonly dash: readonly number[]; // px, so that curves are told apart without colour, too
  readonly series: Series;
  readonly legs: readonly LegRow[]; // of a quantity that tells of feet
}

export interface BigPicture {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly end_ms: number; // of the recording: times are told before it
  readonly now_ms: number; // the moment that the picture shows
  readonly quantity: Quantity;
  readonly curves: readonly Curve[];
  readonly marks: readonly Mark[];
}

const kMargin = { left: 48, right: 12, top: 18, bottom: 22 } as const; // px
const kSteps = 100; // of an arrow key from one end to the other
const kZoom = 1.5;
const kFont = '12px system-ui, sans-serif';

/** The keys of a plot that has the focus. */
export const kPlotKeys = {
  ArrowLeft: 'back',
  ArrowRight: 'on',
  PageUp: 'event before',
  PageDown: 'event after',
  Home: 'begin',
  End: 'end',
  Enter: 'look back there',
  '+': 'zoom in',
  '-': 'zoom out',
} as const satisfies Readonly<Record<string, string>>;
type PlotDeed = (typeof kPlotKeys)[keyof typeof kPlotKeys];

export class BigPlot {
  readonly element = h('canvas', {
    class: 'big-plot',
    attributes: { role: 'slider', tabindex: '0', 'aria-label': 'Plot', 'aria-valuenow': '0' },
  });
  /** Called with a time that is pressed. */
  on_press: (t_ms: number) => void = () => {};
  /** Called with a factor and the time that is to stay in its place. */
  on_zoom: (factor: number, t_ms: number) => void = () => {};
  /** Where the pointer is, or where arrow keys have put the line; undefined: neither is on the plot. */
  pointer_ms: number | undefined;
  private picture_: BigPicture | undefined;

  constructor() {
    const time = (event: MouseEvent) => this.time_at(event.clientX);
    this.element.addEventListener('pointermove', (event) => {
      this.pointer_ms = time(event);
      if (event.buttons & 1) this.on_press(this.pointer_ms);
    });
    this.element.addEventListener('pointerdown', (event) => {
      this.pointer_ms = time(event);
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      this.on_press(this.pointer_ms);
    });
    for (const end of ['pointerleave', 'pointercancel'] as const)
      this.element.addEventListener(end, () => (this.pointer_ms = undefined));
    this.element.addEventListener('blur', () => (this.pointer_ms = undefined));
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.element.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.on_zoom(Math.exp(0.002 * event.deltaY), time(event));
    });
  }

  draw(picture: BigPicture): void {
    this.picture_ = picture;
    const pen = fit_canvas(this.element);
    if (!pen) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    const style = getComputedStyle(this.element);
    const color = (name: string) => style.getPropertyValue(name);
    const [low, high] = range_of(picture);
    const x = (t_ms: number) => this.x_of(t_ms);
    const bottom = height - kMargin.bottom;
    const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - kMargin.top);
    pen.clearRect(0, 0, width, height);
    pen.font = kFont;
    if (!picture.quantity.feet) this.draw_values_axis(pen, picture, low, high, y, color);
    this.draw_time_axis(pen, picture, color);
    if (picture.quantity.feet) this.draw_footfalls(pen, picture, x, color);
    pen.save();
    pen.beginPath();
    pen.rect(this.left, 0, width - this.left - kMargin.right, height);
    pen.clip();
    for (const mark of picture.marks) {
      if (mark.t_ms < picture.from_ms || mark.t_ms > picture.to_ms) continue;
      const ink = color(kMarkColors[mark.kind]);
      pen.fillStyle = ink;
      pen.globalAlpha = 0.4;
      pen.fillRect(x(mark.t_ms) - 0.5, kMargin.top, 1, bottom - kMargin.top);
      pen.globalAlpha = 1;
      draw_mark(pen, mark.kind, x(mark.t_ms), 8, ink);
    }
    if (!picture.quantity.feet)
      for (const curve of picture.curves) draw_curve(pen, curve, picture, x, y, color(curve.color));
    this.draw_line(pen, x(picture.now_ms), bottom, color('--accent'));
    if (this.pointer_ms !== undefined)
      this.draw_line(pen, x(this.pointer_ms), bottom, color('--soft'));
    if (!picture.quantity.feet) this.draw_values(pen, picture, x, y, color);
    pen.restore();
  }

  /** Arrows move the line at which values are told, Page Up and Down lead to events, + and - change the time shown. */
  private key(event: KeyboardEvent): void {
    const now = this.picture_;
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    const at_ms = this.told_ms(now);
    const step_ms = ((now.to_ms - now.from_ms) / kSteps) * (event.shiftKey ? 10 : 1);
    const marks = now.marks.filter(({ t_ms }) => t_ms >= now.from_ms && t_ms <= now.to_ms);
    const does = kPlotKeys[event.key as keyof typeof kPlotKeys];
    const to: Readonly<Partial<Record<PlotDeed, number>>> = {
      back: at_ms - step_ms,
      on: at_ms + step_ms,
      begin: now.from_ms,
      end: now.to_ms,
      'event before': [...marks].reverse().find(({ t_ms }) => t_ms < at_ms - 1)?.t_ms ?? at_ms,
      'event after': marks.find(({ t_ms }) => t_ms > at_ms + 1)?.t_ms ?? at_ms,
    };
    const t_ms = to[does];
    if (t_ms !== undefined) this.pointer_ms = Math.min(now.to_ms, Math.max(now.from_ms, t_ms));
    else if (does === 'look back there') this.on_press(at_ms);
    else if (does === 'zoom in' || does === 'zoom out')
      this.on_zoom(does === 'zoom in' ? 1 / kZoom : kZoom, at_ms);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The time at which values are told. */
  told_ms(picture: BigPicture): number {
    return this.pointer_ms ?? picture.now_ms;
  }

  private draw_values_axis(
    pen: CanvasRenderingContext2D,
    { quantity: { unit } }: BigPicture,
    low: number,
    high: number,
    y: (value: number) => number,
    color: (name: string) => string,
  ): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const bottom = height - kMargin.bottom;
    const rows = Math.max(2, Math.floor((bottom - kMargin.top) / 28));
    const digits = digits_for(round_step(high - low, rows));
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    for (const value of round_numbers(low, high, rows)) {
      pen.fillStyle = color('--line');
      const thick = Math.abs(value) < 1e-9 ? 1.5 : 1;
      pen.fillRect(kMargin.left, y(value) - thick / 2, width - kMargin.left - kMargin.right, thick);
      pen.fillStyle = color('--soft');
      pen.fillText(value.toFixed(digits), kMargin.left - 6, y(value));
    }
    if (unit) {
      pen.textAlign = 'left';
      pen.fillText(unit, 6, 8);
    }
  }

  private draw_time_axis(
    pen: CanvasRenderingContext2D,
    { from_ms, to_ms, end_ms }: BigPicture,
    color: (name: string) => string,
  ): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const bottom = height - kMargin.bottom;
    pen.textBaseline = 'middle';
    const [first, last] = [(from_ms - end_ms) / 1000, (to_ms - end_ms) / 1000];
    const columns = Math.max(2, Math.floor((width - this.left) / 80));
    const places = digits_for(round_step(last - first, columns));
    pen.textAlign = 'center';
    for (const seconds of round_numbers(first, last, columns)) {
      const at = this.x_of(end_ms + 1000 * seconds);
      pen.fillStyle = color('--line');
      pen.fillRect(at - 0.5, kMargin.top, 1, bottom - kMargin.top);
      pen.fillStyle = color('--soft');
      const text = `${Math.abs(seconds) < 1e-9 ? '' : '−'}${Math.abs(seconds).toFixed(places)} s`;
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(width - half - 2, at), height - kMargin.bottom / 2);
    }
  }

  private draw_line(pen: CanvasRenderingContext2D, x: number, bottom: number, color: string): void {
    pen.fillStyle = color;
    pen.fillRect(x - 0.75, kMargin.top, 1.5, bottom - kMargin.top);
  }

  private draw_values(
    pen: CanvasRenderingContext2D,
    picture: BigPicture,
    x: (t_ms: number) => number,
    y: (value: number) => number,
    color: (name: string) => string,
  ): void {
    for (const { series, color: name } of picture.curves) {
      const i = series.nearest(this.told_ms(picture));
      const value = series.at(this.told_ms(picture));
      if (Number.isNaN(value)) continue;
      pen.fillStyle = color(name);
      pen.strokeStyle = color('--paper-solid');
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(x(series.time_ms(i)), y(value), 4.5, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
  }

  private draw_footfalls(
    pen: CanvasRenderingContext2D,
    picture: BigPicture,
    x: (t_ms: number) => number,
    color: (name: string) => string,
  ): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const { from_ms, to_ms, curves } = picture;
    draw_feet(pen, curves, from_ms, to_ms, this.told_ms(picture), {
      ...{ top: kMargin.top, bottom: height - kMargin.bottom, left: this.left },
      ...{ width: width - kMargin.right, x, color },
    });
  }

  /** Of the part with curves or bars, px. */
  private get left(): number {
    const feet = this.picture_?.quantity.feet === true;
    return feet ? feet_margin(this.element.clientWidth) : kMargin.left;
  }

  private x_of(t_ms: number): number {
    const { from_ms = 0, to_ms = 1 } = this.picture_ ?? {};
    const width = this.element.clientWidth - this.left - kMargin.right;
    return this.left + ((t_ms - from_ms) / Math.max(1, to_ms - from_ms)) * width;
  }

  private time_at(client_x: number): number {
    const { from_ms = 0, to_ms = 1 } = this.picture_ ?? {};
    const box = this.element.getBoundingClientRect();
    const width = Math.max(1, box.width - this.left - kMargin.right);
    const share = (client_x - box.left - this.left) / width;
    return from_ms + Math.min(1, Math.max(0, share)) * (to_ms - from_ms);
  }
}

/** Calls with each sample that is shown, and the last before and the first after them. */
function each_shown(
  { from_ms, to_ms }: BigPicture,
  series: Series,
  tell: (t_ms: number, value: number) => void,
): void {
  const last = Math.min(series.length - 1, series.nearest(to_ms) + 1);
  for (let i = Math.max(0, series.nearest(from_ms) - 1); i <= last; ++i)
    tell(series.time_ms(i), series.value(i));
}

/** Room for all that is shown, and never less than the quantity's least. */
function range_of(picture: BigPicture): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { series } of picture.curves)
    each_shown(picture, series, (_, value) => {
      if (Number.isNaN(value)) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    });
  if (low > high) [low, high] = [0, picture.quantity.least_span];
  const edge = Math.max(0.06 * (high - low), (picture.quantity.least_span - (high - low)) / 2);
  // A quantity that is never below zero is not drawn with room below it.
  return [low >= 0 && low < edge ? 0 : low - edge, high + edge];
}

const kBreak_ms = 2500; // no line is drawn over a longer time without samples

function draw_curve(
  pen: CanvasRenderingContext2D,
  { series, dash }: Curve,
  picture: BigPicture,
  x: (t_ms: number) => number,
  y: (value: number) => number,
  color: string,
): void {
  pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  pen.setLineDash([...dash]);
  pen.beginPath();
  let before = Number.NaN;
  each_shown(picture, series, (t_ms, value) => {
    if (Number.isNaN(value)) before = Number.NaN;
    else {
      if (t_ms - before < kBreak_ms) pen.lineTo(x(t_ms), y(value));
      else pen.moveTo(x(t_ms), y(value));
      before = t_ms;
    }
  });
  pen.stroke();
  pen.setLineDash([]);
}

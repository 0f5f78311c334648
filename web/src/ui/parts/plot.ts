// A small live plot of the last seconds: one canvas, drawn only while it is visible.
import { Timeline } from '../../state/recording/timeline';
import { h, write } from './dom';

interface Series {
  readonly name: string;
  readonly color: string; // a CSS variable, as in '--plot-1'
  readonly hint?: string;
}

interface PlotOptions {
  readonly title: string;
  readonly hint?: string;
  readonly unit: string;
  readonly digits: number;
  readonly least_span: number; // the scale never shows less than this
  readonly series: readonly Series[];
  readonly window_s?: number; // shown; left out: the last seconds
}

const kEdge_px = 3;
const kClipped_px = 3; // height of the mark where a value is above the limit

/** Gives a canvas the pixels of its place on the page. @return a pen in CSS pixels; undefined while it is not shown */
export function fit_canvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return undefined;
  const ratio = Math.min(2, window.devicePixelRatio);
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const pen = canvas.getContext('2d') ?? undefined;
  pen?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas_ = h('canvas', {
    class: 'plot-canvas',
    attributes: { 'aria-hidden': 'true' },
  });
  private readonly value_ = h('span', { class: 'plot-value' });
  private readonly timeline_: Timeline;
  private level_: number | undefined;

  constructor(private readonly options_: PlotOptions) {
    this.timeline_ = new Timeline(options_.series.length, options_.least_span, options_.window_s);
    const legend = options_.series.map(({ name, color, hint = '' }) => {
      const key = h('span', { class: 'plot-key', text: name, title: hint });
      // Not as an attribute, which the page's Content-Security-Policy forbids.
      key.style.setProperty('--key', `var(${color})`);
      return key;
    });
    this.element = h(
      'figure',
      { class: 'plot', title: options_.hint ?? '' },
      h(
        'figcaption',
        {},
        h('span', { class: 'plot-title', text: options_.title }),
        ...legend,
        this.value_,
      ),
      this.canvas_,
    );
  }

  /** Values above `limit` are drawn at the limit, with a mark. @param level where a horizontal line is drawn */
  set_limit(limit: number, level: number): void {
    this.timeline_.limit = limit;
    this.level_ = level;
  }

  /** @param time_s rising; a step back starts the plot afresh */
  add(time_s: number, values: readonly number[]): void {
    if (!this.timeline_.add(time_s, values)) return;
    const { digits, unit } = this.options_;
    write(this.value_, `${values.map((value) => value.toFixed(digits)).join(' / ')} ${unit}`);
  }

  clear(): void {
    this.timeline_.clear();
    write(this.value_, '');
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas_;
    const pen = fit_canvas(this.canvas_);
    if (!pen) return;
    pen.clearRect(0, 0, width, height);
    if (this.timeline_.empty) return;
    const style = getComputedStyle(this.canvas_);
    const { low, high } = this.timeline_.rescale();
    const y = (value: number) =>
      height - kEdge_px - ((value - low) / (high - low)) * (height - 2 * kEdge_px);
    const x = (age_s: number) => width - (age_s / this.timeline_.window_s) * width;
    pen.lineWidth = 1;
    pen.strokeStyle = style.getPropertyValue('--line');
    for (const level of [0, this.level_]) {
      if (level === undefined || level <= low || level >= high) continue;
      pen.beginPath();
      pen.moveTo(0, y(level));
      pen.lineTo(width, y(level));
      pen.stroke();
    }
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    this.options_.series.forEach(({ color }, k) => {
      pen.strokeStyle = pen.fillStyle = style.getPropertyValue(color);
      pen.beginPath();
      this.timeline_.each(k, (age_s, value) => pen.lineTo(x(age_s), y(value)));
      pen.stroke();
      this.timeline_.each(k, (age_s, _, clipped) => {
        if (clipped) pen.fillRect(x(age_s) - 1.5, 0, 3, kClipped_px);
      });
    });
    // Labels are drawn last and on a background of their own, so that steep curves do not make them unreadable.
    pen.font = '10px system-ui, sans-serif';
    this.write_label(pen, style, this.label(high, high - low), 10);
    this.write_label(pen, style, this.label(low, high - low), height - kEdge_px);
  }

  private write_label(
    pen: CanvasRenderingContext2D,
    style: CSSStyleDeclaration,
    text: string,
    y: number,
  ): void {
    pen.lineWidth = 3;
    pen.strokeStyle = style.getPropertyValue('--raised');
    pen.strokeText(text, 2, y);
    pen.fillStyle = style.getPropertyValue('--faint');
    pen.fillText(text, 2, y);
  }

  private label(value: number, span: number): string {
    return value.toFixed(Math.abs(span) < 10 ? 1 : 0);
  }
}

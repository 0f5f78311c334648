// Small live plots over the last seconds. One canvas each, drawn only while it is seen.
import { h, write } from './dom';

export interface Series {
  readonly name: string;
  readonly color: string; // a CSS variable, as in '--plot-1'
}

interface PlotOptions {
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly least_span: number; // the scale never shows less than this
  readonly series: readonly Series[];
}

const kWindow_s = 8;
const kPoints = 512;

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas_ = h('canvas', {
    class: 'plot-canvas',
    attributes: { 'aria-hidden': 'true' },
  });
  private readonly value_ = h('span', { class: 'plot-value' });
  private readonly times_ = new Float64Array(kPoints);
  private readonly values_: Float32Array[];
  private count_ = 0;
  private low_ = 0;
  private high_ = 1;

  constructor(private readonly options_: PlotOptions) {
    this.values_ = options_.series.map(() => new Float32Array(kPoints));
    const legend = options_.series.map(({ name, color }) =>
      h('span', { class: 'plot-key', text: name, attributes: { style: `--key: var(${color})` } }),
    );
    this.element = h(
      'figure',
      { class: 'plot' },
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

  /** @param time_s rising; a step back starts the plot afresh */
  add(time_s: number, values: readonly number[]): void {
    if (this.count_ > 0 && time_s <= (this.times_[(this.count_ - 1) % kPoints] as number)) {
      if (time_s === this.times_[(this.count_ - 1) % kPoints]) return;
      this.clear();
    }
    const i = this.count_ % kPoints;
    this.times_[i] = time_s;
    values.forEach((value, k) => {
      const row = this.values_[k];
      if (row) row[i] = value;
    });
    ++this.count_;
    const { digits, unit } = this.options_;
    write(this.value_, `${values.map((value) => value.toFixed(digits)).join(' / ')} ${unit}`);
  }

  clear(): void {
    this.count_ = 0;
    write(this.value_, '');
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas_;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(2, window.devicePixelRatio);
    if (this.canvas_.width !== Math.round(width * ratio)) {
      this.canvas_.width = Math.round(width * ratio);
      this.canvas_.height = Math.round(height * ratio);
    }
    const pen = this.canvas_.getContext('2d');
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (this.count_ === 0) return;
    const style = getComputedStyle(this.canvas_);
    const first = Math.max(0, this.count_ - kPoints);
    const latest = this.times_[(this.count_ - 1) % kPoints] as number;
    let start = this.count_ - 1;
    while (start > first && (this.times_[(start - 1) % kPoints] as number) > latest - kWindow_s)
      --start;
    this.rescale(start);
    const y = (value: number) =>
      height - 3 - ((value - this.low_) / (this.high_ - this.low_)) * (height - 6);
    const x = (time: number) => width - ((latest - time) / kWindow_s) * width;
    pen.lineWidth = 1;
    pen.strokeStyle = style.getPropertyValue('--line');
    pen.fillStyle = style.getPropertyValue('--faint');
    pen.font = '10px system-ui, sans-serif';
    if (this.low_ < 0 && this.high_ > 0) {
      pen.beginPath();
      pen.moveTo(0, y(0));
      pen.lineTo(width, y(0));
      pen.stroke();
    }
    pen.fillText(this.label(this.high_), 2, 10);
    pen.fillText(this.label(this.low_), 2, height - 3);
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    this.options_.series.forEach(({ color }, k) => {
      const row = this.values_[k] as Float32Array;
      pen.strokeStyle = style.getPropertyValue(color);
      pen.beginPath();
      for (let i = start; i < this.count_; ++i) {
        pen.lineTo(x(this.times_[i % kPoints] as number), y(row[i % kPoints] as number));
      }
      pen.stroke();
    });
  }

  private label(value: number): string {
    return value.toFixed(Math.abs(this.high_ - this.low_) < 10 ? 1 : 0);
  }

  /** Room for everything seen, moved gently so that the scale does not flicker. */
  private rescale(start: number): void {
    let low = Infinity;
    let high = -Infinity;
    for (const row of this.values_) {
      for (let i = start; i < this.count_; ++i) {
        const value = row[i % kPoints] as number;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const least = this.options_.least_span;
    if (high - low < least) {
      const middle = (high + low) / 2;
      low = low >= 0 && low < least ? 0 : middle - least / 2;
      high = Math.max(high, low + least);
    }
    const follow = (now: number, to: number, out: boolean) => (out ? to : now + 0.08 * (to - now));
    this.low_ = follow(this.low_, low, low < this.low_);
    this.high_ = follow(this.high_, high, high > this.high_);
    if (this.high_ - this.low_ > 4 * (high - low)) {
      this.low_ = low;
      this.high_ = high;
    }
  }
}

// A plot over the gait cycle, from a foot's strike at 0 % to its next at 100 %: people's band behind the means of both
// legs, and over them the cycle that is under way.
import type { LiveCycle } from '../../state/gait/gait_cycle';
import { type Band, kCyclePoints } from '../../state/gait/walk_reference';
import { h, write } from '../parts/dom';

export interface CyclePlotOptions {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly range: readonly [number, number]; // that is always shown
  readonly limit?: readonly [number, number]; // beyond which it is cut off
  readonly tick: number; // between lines across
  readonly hint: string;
}

export interface CycleLeg {
  readonly mean: readonly number[] | undefined; // [kCyclePoints]
  readonly live: readonly number[] | undefined; // of each of `phase`
  readonly phase: LiveCycle['phase'];
  readonly foot_off: number | undefined; // share of the cycle
}

export interface CyclePicture {
  readonly legs: readonly [CycleLeg, CycleLeg]; // left, right
  readonly band: Band | undefined; // people's
  readonly people_foot_off: number | undefined;
  readonly cursor: number | undefined; // share of the cycle at which values are told
  readonly note: string; // beside the title, while there is no cursor
}

export const kLegColors = ['--plot-1', '--plot-2'] as const;

const kMargin = { left: 30, right: 9, top: 7, bottom: 17 } as const; // px
const kFont = '10px system-ui, sans-serif';
const kShares = [0, 20, 40, 60, 80, 100] as const; // %

export class CyclePlot {
  readonly element: HTMLElement;
  /** Where the pointer is over the plot, as a share of the cycle; undefined when it leaves. */
  on_cursor: (share: number | undefined) => void = () => {};
  private readonly canvas_ = h('canvas', {
    class: 'plot-canvas',
    attributes: { 'aria-hidden': 'true' },
  });
  private readonly unit_ = h('span', { class: 'plot-unit faint' });
  private readonly note_ = h('span', { class: 'plot-value' });

  // Kept: asking for it between the notes of seven plots would lay the page out seven times.
  private size_ = { width: 0, height: 0 }; // px

  constructor(private readonly options_: CyclePlotOptions) {
    const { key, title, unit, hint } = options_;
    this.element = h(
      'figure',
      { class: 'plot cycle-plot', title: hint, attributes: { 'data-test': `lab-${key}` } },
      h('figcaption', {}, h('span', { class: 'plot-title', text: title }), this.unit_, this.note_),
      this.canvas_,
    );
    this.unit_.textContent = unit;
    new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.canvas_;
      this.size_ = { width, height };
    }).observe(this.canvas_);
    this.canvas_.addEventListener('pointermove', ({ clientX }) => {
      const box = this.canvas_.getBoundingClientRect();
      const width = box.width - kMargin.left - kMargin.right;
      const share = (clientX - box.left - kMargin.left) / Math.max(1, width);
      this.on_cursor(share >= -0.02 && share <= 1.02 ? Math.min(1, Math.max(0, share)) : undefined);
    });
    for (const end of ['pointerleave', 'pointercancel'] as const)
      this.canvas_.addEventListener(end, () => this.on_cursor(undefined));
  }

  draw(picture: CyclePicture): void {
    const told = picture.cursor !== undefined;
    write(this.note_, told ? this.told(picture) : picture.note);
    this.unit_.hidden = told; // makes room for the values
    const known = picture.legs.reduce((sum, { live }) => sum + (live?.length ?? 0), 0);
    this.element.dataset['live'] = String(known);
    this.element.dataset['means'] = String(picture.legs.filter(({ mean }) => mean).length);
    const pen = this.pen();
    if (!pen) return;
    const { width, height } = this.size_;
    const { left, right, top, bottom } = kMargin;
    const [low, high] = this.range(picture);
    const x = (share: number) => left + share * (width - left - right);
    const y = (value: number) =>
      height - bottom - ((value - low) / (high - low)) * (height - top - bottom);
    const style = getComputedStyle(this.canvas_);
    const color = (name: string) => style.getPropertyValue(name);

    this.draw_axes(pen, color, x, y, low, high);
    if (picture.band) this.draw_band(pen, color, picture.band, x, y);
    this.draw_foot_off(pen, color, picture, x, y, low, high);
    pen.lineJoin = pen.lineCap = 'round';
    pen.save();
    pen.beginPath();
    pen.rect(0, top - 3, width, height - top - bottom + 6);
    pen.clip();
    picture.legs.forEach(({ mean, live, phase }, leg) => {
      pen.strokeStyle = pen.fillStyle = color(kLegColors[leg] ?? kLegColors[0]);
      pen.globalAlpha = 0.7;
      pen.lineWidth = 1.5;
      if (mean) this.stroke(pen, mean, (i) => x(i / (kCyclePoints - 1)), y);
      pen.globalAlpha = 1;
      pen.lineWidth = 2.6;
      if (!live) return;
      this.stroke(pen, live, (i) => x(phase[i] ?? 0), y);
      const last = live.length - 1;
      const head = live[last];
      if (head === undefined || !Number.isFinite(head)) return;
      pen.beginPath();
      pen.arc(x(phase[last] ?? 0), y(head), 3.4, 0, 2 * Math.PI);
      pen.fill();
    });
    pen.restore();
    if (picture.cursor !== undefined) {
      pen.strokeStyle = color('--ink');
      pen.lineWidth = 1;
      line(pen, x(picture.cursor), top, x(picture.cursor), height - bottom);
    }
  }

  /** The canvas in page pixels, cleared; undefined while it is not to be seen. */
  private pen(): CanvasRenderingContext2D | undefined {
    const { width, height } = this.size_;
    if (width < 60 || height < 40) return undefined;
    const ratio = Math.min(2, window.devicePixelRatio);
    const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas_.width !== wide || this.canvas_.height !== tall) {
      this.canvas_.width = wide;
      this.canvas_.height = tall;
    }
    const pen = this.canvas_.getContext('2d');
    if (!pen) return undefined;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  }

  /** The range that is always shown, and in steps whatever is beyond it. */
  private range({ legs, band }: CyclePicture): readonly [number, number] {
    const { range, tick, limit = [-Infinity, Infinity] } = this.options_;
    let [low, high] = range;
    const see = (seen: number) => {
      const value = Math.min(limit[1], Math.max(limit[0], seen));
      // The range does not grow for a hair's breadth.
      if (!(value < low - 0.1 * tick || value > high + 0.1 * tick)) return;
      low = Math.min(low, Math.floor(value / tick) * tick);
      high = Math.max(high, Math.ceil(value / tick) * tick);
    };
    for (const { mean, live } of legs) for (const curve of [mean, live]) curve?.forEach(see);
    band?.mean.forEach((mean, i) => {
      see(mean - (band.deviation[i] ?? 0));
      see(mean + (band.deviation[i] ?? 0));
    });
    return [low, high];
  }

  private draw_axes(
    pen: CanvasRenderingContext2D,
    color: (name: string) => string,
    x: (share: number) => number,
    y: (value: number) => number,
    low: number,
    high: number,
  ): void {
    const { tick } = this.options_;
    pen.font = kFont;
    pen.lineWidth = 1;
    pen.fillStyle = color('--faint');
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    // A scale that had to grow far is ruled more widely, so that its numbers stay apart.
    const every = tick * Math.max(1, Math.ceil((high - low) / tick / ((y(low) - y(high)) / 16)));
    for (let k = Math.ceil(low / every - 1e-9); k * every <= high + 1e-9; ++k) {
      const value = k * every;
      pen.strokeStyle = color(k === 0 ? '--faint' : '--line');
      pen.globalAlpha = k === 0 ? 0.75 : 0.6;
      line(pen, x(0), y(value), x(1), y(value));
      pen.globalAlpha = 1;
      pen.fillText(value.toFixed(tick < 1 ? 1 : 0).replace('-', '−'), x(0) - 5, y(value));
    }
    pen.textBaseline = 'top';
    for (const share of kShares) {
      pen.strokeStyle = color('--line');
      pen.globalAlpha = 0.6;
      line(pen, x(share / 100), y(low), x(share / 100), y(high));
      pen.globalAlpha = 1;
      pen.textAlign = share === 100 ? 'right' : 'center';
      pen.fillText(share === 100 ? '100 %' : String(share), x(share / 100), y(low) + 4);
    }
  }

  private draw_band(
    pen: CanvasRenderingContext2D,
    color: (name: string) => string,
    { mean, deviation }: Band,
    x: (share: number) => number,
    y: (value: number) => number,
  ): void {
    const at = (i: number) => x(i / (kCyclePoints - 1));
    pen.fillStyle = color('--people');
    pen.globalAlpha = 0.3;
    pen.beginPath();
    mean.forEach((value, i) => pen.lineTo(at(i), y(value + (deviation[i] ?? 0))));
    for (let i = mean.length - 1; i >= 0; --i)
      pen.lineTo(at(i), y((mean[i] ?? 0) - (deviation[i] ?? 0)));
    pen.closePath();
    pen.fill();
    pen.globalAlpha = 0.85;
    pen.strokeStyle = color('--people');
    pen.lineWidth = 1.2;
    this.stroke(pen, mean, at, y);
    pen.globalAlpha = 1;
  }

  /** Lines where feet leave the ground: people's through the plot, the legs' as marks on its lower edge. */
  private draw_foot_off(
    pen: CanvasRenderingContext2D,
    color: (name: string) => string,
    { people_foot_off, legs }: CyclePicture,
    x: (share: number) => number,
    y: (value: number) => number,
    low: number,
    high: number,
  ): void {
    if (people_foot_off !== undefined) {
      pen.strokeStyle = color('--people');
      pen.lineWidth = 1;
      pen.setLineDash([3, 3]);
      line(pen, x(people_foot_off), y(low), x(people_foot_off), y(high));
      pen.setLineDash([]);
    }
    legs.forEach(({ foot_off }, leg) => {
      if (foot_off === undefined) return;
      pen.fillStyle = color(kLegColors[leg] ?? kLegColors[0]);
      pen.beginPath();
      pen.moveTo(x(foot_off), y(low) - 6);
      pen.lineTo(x(foot_off) - 4, y(low));
      pen.lineTo(x(foot_off) + 4, y(low));
      pen.fill();
    });
  }

  /** A curve; points that are not numbers leave a gap. */
  private stroke(
    pen: CanvasRenderingContext2D,
    values: readonly number[],
    x: (i: number) => number,
    y: (value: number) => number,
  ): void {
    pen.beginPath();
    let joined = false;
    values.forEach((value, i) => {
      const known = Number.isFinite(value);
      if (known && joined) pen.lineTo(x(i), y(value));
      else if (known) pen.moveTo(x(i), y(value));
      joined = known;
    });
    pen.stroke();
  }

  /** Values at the cursor, as in "at 62 %: left 55, right 57, people 58 ± 6". */
  private told({ legs, band, cursor = 0 }: CyclePicture): string {
    const { digits } = this.options_;
    const i = Math.round(cursor * (kCyclePoints - 1));
    const number = (value: number | undefined) =>
      value === undefined || !Number.isFinite(value)
        ? '–'
        : value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');
    const words = [
      `${Math.round(100 * cursor)} %: left ${number(legs[0].mean?.[i])}`,
      `right ${number(legs[1].mean?.[i])}`,
    ];
    if (band) words.push(`real people ${number(band.mean[i])} ± ${number(band.deviation[i])}`);
    return words.join(', ').replaceAll('-', '−');
  }
}

function line(pen: CanvasRenderingContext2D, ax: number, ay: number, bx: number, by: number): void {
  pen.beginPath();
  pen.moveTo(ax, ay);
  pen.lineTo(bx, by);
  pen.stroke();
}

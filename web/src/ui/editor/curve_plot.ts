// Plot of a curve whose points are dragged, added and removed by mouse, finger or keys. The line is drawn as the
// server evaluates the curve.
import {
  add_point,
  type Bounds,
  fit_range,
  gap_beside,
  move_point,
  nice_step,
  type Points,
  remove_point,
} from '../../state/edit/curve_points';
import { evaluate, type SplinePoint } from '../../state/values/spline';
import { h, write } from '../parts/dom';
import { set, svg } from './svg';

export interface CurveView {
  readonly points: Points;
  readonly ghosts: readonly Points[]; // other curves, drawn faintly for comparison, not editable
  readonly bounds: Bounds;
  readonly fewest: number; // the least number of points that the curve must keep
  readonly window?: readonly [number, number]; // range of the abscissa that is shown; left out: all of it
  readonly least_span: number;
  readonly abscissa: string; // name of the abscissa, such as 'phase'
  readonly across: string; // title of the horizontal axis, with its unit
  readonly up: string;
  readonly unit: string;
  readonly factor: number; // shown value over the curve's own value
  readonly digits: number; // decimals of a value that is shown
  readonly step: number; // change by one press of an arrow key, in the unit shown
  readonly captions?: readonly [string, string]; // under the left and right end
  readonly problem?: number | undefined; // index of a point that the server refused
}

const kLeft = 52; // px, for the labels
const kRight = 12;
const kTop = 12;
const kBottom = 38;
const kOnCurve_px = 12; // a double click this near the curve adds a point on it
const kSamples = 160;

interface Drag {
  readonly pointer: number;
  readonly index: number;
  readonly offset: readonly [number, number]; // px from the pointer to the point
  readonly before: Points;
}

/** The keys of a point of a curve that has the focus. */
export const kCurveKeys = {
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'far up',
  PageDown: 'far down',
  Delete: 'remove',
  Backspace: 'remove',
  Insert: 'add a point',
  Enter: 'add a point',
  Escape: 'cancel',
} as const satisfies Readonly<Record<string, string>>;
type CurveDeed = (typeof kCurveKeys)[keyof typeof kCurveKeys];

export class CurvePlot {
  readonly element: HTMLElement;
  /** @param gesture a name that all changes of one drag share */
  on_change: (points: SplinePoint[], gesture: string | undefined) => void = () => {};
  on_end: () => void = () => {};
  on_select: (index: number | undefined) => void = () => {};

  private readonly grid_ = svg('g', { class: 'curve-grid' });
  private readonly ghosts_ = svg('g', { class: 'curve-ghosts' });
  private readonly area_ = svg('path', { class: 'curve-area' });
  private readonly line_ = svg('path', { class: 'curve-line' });
  private readonly marker_ = svg('line', { class: 'curve-marker' });
  private readonly bead_ = svg('circle', { class: 'curve-bead', r: 4.5 });
  private readonly points_ = svg('g', {});
  private readonly clip_: SVGRectElement;
  private readonly root_: SVGSVGElement;
  private readonly readout_ = h('output', { class: 'curve-readout' });
  private readonly empty_ = h('p', {
    class: 'curve-empty',
    text: 'No curve yet. Double-click to add a point.',
  });
  private view_: CurveView | undefined;
  private range_: [number, number] = [0, 1];
  private width_ = 0;
  private height_ = 0;
  private drag_: Drag | undefined;
  private gestures_ = 0;
  private selected_: number | undefined;
  private focus_wanted_: number | undefined;
  private enabled_ = true;
  private now_: { phase: number; strong: boolean } | undefined;

  constructor(label: string, id: string) {
    this.clip_ = svg('rect', {});
    this.root_ = svg(
      'svg',
      { class: 'curve-svg', role: 'group', 'aria-label': label },
      svg('defs', {}, svg('clipPath', { id: `${id}-clip` }, this.clip_)),
      this.grid_,
      svg(
        'g',
        { 'clip-path': `url(#${id}-clip)` },
        this.area_,
        this.ghosts_,
        this.line_,
        this.marker_,
        this.bead_,
      ),
      this.points_,
    );
    this.root_.dataset['test'] = id;
    this.element = h('div', { class: 'curve-plot' }, this.root_, this.readout_, this.empty_);
    this.readout_.hidden = true;
    this.root_.addEventListener('pointerdown', this.pointer_down);
    this.root_.addEventListener('pointermove', this.pointer_move);
    this.root_.addEventListener('pointerup', this.pointer_up);
    this.root_.addEventListener('pointercancel', this.pointer_up);
    this.root_.addEventListener('dblclick', this.double_click);
    this.root_.addEventListener('keydown', this.key_down);
    this.root_.addEventListener('keyup', () => this.end_gesture());
    this.element.addEventListener('focusin', this.focus_in);
    new ResizeObserver(() => this.resize()).observe(this.root_);
  }

  show(view: CurveView | undefined): void {
    const old = this.view_;
    this.view_ = view;
    if (this.selected_ !== undefined && this.selected_ >= (view?.points.length ?? 0))
      this.select(undefined);
    if (view && !this.drag_) this.fit(view, old);
    this.draw();
  }

  set_enabled(enabled: boolean): void {
    if (enabled === this.enabled_) return;
    this.enabled_ = enabled;
    this.draw();
  }

  /**
   * Moves the marker of the present phase or speed; undefined hides the marker.
   * @param strong whether the character uses this curve just now
   */
  set_now(phase: number | undefined, strong: boolean): void {
    this.now_ = phase === undefined ? undefined : { phase, strong };
    this.draw_now();
  }

  get selected(): number | undefined {
    return this.selected_;
  }

  /** Adds a point beside the selected one. */
  add(): void {
    const view = this.view_;
    if (!view || !this.enabled_) return;
    const at = gap_beside(
      view.points,
      this.selected_ ?? view.points.length - 1,
      this.windowed(view),
    );
    this.insert(at, undefined);
  }

  remove(): void {
    const view = this.view_;
    if (!view || !this.enabled_ || this.selected_ === undefined) return;
    if (view.points.length <= view.fewest) return;
    const index = this.selected_;
    const rest = remove_point(view.points, index);
    this.on_change(rest, undefined);
    this.select(rest.length === 0 ? undefined : Math.min(index, rest.length - 1), true);
  }

  /** Moves the selected point, in the curve's units. */
  put(to: SplinePoint): void {
    const view = this.view_;
    if (!view || !this.enabled_ || this.selected_ === undefined) return;
    this.on_change(move_point(view.points, this.selected_, to, view.bounds), undefined);
  }

  /** Cancels a drag. */
  cancel(): boolean {
    const drag = this.drag_;
    if (!drag) return false;
    this.on_change([...drag.before], this.gesture());
    this.end_drag();
    return true;
  }

  private windowed(view: CurveView): Bounds {
    return { ...view.bounds, phase: view.window ?? view.bounds.phase };
  }

  private fit(view: CurveView, old: CurveView | undefined): void {
    const wanted = fit_range([view.points, ...view.ghosts], view.least_span, view.bounds.value);
    const same = old?.bounds === view.bounds && old.factor === view.factor;
    const [low, high] = this.range_;
    const span = high - low;
    const inside = view.points.every(
      ({ value }) => value > low + 0.04 * span && value < high - 0.04 * span,
    );
    // The scale is kept as long as the curve fits, so that it does not jump during a drag.
    if (same && inside && span < 2.2 * (wanted[1] - wanted[0])) return;
    this.range_ = wanted;
  }

  private resize(): void {
    this.width_ = this.root_.clientWidth;
    this.height_ = this.root_.clientHeight;
    this.draw();
  }

  private x(phase: number): number {
    const [low, high] = this.shown_;
    return kLeft + ((phase - low) / (high - low)) * (this.width_ - kLeft - kRight);
  }
  private y(value: number): number {
    const [low, high] = this.range_;
    return kTop + ((high - value) / (high - low)) * (this.height_ - kTop - kBottom);
  }
  private phase_at(x: number): number {
    const [low, high] = this.shown_;
    return low + ((x - kLeft) / (this.width_ - kLeft - kRight)) * (high - low);
  }
  private value_at(y: number): number {
    const [low, high] = this.range_;
    return high - ((y - kTop) / (this.height_ - kTop - kBottom)) * (high - low);
  }
  private get shown_(): readonly [number, number] {
    return this.view_?.window ?? this.view_?.bounds.phase ?? [0, 1];
  }

  private draw(): void {
    const view = this.view_;
    this.root_.classList.toggle('read-only', !this.enabled_);
    this.empty_.hidden = !view || view.points.length > 0 || !this.enabled_;
    if (!view || this.width_ < 60 || this.height_ < 60) return;
    set(this.clip_, {
      x: kLeft,
      y: 0,
      width: Math.max(0, this.width_ - kLeft - kRight),
      height: Math.max(0, this.height_ - kBottom),
    });
    this.draw_grid(view);
    const zero = this.y(Math.min(this.range_[1], Math.max(this.range_[0], 0)));
    const path = this.path_of(view.points);
    set(this.line_, { d: path });
    set(this.area_, {
      d: path && `${path}L${this.x(this.shown_[1])} ${zero}L${this.x(this.shown_[0])} ${zero}Z`,
    });
    this.ghosts_.replaceChildren(
      ...view.ghosts.map((points) => svg('path', { d: this.path_of(points) })),
    );
    this.draw_points(view);
    this.draw_now();
    this.draw_readout();
  }

  private path_of(points: Points): string {
    if (points.length === 0) return '';
    const [low, high] = this.shown_;
    const out: string[] = [];
    for (let i = 0; i <= kSamples; ++i) {
      const phase = low + (i / kSamples) * (high - low);
      out.push(`${this.x(phase).toFixed(1)} ${this.y(evaluate(points, phase)).toFixed(1)}`);
    }
    return `M${out.join('L')}`;
  }

  private draw_grid(view: CurveView): void {
    const out: SVGElement[] = [];
    const [left, right] = [this.x(this.shown_[0]), this.x(this.shown_[1])];
    const [low, high] = this.range_;
    const step = nice_step((high - low) * view.factor, this.height_ > 160 ? 6 : 4);
    const first = Math.ceil((low * view.factor) / step - 1e-9);
    const decimals = String(Math.round(step * 1e6) / 1e6).split('.')[1]?.length ?? 0;
    for (let k = first; k * step <= high * view.factor + 1e-9; ++k) {
      const y = this.y((k * step) / view.factor);
      out.push(
        svg('line', { x1: left, x2: right, y1: y, y2: y, class: k === 0 ? 'zero' : '' }),
        svg(
          'text',
          { x: left - 6, y: y + 3.5, 'text-anchor': 'end' },
          (k * step).toFixed(decimals),
        ),
      );
    }
    const [from, to] = this.shown_;
    const across = nice_step(to - from, this.width_ > 300 ? 5 : 4);
    for (let k = Math.ceil(from / across - 1e-9); k * across <= to + 1e-9; ++k) {
      const x = this.x(k * across);
      out.push(
        svg('line', { x1: x, x2: x, y1: kTop, y2: this.height_ - kBottom }),
        svg(
          'text',
          { x, y: this.height_ - kBottom + 15, 'text-anchor': 'middle' },
          String(Math.round(k * across * 100) / 100),
        ),
      );
    }
    if (view.captions) {
      const y = kTop + 9;
      out.push(
        svg('text', { x: left + 5, y, class: 'caption' }, view.captions[0]),
        svg('text', { x: right - 5, y, class: 'caption', 'text-anchor': 'end' }, view.captions[1]),
      );
    }
    const middle = (kTop + this.height_ - kBottom) / 2;
    out.push(
      svg(
        'text',
        { x: (left + right) / 2, y: this.height_ - 6, class: 'axis', 'text-anchor': 'middle' },
        view.across,
      ),
      svg(
        'text',
        {
          x: 12,
          y: middle,
          class: 'axis',
          'text-anchor': 'middle',
          transform: `rotate(-90 12 ${middle})`,
        },
        view.up,
      ),
    );
    this.grid_.replaceChildren(...out);
  }

  /** Updates the elements of the points instead of making new ones, so that the focus stays on the point that moves. */
  private draw_points(view: CurveView): void {
    while (this.points_.childElementCount > view.points.length)
      this.points_.lastElementChild?.remove();
    view.points.forEach((point, i) => {
      let element = this.points_.children[i] as SVGGElement | undefined;
      if (!element) {
        element = svg(
          'g',
          { class: 'curve-point', role: 'slider', tabindex: '0', 'data-point': i },
          svg('circle', { r: 15, class: 'reach' }),
          svg('circle', { r: 6, class: 'dot' }),
        );
        this.points_.append(element);
      }
      const y = Math.min(this.height_ - kBottom, Math.max(kTop, this.y(point.value)));
      set(element, {
        transform: `translate(${this.x(point.phase).toFixed(1)} ${y.toFixed(1)})`,
        'aria-label': `Point ${i + 1} of ${view.points.length}`,
        'aria-valuetext': this.told(view, point),
        'aria-valuenow': (point.value * view.factor).toFixed(view.digits),
        'aria-disabled': String(!this.enabled_),
      });
      element.classList.toggle('selected', i === this.selected_);
      element.classList.toggle('refused', i === view.problem);
    });
    this.give_focus();
  }

  private told(view: CurveView, { phase, value }: SplinePoint): string {
    return `${view.abscissa} ${phase.toFixed(2)}, ${(value * view.factor).toFixed(view.digits)}${view.unit === '°' ? '' : ' '}${view.unit}`;
  }

  private draw_now(): void {
    const view = this.view_;
    const now = this.now_;
    const shown = view !== undefined && now !== undefined && this.width_ > 0;
    this.marker_.style.display = this.bead_.style.display = shown ? '' : 'none';
    if (!shown) return;
    const x = this.x(now.phase);
    set(this.marker_, { x1: x, x2: x, y1: kTop, y2: this.height_ - kBottom });
    this.marker_.classList.toggle('faint', !now.strong);
    if (!now.strong || view.points.length === 0) this.bead_.style.display = 'none';
    else set(this.bead_, { cx: x, cy: this.y(evaluate(view.points, now.phase)) });
  }

  private draw_readout(): void {
    const view = this.view_;
    const point = this.drag_ && view?.points[this.drag_.index];
    this.readout_.hidden = !point;
    if (!point || !view) return;
    write(this.readout_, this.told(view, point));
    const x = Math.min(this.width_ - 70, Math.max(60, this.x(point.phase)));
    const y = Math.max(kTop, Math.min(this.height_ - kBottom, this.y(point.value)));
    this.readout_.style.transform = `translate(${x.toFixed(0)}px, ${(y < 44 ? y + 20 : y - 34).toFixed(0)}px) translateX(-50%)`;
  }

  private select(index: number | undefined, focus = false): void {
    this.selected_ = index;
    [...this.points_.children].forEach((element, i) =>
      element.classList.toggle('selected', i === index),
    );
    if (focus) this.focus_wanted_ = index;
    this.give_focus();
    this.on_select(index);
  }

  /**
   * Gives the focus to a point that was just added: its element exists only after the owner has called `show` with
   * the new points.
   */
  private give_focus(): void {
    const wanted = this.focus_wanted_;
    const element = wanted === undefined ? undefined : this.points_.children[wanted];
    if (!element) return;
    this.focus_wanted_ = undefined;
    (element as SVGGElement).focus();
  }

  private gesture(): string {
    return `curve-${this.gestures_}`;
  }
  private end_gesture(): void {
    ++this.gestures_;
    this.on_end();
  }

  private insert(phase: number, value: number | undefined): void {
    const view = this.view_;
    if (!view) return;
    const added = add_point(view.points, phase, this.windowed(view), value);
    if (!added) return;
    this.on_change(added.points, undefined);
    this.select(added.index, true);
  }

  private spot(event: MouseEvent): [number, number] {
    const box = this.root_.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private index_of(target: EventTarget | null): number | undefined {
    const element = target instanceof Element ? target.closest('.curve-point') : null;
    return element ? [...this.points_.children].indexOf(element) : undefined;
  }

  private readonly pointer_down = (event: PointerEvent) => {
    const view = this.view_;
    const index = this.index_of(event.target);
    const point = index === undefined ? undefined : view?.points[index];
    if (!view || index === undefined || !point || event.button !== 0) return;
    this.select(index, true);
    event.preventDefault();
    if (!this.enabled_ || this.drag_) return;
    const [x, y] = this.spot(event);
    this.root_.setPointerCapture(event.pointerId);
    ++this.gestures_;
    this.drag_ = {
      pointer: event.pointerId,
      index,
      offset: [this.x(point.phase) - x, this.y(point.value) - y],
      before: view.points,
    };
    this.root_.classList.add('dragging');
    this.draw_readout();
  };

  private readonly pointer_move = (event: PointerEvent) => {
    const drag = this.drag_;
    const view = this.view_;
    if (!drag || !view || event.pointerId !== drag.pointer) return;
    const [x, y] = this.spot(event);
    const scale = 10 ** (view.digits + 1);
    const value = Math.round(this.value_at(y + drag.offset[1]) * view.factor * scale) / scale;
    const to = {
      phase: Math.round(this.phase_at(x + drag.offset[0]) * 1000) / 1000,
      value: value / view.factor,
    };
    this.on_change(move_point(view.points, drag.index, to, view.bounds), this.gesture());
  };

  private readonly pointer_up = (event: PointerEvent) => {
    if (event.pointerId === this.drag_?.pointer) this.end_drag();
  };

  private end_drag(): void {
    this.drag_ = undefined;
    this.root_.classList.remove('dragging');
    this.end_gesture();
    if (this.view_) this.fit(this.view_, this.view_);
    this.draw();
  }

  private readonly double_click = (event: MouseEvent) => {
    const view = this.view_;
    if (!view || !this.enabled_ || this.index_of(event.target) !== undefined) return;
    const [x, y] = this.spot(event);
    const phase = this.phase_at(x);
    const near =
      view.points.length > 0 && Math.abs(this.y(evaluate(view.points, phase)) - y) < kOnCurve_px;
    this.insert(phase, near ? undefined : this.value_at(y));
  };

  private readonly focus_in = (event: FocusEvent) => {
    const index = this.index_of(event.target);
    if (index !== undefined && index !== this.selected_) this.select(index);
  };

  private readonly key_down = (event: KeyboardEvent) => {
    const view = this.view_;
    const index = this.index_of(event.target);
    const point = index === undefined ? undefined : view?.points[index];
    if (!view || index === undefined || !point || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const does = kCurveKeys[event.key as keyof typeof kCurveKeys];
    if (does === 'cancel') {
      if (this.cancel()) event.stopPropagation();
      return;
    }
    const much = event.shiftKey ? 10 : 1;
    const across = ((this.shown_[1] - this.shown_[0]) / 100) * much;
    const up = (view.step / view.factor) * much;
    const moves: Readonly<Partial<Record<CurveDeed, SplinePoint>>> = {
      earlier: { phase: point.phase - across, value: point.value },
      later: { phase: point.phase + across, value: point.value },
      up: { phase: point.phase, value: point.value + up },
      down: { phase: point.phase, value: point.value - up },
      'far up': { phase: point.phase, value: point.value + 10 * up },
      'far down': { phase: point.phase, value: point.value - 10 * up },
    };
    const to = moves[does];
    if (to) {
      if (this.enabled_)
        this.on_change(move_point(view.points, index, to, view.bounds), this.gesture());
    } else if (does === 'remove') {
      this.select(index);
      this.remove();
    } else if (does === 'add a point') {
      this.select(index);
      this.add();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

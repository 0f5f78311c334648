// The factor by which a curve of a style depends on forward speed: its switch, and its own small curve.
import type { Points } from '../../state/edit/curve_points';
import { kFactorBounds } from '../../state/edit/style_doc';
import { h } from '../parts/dom';
import { CurvePlot, type CurveView } from './curve_plot';
import { PointRow } from './point_row';

const kSpeedWindow: readonly [number, number] = [-1, 2];
const kFirstFactor: Points = [
  { phase: 0, value: 0 },
  { phase: 0.8, value: 1 },
];

export class SpeedFactor {
  /** Called with the changed points of the factor: none where it was switched off. */
  on_change: (points: Points, gesture: string | undefined) => void = () => {};
  on_end: () => void = () => {};
  private readonly plot_ = new CurvePlot('Factor over speed', 'style-by-speed');
  private readonly row_ = new PointRow(this.plot_);
  private readonly on_ = h('input', { attributes: { type: 'checkbox' } });
  private readonly switch_ = h(
    'label',
    {
      class: 'switch by-speed-switch',
      title: 'Multiplies the curve by a factor that depends on forward speed',
    },
    this.on_,
    'Depends on speed',
  );
  private readonly box_ = h('div', { class: 'by-speed' }, this.plot_.element, this.row_.element);
  readonly elements: readonly HTMLElement[] = [this.switch_, this.box_];

  constructor() {
    this.plot_.on_change = (points, gesture) => this.on_change(points, gesture);
    this.plot_.on_end = () => this.on_end();
    this.on_.addEventListener('change', () =>
      this.on_change(this.on_.checked ? kFirstFactor : [], undefined),
    );
  }

  /**
   * @param offered whether curves of this kind may depend on speed
   * @param points of the factor; undefined: there is no curve yet that could have one
   * @param problem number of the point that the server refused
   */
  show(
    offered: boolean,
    points: Points | undefined,
    problem: number | undefined,
    enabled: boolean,
  ): void {
    const there = points !== undefined && points.length > 0;
    this.on_.disabled = !enabled || !points;
    this.on_.checked = there;
    this.switch_.toggleAttribute('hidden', !offered);
    this.box_.hidden = !there;
    if (!there) return;
    const view: CurveView = {
      points,
      ghosts: [],
      bounds: kFactorBounds,
      fewest: 0,
      window: kSpeedWindow,
      least_span: 1.5,
      abscissa: 'speed',
      across: 'forward speed, m/s',
      up: 'factor, ×',
      unit: '×',
      factor: 1,
      digits: 2,
      step: 0.05,
      captions: ['backward', 'forward'],
      problem,
    };
    this.plot_.set_enabled(enabled);
    this.plot_.show(view);
    this.row_.show(view, enabled);
  }

  /** Marks the present speed, m/s, forward. */
  set_now(speed: number | undefined): void {
    this.plot_.set_now(speed, true);
  }

  /** Cancels a drag. @return whether there was one */
  cancel(): boolean {
    return this.plot_.cancel();
  }
}

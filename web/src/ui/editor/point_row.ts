import type { SplinePoint } from '../../state/values/spline';
import { h, write } from '../parts/dom';
import type { CurvePlot, CurveView } from './curve_plot';
import { icon_button } from './icon_button';
import { NumberField } from './number_field';

const kRemove = 'Remove the point (Delete)';

/** The numbers of the selected point of a plot, and buttons that add and remove points. */
export class PointRow {
  readonly element: HTMLElement;
  private readonly name_ = h('span', { class: 'point-name' });
  private readonly phase_ = new NumberField('Phase of the point');
  private readonly value_ = new NumberField('Value of the point');
  private readonly phase_name_ = h('span', { class: 'faint' });
  private readonly unit_ = h('span', { class: 'unit' });
  private readonly add_: HTMLButtonElement;
  private readonly remove_: HTMLButtonElement;
  private view_: CurveView | undefined;

  constructor(private readonly plot_: CurvePlot) {
    this.phase_.on_change = (phase) => this.put({ phase });
    this.value_.on_change = (value) => this.put({ value: value / (this.view_?.factor ?? 1) });
    this.add_ = icon_button('plus', 'Add a point (Enter; double-click in the plot)', () =>
      plot_.add(),
    );
    this.remove_ = icon_button('minus', kRemove, () => plot_.remove());
    this.element = h(
      'div',
      { class: 'point-row' },
      this.name_,
      this.phase_name_,
      this.phase_.element,
      h('span', { class: 'number-box' }, this.value_.element, this.unit_),
      h('div', { class: 'joined' }, this.add_, this.remove_),
    );
    plot_.on_select = () => this.refresh();
  }

  show(view: CurveView | undefined, enabled: boolean): void {
    this.view_ = view;
    this.add_.disabled = !enabled || !view;
    this.refresh(enabled);
  }

  private refresh(enabled = !this.add_.disabled): void {
    const view = this.view_;
    const index = this.plot_.selected;
    const point = index === undefined ? undefined : view?.points[index];
    const count = view?.points.length ?? 0;
    write(
      this.name_,
      point && index !== undefined
        ? `Point ${index + 1} of ${count}`
        : count === 1
          ? '1 point'
          : `${count} points`,
    );
    for (const control of [this.phase_.element, this.value_.element, this.remove_])
      control.disabled = !enabled || !point;
    const last = view !== undefined && count <= view.fewest;
    if (last) this.remove_.disabled = true;
    this.remove_.title = last ? 'This curve needs at least one point' : kRemove;
    write(this.phase_name_, view?.abscissa ?? '');
    write(this.unit_, view?.unit ?? '');
    const text = (value: number, parts: number) => String(Math.round(value * parts) / parts);
    this.phase_.show(point ? text(point.phase, 1000) : '');
    this.value_.show(point && view ? text(point.value * view.factor, 100) : '');
  }

  private put(to: Partial<SplinePoint>): void {
    const index = this.plot_.selected;
    const point = index === undefined ? undefined : this.view_?.points[index];
    if (point) this.plot_.put({ ...point, ...to });
  }
}

import { h, write } from '../dom';
import type { CurvePlot, CurveView } from './curve_plot';
import { icon } from './svg';

/** The numbers of the selected point of a plot, and buttons that add and remove points. */
export class PointRow {
  readonly element: HTMLElement;
  private readonly name_ = h('span', { class: 'point-name' });
  private readonly phase_: HTMLInputElement;
  private readonly value_: HTMLInputElement;
  private readonly phase_name_ = h('span', { class: 'faint' });
  private readonly unit_ = h('span', { class: 'unit' });
  private readonly add_: HTMLButtonElement;
  private readonly remove_: HTMLButtonElement;
  private view_: CurveView | undefined;

  constructor(private readonly plot_: CurvePlot) {
    const number = (name: string) =>
      h('input', {
        class: 'number',
        attributes: { type: 'number', step: 'any', inputmode: 'decimal', 'aria-label': name },
        on: { change: () => this.put() },
      });
    this.phase_ = number('Phase of the point');
    this.value_ = number('Value of the point');
    this.add_ = h(
      'button',
      {
        class: 'icon-button',
        title: 'Add a point (Enter; double-click in the plot)',
        attributes: { type: 'button', 'aria-label': 'Add a point' },
        on: { click: () => plot_.add() },
      },
      icon('plus'),
    );
    this.remove_ = h(
      'button',
      {
        class: 'icon-button',
        title: 'Remove the point (Delete)',
        attributes: { type: 'button', 'aria-label': 'Remove the point' },
        on: { click: () => plot_.remove() },
      },
      icon('minus'),
    );
    this.element = h(
      'div',
      { class: 'point-row' },
      this.name_,
      this.phase_name_,
      this.phase_,
      h('span', { class: 'number-box' }, this.value_, this.unit_),
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
    for (const control of [this.phase_, this.value_, this.remove_])
      control.disabled = !enabled || !point;
    write(this.phase_name_, view?.abscissa ?? '');
    write(this.unit_, view?.unit ?? '');
    const put = (input: HTMLInputElement, text: string) => {
      if (input.value !== text && document.activeElement !== input) input.value = text;
    };
    put(this.phase_, point ? String(Math.round(point.phase * 1000) / 1000) : '');
    put(
      this.value_,
      point && view ? String(Math.round(point.value * view.factor * 100) / 100) : '',
    );
  }

  private put(): void {
    const view = this.view_;
    const [phase, value] = [this.phase_, this.value_].map((input) => Number(input.value));
    if (!view || phase === undefined || value === undefined) return;
    if (Number.isFinite(phase) && Number.isFinite(value))
      this.plot_.put({ phase, value: value / view.factor });
    const active = document.activeElement;
    if (active instanceof HTMLElement) active.blur(); // shows what came of it
    this.refresh();
  }
}

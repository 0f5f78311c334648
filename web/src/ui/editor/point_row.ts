import { h, write } from '../dom';
import type { CurvePlot, CurveView } from './curve_plot';
import { icon_button } from './icon_button';

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
    this.add_ = icon_button('plus', 'Add a point (Enter; double-click in the plot)', () =>
      plot_.add(),
    );
    this.remove_ = icon_button('minus', 'Remove the point (Delete)', () => plot_.remove());
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

  private refresh(enabled = !this.add_.disabled, told = false): void {
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
    this.fill(this.phase_, point && this.text(point.phase, 1000), told);
    this.fill(this.value_, point && view && this.text(point.value * view.factor, 100), told);
  }

  private text(value: number, parts: number): string {
    return String(Math.round(value * parts) / parts);
  }

  /** @param told whether a number that is being typed is replaced too */
  private fill(input: HTMLInputElement, text = '', told: boolean): void {
    if (input.value !== text && (told || document.activeElement !== input)) input.value = text;
  }

  private put(): void {
    const view = this.view_;
    const inputs = [this.phase_, this.value_] as const;
    const [phase, value] = inputs.map((input) => input.valueAsNumber) as [number, number];
    if (view && Number.isFinite(phase) && Number.isFinite(value))
      this.plot_.put({ phase, value: value / view.factor });
    this.refresh(undefined, true); // shows what came of it
  }
}

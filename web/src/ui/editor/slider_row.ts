import { h, write } from '../parts/dom';
import { NumberField } from './number_field';

export interface SliderOptions {
  readonly title: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly hint?: string;
  readonly test?: string; // name by which browser tests find the row
}

let rows = 0;

/** One number, shown as a slider and as a field that stay equal, with a line below for an error message. */
export class SliderRow {
  readonly element: HTMLElement;
  readonly slider: HTMLInputElement;
  /** @param held whether the slider is still being dragged */
  on_change: (value: number, held: boolean) => void = () => {};
  on_end: () => void = () => {};
  private readonly problem_ = h('p', { class: 'field-problem', attributes: { role: 'alert' } });
  private readonly number_: NumberField;
  private readonly digits_: number;

  constructor({ title, unit, low, high, step, hint, test }: SliderOptions) {
    const id = `slider-${++rows}`;
    this.digits_ = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const range = { min: String(low), max: String(high), step: String(step) };
    this.slider = h('input', {
      attributes: { type: 'range', id, ...range, 'aria-describedby': `${id}-problem` },
    });
    this.number_ = new NumberField(`${title}${unit ? `, ${unit}` : ''}`, {
      min: String(low),
      max: String(high),
    });
    this.problem_.id = `${id}-problem`;
    this.problem_.hidden = true;
    this.element = h(
      'div',
      { class: 'slider-row', ...(hint ? { title: hint } : {}) },
      h('label', { text: title, attributes: { for: id } }),
      this.slider,
      h(
        'span',
        { class: 'number-box' },
        this.number_.element,
        h('span', { class: 'unit', text: unit }),
      ),
      this.problem_,
    );
    if (test) this.element.dataset['test'] = test;
    this.slider.addEventListener('input', () => this.on_change(Number(this.slider.value), true));
    this.slider.addEventListener('change', () => this.on_end());
    this.number_.on_change = (value) => {
      this.show_problem(undefined);
      const fine = 10 ** (this.digits_ + 2);
      this.on_change(Math.round(Math.min(high, Math.max(low, value)) * fine) / fine, false);
      this.on_end();
    };
    this.number_.on_nonsense = () =>
      this.show_problem(`Enter a number from ${low} to ${high}. Nothing has changed.`);
  }

  show(value: number): void {
    const text = String(value);
    if (this.slider.value !== text) this.slider.value = text;
    this.number_.show(value.toFixed(this.digits_));
  }

  show_problem(text: string | undefined): void {
    this.problem_.hidden = !text;
    write(this.problem_, text ?? '');
    this.element.classList.toggle('refused', Boolean(text));
  }

  set_enabled(enabled: boolean): void {
    this.slider.disabled = !enabled;
    this.number_.element.disabled = !enabled;
  }
}

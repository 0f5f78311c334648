import { h, write } from '../dom';

export interface SliderOptions {
  readonly title: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly hint?: string;
  readonly test?: string; // names the row for tests
}

let rows = 0;

/** A number as a slider and a field that follow each other, with a line for what is wrong with it. */
export class SliderRow {
  readonly element: HTMLElement;
  readonly slider: HTMLInputElement;
  readonly field: HTMLInputElement;
  /** @param held whether the hand is still on the slider */
  on_change: (value: number, held: boolean) => void = () => {};
  on_end: () => void = () => {};
  private readonly problem_ = h('p', { class: 'field-problem', attributes: { role: 'alert' } });
  private readonly digits_: number;

  constructor({ title, unit, low, high, step, hint, test }: SliderOptions) {
    const id = `slider-${++rows}`;
    this.digits_ = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const range = { min: String(low), max: String(high), step: String(step) };
    this.slider = h('input', {
      attributes: { type: 'range', id, ...range, 'aria-describedby': `${id}-problem` },
    });
    this.field = h('input', {
      class: 'number',
      attributes: {
        type: 'number',
        ...range,
        step: 'any',
        inputmode: 'decimal',
        'aria-label': `${title}${unit ? `, ${unit}` : ''}`,
      },
    });
    this.problem_.id = `${id}-problem`;
    this.problem_.hidden = true;
    this.element = h(
      'div',
      { class: 'slider-row', ...(hint ? { title: hint } : {}) },
      h('label', { text: title, attributes: { for: id } }),
      this.slider,
      h('span', { class: 'number-box' }, this.field, h('span', { class: 'unit', text: unit })),
      this.problem_,
    );
    if (test) this.element.dataset['test'] = test;
    this.slider.addEventListener('input', () => this.on_change(Number(this.slider.value), true));
    this.slider.addEventListener('change', () => this.on_end());
    this.field.addEventListener('change', () => {
      const value = Number(this.field.value);
      if (this.field.value.trim() === '' || !Number.isFinite(value)) {
        this.show_problem(`${this.field.value || 'Nothing'} is no number.`);
        return;
      }
      this.on_change(Math.min(high, Math.max(low, value)), false);
      this.on_end();
    });
  }

  show(value: number): void {
    const text = String(value);
    if (this.slider.value !== text) this.slider.value = text;
    if (document.activeElement === this.field && Number(this.field.value) === value) return;
    const shown = value.toFixed(this.digits_);
    if (this.field.value !== shown) this.field.value = shown;
  }

  show_problem(text: string | undefined): void {
    this.problem_.hidden = !text;
    write(this.problem_, text ?? '');
    this.element.classList.toggle('refused', Boolean(text));
  }

  set_enabled(enabled: boolean): void {
    this.slider.disabled = !enabled;
    this.field.disabled = !enabled;
  }
}

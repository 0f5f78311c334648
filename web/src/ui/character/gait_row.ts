// A row of the section "Gait".
import { h, write } from '../parts/dom';

const kTrust_ms = 1000; // for this long after a slider was moved, older values from the server do not move it back

/** The title of a row, and the range of its slider, in its unit. */
export interface RowOptions {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly hint: string;
}

/** A slider with the desired and the achieved value beside it. */
export class GaitRow {
  readonly cells: readonly HTMLElement[];
  readonly slider: HTMLInputElement;
  on_input: (value: number) => void = () => {};
  on_end: () => void = () => {};
  private readonly asked_ = h('output', { class: 'asked' });
  private readonly achieved_ = h('output', { class: 'achieved' });
  private touched_ms_ = -Infinity;

  constructor(private readonly options_: RowOptions) {
    const { key, title, low, high, step, hint } = options_;
    this.slider = h('input', {
      title: hint,
      attributes: {
        type: 'range',
        min: String(low),
        max: String(high),
        step: String(step),
        'data-test': `gait-${key}`,
      },
    });
    this.slider.id = `gait-${key}`;
    this.achieved_.dataset['test'] = `gait-${key}-achieved`;
    this.asked_.dataset['test'] = `gait-${key}-asked`;
    this.slider.addEventListener('input', () => {
      this.touched_ms_ = performance.now();
      this.on_input(Number(this.slider.value));
    });
    this.slider.addEventListener('change', () => this.on_end());
    this.cells = [
      h('label', { text: title, title: hint, attributes: { for: this.slider.id } }),
      this.slider,
      this.asked_,
      this.achieved_,
    ];
  }

  /** Moves the slider to the room's value, unless somebody has just moved it. */
  place(value: number): void {
    if (performance.now() - this.touched_ms_ > kTrust_ms) this.slider.value = String(value);
  }

  /** @param off difference between achieved and desired value from which on the row is marked */
  show(asked: number | undefined, achieved: number | undefined, off: number): void {
    const { digits, unit } = this.options_;
    const text = (value: number | undefined) =>
      value === undefined
        ? '–'
        : `${(value + 0).toFixed(digits).replace(/^-(0\.?0*)$/, '$1')}${unit === '°' ? '' : ' '}${unit}`;
    write(this.asked_, text(asked));
    write(this.achieved_, text(achieved));
    const far = asked !== undefined && achieved !== undefined && Math.abs(asked - achieved) > off;
    this.achieved_.classList.toggle('far', far);
  }
}

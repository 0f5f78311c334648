import { read_number } from '../../state/values/number_text';
import { h } from '../parts/dom';

interface Limits {
  readonly min?: string;
  readonly max?: string;
}

/**
 * A field for a number. A value from the server does not replace one that is being typed; a typed text that is no
 * number is discarded. It is a field for text: one for numbers makes 15 of 1,5 before anybody can read it.
 */
export class NumberField {
  readonly element: HTMLInputElement;
  on_change: (value: number) => void = () => {};
  on_nonsense: () => void = () => {};
  private typing_ = false;
  private shown_ = '';

  constructor(
    label: string,
    { min, max, ...attributes }: Limits & Readonly<Record<string, string>> = {},
  ) {
    this.element = h('input', {
      class: 'number',
      attributes: {
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'off',
        spellcheck: 'false',
        'aria-label': label,
        ...attributes,
      },
      on: {
        input: () => (this.typing_ = true),
        change: () => this.changed(),
        blur: () => this.settle(),
        keydown: (event) => this.step(event, Number(min ?? -Infinity), Number(max ?? Infinity)),
      },
    });
  }

  show(text: string): void {
    this.shown_ = text;
    if (!this.typing_ && this.element.value !== text) this.element.value = text;
  }

  private changed(): void {
    const value = read_number(this.element.value);
    this.typing_ = false;
    if (value !== undefined) {
      this.on_change(value);
    } else {
      this.settle();
      this.on_nonsense();
    }
  }

  /** Arrow keys go up and down by one, or to the next whole number. */
  private step(event: KeyboardEvent, min: number, max: number): void {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const value = read_number(this.element.value);
    if (by === undefined || value === undefined) return;
    event.preventDefault();
    this.on_change(Math.min(max, Math.max(min, value + by)));
  }

  private settle(): void {
    this.typing_ = false;
    this.show(this.shown_);
  }
}

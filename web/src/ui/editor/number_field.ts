import { h } from '../dom';

/**
 * A field for a number. A value from the server does not replace one that is being typed; a typed text that is no
 * number is discarded.
 */
export class NumberField {
  readonly element: HTMLInputElement;
  on_change: (value: number) => void = () => {};
  on_nonsense: () => void = () => {};
  private typing_ = false;
  private shown_ = '';

  constructor(label: string, attributes: Readonly<Record<string, string>> = {}) {
    this.element = h('input', {
      class: 'number',
      attributes: {
        type: 'number',
        step: 'any',
        inputmode: 'decimal',
        'aria-label': label,
        ...attributes,
      },
      on: {
        input: () => (this.typing_ = true),
        change: () => this.changed(),
        blur: () => this.settle(),
      },
    });
  }

  show(text: string): void {
    this.shown_ = text;
    if (!this.typing_ && this.element.value !== text) this.element.value = text;
  }

  private changed(): void {
    const value = this.element.valueAsNumber;
    this.typing_ = false;
    if (Number.isFinite(value)) {
      this.on_change(value);
    } else {
      this.settle();
      this.on_nonsense();
    }
  }

  private settle(): void {
    this.typing_ = false;
    this.show(this.shown_);
  }
}

// A row of the mix of gaits: the share of one variant, on a slider.
import { icon_button } from '../editor/icon_button';
import { h, write } from '../parts/dom';

/** For this long after something was moved here older values from the server do not move it back. */
export const kTrust_ms = 1000;
const kStep = 0.01;

/** A share as a text. */
export function share_text(share: number): string {
  return `${Math.round(100 * share)} %`.replace(/^-0 /, '0 ').replace('-', '−');
}

let rows = 0;

export class MixRow {
  readonly cells: readonly HTMLElement[];
  on_share: (share: number) => void = () => {};
  on_remove: () => void = () => {};
  private readonly slider_: HTMLInputElement;
  private readonly share_ = h('output', {});
  private readonly remove_: HTMLButtonElement;
  private touched_ms_ = -Infinity;

  constructor(
    readonly name: string,
    title: string,
    test = 'mix', // before its name, for tests
  ) {
    const id = `mix-${++rows}`;
    this.slider_ = h('input', {
      attributes: {
        ...{ type: 'range', id, step: String(kStep), min: '0', max: '1' },
        'data-test': `${test}-${name}`,
      },
      on: {
        input: () => {
          this.touched_ms_ = performance.now();
          this.on_share(Number(this.slider_.value));
        },
      },
    });
    this.remove_ = icon_button('minus', `Mix “${title}” in no more`, () => this.on_remove());
    this.share_.dataset['test'] = `${test}-${name}-share`;
    this.cells = [
      h('label', { text: title, title, attributes: { for: id } }),
      this.slider_,
      this.share_,
      this.remove_,
    ];
  }

  /** @param least, most of its share */
  set_range(least: number, most: number): void {
    this.slider_.min = String(least);
    this.slider_.max = String(most);
  }

  /** Shows the room's share, unless somebody has just moved the slider. @return whether it is the room's */
  place(share: number): boolean {
    if (performance.now() - this.touched_ms_ <= kTrust_ms) return false;
    this.show(share);
    return true;
  }

  /** Shows a share that has been asked for here, as another slider makes room for this one. */
  show(share: number): void {
    if (Math.abs(Number(this.slider_.value) - share) > kStep / 2)
      this.slider_.value = String(share);
    const text = share_text(share);
    this.slider_.setAttribute('aria-valuetext', text);
    write(this.share_, text);
  }

  /** Leaves the slider for a while as it is, though the room has another value still. */
  trust(): void {
    this.touched_ms_ = performance.now();
  }

  set_hidden(hidden: boolean): void {
    for (const cell of this.cells) cell.hidden = hidden;
  }

  set_enabled(enabled: boolean): void {
    this.slider_.disabled = this.remove_.disabled = !enabled;
  }
}

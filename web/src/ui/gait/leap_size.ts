// Which of the leaps that a gait knows this viewer asks for, on a slider by their size.
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import { leap_sizes } from '../../state/gait/leap';
import { field, h, write } from '../parts/dom';

export class LeapSize {
  readonly element: HTMLElement;
  private readonly slider_ = h('input', {
    attributes: { type: 'range', min: '0', step: '1', 'data-test': 'leap-size' },
    on: { input: () => this.tell() },
  });
  private readonly shown_ = h('output', { attributes: { 'data-test': 'leap-size-shown' } });
  private sizes_: number[] = [];

  constructor() {
    const row = field('Leap size', this.slider_, this.shown_);
    row.title = 'Length of the leap over that of the longest one that the gait knows';
    this.element = h('div', { class: 'leap-size' }, row);
  }

  /** Over the longest leap that the gait knows, up to 1. */
  get value(): number {
    return this.sizes_[Number(this.slider_.value)] ?? 1;
  }

  /** @param enabled whether this viewer may have it leap */
  refresh(gait: Gait, enabled: boolean): void {
    const sizes = leap_sizes(gait);
    this.element.hidden = sizes.length < 2;
    this.slider_.disabled = !enabled;
    if (sizes.join() !== this.sizes_.join()) {
      this.sizes_ = sizes;
      this.slider_.max = String(Math.max(0, sizes.length - 1));
      this.slider_.value = this.slider_.max;
    }
    this.tell();
  }

  private tell(): void {
    const text = `${Math.round(100 * this.value)} %`;
    this.slider_.setAttribute('aria-valuetext', text);
    write(this.shown_, text);
  }
}

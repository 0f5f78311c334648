// The size of the leaps that this viewer asks for, on a slider.
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import { leap_has_sizes, leap_note } from '../../state/gait/leap';
import { field, h, write } from '../parts/dom';

const kLeast = 0.05;

export class LeapSize {
  readonly element: HTMLElement;
  private readonly slider_ = h('input', {
    attributes: {
      ...{ type: 'range', min: String(kLeast), max: '1', step: '0.05', value: '1' },
      'data-test': 'leap-size',
    },
    on: { input: () => this.tell() },
  });
  private readonly shown_ = h('output', { attributes: { 'data-test': 'leap-size-shown' } });
  private readonly note_ = h('p', {
    class: 'mix-note',
    attributes: { role: 'status', 'data-test': 'leap-note' },
  });
  private gait_: Gait | undefined;

  constructor() {
    const row = field('Leap size', this.slider_, this.shown_);
    row.title = 'Of the greatest leap that the gait knows';
    this.element = h('div', { class: 'leap-size' }, row, this.note_);
  }

  /** Of the greatest leap that the gait knows, up to 1. */
  get value(): number {
    return Number(this.slider_.value);
  }

  /** @param enabled whether this viewer may have it leap */
  refresh(gait: Gait, enabled: boolean): void {
    this.gait_ = gait;
    this.element.hidden = !leap_has_sizes(gait);
    this.slider_.disabled = !enabled;
    this.tell();
  }

  private tell(): void {
    const text = `${Math.round(100 * this.value)} %`;
    this.slider_.setAttribute('aria-valuetext', text);
    write(this.shown_, text);
    const note = this.gait_ ? leap_note(this.gait_, this.value) : '';
    this.note_.hidden = note === '';
    write(this.note_, note);
  }
}

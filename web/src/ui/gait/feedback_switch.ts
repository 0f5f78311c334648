// Switches what a gait does about its balance on and off, to compare. It is there where the gait does something.
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import { h } from '../parts/dom';
import { kTrust_ms } from './mix_row';

export class FeedbackSwitch {
  readonly element: HTMLElement;
  on_switch: (on: boolean) => void = () => {};
  private readonly box_ = h('input', {
    attributes: { type: 'checkbox', 'data-test': 'gait-feedback' },
    on: { change: () => this.on_switch(this.box_.checked) },
  });
  private asked_ms_ = -Infinity;

  constructor() {
    this.element = h(
      'label',
      {
        class: 'switch',
        title:
          'The tilt and the velocity of its trunk correct the poses of its legs. Off: it repeats its poses blindly. Push it, to compare',
      },
      this.box_,
      h('span', { text: 'Feedback keeps its balance' }),
    );
  }

  /** @param enabled whether this viewer may change anything */
  refresh({ feedback }: Gait, enabled: boolean): void {
    this.element.hidden = !feedback?.joints.length;
    this.box_.disabled = !enabled;
  }

  /** Shows what is asked for from here; for a while the room may have another value still. */
  ask(on: boolean): void {
    this.asked_ms_ = performance.now();
    this.box_.checked = on;
  }

  /** Shows the room's value. */
  show(on: boolean): void {
    if (performance.now() - this.asked_ms_ > kTrust_ms) this.box_.checked = on;
  }
}

// The buttons that repeat a part of the timeline, and set its ends.
import type { Lookback } from '../../state/recording/lookback';
import type { Recording } from '../../state/recording/recording';
import { h } from '../parts/dom';

const kLoop_ms = 2000; // that is repeated unless another part is chosen

export class LoopControls {
  readonly elements: readonly HTMLElement[];

  constructor(
    private readonly lookback_: Lookback,
    private readonly recording_: Recording,
  ) {
    const loop = h('button', {
      text: 'Loop',
      title: 'Repeat a part of the timeline. Drag its ends, or set them with From and To',
      attributes: { 'data-test': 'past-loop' },
      on: { click: () => this.turn() },
    });
    const from = end_button('From', 'past-from', () =>
      lookback_.repeat(lookback_.t_ms, lookback_.loop.value?.to_ms ?? recording_.to_ms),
    );
    const to = end_button('To', 'past-to', () => lookback_.repeat(this.from_ms, lookback_.t_ms));
    lookback_.loop.watch((span) => {
      loop.setAttribute('aria-pressed', String(span !== undefined));
      from.hidden = to.hidden = !span;
    });
    this.elements = [loop, from, to];
  }

  /** Where what is repeated begins; without a loop, the begin of the recording. */
  get from_ms(): number {
    return this.lookback_.loop.value?.from_ms ?? this.recording_.from_ms;
  }

  /** Ends the loop; where there is none, repeats what is around the moment shown. */
  private turn(): void {
    const { loop, t_ms } = this.lookback_;
    if (loop.value) loop.set(undefined);
    else this.lookback_.repeat(t_ms - kLoop_ms / 2, t_ms + kLoop_ms / 2);
  }
}

function end_button(text: string, test: string, set: () => void): HTMLElement {
  return h('button', {
    text,
    title: `${text === 'From' ? 'Start' : 'End'} the loop at the moment shown`,
    attributes: { 'data-test': test },
    on: { click: set },
  });
}

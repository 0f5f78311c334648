// The two choices at the head of the large plot: what is plotted, and over how long a time.
import { type Quantity, quantities_of } from '../../state/recording/quantities';
import type { Skeleton } from '../../state/figure/skeleton';
import { h } from '../parts/dom';

const kSpans_s = [2, 5, 10, 30, 60] as const;
const kLeastSpan_ms = 500;
const kMostSpan_ms = 60_000;

/** A choice of the quantities that a body has. */
export class QuantityChoice {
  readonly element = h('select', {
    attributes: { 'aria-label': 'What is plotted', 'data-test': 'plot-what' },
    on: { change: () => (this.key_ = this.element.value) },
  });
  private key_ = 'speed';
  private quantities_: readonly Quantity[] = [];
  private listed_: Skeleton | undefined;

  /** Lists the quantities of a body, or those that every body has; what was chosen stays, if it is among them. */
  offer(skeleton: Skeleton | undefined): void {
    if (skeleton === this.listed_ && this.quantities_.length > 0) return;
    this.listed_ = skeleton;
    this.quantities_ = quantities_of(skeleton);
    const groups = [...new Set(this.quantities_.map(({ group }) => group))];
    this.element.replaceChildren(
      ...groups.map((group) =>
        h(
          'optgroup',
          { attributes: { label: group } },
          ...this.quantities_
            .filter((one) => one.group === group)
            .map((one) => h('option', { text: one.title, attributes: { value: one.key } })),
        ),
      ),
    );
    if (!this.chosen) this.key_ = 'speed';
    this.element.value = this.key_;
  }

  get chosen(): Quantity | undefined {
    return this.quantities_.find(({ key }) => key === this.key_);
  }
}

/** A choice of the length of time that is shown, which zooming changes, too. */
export class SpanChoice {
  readonly element = h('select', {
    attributes: { 'aria-label': 'Length of time shown', 'data-test': 'plot-span' },
    on: { change: () => this.set(1000 * Number(this.element.value)) },
  });
  private span_ms_ = 10_000;

  constructor() {
    this.element.append(
      ...kSpans_s.map((s) => h('option', { text: `${s} s`, attributes: { value: String(s) } })),
    );
    this.set(this.span_ms_);
  }

  get span_ms(): number {
    return this.span_ms_;
  }

  set(ms: number): void {
    this.span_ms_ = Math.min(kMostSpan_ms, Math.max(kLeastSpan_ms, ms));
    const near = kSpans_s.find((s) => Math.abs(1000 * s - this.span_ms_) < 50);
    this.element.value = near === undefined ? '' : String(near);
  }
}

// A grid with a button for every slot in which a style can have a curve; each shows a small picture of its curve.
import type { Points } from '../../state/edit/curve_points';
import { evaluate } from '../../state/values/spline';
import { kSlotGroups, points_of, refs_in, type Slot, type Step } from '../../state/edit/style_doc';
import type { Style } from '../../gen/promenade/v1/style_pb';
import { h } from '../parts/dom';
import { set, svg } from './svg';

const kWidth = 34;
const kHeight = 18;
const kAxes = ['', 'roll', 'pitch', 'yaw'] as const;

function sparkline(curves: readonly Points[]): string {
  const [points] = curves;
  if (!points || points.length === 0) return '';
  const values = Array.from({ length: 18 }, (_, i) =>
    curves.reduce((sum, curve) => sum + evaluate(curve, i / 17), 0),
  );
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = Math.max(high - low, 1e-6);
  return `M${values
    .map(
      (value, i) =>
        `${((i / 17) * (kWidth - 6) + 3).toFixed(1)} ${(3 + ((high - value) / span) * (kHeight - 6)).toFixed(1)}`,
    )
    .join('L')}`;
}

interface Cell {
  readonly slot: Slot;
  readonly button: HTMLButtonElement;
  readonly path: SVGPathElement;
}

export class SlotGrid {
  readonly element: HTMLElement;
  on_choose: (slot: Slot) => void = () => {};
  private readonly cells_: Cell[] = [];

  constructor() {
    const rows = kSlotGroups.map(({ title, slots }) =>
      h(
        'div',
        { class: 'slot-row' },
        h('span', { class: 'slot-name', text: title }),
        ...slots.map((slot) => this.cell(slot)),
      ),
    );
    this.element = h(
      'div',
      { class: 'slot-grid', attributes: { role: 'group', 'aria-label': 'Curves' } },
      ...rows,
    );
  }

  show(style: Style, chosen: Slot, step: Step, problem: Slot | undefined): void {
    for (const { slot, button, path } of this.cells_) {
      const curves = refs_in(style, slot, step).map((ref) => points_of(style, ref));
      set(path, { d: sparkline(curves) });
      button.classList.toggle('empty', curves.length === 0);
      button.classList.toggle('refused', slot === problem);
      button.setAttribute('aria-pressed', String(slot === chosen));
    }
  }

  private cell(slot: Slot): HTMLButtonElement {
    const path = svg('path', {});
    const axis = kAxes[slot.axis] ?? '';
    const button = h(
      'button',
      {
        class: `slot ${axis}`,
        title: slot.title,
        attributes: { type: 'button', 'aria-label': slot.title, 'data-slot': slot.key },
        on: { click: () => this.on_choose(slot) },
      },
      svg('svg', { viewBox: `0 0 ${kWidth} ${kHeight}`, 'aria-hidden': 'true' }, path),
      ...(axis ? [h('span', { text: axis })] : []),
    );
    this.cells_.push({ slot, button, path });
    return button;
  }
}

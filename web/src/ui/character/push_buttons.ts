// Buttons that push the selected bodies.
import { type Context, sends } from '../page/context';
import { field, h, write } from '../parts/dom';

const kPushes = [
  { text: '↑', name: 'from behind', angle: 0 },
  { text: '←', name: 'from the right', angle: Math.PI / 2 },
  { text: '→', name: 'from the left', angle: -Math.PI / 2 },
  { text: '↓', name: 'from the front', angle: Math.PI },
] as const;

/** A slider for the force of a push, N, and a button for each side that a push can come from. */
export class PushButtons {
  readonly elements: readonly HTMLElement[];
  private readonly force_ = h('input', {
    attributes: { type: 'range', min: '50', max: '1000', step: '10', value: '300' },
  });

  constructor(private readonly context_: Context) {
    const value = h('output', { text: '300 N' });
    this.force_.addEventListener('input', () => write(value, `${this.force_.value} N`));
    const buttons = kPushes.map(({ text, name, angle }) =>
      h('button', {
        text,
        title: `Push ${name}`,
        attributes: { 'aria-label': `Push ${name}` },
        on: { click: () => this.push(angle) },
      }),
    );
    sends('push', this.force_, ...buttons);
    this.elements = [
      field('Push', this.force_, value),
      h('div', { class: 'buttons pushes' }, ...buttons),
    ];
  }

  /** @param angle rad, of the force to the left of where each one faces */
  private push(angle: number): void {
    const { actions, selection, world } = this.context_;
    const newton = Number(this.force_.value);
    for (const id of selection.ids.value) {
      const facing = (world.details.value.get(id)?.details.headingRad ?? 0) + angle;
      const force = [newton * Math.cos(facing), newton * Math.sin(facing), 0] as const;
      void actions.push(id, '', [0, 0, 0], force);
    }
  }
}

// The tools of the editor of people who come and go: their names and effects, and the buttons that take one in hand.
import type { Tool } from '../../state/flow/flow_shapes';
import { sends } from '../page/context';
import { h } from '../parts/dom';
import type { FlowPainter, Hand } from './flow_painter';

/** m, distance from an alarm within which people flee from it. */
export const kAlarm_m = 15;

const kTools: readonly { readonly tool: Tool; readonly text: string; readonly hint: string }[] = [
  { tool: 'entrance', text: 'Entrance', hint: 'Drag a rectangle: people come in there' },
  { tool: 'exit', text: 'Exit', hint: 'Drag a rectangle: people leave there' },
  { tool: 'wall', text: 'Wall', hint: 'Draw a line that people walk around' },
  { tool: 'bench', text: 'Bench', hint: 'Draw a row: people stay there side by side' },
  { tool: 'sight', text: 'Sight', hint: 'Drag outwards: people gather around it' },
  { tool: 'queue', text: 'Queue', hint: 'Draw from the counter along the line' },
  { tool: 'people', text: 'People', hint: 'Drag outwards: people stand there at once' },
];
const kSelectHint = 'Click an item, or drag it elsewhere';

/** What to do with the tool in hand, in words. */
export function hint_of(hand: Hand): string {
  const tool = kTools.find(({ tool: one }) => one === hand);
  return tool?.hint ?? (hand === 'alarm' ? 'Click a place on the ground' : kSelectHint);
}

/** The buttons that take a tool in hand, or put it down. */
export class FlowTools {
  /** One paints each kind of item. */
  readonly painting: readonly HTMLButtonElement[];
  readonly select: HTMLButtonElement;
  readonly alarm: HTMLButtonElement;

  constructor(private readonly painter_: FlowPainter) {
    this.painting = kTools.map(({ tool, text, hint }) => this.button(tool, text, hint));
    this.select = this.button('select', 'Select', kSelectHint);
    this.alarm = this.button(
      'alarm',
      'Alarm',
      `Then click a place on the ground: people within ${kAlarm_m} m flee from it`,
    );
    this.alarm.classList.add('alarm');
    sends('set_flow', ...this.painting);
    sends('alarm', this.alarm);
  }

  /** Shows the alarm where people may flee, or takes it away, out of the hand, too. */
  offer_alarm(on: boolean): void {
    this.alarm.hidden = !on;
    if (!on && this.painter_.hand.value === 'alarm') this.painter_.hand.set('none');
  }

  /** A mouse or finger takes the tool in hand; the keyboard puts an item into the middle of the picture. */
  private button(hand: Exclude<Hand, 'none'>, text: string, hint: string): HTMLButtonElement {
    const painter = this.painter_;
    const button = h('button', {
      text,
      title: hint,
      attributes: { 'aria-pressed': 'false', 'data-tool': hand },
    });
    button.addEventListener('click', ({ detail }) => {
      if (detail === 0 && hand !== 'select' && hand !== 'alarm')
        return painter.put_in_the_middle(hand);
      painter.hand.set(painter.hand.value === hand ? 'none' : hand);
    });
    painter.hand.watch((now) => button.setAttribute('aria-pressed', String(now === hand)));
    return button;
  }
}

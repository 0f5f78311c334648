// A hand over the picture that shows how to push somebody: it takes hold, draws an arrow, and lets go.
import { svg } from '../editor/svg';

const kComes_s = 0.7;
const kHolds_s = 1.1;
const kDraws_s = 2.5;
const kGoes_s = 3.3;
const kHand = // a pointing hand, its finger's tip at 0, 0
  'M0 0c-2.6 0-4 1.8-4 4v17l-4.6-4.4c-1.8-1.7-4.2-1.6-5.6-.1-1.2 1.3-1.1 3.2.2 4.8l10 12.4' +
  'c2 2.4 4 3.3 7.4 3.3h6c7 0 11-4.4 11-11.4v-9c0-2.4-1.6-4-3.6-4-1 0-1.9.4-2.5 1' +
  'c-.6-1.6-2-2.6-3.7-2.6-1 0-2 .4-2.7 1.1-.7-1.4-2-2.3-3.6-2.3-.5 0-1 .1-1.5.3V4' +
  'C3.8 1.8 2.6 0 0 0z';

export class GhostHand {
  private readonly line_ = svg('path', { class: 'ghost-line' });
  private readonly tip_ = svg('path', { class: 'ghost-tip' });
  private readonly grip_ = svg('circle', { class: 'ghost-grip', r: '7' });
  private readonly hand_ = svg('g', { class: 'ghost-figure' }, svg('path', { d: kHand }));
  readonly element = svg(
    'svg',
    { class: 'ghost-hand', 'aria-hidden': 'true' },
    this.line_,
    this.tip_,
    this.grip_,
    this.hand_,
  );

  constructor() {
    this.hide();
  }

  hide(): void {
    this.element.style.display = 'none';
  }

  /**
   * @param from where it takes hold, px
   * @param length_px of the arrow, to the right
   * @param t_s since it came
   * @param still a picture of it instead
   * @return whether it has let go
   */
  draw(
    from: { readonly x: number; readonly y: number },
    length_px: number,
    t_s: number,
    still: boolean,
  ): boolean {
    const t = still ? kDraws_s : t_s;
    const drawn = smooth((t - kHolds_s) / (kDraws_s - kHolds_s));
    const gone = t > kDraws_s;
    const { x, y } = from;
    const to = x + drawn * length_px;
    const arrow = drawn > 0.1 && !gone;
    this.element.style.display = '';
    this.element.style.opacity = String(
      Math.min(smooth(t / kComes_s), 1 - smooth((t - kDraws_s - 0.2) / (kGoes_s - kDraws_s))),
    );
    this.line_.setAttribute('d', arrow ? `M${x} ${y}H${to - 8}` : '');
    this.tip_.setAttribute('d', arrow ? `M${to} ${y}l-16 -8v16z` : '');
    this.grip_.setAttribute('cx', String(x));
    this.grip_.setAttribute('cy', String(y));
    this.grip_.style.opacity = t > kComes_s && !gone ? '1' : '0';
    const pressed = t > kComes_s && !gone ? 0.9 : 1;
    this.hand_.setAttribute('transform', `translate(${to} ${y + 3}) scale(${pressed})`);
    return gone;
  }
}

function smooth(share: number): number {
  const s = Math.min(1, Math.max(0, share));
  return s * s * (3 - 2 * s);
}

// The tile in the middle of the sheet of variations: the moving picture of the gait itself, and its share.
import type { GaitLook } from '../../gen/promenade/v1/gait_study_pb';
import { look_figures } from '../../state/gait/variations';
import { share_text } from '../gait/mix_row';
import { h, write } from '../parts/dom';

const kTitle = 'The gait itself';

export class OwnTile {
  readonly element: HTMLElement;
  /** The place of its picture, which is pressed to have the gait alone. */
  readonly picture: HTMLButtonElement;
  private readonly share_ = h('output', { attributes: { 'data-test': 'variations-own' } });

  constructor(readonly look: GaitLook) {
    this.picture = h('button', {
      class: 'variation-picture',
      title: 'Press to have the gait alone: all variations become 0 %',
      attributes: {
        type: 'button',
        'aria-label': `${kTitle}: ${look_figures(look)}`,
        'aria-pressed': 'false',
        'data-test': 'variations-none',
      },
    });
    this.element = h(
      'div',
      { class: 'variation own', attributes: { 'data-test': 'own-tile' } },
      this.picture,
      h('div', { class: 'variation-own' }, h('b', { text: kTitle }), this.share_),
      h('span', { class: 'faint', text: look_figures(look) }),
    );
  }

  /** Shows the room's share. */
  show(share: number): void {
    write(this.share_, share_text(share));
    this.picture.setAttribute('aria-pressed', String(share === 1));
  }

  set_enabled(enabled: boolean): void {
    this.picture.disabled = !enabled;
  }
}

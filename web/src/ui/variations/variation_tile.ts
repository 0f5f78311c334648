// A tile of the sheet of variations: the moving picture of one, and the slider of its share.
import type { GaitLook } from '../../gen/promenade/v1/gait_study_pb';
import { look_figures, look_title } from '../../state/gait/variations';
import { MixRow } from '../gait/mix_row';
import { h } from '../parts/dom';

export class VariationTile {
  readonly element: HTMLElement;
  /** The place of its picture, which is pressed to have this variation alone. */
  readonly picture: HTMLButtonElement;
  readonly row: MixRow;

  constructor(readonly look: GaitLook) {
    const title = look_title(look);
    this.row = new MixRow(look.name, title, 'variation');
    const [label, slider, share] = this.row.cells as [HTMLElement, HTMLElement, HTMLElement];
    this.picture = h('button', {
      class: 'variation-picture',
      title: 'Press to have this one alone, and again to have none of it',
      attributes: {
        type: 'button',
        'aria-label': `${title}: ${look_figures(look)}`,
        'aria-pressed': 'false',
        'data-test': `show-${look.name}`,
      },
    });
    this.element = h(
      'div',
      { class: 'variation', attributes: { 'data-test': 'variation' } },
      this.picture,
      label,
      h('span', { class: 'faint', text: look_figures(look) }),
      h('div', { class: 'variation-share' }, slider, share),
    );
  }

  /** Shows the room's share. */
  show(share: number): void {
    this.row.show(share);
    this.element.classList.toggle('mixed', share !== 0);
    this.picture.setAttribute('aria-pressed', String(share === 1));
  }

  set_enabled(enabled: boolean): void {
    this.row.set_enabled(enabled);
    this.picture.disabled = !enabled;
  }
}

// The bar below the picture while a tool of the flow's editor is in hand: what to do with the tool, and how to end.
import type { FlowDoc } from '../../state/flow/flow_doc';
import { sends } from '../page/context';
import { is_narrow } from '../page/narrow';
import { h, write } from '../parts/dom';
import type { FlowPainter } from './flow_painter';
import { hint_of } from './flow_tools';

/** The bar puts itself beside the bar of the other things in hand. */
export class FlowHandBar {
  private readonly words_ = h('span', { class: 'flow-hint' });
  private readonly remove_: HTMLButtonElement;
  private readonly undo_: HTMLButtonElement;
  private readonly bar_: HTMLElement;

  /** @param rights_ enables what this viewer may do in an element */
  constructor(
    private readonly painter_: FlowPainter,
    private readonly doc_: FlowDoc,
    private readonly rights_: (element: HTMLElement) => void,
  ) {
    this.remove_ = this.button('Remove', 'flow-hand-remove', () => {
      const { value: id } = doc_.selected;
      if (id) doc_.remove(id);
    });
    sends('set_flow', this.remove_);
    this.undo_ = this.button('Undo', 'flow-hand-undo', () => doc_.undo());
    const done = this.button('Done', 'flow-hand-done', () => painter_.hand.set('none'));
    done.title = 'Put the tool down (Esc)';
    this.bar_ = h(
      'div',
      { class: 'hand flow-hand', attributes: { role: 'toolbar', 'aria-label': 'Painting' } },
      ...[this.words_, this.undo_, this.remove_, done],
    );
    document.querySelector('.bottom .hand')?.after(this.bar_);
    painter_.hand.watch(() => this.refresh());
    painter_.hand.watch((hand) => {
      if (hand === 'none' || !is_narrow()) return;
      // The sheet of panels covers the ground that is painted on.
      document.querySelector<HTMLElement>('[aria-label="Panels"][aria-expanded="true"]')?.click();
    });
    doc_.selected.watch(() => this.refresh());
    doc_.flow.watch(() => this.refresh());
  }

  private button(text: string, test: string, click: () => void): HTMLButtonElement {
    return h('button', { text, attributes: { 'data-test': test }, on: { click } });
  }

  private refresh(): void {
    const { value: hand } = this.painter_.hand;
    this.bar_.hidden = hand === 'none';
    this.remove_.hidden = hand !== 'select' || !this.doc_.selected.value;
    this.undo_.hidden = hand === 'alarm';
    this.undo_.disabled = !this.doc_.can_undo;
    write(this.words_, hint_of(hand));
    if (!this.bar_.hidden) this.rights_(this.bar_);
  }
}

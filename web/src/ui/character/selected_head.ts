// Common parts of the panels of a selected body: the body's name, the head, and a list of its measures.
import type { Member } from '../../state/room/roster';
import type { Selection } from '../../state/room/selection';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';

/** The first of the selected bodies, if it is a thing or a character as asked for. */
export function first_selected({ selection, world }: Context, thing: boolean): Member | undefined {
  const { first } = selection;
  const member = first === undefined ? undefined : world.cast.value.by_id.get(first);
  return member?.thing === thing ? member : undefined;
}

/** The head of a panel: the colour and name of the first selected body, its state, and a button that deselects. */
export class SelectedHead {
  readonly element: HTMLElement;
  private readonly swatch_ = h('i', { class: 'portrait' });
  private readonly title_: HTMLElement;

  /** @param nobody the title before a body has been selected */
  constructor(
    private readonly selection_: Selection,
    nobody: string,
    state: HTMLElement,
  ) {
    this.title_ = h('h2', { text: nobody });
    const close = h('button', {
      class: 'quiet',
      text: '×',
      title: 'Deselect (Esc)',
      attributes: { 'aria-label': 'Deselect' },
      on: { click: () => selection_.clear() },
    });
    this.element = h(
      'header',
      { class: 'character-head' },
      this.swatch_,
      this.title_,
      state,
      close,
    );
  }

  /** @param color for CSS */
  show({ id, skeleton }: Member, color: string): void {
    const others = this.selection_.ids.value.length - 1;
    write(this.title_, `${skeleton.title} ${id}${others > 0 ? ` and ${others} more` : ''}`);
    this.swatch_.style.background = color;
  }
}

/** A list of measures, each with its name and its value. */
export class Figures {
  readonly element = h('dl', { class: 'figures' });

  /** Adds a measure. @return the element of its value */
  add(name: string): HTMLElement {
    const value = h('dd', { text: '–' });
    this.element.append(h('dt', { text: name }), value);
    return value;
  }
}

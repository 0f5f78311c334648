// Texts that are only read out by screen readers: answers to the visitor's own keys, and, where that is asked for,
// what happens in the room.
import { h } from '../parts/dom';

/** A region that is read out whenever its text changes, once the reader is done with what it reads. */
function region(test: string): HTMLElement {
  return h('div', {
    class: 'unseen',
    attributes: { role: 'status', 'aria-live': 'polite', 'data-test': test },
  });
}

export class Announcer {
  private readonly answers_ = region('answers');
  private readonly happenings_ = region('happenings');
  readonly element = h('div', {}, this.answers_, this.happenings_);

  /** The answer to something that the visitor did by keys. */
  answer(text: string): void {
    say(this.answers_, text);
  }

  /** Something that happened by itself. */
  tell(text: string): void {
    say(this.happenings_, text);
  }
}

/** The same text twice is read twice: a space that is not seen makes the difference. */
function say(element: HTMLElement, text: string): void {
  element.textContent = element.textContent === text ? `${text}\u00a0` : text;
}

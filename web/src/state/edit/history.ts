import { Signal } from '../values/signal';

const kMost = 200;

/** A change of something beside the value, in its turn among the changes of the value. */
export interface Step {
  undo(): void;
  redo(): void;
}

type Entry<T> = { readonly value: T } | { readonly step: Step };

/** Undo and redo over values that are never changed in place. */
export class History<T> {
  readonly present: Signal<T>;
  private past_: Entry<T>[] = [];
  private future_: Entry<T>[] = [];
  private gesture_: string | undefined;

  constructor(first: T) {
    this.present = new Signal(first);
  }

  get can_undo(): boolean {
    return this.past_.length > 0;
  }
  get can_redo(): boolean {
    return this.future_.length > 0;
  }

  /**
   * A new present. Changes of the same gesture, a drag say, are undone together.
   * @param gesture names the gesture under way; undefined for a change of its own
   */
  change(next: T, gesture?: string): void {
    if (Object.is(next, this.present.value)) return;
    const goes_on = gesture !== undefined && gesture === this.gesture_;
    if (!goes_on) this.remember({ value: this.present.value });
    this.future_ = [];
    this.gesture_ = gesture;
    this.present.set(next);
  }

  /** Takes in a step that has been made. */
  note(step: Step): void {
    this.remember({ step });
    this.future_ = [];
    this.gesture_ = undefined;
  }

  /** Changes all values at once, as if they had always been so; a gesture goes on. */
  rebase(change: (value: T) => T): void {
    const rebased = (entry: Entry<T>) => ('step' in entry ? entry : { value: change(entry.value) });
    this.past_ = this.past_.map(rebased);
    this.future_ = this.future_.map(rebased);
    this.present.set(change(this.present.value));
  }

  /** The next change, even of the same name, is another gesture. */
  end_gesture(): void {
    this.gesture_ = undefined;
  }

  /** @return whether the value is another now */
  undo(): boolean {
    return this.go(this.past_, this.future_, 'undo');
  }

  redo(): boolean {
    return this.go(this.future_, this.past_, 'redo');
  }

  private remember(entry: Entry<T>): void {
    this.past_.push(entry);
    if (this.past_.length > kMost) this.past_.shift();
  }

  private go(from: Entry<T>[], to: Entry<T>[], way: keyof Step): boolean {
    const entry = from.pop();
    if (!entry) return false;
    this.gesture_ = undefined;
    if ('step' in entry) {
      to.push(entry);
      entry.step[way]();
      return false;
    }
    to.push({ value: this.present.value });
    this.present.set(entry.value);
    return true;
  }
}

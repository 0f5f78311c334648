import { Signal } from '../values/signal';

const kMost = 200;

/** Undo and redo over values that are never changed in place. */
export class History<T> {
  readonly present: Signal<T>;
  private past_: T[] = [];
  private future_: T[] = [];
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
    if (!goes_on) {
      this.past_.push(this.present.value);
      if (this.past_.length > kMost) this.past_.shift();
    }
    this.future_ = [];
    this.gesture_ = gesture;
    this.present.set(next);
  }

  /** Changes all values at once, as if they had always been so; a gesture goes on. */
  rebase(change: (value: T) => T): void {
    this.past_ = this.past_.map(change);
    this.future_ = this.future_.map(change);
    this.present.set(change(this.present.value));
  }

  /** The next change, even of the same name, is another gesture. */
  end_gesture(): void {
    this.gesture_ = undefined;
  }

  /** @return whether there was anything to undo */
  undo(): boolean {
    return this.go(this.past_, this.future_);
  }

  redo(): boolean {
    return this.go(this.future_, this.past_);
  }

  private go(from: T[], to: T[]): boolean {
    if (from.length === 0) return false;
    const next = from.pop() as T;
    to.push(this.present.value);
    this.gesture_ = undefined;
    this.present.set(next);
    return true;
  }
}

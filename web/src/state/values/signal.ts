/** A value that calls its watchers when it changes. */
export class Signal<T> {
  private readonly listeners_ = new Set<(value: T) => void>();

  constructor(private value_: T) {}

  get value(): T {
    return this.value_;
  }

  set(value: T): void {
    if (Object.is(value, this.value_)) return;
    this.value_ = value;
    for (const listener of this.listeners_) listener(value);
  }

  /** Calls the listener now and at every change. @return to stop it */
  watch(listener: (value: T) => void): () => void {
    this.listeners_.add(listener);
    listener(this.value_);
    return () => this.listeners_.delete(listener);
  }
}

// What a page could not give back to a room, because the connection was lost: kept until that room is there again.

export class Leftover<T> {
  private epoch_ = '';
  private kept_: readonly T[] = [];

  /** @param epoch of the room: whoever and whatever is meant is the same only in it */
  keep(epoch: string, what: readonly T[]): void {
    this.kept_ = epoch === this.epoch_ ? [...this.kept_, ...what] : what;
    this.epoch_ = epoch;
  }

  /** To be called when a scene is there. @return what is to be given back in it now, once */
  take(epoch: string): readonly T[] {
    const due = epoch === this.epoch_ ? this.kept_ : [];
    this.kept_ = [];
    return due;
  }
}

// Commands by which a page could not give back a room's state, as the connection was lost: kept until the room is back.

export class Leftover<T> {
  private epoch_ = '';
  private kept_: readonly T[] = [];

  /** @param epoch of the room: ids mean the same characters and things only in it */
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

// The edits that this page has sent lately, by which it tells its own changes from those of others. Answers, rosters and
// states of the room come by themselves: a roster or a state may still be from before the last edit.

const kMost = 16;
const kBehind_ms = 150; // that a roster may be late

export interface OwnEdit<Doc> {
  readonly based_on: Doc | undefined; // undefined: all of it was replaced
  readonly doc: Doc;
  readonly before: bigint; // ids of what the room had before and afterwards
  readonly after: bigint;
  readonly tick: number; // at which it took effect: states with a greater one have it
}

export class OwnEdits<Doc> {
  private edits_: OwnEdit<Doc>[] = [];
  private last_ms_ = -Infinity;

  note(edit: OwnEdit<Doc>): void {
    this.edits_.push(edit);
    if (this.edits_.length > kMost) this.edits_.shift();
    this.last_ms_ = performance.now();
  }

  /** How long to wait for a newer roster, ms, where one shows `id`: 0 where that is somebody else's doing. */
  behind_ms(id: bigint): number {
    if (!this.edits_.some(({ before, after }) => id === before || id === after)) return 0;
    return Math.max(0, this.last_ms_ + kBehind_ms - performance.now());
  }

  /** Those that a state of that tick may lack, oldest first. */
  since(tick: number): readonly OwnEdit<Doc>[] {
    return this.edits_.filter((edit) => edit.tick >= tick);
  }
}

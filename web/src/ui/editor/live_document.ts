// The style or body of one character while it is edited: its present value, the values that undo and redo return to,
// and the sending of changes to the room. Only the newest value waits to be sent, never a queue of old ones.
import type { CommandInit, CommandOutcome } from '../../net/messages';
import type { Answer } from '../../net/api';
import { ErrorCode, type Error as WireError } from '../../gen/promenade/v1/wire_pb';
import { History } from '../../state/history';
import { Signal } from '../../state/signal';

export type CommandKind = NonNullable<CommandInit['kind']>;

/** Where a document's value comes from. */
export interface Source {
  readonly name: string;
  readonly title: string;
  readonly version: number; // of a saved style or body; 0 for any other
  readonly built_in: boolean;
}

export interface Loaded<Doc> {
  readonly doc: Doc;
  readonly source: Source;
}

/** What the roster says of a character's style or body. */
export interface Shown {
  readonly name: string;
  readonly edited: boolean; // differs from the style or body of that name
}

/** How documents of one kind, styles or bodies, are read, compared and sent. */
export interface Subject<Doc> {
  fetch(character: number): Promise<Answer<Loaded<Doc>>>;
  by_definition(character: number, doc: Doc): CommandKind;
  by_name(character: number, name: string): CommandKind;
  same(a: Doc, b: Doc): boolean;
  name_of(doc: Doc): string;
  readonly every_ms: number; // at most one command in this time
}

export interface Problem {
  readonly field: string; // path in the server's message; '' for an error that is about no field
  readonly text: string;
}

/** The text of a refusal as shown beside the field that it is about. */
export function problem_of(error: WireError): Problem {
  const text = error.allowed
    ? `${error.value === '' ? 'This' : error.value} is not allowed: ${error.allowed}.`
    : error.message || 'The server refused this.';
  return { field: error.field, text };
}

function problem_in(outcome: CommandOutcome): Problem | undefined {
  switch (outcome.kind) {
    case 'done':
      return undefined;
    case 'refused':
      return problem_of(outcome.error);
    case 'lost':
      return { field: '', text: outcome.reason };
  }
}

const kSettle_ms = 400;

export class LiveDocument<Doc> {
  /** undefined until the server has sent the character's style or body. */
  readonly history = new Signal<History<Doc> | undefined>(undefined);
  readonly problem = new Signal<Problem | undefined>(undefined);
  /** Why the document could not be fetched; undefined if it could. */
  readonly failure = new Signal<string | undefined>(undefined);
  readonly source = new Signal<Source | undefined>(undefined);
  /** Called at every change of the value, of what can be undone, or of the source. */
  on_change: () => void = () => {};

  private base_: Doc | undefined; // the value that Reset returns to
  private waiting_: CommandKind | undefined;
  private under_way_ = 0; // commands that are not yet answered
  private sent_ms_ = -Infinity;
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private settling_: ReturnType<typeof setTimeout> | undefined;
  private expected_: Shown | undefined;
  private shown_: Shown;

  constructor(
    readonly character: number,
    private readonly subject_: Subject<Doc>,
    private readonly ask_: (kind: CommandKind) => Promise<CommandOutcome>,
    shown: Shown,
  ) {
    this.shown_ = shown;
    void this.fetch();
  }

  get doc(): Doc | undefined {
    return this.history.value?.present.value;
  }

  get edited(): boolean {
    const doc = this.doc;
    return doc !== undefined && this.base_ !== undefined && !this.subject_.same(doc, this.base_);
  }

  /** @param gesture a name that all changes of one drag share; they are undone together */
  edit(doc: Doc, gesture?: string): void {
    const history = this.history.value;
    if (!history) return;
    history.change(doc, gesture);
    this.send_present();
    this.on_change();
  }

  end_gesture(): void {
    this.history.value?.end_gesture();
  }

  undo(): void {
    if (this.history.value?.undo()) this.after_step();
  }
  redo(): void {
    if (this.history.value?.redo()) this.after_step();
  }

  /** Returns to the value as it was last fetched, loaded or saved; can be undone. */
  reset(): void {
    if (this.base_ !== undefined && this.edited) this.edit(this.base_);
  }

  /**
   * Takes a value that was loaded from the server's store; can be undone.
   * @param by_name whether the room may be sent the name instead of the value
   */
  load({ doc, source }: Loaded<Doc>, by_name: boolean): void {
    this.base_ = doc;
    this.source.set(source);
    this.history.value?.change(doc);
    if (by_name) this.send_name(source.name);
    else this.send_present();
    this.on_change();
  }

  /**
   * After a save: the value is now the one that its name has in the store.
   * @param present the value now, which may have been edited while the save was under way
   */
  saved(doc: Doc, source: Source, present = doc): void {
    this.history.value?.change(present);
    this.base_ = doc;
    this.source.set(source);
    if (this.edited) this.send_present();
    else this.send_name(source.name);
    this.on_change();
  }

  /**
   * Offers the room a value, and keeps it only if the room accepts it.
   * @return why the value was not kept: the room's refusal, or that there were edits meanwhile, which stay
   */
  async offer(doc: Doc): Promise<Problem | 'overtaken' | undefined> {
    const before = this.doc;
    const outcome = await this.deliver(this.subject_.by_definition(this.character, doc));
    const taken = outcome.kind === 'done' && this.doc === before;
    if (taken) {
      this.waiting_ = undefined; // an edit from before the offer
      this.expected_ = { name: this.subject_.name_of(doc), edited: true };
      this.history.value?.change(doc);
      this.problem.set(undefined);
      this.on_change();
    } else if (outcome.kind === 'done' && !this.waiting_) {
      this.send_present(); // the room has the offer now
    }
    this.pump();
    if (taken) return undefined;
    return outcome.kind === 'done' ? 'overtaken' : problem_in(outcome);
  }

  /** Compares with the roster, and fetches the value again if another viewer has changed it. */
  roster(shown: Shown): void {
    if (shown.name === this.shown_.name && shown.edited === this.shown_.edited) return;
    this.shown_ = shown;
    this.settle();
  }

  async fetch(): Promise<void> {
    const before = this.doc;
    const answer = await this.subject_.fetch(this.character);
    if (answer.kind === 'refused') {
      // The roster tells soon that it is gone.
      const gone = answer.error.code === ErrorCode.NOT_FOUND;
      const told = gone ? '' : answer.error.message;
      this.failure.set(
        told || (gone ? 'This character has just left.' : 'The server did not tell what it has.'),
      );
      this.on_change();
      return;
    }
    this.failure.set(undefined);
    const { doc, source } = answer.value;
    const history = this.history.value;
    if (!history) this.history.set(new History(doc));
    else if (this.busy || this.doc !== before) return this.settle();
    else if (!this.subject_.same(history.present.value, doc)) history.change(doc);
    this.base_ = doc;
    this.source.set(source);
    this.problem.set(undefined);
    this.on_change();
  }

  dispose(): void {
    clearTimeout(this.timer_);
    clearTimeout(this.settling_);
    this.waiting_ = undefined;
  }

  /** Whether commands from this page have not yet been answered. */
  private get busy(): boolean {
    return this.under_way_ > 0 || this.waiting_ !== undefined;
  }

  /** Fetches a value that another viewer has set, once no command from this page is under way. */
  private settle(): void {
    clearTimeout(this.settling_);
    this.settling_ = setTimeout(() => {
      const { expected_: expected, shown_: shown } = this;
      if (expected?.name === shown.name && expected.edited === shown.edited) return;
      if (this.busy) this.settle();
      else void this.fetch();
    }, kSettle_ms);
  }

  private after_step(): void {
    this.send_present();
    this.on_change();
  }

  private send_present(): void {
    const doc = this.doc;
    if (doc === undefined) return;
    this.expected_ = { name: this.subject_.name_of(doc), edited: true };
    this.waiting_ = this.subject_.by_definition(this.character, doc);
    this.pump();
  }

  private send_name(name: string): void {
    this.expected_ = { name, edited: false };
    this.waiting_ = this.subject_.by_name(this.character, name);
    this.pump();
  }

  private async deliver(kind: CommandKind): Promise<CommandOutcome> {
    ++this.under_way_;
    this.sent_ms_ = performance.now();
    const outcome = await this.ask_(kind);
    --this.under_way_;
    return outcome;
  }

  private pump(): void {
    if (this.under_way_ > 0 || !this.waiting_) return;
    clearTimeout(this.timer_);
    const wait_ms = this.sent_ms_ + this.subject_.every_ms - performance.now();
    if (wait_ms > 0) {
      this.timer_ = setTimeout(() => this.pump(), wait_ms);
      return;
    }
    const kind = this.waiting_;
    this.waiting_ = undefined;
    void this.deliver(kind).then((outcome) => {
      if (!this.waiting_ || outcome.kind === 'refused') this.problem.set(problem_in(outcome));
      this.pump();
    });
  }
}

// What is being edited for one character: its present value, what can be undone, and the line to the
// room, which always has the newest value and never a queue of old ones.
import type { CommandInit, CommandOutcome } from '../../net/messages';
import type { Answer } from '../../net/api';
import type { Error as WireError } from '../../gen/promenade/v1/wire_pb';
import { History } from '../../state/history';
import { Signal } from '../../state/signal';

export type CommandKind = NonNullable<CommandInit['kind']>;

/** Where a value is from. */
export interface Source {
  readonly name: string;
  readonly title: string;
  readonly version: number; // of a saved one; else 0
  readonly built_in: boolean;
}

export interface Loaded<Doc> {
  readonly doc: Doc;
  readonly source: Source;
}

/** What the roster says of what a character has. */
export interface Shown {
  readonly name: string;
  readonly edited: boolean; // not as its name says
}

/** What can be edited: a style, or a body. */
export interface Subject<Doc> {
  fetch(character: number): Promise<Answer<Loaded<Doc>>>;
  by_definition(character: number, doc: Doc): CommandKind;
  by_name(character: number, name: string): CommandKind;
  same(a: Doc, b: Doc): boolean;
  name_of(doc: Doc): string;
  readonly every_ms: number; // at most one command in this time
}

export interface Problem {
  readonly field: string; // path as the server says it; '' if it is about no field
  readonly text: string;
}

/** How a refusal reads at a field that has a name beside it. */
export function problem_of(error: WireError): Problem {
  const text = error.allowed
    ? `${error.value === '' ? 'This' : error.value} is not allowed: ${error.allowed}.`
    : error.message || 'The server refused this.';
  return { field: error.field, text };
}

const kSettle_ms = 400;

export class LiveDocument<Doc> {
  /** undefined until the server has told what the character has. */
  readonly history = new Signal<History<Doc> | undefined>(undefined);
  readonly problem = new Signal<Problem | undefined>(undefined);
  /** Why it could not be fetched. */
  readonly failure = new Signal<string | undefined>(undefined);
  readonly source = new Signal<Source | undefined>(undefined);
  /** Told at every change of value, of what can be undone, or of the source. */
  on_change: () => void = () => {};

  private base_: Doc | undefined; // what reset returns to
  private waiting_: CommandKind | undefined;
  private sending_ = false;
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

  /** @param gesture the same for all changes of one drag, which are undone together */
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

  /** Back to what it was when it was fetched, loaded or saved; can be undone. */
  reset(): void {
    if (this.base_ !== undefined && this.edited) this.edit(this.base_);
  }

  /**
   * Takes what was loaded from the server's store; can be undone.
   * @param by_name whether the name stands for it now
   */
  load({ doc, source }: Loaded<Doc>, by_name: boolean): void {
    this.base_ = doc;
    this.source.set(source);
    this.history.value?.change(doc);
    if (by_name) this.send_name(source.name);
    else this.send_present();
    this.on_change();
  }

  /** The present value is now what its name stands for in the store. */
  saved(doc: Doc, source: Source): void {
    this.history.value?.change(doc);
    this.base_ = doc;
    this.source.set(source);
    this.send_name(source.name);
    this.on_change();
  }

  /** Takes a value only if the room does. @return what is wrong with it otherwise */
  async offer(doc: Doc): Promise<Problem | undefined> {
    const outcome = await this.ask_(this.subject_.by_definition(this.character, doc));
    if (outcome.kind === 'refused') return problem_of(outcome.error);
    if (outcome.kind === 'lost') return { field: '', text: outcome.reason };
    this.expected_ = { name: this.subject_.name_of(doc), edited: true };
    this.history.value?.change(doc);
    this.problem.set(undefined);
    this.on_change();
    return undefined;
  }

  /** Told what the roster says; fetches anew if somebody else has changed it. */
  roster(shown: Shown): void {
    if (shown.name === this.shown_.name && shown.edited === this.shown_.edited) return;
    this.shown_ = shown;
    clearTimeout(this.settling_);
    this.settling_ = setTimeout(() => {
      const expected = this.expected_;
      const own = expected?.name === this.shown_.name && expected.edited === this.shown_.edited;
      if (!own && !this.sending_ && !this.waiting_) void this.fetch();
    }, kSettle_ms);
  }

  async fetch(): Promise<void> {
    const answer = await this.subject_.fetch(this.character);
    if (answer.kind === 'refused') {
      this.failure.set(answer.error.message || 'The server did not tell what this character has.');
      this.on_change();
      return;
    }
    this.failure.set(undefined);
    const { doc, source } = answer.value;
    const history = this.history.value;
    if (!history) this.history.set(new History(doc));
    else if (this.sending_ || this.waiting_) return;
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

  private pump(): void {
    if (this.sending_ || !this.waiting_) return;
    clearTimeout(this.timer_);
    const wait_ms = this.sent_ms_ + this.subject_.every_ms - performance.now();
    if (wait_ms > 0) {
      this.timer_ = setTimeout(() => this.pump(), wait_ms);
      return;
    }
    const kind = this.waiting_;
    this.waiting_ = undefined;
    this.sending_ = true;
    this.sent_ms_ = performance.now();
    void this.ask_(kind).then((outcome) => {
      this.sending_ = false;
      if (!this.waiting_ || outcome.kind === 'refused')
        this.problem.set(
          outcome.kind === 'refused'
            ? problem_of(outcome.error)
            : outcome.kind === 'lost'
              ? { field: '', text: outcome.reason }
              : undefined,
        );
      this.pump();
    });
  }
}

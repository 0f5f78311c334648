// The style, body or gait of one character while it is edited: its present value, the values that undo and redo return to,
// and the sending of changes to the room. A change goes out together with what it was made from, so that the room keeps
// what others have changed elsewhere meanwhile (docs/protocol.md, Editing). Only the newest value waits to be sent,
// never a queue of old ones.
import type { CommandKind, CommandOutcome } from '../../net/messages';
import type { Answer } from '../../net/api';
import { ErrorCode, type Error as WireError } from '../../gen/promenade/v1/wire_pb';
import { History, type Step } from '../../state/edit/history';
import { sentence } from '../../state/values/sentence';
import { Signal } from '../../state/values/signal';
import { OwnEdits } from './own_edits';

export type { CommandKind };

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
  readonly id?: bigint; // of a character's style or body in the room
  readonly tick?: number; // of the room's state that a character's style or body was read from
}

/** The roster's facts about a character's style or body. */
export interface Shown {
  readonly name: string;
  readonly edited: boolean; // differs from the style or body of that name
  readonly id: bigint; // another one whenever anything in it changes
}

/** How documents of one kind, styles, bodies or gaits, are read, compared, merged and sent. */
export interface Subject<Doc> {
  fetch(character: number): Promise<Answer<Loaded<Doc>>>;
  /** @param based_on what the definition was changed from */
  by_definition(character: number, doc: Doc, based_on: Doc): CommandKind;
  by_name(character: number, name: string): CommandKind;
  same(a: Doc, b: Doc): boolean;
  /** Mine where it differs from the base, theirs elsewhere. */
  merged(base: Doc, mine: Doc, theirs: Doc): Doc;
  /** Titles of what differs. */
  differences(a: Doc, b: Doc): string[];
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
    ? `${error.value === '' ? 'This' : error.value} is not allowed. Allowed: ${error.allowed}.`
    : sentence(error.message) || 'The server refused this and gave no reason. Try again.';
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

/** A value on its way to the room. */
interface Sent<Doc> {
  doc: Doc;
  replaced?: boolean; // somebody has given the character another style or body meanwhile
}

const kStale_ms = 17; // a tick: until the room is asked again that had not published the last edit yet; then twice as long
const kLongest_ms = 1000;

export class LiveDocument<Doc> {
  /** undefined until the server has sent the character's style or body. */
  readonly history = new Signal<History<Doc> | undefined>(undefined);
  readonly problem = new Signal<Problem | undefined>(undefined);
  /** Why the document could not be fetched; undefined if it could. */
  readonly failure = new Signal<string | undefined>(undefined);
  readonly source = new Signal<Source | undefined>(undefined);
  /** Called at every change of the value, of what can be undone, or of the source. */
  on_change: () => void = () => {};
  /** Called with the titles of what somebody else has changed. */
  on_others: (titles: readonly string[]) => void = () => {};

  private base_: Doc | undefined; // the value that Reset returns to
  private room_: Doc | undefined; // what the room has, as far as this page knows
  private known_: bigint | undefined; // id of that; undefined: somebody else has changed it
  private waiting_: 'edit' | { readonly name: string } | undefined;
  private readonly under_way_ = new Set<Sent<Doc>>(); // not yet answered
  private readonly own_ = new OwnEdits<Doc>();
  private sent_ms_ = -Infinity;
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private following_: ReturnType<typeof setTimeout> | undefined;
  private fetching_ = false;
  private repeats_ = 0; // fetches since the roster or an answer told something new
  private expected_: { readonly name: string; readonly edited: boolean } | undefined;
  private shown_: Shown;
  private disposed_ = false;

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
    if (this.history.value?.undo()) this.send_present();
    this.on_change();
  }
  redo(): void {
    if (this.history.value?.redo()) this.send_present();
    this.on_change();
  }

  /** Takes in a change of something beside the value, which has been made: undo and redo reach it in its turn. */
  note(step: Step): void {
    this.history.value?.note(step);
    this.on_change();
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
    const based_on = this.room_ ?? doc;
    const outcome = await this.deliver(
      this.subject_.by_definition(this.character, doc, based_on),
      doc,
      based_on,
    );
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
    const { name, edited, id } = this.shown_;
    if (shown.name === name && shown.edited === edited && shown.id === id) return;
    this.shown_ = shown;
    this.repeats_ = 0;
    this.follow();
  }

  async fetch(): Promise<void> {
    if (this.fetching_) return;
    this.fetching_ = true;
    const answer = await this.subject_.fetch(this.character);
    this.fetching_ = false;
    if (this.disposed_) return;
    if (answer.kind === 'refused') {
      // The roster tells soon that it is gone.
      const gone = answer.error.code === ErrorCode.NOT_FOUND;
      const told = gone ? '' : sentence(answer.error.message);
      this.failure.set(
        gone
          ? 'This character has just left.'
          : `${told || 'The server did not answer.'} Select the character again to retry.`,
      );
      this.on_change();
      return;
    }
    this.failure.set(undefined);
    this.take(answer.value);
    const { name, edited, id } = this.shown_;
    if (id === this.known_) this.expected_ = { name, edited };
    this.follow(Math.min(kLongest_ms, kStale_ms * 2 ** this.repeats_++));
  }

  dispose(): void {
    this.disposed_ = true;
    clearTimeout(this.timer_);
    clearTimeout(this.following_);
    this.waiting_ = undefined;
  }

  /** Takes over what the room has, and puts on top what this page has changed and not sent yet. */
  private take({ doc: published, source, id, tick }: Loaded<Doc>): void {
    const newer = tick === undefined ? [] : this.own_.since(tick);
    const doc = newer.reduce(
      (value, edit) =>
        edit.based_on === undefined
          ? edit.doc
          : this.subject_.merged(edit.based_on, edit.doc, value),
      published,
    );
    const history = this.history.value;
    const room = this.room_;
    const named = source.built_in || source.version > 0;
    if (!history || room === undefined) {
      this.history.set(new History(doc));
      this.base_ = doc;
    } else {
      const rebased = (value: Doc) => this.subject_.merged(room, value, doc);
      this.tell_of_others(room, doc);
      for (const sent of this.under_way_) sent.doc = rebased(sent.doc);
      if (named) {
        // Somebody has given the character another style or body: this can be undone.
        history.change(rebased(history.present.value));
        this.base_ = doc;
        for (const sent of this.under_way_) sent.replaced = true;
      } else if (!this.subject_.same(room, doc)) {
        history.rebase(rebased);
      }
    }
    this.room_ = doc;
    this.known_ = newer.length > 0 ? undefined : (id ?? this.shown_.id);
    this.expected_ = { name: this.subject_.name_of(doc), edited: !named };
    if (named || !this.source.value) this.source.set(source);
    if (this.under_way_.size === 0 && !this.waiting_) this.problem.set(undefined);
    this.on_change();
  }

  private tell_of_others(room: Doc, doc: Doc): void {
    const { subject_: subject } = this;
    let here = room; // with what is under way from here, which `doc` may have already
    for (const sent of this.under_way_) here = subject.merged(room, sent.doc, here);
    const titles = subject.differences(here, subject.merged(room, here, doc));
    if (titles.length > 0) this.on_others(titles);
  }

  /** Whether the roster says what this page knows. */
  private get agrees(): boolean {
    const { expected_: expected, shown_: shown } = this;
    return (
      shown.id === this.known_ && expected?.name === shown.name && expected.edited === shown.edited
    );
  }

  /**
   * Fetches what another viewer has set, unless the roster is only behind this page's own edits.
   * @param least_ms to wait before
   */
  private follow(least_ms = 0): void {
    clearTimeout(this.following_);
    if (this.agrees || this.disposed_) return;
    const behind = this.known_ === undefined ? 0 : this.own_.behind_ms(this.shown_.id);
    const wait_ms = Math.max(least_ms, behind);
    if (wait_ms === 0) void this.fetch();
    else this.following_ = setTimeout(() => this.follow(), wait_ms);
  }

  private send_present(): void {
    const doc = this.doc;
    if (doc === undefined) return;
    this.expected_ = { name: this.subject_.name_of(doc), edited: true };
    this.waiting_ = 'edit';
    this.pump();
  }

  private send_name(name: string): void {
    this.expected_ = { name, edited: false };
    this.waiting_ = { name };
    this.pump();
  }

  /** @param based_on what was changed; undefined: all of it is replaced */
  private async deliver(
    kind: CommandKind,
    doc: Doc,
    based_on: Doc | undefined,
  ): Promise<CommandOutcome> {
    const sent: Sent<Doc> = { doc };
    this.under_way_.add(sent);
    this.sent_ms_ = performance.now();
    const outcome = await this.ask_(kind);
    this.under_way_.delete(sent);
    if (outcome.kind === 'done') {
      const { before, after, tick } = outcome;
      const alone = before === this.known_ || after === this.known_;
      this.own_.note({ based_on, doc, before, after, tick });
      this.room_ = sent.doc;
      this.known_ = alone ? after : undefined;
      this.repeats_ = 0;
    }
    // A change that the room refused is left to be put right, but not in another style than it was meant for.
    if (outcome.kind === 'refused' && sent.replaced && this.room_ !== undefined) {
      this.history.value?.change(this.room_);
      this.on_change();
    }
    this.follow();
    return outcome;
  }

  private pump(): void {
    const doc = this.doc;
    if (this.under_way_.size > 0 || !this.waiting_ || doc === undefined) return;
    clearTimeout(this.timer_);
    const wait_ms = this.sent_ms_ + this.subject_.every_ms - performance.now();
    if (wait_ms > 0) {
      this.timer_ = setTimeout(() => this.pump(), wait_ms);
      return;
    }
    const by_name = this.waiting_ === 'edit' ? undefined : this.waiting_.name;
    const based_on = this.room_ ?? doc;
    this.waiting_ = undefined;
    const sending =
      by_name === undefined
        ? this.deliver(this.subject_.by_definition(this.character, doc, based_on), doc, based_on)
        : this.deliver(this.subject_.by_name(this.character, by_name), doc, undefined);
    void sending.then((outcome) => {
      if (!this.waiting_ || outcome.kind === 'refused') this.problem.set(problem_in(outcome));
      this.pump();
    });
  }
}

// All documents of one kind (styles, bodies, or gaits): one for each character that was edited, kept for as long as the
// character exists, so that edits can still be undone after another character has been selected in between. Also
// the panel that edits the selected character's document.
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { CommandOutcome } from '../../net/messages';
import type { Cast, Member } from '../../state/room/roster';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import { DocumentBar, type Shelf } from './document_bar';
import { type CommandKind, LiveDocument, type Shown, type Subject } from './live_document';

interface Editor {
  readonly element: HTMLElement;
  refresh(enabled: boolean): void;
  cancel(): boolean;
}

/** Recent changes by somebody else. */
interface Others {
  readonly character: number;
  readonly titles: readonly string[];
  readonly timer: ReturnType<typeof setTimeout>;
}

const kToldFor_ms = 8000;

interface DeskOptions<Doc, E extends Editor> {
  readonly shelf: Shelf<Doc>;
  readonly subject: Subject<Doc>;
  readonly shown: (member: Member) => Shown;
  /** Why a character has no such document; undefined for a character that has one. */
  readonly lacks?: (member: Member) => string | undefined;
  /** Whether a search changes a character's document: it is no other person then. */
  readonly searched?: (character: number) => boolean;
  readonly editor: (current: () => LiveDocument<Doc> | undefined) => E;
  readonly ask: (kind: CommandKind) => Promise<CommandOutcome>;
  readonly changed: () => void;
}

export class Desk<Doc extends { name: string; title: string }, E extends Editor> {
  readonly editor: E;
  private readonly documents_ = new Map<number, LiveDocument<Doc>>();
  private readonly bar_: DocumentBar<Doc>;
  private others_: Others | undefined;
  private readonly note_ = h('p', { class: 'editor-note', attributes: { role: 'status' } });

  constructor(
    private readonly context_: Context,
    readonly panel: HTMLElement,
    private readonly options_: DeskOptions<Doc, E>,
  ) {
    this.bar_ = new DocumentBar(options_.shelf, () => this.current(), context_.toasts);
    this.editor = options_.editor(() => this.current());
    panel.append(this.note_, this.bar_.element, this.editor.element);
  }

  /** The document of the first selected character; fetched from the server when it is first needed. */
  current(): LiveDocument<Doc> | undefined {
    const { member } = this;
    if (!member || this.options_.lacks?.(member)) return undefined;
    const known = this.documents_.get(member.id);
    if (known) return known;
    const { ask, changed, shown, subject } = this.options_;
    const made = new LiveDocument(member.id, subject, ask, shown(member));
    made.on_change = changed;
    made.on_others = (titles) => this.others_changed(member.id, titles);
    made.problem.watch(changed);
    this.documents_.set(member.id, made);
    return made;
  }

  /** Updates the panel, unless it is hidden. */
  refresh(enabled: boolean): void {
    if (this.panel.hidden) return;
    const { member } = this;
    if (!member) return;
    const lacks = this.options_.lacks?.(member);
    const current = this.current();
    this.bar_.element.hidden = this.editor.element.hidden = lacks !== undefined;
    if (current) {
      this.bar_.refresh(enabled);
      this.editor.refresh(enabled);
    }
    const text = lacks ?? (this.note(current?.failure.value) || this.note_of_others(member.id));
    this.note_.hidden = !text;
    write(this.note_, text);
  }

  private get member(): Member | undefined {
    const id = this.context_.selection.first;
    return id === undefined ? undefined : this.context_.world.cast.value.by_id.get(id);
  }

  /** Asks for a name under which the document is saved. */
  ask_name(): void {
    this.bar_.ask_name();
  }

  set_entries(entries: readonly CatalogueEntry[]): void {
    this.bar_.set_entries(entries);
  }

  /**
   * After another character was selected: a document that could not be fetched is forgotten, so that selecting its
   * character again asks again.
   */
  selection_changed(): void {
    this.bar_.tell(undefined);
    for (const [id, one] of this.documents_)
      if (one.failure.value !== undefined) this.documents_.delete(id);
  }

  roster_changed(cast: Cast): void {
    for (const member of cast.members)
      if (member.complete) this.documents_.get(member.id)?.roster(this.options_.shown(member));
    if (cast.version >= 0) this.keep((id) => cast.by_id.has(id));
  }

  keep(stays: (character: number) => boolean): void {
    for (const [id, one] of this.documents_) {
      if (stays(id)) continue;
      one.dispose();
      this.documents_.delete(id);
    }
  }

  private others_changed(character: number, titles: readonly string[]): void {
    const { others_ } = this;
    if (this.options_.searched?.(character)) return;
    const known = others_?.character === character ? others_.titles : [];
    clearTimeout(others_?.timer);
    const timer = setTimeout(() => {
      this.others_ = undefined;
      this.options_.changed();
    }, kToldFor_ms);
    this.others_ = { character, titles: [...new Set([...known, ...titles])], timer };
  }

  private note_of_others(character: number): string {
    const { others_ } = this;
    if (this.options_.searched?.(character))
      return `A search changes this ${this.options_.shelf.noun}: the character has the best so far. Changes of yours last until the next one.`;
    if (others_?.character !== character) return '';
    const [first = '', ...more] = others_.titles;
    const what =
      more.length === 0
        ? first
        : more.length > 3
          ? `${first} and ${more.length} more`
          : `${[first, ...more.slice(0, -1)].join('; ')} and ${more.at(-1)}`;
    return `Someone else is editing this ${this.options_.shelf.noun} too and has just changed: ${what}. Your changes and theirs are both kept. Where both change the same thing, the last change counts.`;
  }

  private note(failure: string | undefined): string {
    const { selection, world } = this.context_;
    if (failure) return failure;
    if (!world.can_command)
      return `As a viewer you can only watch. Changing the ${this.options_.shelf.noun} needs the operator role: enter an access token under Connection.`;
    const count = selection.ids.value.length;
    return count > 1 ? `Only the first of the ${count} selected characters is edited here.` : '';
  }
}

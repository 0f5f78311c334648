// One kind of document, styles say: those of all characters of the room, kept while the character is
// there, so that what was done can be undone when one comes back; and the panel that edits the selected.
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { CommandOutcome } from '../../net/messages';
import type { Cast, Member } from '../../state/roster';
import type { Context } from '../context';
import { h, write } from '../dom';
import { DocumentBar, type Shelf } from './document_bar';
import { type CommandKind, LiveDocument, type Shown, type Subject } from './live_document';

interface Editor {
  readonly element: HTMLElement;
  refresh(enabled: boolean): void;
  cancel(): boolean;
}

interface DeskOptions<Doc, E extends Editor> {
  readonly shelf: Shelf<Doc>;
  readonly subject: Subject<Doc>;
  readonly shown: (who: Member) => Shown;
  /** Why somebody has no such document; undefined of those who have one. */
  readonly lacks?: (who: Member) => string | undefined;
  readonly editor: (current: () => LiveDocument<Doc> | undefined) => E;
  readonly ask: (kind: CommandKind) => Promise<CommandOutcome>;
  readonly changed: () => void;
}

export class Desk<Doc extends { name: string; title: string }, E extends Editor> {
  readonly panel: HTMLElement;
  readonly editor: E;
  private readonly documents_ = new Map<number, LiveDocument<Doc>>();
  private readonly bar_: DocumentBar<Doc>;
  private readonly note_ = h('p', { class: 'editor-note', attributes: { role: 'status' } });

  constructor(
    private readonly context_: Context,
    private readonly options_: DeskOptions<Doc, E>,
  ) {
    this.bar_ = new DocumentBar(options_.shelf, () => this.current(), context_.toasts);
    this.editor = options_.editor(() => this.current());
    this.panel = h('div', { class: 'editor' }, this.note_, this.bar_.element, this.editor.element);
  }

  /** Of the first of the selected; fetched when it is asked for first. */
  current(): LiveDocument<Doc> | undefined {
    const { who } = this;
    if (!who || this.options_.lacks?.(who)) return undefined;
    const known = this.documents_.get(who.id);
    if (known) return known;
    const { ask, changed, shown, subject } = this.options_;
    const made = new LiveDocument(who.id, subject, ask, shown(who));
    made.on_change = changed;
    made.problem.watch(changed);
    this.documents_.set(who.id, made);
    return made;
  }

  /** Shows what may have changed, unless nobody sees it. */
  refresh(enabled: boolean): void {
    if (this.panel.hidden) return;
    const { who } = this;
    if (!who) return;
    const lacks = this.options_.lacks?.(who);
    const current = this.current();
    this.bar_.element.hidden = this.editor.element.hidden = lacks !== undefined;
    if (current) {
      this.bar_.refresh(enabled);
      this.editor.refresh(enabled);
    }
    const text = lacks ?? this.note(current?.failure.value);
    this.note_.hidden = !text;
    write(this.note_, text);
  }

  private get who(): Member | undefined {
    const id = this.context_.selection.first;
    return id === undefined ? undefined : this.context_.world.cast.value.by_id.get(id);
  }

  set_entries(entries: readonly CatalogueEntry[]): void {
    this.bar_.set_entries(entries);
  }

  /** Somebody else is selected: what could not be fetched is asked for again when it comes back. */
  selection_changed(): void {
    this.bar_.tell(undefined);
    for (const [id, one] of this.documents_)
      if (one.failure.value !== undefined) this.documents_.delete(id);
  }

  roster_changed(cast: Cast): void {
    for (const who of cast.members) this.documents_.get(who.id)?.roster(this.options_.shown(who));
    if (cast.version >= 0) this.keep((id) => cast.by_id.has(id));
  }

  keep(stays: (character: number) => boolean): void {
    for (const [id, one] of this.documents_) {
      if (stays(id)) continue;
      one.dispose();
      this.documents_.delete(id);
    }
  }

  private note(failure: string | undefined): string {
    const { selection, world } = this.context_;
    if (failure) return `${failure} Select it again to try once more.`;
    if (!world.can_command)
      return `You are watching as a viewer. Changing the ${this.options_.shelf.noun} needs the operator role: enter an access token under Connection.`;
    const count = selection.ids.value.length;
    return count > 1 ? `Only the first of the ${count} selected is edited here.` : '';
  }
}

// The row above an editor: undo, redo, reset; load and save on the server; download and upload.
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { Answer } from '../../net/api';
import { name_from } from '../../state/room/names';
import { h, write } from '../parts/dom';
import type { Toasts } from '../parts/toasts';
import { type LiveDocument, type Loaded, problem_of } from './live_document';
import { icon_button, type IconName } from './icon_button';
import { type Naming, SaveForm } from './save_form';

const kLargest_bytes = 64 * 1024;
const kRetry_ms = 3000;
const kRethink_ms = 6000; // how long a press of Delete waits for the second press that confirms it

export interface Shelf<Doc> {
  readonly noun: string; // 'style', 'body' or 'gait'
  readonly save_word?: string; // on the button that saves, instead of “Save”
  /** What is saved of a document, where that is not the document itself. */
  kept?(doc: Doc): Doc;
  load(name: string, version: number): Promise<Answer<Loaded<Doc>>>;
  save(doc: Doc, based_on: number): Promise<Answer<CatalogueEntry>>;
  remove(name: string, version: number): Promise<Answer<CatalogueEntry>>;
  versions(name: string): Promise<Answer<readonly CatalogueEntry[]>>;
  renamed(doc: Doc, name: string, title: string): Doc;
  print(doc: Doc): string;
  parse(text: string): Doc; // throws an Error that says what is wrong with the text
}

/** A time of today as '14:05', one of another day as '3 Feb 14:05'. */
function when(saved_at: string): string {
  const date = new Date(saved_at);
  if (Number.isNaN(date.getTime())) return '';
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${time}`;
}

/** A parser's error message without the names of the parser's own functions. */
function plain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^cannot decode message promenade\.v1\.\w+ from JSON: /, '')
    .replace(/cannot decode field promenade\.v1\.(\w+)\.(\w+) from JSON: /, '$2: ')
    .replace(/^cannot decode message promenade\.v1\.\w+ /, '');
}

export class DocumentBar<Doc extends { name: string; title: string }> {
  readonly element: HTMLElement;
  private readonly undo_: HTMLButtonElement;
  private readonly redo_: HTMLButtonElement;
  private readonly reset_: HTMLButtonElement;
  private readonly load_: HTMLSelectElement;
  private readonly version_: HTMLSelectElement;
  private readonly upload_: HTMLButtonElement;
  private readonly download_: HTMLButtonElement;
  private readonly remove_: HTMLButtonElement;
  private readonly state_ = h('span', { class: 'bar-state' });
  private readonly saved_row_: HTMLElement;
  private readonly form_: SaveForm;
  private readonly note_ = h('p', { class: 'bar-note', attributes: { role: 'alert' } });
  private readonly file_ = h('input', {
    attributes: { type: 'file', accept: '.json,application/json', 'aria-label': 'File' },
  });
  private entries_: readonly CatalogueEntry[] = [];
  private versions_for_ = '';
  private removing_: { name: string; timer: ReturnType<typeof setTimeout> } | undefined;
  private writes_ = true;

  constructor(
    private readonly shelf_: Shelf<Doc>,
    private readonly current_: () => LiveDocument<Doc> | undefined,
    private readonly toasts_: Toasts,
  ) {
    const { noun } = shelf_;
    const button = (name: IconName, title: string, click: () => void) =>
      icon_button(name, title, click, `${noun}-${name}`);
    this.undo_ = button('undo', 'Undo (Ctrl+Z)', () => current_()?.undo());
    this.redo_ = button('redo', 'Redo (Ctrl+Shift+Z)', () => current_()?.redo());
    this.reset_ = button('reset', `Back to the unedited ${noun}`, () => current_()?.reset());
    this.download_ = button('download', `Download this ${noun} as a file`, () => this.download());
    this.upload_ = button('upload', `Upload a ${noun} from a file`, () => this.file_.click());
    this.remove_ = button('remove', `Delete the saved ${noun}`, () => void this.remove());
    this.load_ = h('select', {
      attributes: { 'aria-label': `Load a ${noun}`, 'data-test': `${noun}-load` },
      on: { change: () => void this.load(this.load_.value, 0) },
    });
    this.version_ = h('select', {
      class: 'versions',
      attributes: { 'aria-label': 'Version', 'data-test': `${noun}-version` },
      on: {
        change: () => {
          const source = current_()?.source.value;
          if (source) void this.load(source.name, Number(this.version_.value));
        },
      },
    });
    this.form_ = new SaveForm({
      noun,
      word: shelf_.save_word ?? 'Save',
      entry: (name) => this.entry(name),
      suggested_title: () => this.suggested_title(),
      turned: () => this.tell(undefined),
      save: (naming) => void this.save(naming),
    });
    this.note_.dataset['test'] = `${noun}-note`;
    this.note_.hidden = true;
    this.file_.hidden = true;
    this.file_.dataset['test'] = `${noun}-file`;
    this.file_.addEventListener('change', () => void this.upload());
    this.saved_row_ = h(
      'div',
      { class: 'bar-row saved' },
      h('span', { class: 'faint', text: 'Saved version' }),
      this.version_,
      this.remove_,
    );
    this.element = h(
      'div',
      { class: 'document-bar' },
      h(
        'div',
        { class: 'bar-row' },
        h('div', { class: 'joined' }, this.undo_, this.redo_, this.reset_),
        this.load_,
        this.state_,
        this.form_.button,
        h('div', { class: 'joined' }, this.download_, this.upload_),
      ),
      this.saved_row_,
      this.form_.element,
      this.note_,
      this.file_,
    );
  }

  set_entries(entries: readonly CatalogueEntry[]): void {
    this.entries_ = entries;
    this.versions_for_ = '';
    this.refresh();
  }

  /** Asks for a name to save under. */
  ask_name(): void {
    this.form_.open(true);
  }

  /** @param writes whether this viewer may change anything */
  refresh(writes = this.writes_): void {
    this.writes_ = writes;
    const current = this.current_();
    const source = current?.source.value;
    const doc = current?.doc;
    const ready = writes && doc !== undefined;
    this.undo_.disabled = !ready || !current?.history.value?.can_undo;
    this.redo_.disabled = !ready || !current?.history.value?.can_redo;
    this.reset_.disabled = !ready || !current?.edited;
    this.download_.disabled = doc === undefined;
    for (const control of [this.load_, this.version_, this.upload_, this.form_.button])
      control.disabled = !ready;
    write(this.state_, 'edited');
    this.state_.hidden = !current?.edited;
    this.fill_load(source?.name);
    const entry = this.entry(source?.name ?? '');
    const saved = entry !== undefined && !entry.built_in_or_gone;
    this.saved_row_.hidden = !saved;
    this.remove_.disabled = !ready;
    if (saved) void this.fill_versions(entry.name, source?.version ?? 0);
    this.form_.refresh();
  }

  /** Shows an error that belongs to no single field. */
  tell(text: string | undefined): void {
    clearTimeout(this.removing_?.timer);
    this.removing_ = undefined;
    this.note_.hidden = !text;
    write(this.note_, text ?? '');
  }

  private entry(name: string) {
    const found = this.entries_.find((entry) => entry.name === name);
    return found && { ...found, built_in_or_gone: found.builtIn || found.deleted };
  }

  private fill_load(chosen: string | undefined): void {
    const key = `${chosen ?? ''}|${this.entries_.map(({ name, title }) => `${name}${title}`).join()}`;
    if (this.load_.dataset['filled'] === key) return;
    this.load_.dataset['filled'] = key;
    const group = (label: string, entries: readonly CatalogueEntry[]) =>
      entries.length === 0
        ? []
        : [
            h(
              'optgroup',
              { attributes: { label } },
              ...entries.map(({ name, title }) =>
                h('option', { text: title || name, attributes: { value: name } }),
              ),
            ),
          ];
    this.load_.replaceChildren(
      ...group(
        'Saved',
        this.entries_.filter(({ builtIn }) => !builtIn),
      ),
      ...group(
        'Built in',
        this.entries_.filter(({ builtIn }) => builtIn),
      ),
    );
    const known = this.entries_.some(({ name }) => name === chosen);
    if (!known)
      this.load_.prepend(
        h('option', {
          text: `Load a ${this.shelf_.noun} …`,
          attributes: { value: '', hidden: '' },
        }),
      );
    this.load_.value = known ? (chosen ?? '') : '';
  }

  private async fill_versions(name: string, version: number): Promise<void> {
    const key = `${name}@${version}`;
    if (this.versions_for_ === key) return;
    this.versions_for_ = key;
    const answer = await this.shelf_.versions(name);
    if (this.versions_for_ !== key) return;
    if (answer.kind === 'refused') {
      this.version_.replaceChildren(); // the versions listed so far are of another name
      setTimeout(() => {
        if (this.versions_for_ !== key) return;
        this.versions_for_ = '';
        this.refresh();
      }, kRetry_ms);
      return;
    }
    this.version_.replaceChildren(
      ...answer.value
        .filter(({ deleted }) => !deleted)
        .map((entry) =>
          h('option', {
            text: `v${entry.version}  ${when(entry.savedAt)}`,
            attributes: { value: String(entry.version) },
          }),
        ),
    );
    this.version_.value = String(version);
  }

  private async load(name: string, version: number): Promise<void> {
    const current = this.current_();
    if (!name || !current) return;
    this.tell(undefined);
    const answer = await this.shelf_.load(name, version);
    if (answer.kind === 'refused') this.tell(problem_of(answer.error).text);
    else current.load(answer.value, version === 0);
    this.refresh();
  }

  /** The title of a document that was saved before; '' for any other, undefined while there is nothing to save. */
  private suggested_title(): string | undefined {
    const current = this.current_();
    if (!current?.doc) return undefined;
    const source = current.source.value;
    const own = source !== undefined && !source.built_in && source.version > 0;
    return own ? source.title || source.name : '';
  }

  private async save({ title, name }: Naming): Promise<void> {
    const current = this.current_();
    if (!current?.doc || !name) return;
    this.tell(undefined);
    this.form_.set_busy(true);
    const before = current.doc;
    const doc = this.shelf_.renamed(this.shelf_.kept?.(before) ?? before, name, title);
    const answer = await this.shelf_.save(doc, this.entry(name)?.version ?? 0);
    this.form_.set_busy(false);
    if (answer.kind === 'refused') {
      const { field, text } = problem_of(answer.error);
      this.tell(field && !text.includes(field) ? `${field}: ${text}` : text);
      return;
    }
    this.form_.open(false);
    const { version } = answer.value;
    // Edits made while the save was under way now count as edits of the saved version.
    const present = current.doc === before ? doc : this.shelf_.renamed(current.doc, name, title);
    current.saved(doc, { name, title, version, built_in: false }, present);
    this.toasts_.show(`Saved “${title}”, version ${version}.`);
    this.refresh();
  }

  /** Deletes after two presses: the first asks for confirmation, a second one within kRethink_ms deletes. */
  private async remove(): Promise<void> {
    const source = this.current_()?.source.value;
    if (!source) return;
    const asked = this.removing_?.name === source.name;
    this.tell(undefined);
    if (!asked) {
      this.tell(`Delete “${source.title || source.name}”? Press the button again to confirm.`);
      const timer = setTimeout(() => this.tell(undefined), kRethink_ms);
      this.removing_ = { name: source.name, timer };
      return;
    }
    const answer = await this.shelf_.remove(source.name, this.entry(source.name)?.version ?? 0);
    if (answer.kind === 'refused') this.tell(problem_of(answer.error).text);
    else this.toasts_.show(`Deleted “${source.title || source.name}”.`);
    this.refresh();
  }

  private download(): void {
    const doc = this.current_()?.doc;
    if (doc === undefined) return;
    const blob = new Blob([this.shelf_.print(doc)], { type: 'application/json' });
    const link = h('a', {
      attributes: {
        href: URL.createObjectURL(blob),
        download: `${doc.name || this.shelf_.noun}.json`,
      },
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private async upload(): Promise<void> {
    const file = this.file_.files?.[0];
    const current = this.current_();
    if (!file || !current) return;
    this.tell(undefined);
    try {
      this.tell(await this.take(file, current));
    } finally {
      this.file_.value = ''; // so that choosing the same file again is a change, too
      this.refresh();
    }
  }

  /** @return what is wrong with the file, and then nothing has changed; undefined if the file was taken */
  private async take(file: File, current: LiveDocument<Doc>): Promise<string | undefined> {
    const { noun, parse, renamed } = this.shelf_;
    if (file.size > kLargest_bytes)
      return `${file.name} has ${Math.ceil(file.size / 1024)} KB; at most 64 KB are allowed. Nothing has changed.`;
    let doc: Doc;
    try {
      doc = parse(await file.text());
    } catch (error) {
      return `${file.name} is not a ${noun} file: ${plain(error)}. Nothing has changed.`;
    }
    if (!doc.name)
      doc = renamed(doc, name_from(file.name.replace(/\.json$/i, '')) || noun, doc.title);
    const problem = await current.offer(doc);
    if (!problem) {
      this.toasts_.show(`Loaded ${file.name}.`);
      return undefined;
    }
    if (problem === 'overtaken')
      return `${file.name} was not loaded, because you changed the ${noun} at the same time. Upload it again.`;
    const field = problem.field.replace(/^set_\w+\.definition\.?/, '');
    return `${file.name}: ${field ? `${field}: ` : ''}${problem.text} Nothing has changed.`;
  }
}

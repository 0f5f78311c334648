// The form that saves a style, body or gait under a name, opened by the button that it comes with.
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import { name_from } from '../../state/room/names';
import { h, write } from '../parts/dom';

/** The entry to save: the title that was entered, and the name in the catalogue that is made from it. */
export interface Naming {
  readonly title: string;
  readonly name: string;
}

/** The work of the form: the kind of document that it saves, and how. */
export interface SaveWork {
  readonly noun: string; // 'style', 'body' or 'gait'
  readonly word: string; // on the button that opens the form
  /** The catalogue's entry of a name. */
  entry(name: string): CatalogueEntry | undefined;
  /** The title to begin with; undefined: there is nothing to save. */
  suggested_title(): string | undefined;
  /** Called when the form opens or closes. */
  turned(): void;
  save(naming: Naming): void;
}

export class SaveForm {
  readonly button: HTMLButtonElement;
  readonly element: HTMLFormElement;
  private readonly title_ = h('input', {
    attributes: { type: 'text', maxlength: '60', 'aria-label': 'Name', placeholder: 'Name' },
  });
  private readonly plan_ = h('p', { class: 'faint' });
  private readonly confirm_ = h('button', { text: 'Save', attributes: { type: 'submit' } });

  constructor(private readonly work_: SaveWork) {
    const { noun, word } = work_;
    this.button = h('button', {
      text: word,
      title: `Save this ${noun} on the server`,
      attributes: { type: 'button', 'aria-expanded': 'false', 'data-test': `${noun}-save` },
      on: { click: () => this.open(this.element.hidden !== false) },
    });
    this.confirm_.dataset['test'] = `${noun}-save-confirm`;
    this.title_.dataset['test'] = `${noun}-name`;
    this.element = h(
      'form',
      {
        class: 'save-form',
        on: {
          submit: (event) => {
            event.preventDefault();
            const title = this.title_.value.trim();
            work_.save({ title, name: name_from(title) });
          },
        },
      },
      this.title_,
      this.confirm_,
      this.plan_,
    );
    this.element.hidden = true;
    this.title_.addEventListener('input', () => this.show_plan());
    this.title_.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.open(false);
      this.button.focus();
    });
  }

  open(open: boolean): void {
    this.element.hidden = !open;
    this.button.setAttribute('aria-expanded', String(open));
    this.work_.turned();
    const title = open ? this.work_.suggested_title() : undefined;
    if (title === undefined) return;
    this.title_.value = title;
    this.show_plan();
    this.title_.focus();
    this.title_.select();
  }

  /** To be called when a save begins, and when it is answered: there is no second one meanwhile. */
  set_busy(busy: boolean): void {
    this.confirm_.disabled = busy;
  }

  /** Shows what the catalogue says of the name now. */
  refresh(): void {
    if (!this.element.hidden) this.show_plan();
  }

  private show_plan(): void {
    const name = name_from(this.title_.value);
    const entry = this.work_.entry(name);
    this.confirm_.disabled = !name || entry?.builtIn === true;
    write(this.plan_, this.plan(name, entry));
  }

  /** The effect of saving under a name, in words. */
  private plan(name: string, entry: CatalogueEntry | undefined): string {
    if (!name)
      return `Enter a name of letters and digits. Every room can then load this ${this.work_.noun}.`;
    if (entry?.builtIn) return `“${name}” is built in and cannot be changed. Choose another name.`;
    if (entry) return `Adds version ${entry.version + 1} of “${name}”; older versions are kept.`;
    return `Saves a new ${this.work_.noun}, “${name}”.`;
  }
}

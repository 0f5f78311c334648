// The sheets that are open over the picture, in the order of opening: Esc closes the last. Dialogs are not among them, as
// the browser closes them.
import type { Signal } from '../../state/values/signal';

export interface OpenSheet {
  readonly name: string; // for tests
  readonly element: HTMLElement;
  readonly open: Signal<boolean>;
  /** Left out: `open` is set to true. */
  readonly show?: () => void;
  /** Left out: `open` is set to false. */
  readonly close?: () => void;
}

export class OpenSheets {
  private readonly known_: OpenSheet[] = [];
  private readonly opened_: OpenSheet[] = [];

  /** @param leave gives the focus to the picture when what had it is closed */
  constructor(private readonly leave_: () => void) {}

  add(...sheets: readonly OpenSheet[]): void {
    for (const sheet of sheets) {
      this.known_.push(sheet);
      sheet.element.dataset['sheet'] = sheet.name;
      sheet.open.watch((on) => {
        const at = this.opened_.indexOf(sheet);
        if (at >= 0) this.opened_.splice(at, 1);
        if (on) this.opened_.push(sheet);
      });
    }
  }

  /** @return whether one was open */
  close_last(): boolean {
    const last = this.opened_.pop();
    if (!last) return false;
    const had_focus = last.element.contains(document.activeElement);
    if (last.close) last.close();
    else last.open.set(false);
    if (had_focus) this.leave_();
    return true;
  }

  /** Opens one, for tests. */
  show(name: string): void {
    const sheet = this.known_.find((one) => one.name === name);
    if (!sheet) throw new Error(`no sheet is named ${name}`);
    if (sheet.show) sheet.show();
    else sheet.open.set(true);
  }

  /** Of all that can be opened, and of those that are open now. */
  get names(): readonly string[] {
    return this.known_.map(({ name }) => name);
  }
  get open_names(): readonly string[] {
    return this.opened_.map(({ name }) => name);
  }
}

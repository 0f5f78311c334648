// Code that comes when it is asked for, and the sheets that it fills.
import { Signal } from '../../state/values/signal';
import type { Toasts } from './toasts';

/** Code that is loaded once; what could not be loaded is tried again when it is next asked for. */
export class Later<T> {
  private code_: Promise<T> | undefined;

  constructor(private readonly load_: () => Promise<T>) {}

  get(): Promise<T> {
    this.code_ ??= this.load_().catch((error: unknown) => {
      this.code_ = undefined;
      throw error;
    });
    return this.code_;
  }
}

/**
 * Says that a part of the page did not come: most often the server has been updated since the page was loaded. A fault
 * of the part itself looks the same to the visitor, so the error goes into the log.
 */
export function tell_missing(toasts: Toasts, error: unknown): void {
  console.error(error);
  toasts.show('This part of the page did not load. The server may have been updated.', 'error', {
    text: 'Reload the page',
    run: () => location.reload(),
  });
}

/** A panel that opens and closes. */
export interface Sheet {
  readonly element: HTMLElement;
  readonly open: Signal<boolean>;
}

/** The work of a sheet while it is open. */
export interface SheetWork {
  /** Called a few times a second. */
  draw?(): void;
}

/** A sheet that stays empty and hidden until it has been opened and its code has come. */
export class LateSheet implements Sheet {
  readonly open = new Signal(false);
  private work_: SheetWork | undefined;
  private filling_ = false;

  /** @param fill_ loads the code, and fills the sheet by it */
  constructor(
    readonly element: HTMLElement,
    private readonly toasts_: Toasts,
    private readonly fill_: (sheet: Sheet) => Promise<SheetWork>,
  ) {
    this.open.watch((on) => {
      this.element.hidden = !on || !this.work_;
      if (on && !this.work_) void this.fill();
    });
  }

  draw(): void {
    this.work_?.draw?.();
  }

  private async fill(): Promise<void> {
    if (this.filling_) return; // closed and opened again before the code has come
    this.filling_ = true;
    try {
      const work = await this.fill_(this);
      this.work_ = work;
      this.element.hidden = !this.open.value;
    } catch (error) {
      this.open.set(false);
      tell_missing(this.toasts_, error);
    } finally {
      this.filling_ = false;
    }
  }
}

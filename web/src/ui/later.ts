// Parts of the page whose code does not come with the first view: it comes when it is asked for, or before that, when the
// browser has nothing else to do, so that nobody waits for it.
import { Signal } from '../state/signal';
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

export const kLater = {
  editors: new Later(() => import('./editor/editors')),
  plots: new Later(() => import('./plot_sheet')),
  capture: new Later(() => import('./capture_sheet')),
  compare: new Later(() => import('./compare_sheet')),
  gait_lab: new Later(() => import('./gait_lab')),
  tasks: new Later(() => import('./tasks/tasks')),
  crowd: new Later(() => import('./crowd/crowd')),
  help: new Later(() => import('./help_tables')),
  lobby: new Later(() => import('./lobby')),
} as const;

const kPatience_ms = 2000; // a browser that is always busy drawing has no time by itself

/** Asks for one part after the other, each when the browser has time for it, or has had none for a while. */
export function fetch_when_idle(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const idle = (work: () => void) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(work, { timeout: kPatience_ms })
      : setTimeout(work, 200);
  const rest = Object.values<Later<unknown>>(kLater);
  const go_on = () => idle(next);
  // One that fails is told of when somebody wants it.
  const next = () => void rest.shift()?.get().then(go_on, go_on);
  idle(next);
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

/** What a sheet does beside standing there. */
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

// The sheet that saves a picture or a clip.
import type { Viewport } from '../../scene/picture/viewport';
import type { Span } from '../../state/recording/lookback';
import type { World } from '../../state/room/world';
import { progress_words } from '../../state/values/time_left';
import type { Context } from '../page/context';
import { download } from '../parts/download';
import { h, write } from '../parts/dom';
import type { Sheet, SheetWork } from '../parts/later';
import { make_clip, make_still, makes_clips } from './capture';

const kNoClips = 'Clips need https or a newer browser. Pictures work here.';

/** @param page whose panels can be in the picture */
export function capture_sheet(
  context: Context,
  viewport: Viewport,
  page: HTMLElement,
  sheet: Sheet,
): SheetWork {
  new CaptureSheet(context, viewport, page, sheet);
  return {};
}

class CaptureSheet {
  private readonly world_: World;
  private readonly with_panels_ = h('input', {
    attributes: { type: 'checkbox', id: 'capture-panels', 'data-test': 'capture-panels' },
  });
  private readonly part_ = h(
    'select',
    { attributes: { 'aria-label': 'What the clip shows', 'data-test': 'capture-part' } },
    ...[
      ['5', 'The last 5 s'],
      ['10', 'The last 10 s'],
      ['loop', 'The loop'],
      ['all', 'The whole timeline'],
    ].map(([value = '', text = '']) => h('option', { text, attributes: { value } })),
  );
  private readonly still_ = h('button', {
    text: 'Save picture',
    attributes: { 'data-test': 'capture-still' },
    on: { click: () => void this.save_still() },
  });
  private readonly clip_ = h('button', {
    text: 'Save clip',
    attributes: { 'data-test': 'capture-clip' },
    on: { click: () => (this.running_ ? (this.cancelled_ = true) : void this.save_clip()) },
  });
  private readonly done_ = h('progress', { attributes: { max: '1', 'aria-label': 'Clip' } });
  private readonly note_ = h('span', {
    class: 'faint',
    text: makes_clips() ? '' : kNoClips,
    attributes: { 'data-test': 'capture-note' },
  });
  private running_ = false; // a clip is being made
  private cancelled_ = false;

  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    private readonly page_: HTMLElement,
    sheet: Sheet,
  ) {
    this.world_ = context_.world;
    this.fill(sheet);
    this.world_.lookback.loop.watch((loop) => this.offer_loop(loop));
    this.show();
  }

  private fill({ element, open }: Sheet): void {
    element.append(
      this.still_,
      this.clip_,
      this.part_,
      h('label', { attributes: { for: 'capture-panels' } }, this.with_panels_, ' with panels'),
      this.done_,
      this.note_,
      h('button', {
        class: 'quiet',
        text: '×',
        title: 'Close',
        attributes: { 'aria-label': 'Close' },
        on: { click: () => open.set(false) },
      }),
    );
  }

  /** Shows whether a clip is being made. */
  private show(): void {
    write(this.clip_, this.running_ ? 'Stop' : 'Save clip');
    this.clip_.disabled = !makes_clips();
    this.still_.disabled = this.part_.disabled = this.with_panels_.disabled = this.running_;
    this.done_.hidden = !this.running_;
  }

  private offer_loop(loop: Span | undefined): void {
    if (this.running_) return; // the clip's own looking back ends with none
    (this.part_.options[2] as HTMLOptionElement).disabled = !loop;
    if (loop) this.part_.value = 'loop';
    else if (this.part_.value === 'loop') this.part_.value = '5';
  }

  private async save_still(): Promise<void> {
    try {
      download(this.file_name('png'), await make_still(this.options()));
    } catch (error) {
      this.fail(error);
    }
  }

  private async save_clip(): Promise<void> {
    const { lookback } = this.world_;
    this.running_ = true;
    this.cancelled_ = false;
    this.done_.value = 0;
    const began_ms = performance.now();
    this.show();
    try {
      const file = await make_clip({
        ...this.options(),
        span: this.span(),
        speed: lookback.on.value ? lookback.speed.value : 1,
        progress: (share) => {
          this.done_.value = share;
          write(this.note_, progress_words(share, performance.now() - began_ms));
          return !this.cancelled_;
        },
      });
      if (file) download(this.file_name('webm'), file);
    } catch (error) {
      this.fail(error);
    } finally {
      this.running_ = false;
      write(this.note_, '');
      this.show();
    }
  }

  private options() {
    const panels = this.with_panels_.checked ? this.page_ : undefined;
    return { world: this.world_, viewport: this.viewport_, panels };
  }

  /** The part of the recording that the clip is to show. */
  private span(): Span {
    const { from_ms, to_ms } = this.world_.recording;
    const loop = this.world_.lookback.loop.value;
    const { value: part } = this.part_;
    if (part === 'loop' && loop) return loop;
    if (part === 'all') return { from_ms, to_ms };
    return { from_ms: Math.max(from_ms, to_ms - 1000 * Number(part)), to_ms };
  }

  /** A name after the scene. */
  private file_name(end: string): string {
    return `promenade-${this.world_.shown_scene.value?.scene?.name || 'room'}.${end}`;
  }

  private fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : '';
    this.context_.toasts.show(`Could not save: ${reason}`, 'error');
  }
}

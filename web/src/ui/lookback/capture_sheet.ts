// The sheet that saves a picture or a clip.
import type { Viewport } from '../../scene/picture/viewport';
import type { Span } from '../../state/recording/lookback';
import { progress_words } from '../../state/values/time_left';
import { make_clip, make_still, makes_clips } from './capture';
import type { Context } from '../page/context';
import { download } from '../parts/download';
import { h, write } from '../parts/dom';
import type { Sheet, SheetWork } from '../parts/later';

const kNoClips = 'Clips need https or a newer browser. Pictures work here.';

/** Names a file after the scene. */
function file_name(scene: string | undefined, end: string): string {
  return `promenade-${scene || 'room'}.${end}`;
}

/** @param page whose panels can be in the picture */
export function capture_sheet(
  { toasts, world }: Context,
  viewport: Viewport,
  page: HTMLElement,
  { element, open }: Sheet,
): SheetWork {
  const { lookback, recording } = world;
  let running = false;
  let cancelled = false;

  const with_panels = h('input', {
    attributes: { type: 'checkbox', id: 'capture-panels', 'data-test': 'capture-panels' },
  });
  const part = h(
    'select',
    { attributes: { 'aria-label': 'What the clip shows', 'data-test': 'capture-part' } },
    ...[
      ['5', 'The last 5 s'],
      ['10', 'The last 10 s'],
      ['loop', 'The loop'],
      ['all', 'The whole timeline'],
    ].map(([value = '', text = '']) => h('option', { text, attributes: { value } })),
  );
  const still = h('button', {
    text: 'Save picture',
    attributes: { 'data-test': 'capture-still' },
    on: { click: () => void save_still() },
  });
  const clip = h('button', {
    text: 'Save clip',
    attributes: { 'data-test': 'capture-clip' },
    on: { click: () => (running ? (cancelled = true) : void save_clip()) },
  });
  const done = h('progress', { attributes: { max: '1', 'aria-label': 'Clip' } });
  const note = h('span', {
    class: 'faint',
    text: makes_clips() ? '' : kNoClips,
    attributes: { 'data-test': 'capture-note' },
  });
  element.append(
    still,
    clip,
    part,
    h('label', { attributes: { for: 'capture-panels' } }, with_panels, ' with panels'),
    done,
    note,
    h('button', {
      class: 'quiet',
      text: '×',
      title: 'Close',
      attributes: { 'aria-label': 'Close' },
      on: { click: () => open.set(false) },
    }),
  );
  done.hidden = true;

  const options = () => ({ world, viewport, panels: with_panels.checked ? page : undefined });
  const scene = () => world.shown_scene.value?.scene?.name;
  const fail = (error: unknown) =>
    toasts.show(`Could not save: ${error instanceof Error ? error.message : ''}`, 'error');
  const save_still = async () => {
    try {
      download(file_name(scene(), 'png'), await make_still(options()));
    } catch (error) {
      fail(error);
    }
  };
  const span = (): Span => {
    const { from_ms, to_ms } = recording;
    const loop = lookback.loop.value;
    if (part.value === 'loop' && loop) return loop;
    if (part.value === 'all') return { from_ms, to_ms };
    return { from_ms: Math.max(from_ms, to_ms - 1000 * Number(part.value)), to_ms };
  };
  const show = () => {
    write(clip, running ? 'Stop' : 'Save clip');
    clip.disabled = !makes_clips();
    still.disabled = part.disabled = with_panels.disabled = running;
    done.hidden = !running;
  };
  const save_clip = async () => {
    running = true;
    cancelled = false;
    done.value = 0;
    const began_ms = performance.now();
    show();
    try {
      const file = await make_clip({
        ...options(),
        span: span(),
        speed: lookback.on.value ? lookback.speed.value : 1,
        progress: (share) => {
          done.value = share;
          write(note, progress_words(share, performance.now() - began_ms));
          return !cancelled;
        },
      });
      if (file) download(file_name(scene(), 'webm'), file);
    } catch (error) {
      fail(error);
    } finally {
      running = false;
      write(note, '');
      show();
    }
  };
  const loop_choice = part.options[2] as HTMLOptionElement;
  lookback.loop.watch((loop) => {
    if (running) return; // the clip's own looking back ends with none
    loop_choice.disabled = !loop;
    if (loop) part.value = 'loop';
    else if (part.value === 'loop') part.value = '5';
  });
  show();
  return {};
}

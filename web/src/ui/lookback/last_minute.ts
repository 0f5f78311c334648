// All that works on the recording of the last minute: looking back, plots, pictures and clips, comparing.
import type { Viewport } from '../../scene/picture/viewport';
import type { Signal } from '../../state/values/signal';
import type { Context } from '../page/context';
import { h, signed_button } from '../parts/dom';
import { kLater } from '../page/late_parts';
import { LateSheet, type Sheet, type SheetWork } from '../parts/later';
import { LookbackBar } from './lookback_bar';
import type { OpenSheet } from '../page/open_sheets';

const kSheetsEvery_s = 0.06;

export interface LastMinute extends Pick<LookbackBar, 'toggle' | 'play' | 'step'> {
  /** The parts of it that Esc closes. */
  readonly sheets: readonly OpenSheet[];
  /** Open above the bar with the clock, or hidden. */
  readonly docks: readonly HTMLElement[];
  /** Open them, from that bar. */
  readonly buttons: HTMLElement;
  /** To be called after every picture. */
  draw(elapsed_s: number): void;
}

/** A button that shows whether what it opens is open. @param word that stands below its sign */
function opener(
  icon: string,
  word: string,
  title: string,
  test: string,
  open: Signal<boolean>,
): HTMLElement {
  const button = signed_button(icon, word, {
    title,
    attributes: { 'aria-label': title, 'data-test': test },
    on: { click: () => open.set(!open.value) },
  });
  open.watch((on) => button.setAttribute('aria-pressed', String(on)));
  return button;
}

const of = ({ element, open }: Sheet) => ({ element, open });

/** @param page whose panels can be in pictures */
export function last_minute(context: Context, viewport: Viewport, page: HTMLElement): LastMinute {
  const late = (kind: string, label: string, fill: (sheet: Sheet) => Promise<SheetWork>) =>
    new LateSheet(
      h('section', { class: `${kind} panel`, attributes: { 'aria-label': label } }),
      context.toasts,
      fill,
    );
  const plots = late('plots', 'Plot', async (sheet) =>
    (await kLater.plots.get()).plot_sheet(context, sheet),
  );
  const capture = late('capture', 'Picture and clip', async (sheet) =>
    (await kLater.capture.get()).capture_sheet(context, viewport, page, sheet),
  );
  const compare = late('compare capture', 'Compare two characters', async (sheet) =>
    (await kLater.compare.get()).compare_sheet(context, viewport, sheet),
  );
  const openers = () => [
    opener('◫', 'Compare', 'Compare two characters', 'compare', compare.open),
    opener('∿', 'Plot', 'Plot over time', 'plot', plots.open),
    opener('⤓', 'Save', 'Save a picture or a clip', 'capture', capture.open),
  ];
  const past = new LookbackBar(context, openers());
  let since_s = 0;
  return {
    docks: [capture.element, compare.element, plots.element, past.element],
    buttons: h('div', { class: 'bar-tools panel' }, past.button, ...openers()),
    sheets: [
      { name: 'plots', ...of(plots) },
      { name: 'capture', ...of(capture) },
      { name: 'compare', ...of(compare) },
      {
        name: 'past',
        element: past.element,
        open: context.world.lookback.on,
        show: () => past.toggle(),
        close: () => context.world.lookback.live(),
      },
    ],
    toggle: () => past.toggle(),
    play: () => past.play(),
    step: (frames) => past.step(frames),
    draw(elapsed_s) {
      past.draw();
      since_s += elapsed_s;
      if (since_s < kSheetsEvery_s) return;
      since_s = 0;
      plots.draw();
      compare.draw();
    },
  };
}

// Looking back: the button that opens the last minute, and the controls to go about in it.
import { kSpeeds } from '../../state/recording/lookback';
import { mark_text } from '../../state/recording/marks';
import type { Context } from '../page/context';
import { fill_select, h, signed_button, write } from '../parts/dom';
import { TimelineTrack } from './timeline_track';

const kLoop_ms = 2000; // that is repeated unless another part is chosen
const kJump_ms = 1000;
const kTold_ms = 700; // for so long after it happened an event is told
const kBeforeEvent_ms = 300; // how much earlier a jump to an event leads, so that it is seen happening

export interface LookbackBar {
  /** The timeline with its controls; hidden while the picture is live. */
  readonly element: HTMLElement;
  /** Opens it. */
  readonly button: HTMLElement;
  /** To be called after every picture. */
  draw(): void;
  /** Opens it, or goes back to live. */
  toggle(): void;
  play(): void;
  step(frames: number): void;
}

/** What keys do while the timeline has the focus. Space is not among them: it stops whoever is selected. */
export const kTimelineKeys = {
  ArrowLeft: 'back',
  ArrowDown: 'back',
  ArrowRight: 'on',
  ArrowUp: 'on',
  PageUp: 'event before',
  PageDown: 'event after',
  Home: 'begin',
  End: 'end',
} as const satisfies Readonly<Record<string, string>>;

/** @param tools further buttons for the right end of the controls */
export function lookback_bar(
  { selection, world }: Context,
  tools: readonly HTMLElement[],
): LookbackBar {
  const { lookback, recording } = world;
  const control = (text: string, label: string, test: string, click: () => void) =>
    h('button', {
      class: 'round',
      text,
      title: label,
      attributes: { 'aria-label': label.replace(/ \(.*\)$/, ''), 'data-test': test },
      on: { click },
    });
  const open = () => lookback.on.value || lookback.enter(world.shown_ms);
  const toggle = () => (lookback.on.value ? lookback.live() : void open());
  const play = () => {
    if (!open()) return;
    const again = !lookback.playing.value && lookback.t_ms >= recording.to_ms;
    if (again) lookback.seek(lookback.loop.value?.from_ms ?? recording.from_ms);
    lookback.playing.set(!lookback.playing.value);
  };
  const step = (frames: number) => {
    if (open()) lookback.step(frames);
  };
  const to_event = (direction: 1 | -1) => {
    const here = lookback.t_ms + kBeforeEvent_ms;
    const wanted = recording.marks.filter(
      (mark) => strong(mark.character) && (mark.t_ms - here) * direction > 20,
    );
    const mark = direction > 0 ? wanted[0] : wanted[wanted.length - 1];
    if (mark) lookback.seek(mark.t_ms - kBeforeEvent_ms);
  };
  const strong = (character: number) =>
    selection.ids.value.length === 0 || character === 0 || selection.has(character);

  const track = new TimelineTrack();
  track.on_seek = (t_ms) => lookback.seek(t_ms);
  track.on_loop = ({ from_ms, to_ms }) => lookback.repeat(from_ms, to_ms);
  track.on_key = (key, shift) => {
    switch (kTimelineKeys[key as keyof typeof kTimelineKeys]) {
      case 'back':
        if (shift) lookback.seek(lookback.t_ms - kJump_ms);
        else step(-1);
        return true;
      case 'on':
        if (shift) lookback.seek(lookback.t_ms + kJump_ms);
        else step(1);
        return true;
      case 'event before':
        to_event(-1);
        return true;
      case 'event after':
        to_event(1);
        return true;
      case 'begin':
        lookback.seek(recording.from_ms);
        return true;
      case 'end':
        lookback.seek(recording.to_ms);
        return true;
      default:
        return false;
    }
  };

  const playing = control('▶', 'Play (P)', 'past-play', play);
  const speed = h('select', {
    attributes: { 'aria-label': 'Playback speed', 'data-test': 'past-speed' },
  });
  fill_select(
    speed,
    kSpeeds.map((value) => ({ value: String(value), text: `${value}×` })),
  );
  speed.addEventListener('change', () => lookback.speed.set(Number(speed.value)));
  const loop = h('button', {
    text: 'Loop',
    title: 'Repeat a part of the timeline. Drag its ends, or set them with From and To',
    attributes: { 'data-test': 'past-loop' },
    on: {
      click: () => {
        if (lookback.loop.value) lookback.loop.set(undefined);
        else lookback.repeat(lookback.t_ms - kLoop_ms / 2, lookback.t_ms + kLoop_ms / 2);
      },
    },
  });
  const end_button = (text: string, test: string, set: () => void) =>
    h('button', {
      text,
      title: `${text === 'From' ? 'Start' : 'End'} the loop at the moment shown`,
      attributes: { 'data-test': test },
      on: { click: set },
    });
  const from = end_button('From', 'past-from', () =>
    lookback.repeat(lookback.t_ms, lookback.loop.value?.to_ms ?? recording.to_ms),
  );
  const to = end_button('To', 'past-to', () =>
    lookback.repeat(lookback.loop.value?.from_ms ?? recording.from_ms, lookback.t_ms),
  );
  const told = h('output', { class: 'past-told', attributes: { 'data-test': 'past-told' } });
  const live = h('button', {
    class: 'past-live',
    text: 'Live',
    title: 'Return to the live room (B)',
    attributes: { 'data-test': 'past-live' },
    on: { click: () => lookback.live() },
  });
  const element = h(
    'section',
    { class: 'past panel', attributes: { 'aria-label': 'Looking back' } },
    h(
      'div',
      { class: 'past-row' },
      control('⇤', 'Previous event', 'past-before', () => to_event(-1)),
      control('◂❙', 'One frame back (,)', 'past-back', () => step(-1)),
      playing,
      control('❙▸', 'One frame forward (.)', 'past-on', () => step(1)),
      control('⇥', 'Next event', 'past-next', () => to_event(1)),
      speed,
      loop,
      from,
      to,
      told,
      ...tools,
      live,
    ),
    track.element,
  );
  const button = signed_button('⟲', 'Look back', {
    title: 'Look back at the last minute (B)',
    attributes: { 'aria-label': 'Look back at the last minute', 'data-test': 'look-back' },
    on: { click: () => open() && track.element.focus() },
  });

  lookback.on.watch((on) => {
    element.hidden = !on;
    document.documentElement.classList.toggle('looking-back', on);
  });
  lookback.playing.watch((on) => {
    write(playing, on ? '❚❚' : '▶');
    playing.setAttribute('aria-label', on ? 'Pause' : 'Play');
    playing.title = `${on ? 'Pause' : 'Play'} (P)`;
  });
  lookback.speed.watch((value) => (speed.value = String(value)));
  lookback.loop.watch((span) => {
    loop.setAttribute('aria-pressed', String(span !== undefined));
    from.hidden = to.hidden = !span;
  });
  /** What is shown, in words. */
  const words = (): string => {
    const ago = `${((recording.to_ms - lookback.t_ms) / 1000).toFixed(1)} s ago`;
    const fresh = recording.marks.filter(
      (mark) =>
        strong(mark.character) &&
        mark.t_ms <= lookback.t_ms + 1 &&
        lookback.t_ms - mark.t_ms < kTold_ms,
    );
    const mark = fresh[fresh.length - 1];
    return mark ? `${ago} · ${mark_text(mark)}` : ago;
  };
  return {
    element,
    button,
    toggle,
    play,
    step,
    draw() {
      if (!lookback.on.value) return;
      const text = words();
      write(told, text);
      track.draw(
        {
          ...{ from_ms: recording.from_ms, to_ms: recording.to_ms, now_ms: lookback.t_ms },
          marks: recording.marks,
          loop: lookback.loop.value,
          strong: ({ character }) => strong(character),
        },
        text,
      );
    },
  };
}

// Looking back: the button that opens the last minute, and the controls to go about in it.
import { kSpeeds, type Lookback } from '../../state/recording/lookback';
import { mark_text } from '../../state/recording/marks';
import type { Recording } from '../../state/recording/recording';
import type { Context } from '../page/context';
import { fill_select, h, signed_button, write } from '../parts/dom';
import { LoopControls } from './loop_controls';
import { TimelineTrack } from './timeline_track';

const kJump_ms = 1000;
const kTold_ms = 700; // for so long after it happened an event is told
const kBeforeEvent_ms = 300; // how much earlier a jump to an event leads, so that it is seen happening

/** The keys of the timeline while it has the focus. Space is not among them: it stops the selected characters. */
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

/** A button with a sign. @param label its title; what is in brackets there, a key, is not read out */
function control(text: string, label: string, test: string, click: () => void): HTMLButtonElement {
  return h('button', {
    class: 'round',
    text,
    title: label,
    attributes: { 'aria-label': label.replace(/ \(.*\)$/, ''), 'data-test': test },
    on: { click },
  });
}

export class LookbackBar {
  /** The timeline with its controls; hidden while the picture is live. */
  readonly element: HTMLElement;
  /** Opens it. */
  readonly button: HTMLElement;
  private readonly lookback_: Lookback;
  private readonly recording_: Recording;
  private readonly track_ = new TimelineTrack();
  private readonly loop_: LoopControls;
  private readonly told_ = h('output', {
    class: 'past-told',
    attributes: { 'data-test': 'past-told' },
  });

  /** @param tools further buttons for the right end of the controls */
  constructor(
    private readonly context_: Context,
    tools: readonly HTMLElement[],
  ) {
    const { lookback, recording } = context_.world;
    this.lookback_ = lookback;
    this.recording_ = recording;
    this.loop_ = new LoopControls(lookback, recording);
    this.track_.on_seek = (t_ms) => lookback.seek(t_ms);
    this.track_.on_loop = ({ from_ms, to_ms }) => lookback.repeat(from_ms, to_ms);
    this.track_.on_key = (key, shift) => this.key(key, shift);
    this.element = h(
      'section',
      { class: 'past panel', attributes: { 'aria-label': 'Looking back' } },
      h('div', { class: 'past-row' }, ...this.make_controls(tools)),
      this.track_.element,
    );
    this.button = signed_button('⟲', 'Look back', {
      title: 'Look back at the last minute (B)',
      attributes: { 'aria-label': 'Look back at the last minute', 'data-test': 'look-back' },
      on: { click: () => this.open() && this.track_.element.focus() },
    });
    lookback.on.watch((on) => {
      this.element.hidden = !on;
      document.documentElement.classList.toggle('looking-back', on);
    });
  }

  /** Opens it, or goes back to live. */
  toggle(): void {
    if (this.lookback_.on.value) this.lookback_.live();
    else this.open();
  }

  /** Plays on from the moment shown, or stops there; from the end it begins again. */
  play(): void {
    if (!this.open()) return;
    const { playing, t_ms } = this.lookback_;
    const again = !playing.value && t_ms >= this.recording_.to_ms;
    if (again) this.lookback_.seek(this.loop_.from_ms);
    playing.set(!playing.value);
  }

  step(frames: number): void {
    if (this.open()) this.lookback_.step(frames);
  }

  /** To be called after every picture. */
  draw(): void {
    const { lookback_: lookback, recording_: recording } = this;
    if (!lookback.on.value) return;
    const text = this.words();
    write(this.told_, text);
    this.track_.draw(
      {
        ...{ from_ms: recording.from_ms, to_ms: recording.to_ms, now_ms: lookback.t_ms },
        marks: recording.marks,
        loop: lookback.loop.value,
        strong: ({ character }) => this.is_about_chosen(character),
      },
      text,
    );
  }

  private make_controls(tools: readonly HTMLElement[]): readonly HTMLElement[] {
    return [
      control('⇤', 'Previous event', 'past-before', () => this.to_event(-1)),
      control('◂❙', 'One frame back (,)', 'past-back', () => this.step(-1)),
      this.play_button(),
      control('❙▸', 'One frame forward (.)', 'past-on', () => this.step(1)),
      control('⇥', 'Next event', 'past-next', () => this.to_event(1)),
      this.speed_choice(),
      ...this.loop_.elements,
      this.told_,
      ...tools,
      h('button', {
        class: 'past-live',
        text: 'Live',
        title: 'Return to the live room (B)',
        attributes: { 'data-test': 'past-live' },
        on: { click: () => this.lookback_.live() },
      }),
    ];
  }

  private play_button(): HTMLElement {
    const button = control('▶', 'Play (P)', 'past-play', () => this.play());
    this.lookback_.playing.watch((on) => {
      write(button, on ? '❚❚' : '▶');
      button.setAttribute('aria-label', on ? 'Pause' : 'Play');
      button.title = `${on ? 'Pause' : 'Play'} (P)`;
    });
    return button;
  }

  private speed_choice(): HTMLElement {
    const { speed } = this.lookback_;
    const select = h('select', {
      attributes: { 'aria-label': 'Playback speed', 'data-test': 'past-speed' },
    });
    fill_select(
      select,
      kSpeeds.map((value) => ({ value: String(value), text: `${value}×` })),
    );
    select.addEventListener('change', () => speed.set(Number(select.value)));
    speed.watch((value) => (select.value = String(value)));
    return select;
  }

  /** Opens it at the moment that the picture shows. @return false where nothing is recorded */
  private open(): boolean {
    return this.lookback_.on.value || this.lookback_.enter(this.context_.world.shown_ms);
  }

  /** @return whether the key means something here */
  private key(key: string, shift: boolean): boolean {
    const { lookback_: lookback, recording_: recording } = this;
    switch (kTimelineKeys[key as keyof typeof kTimelineKeys]) {
      case 'back':
        if (shift) lookback.seek(lookback.t_ms - kJump_ms);
        else this.step(-1);
        return true;
      case 'on':
        if (shift) lookback.seek(lookback.t_ms + kJump_ms);
        else this.step(1);
        return true;
      case 'event before':
        this.to_event(-1);
        return true;
      case 'event after':
        this.to_event(1);
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
  }

  private to_event(direction: 1 | -1): void {
    const here = this.lookback_.t_ms + kBeforeEvent_ms;
    const wanted = this.recording_.marks.filter(
      (mark) => this.is_about_chosen(mark.character) && (mark.t_ms - here) * direction > 20,
    );
    const mark = direction > 0 ? wanted[0] : wanted[wanted.length - 1];
    if (mark) this.lookback_.seek(mark.t_ms - kBeforeEvent_ms);
  }

  /** Whether an event of a character (0: of the room) counts: those of others do not while some are selected. */
  private is_about_chosen(character: number): boolean {
    const { selection } = this.context_;
    return selection.ids.value.length === 0 || character === 0 || selection.has(character);
  }

  /** The moment that is shown, in words. */
  private words(): string {
    const { t_ms } = this.lookback_;
    const ago = `${((this.recording_.to_ms - t_ms) / 1000).toFixed(1)} s ago`;
    const fresh = this.recording_.marks.filter(
      (mark) =>
        this.is_about_chosen(mark.character) &&
        mark.t_ms <= t_ms + 1 &&
        t_ms - mark.t_ms < kTold_ms,
    );
    const mark = fresh[fresh.length - 1];
    return mark ? `${ago} · ${mark_text(mark)}` : ago;
  }
}

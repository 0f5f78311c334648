// The room's clock at the lower edge: its time, pause and single step, and how fast it goes.
import { kSetTimeScale_scale } from '../../gen/commands';
import { paused_words } from '../../state/visitors/act_words';
import type { FrameData } from '../../net/frame';
import type { World } from '../../state/room/world';
import { type Context, sends } from '../page/context';
import { h, throttled, write } from '../parts/dom';
import type { Actions } from './actions';

const kLeast = kSetTimeScale_scale.least;
const kMost = 10; // times real time: the slider's last stop before "as fast as the machine allows"
const kStops = 100;
const kSendEvery_ms = 120; // while the slider is dragged
const kTrust_ms = 1000; // for so long after it was moved the slider stays where it is, whatever the room says

/**
 * The time scale of a slider position. The slider's right end means as fast as possible, which the server writes as
 * 0.
 */
export function scale_of(stop: number): number {
  if (stop >= kStops) return 0;
  const scale = kLeast * (kMost / kLeast) ** (stop / (kStops - 4));
  return Math.abs(scale - 1) < 0.06 ? 1 : Math.min(kMost, Number(scale.toPrecision(2)));
}

export function stop_of(scale: number): number {
  if (scale <= 0) return kStops;
  return Math.round(((kStops - 4) * Math.log(scale / kLeast)) / Math.log(kMost / kLeast));
}

/** Seconds as minutes and seconds: 1:07.5. */
export function clock_words(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(1).padStart(4, '0')}`;
}

/** The slider that sets how fast the room's clock goes, and the figure beside it. */
class SpeedSlider {
  readonly slider = h('input', {
    attributes: {
      type: 'range',
      min: '0',
      max: String(kStops),
      step: '1',
      'aria-label': 'Simulation speed',
    },
  });
  readonly scale = h('output', { class: 'scale', text: '1.0×' });
  private readonly send_: (scale: number) => void;
  private touched_ms_ = -Infinity;

  constructor(actions: Actions) {
    this.send_ = throttled(
      kSendEvery_ms,
      (value: number) => void actions.send({ case: 'setTimeScale', value: { scale: value } }),
    );
    this.slider.addEventListener('input', () => {
      this.touched_ms_ = performance.now();
      const value = scale_of(Number(this.slider.value));
      this.show(value);
      this.send_(value);
    });
    this.slider.addEventListener('dblclick', () => {
      this.slider.value = String(stop_of(1));
      this.show(1);
      this.send_(1);
    });
  }

  /** Shows the scale that the room has, unless the viewer has just moved the slider. */
  follow(scale: number): void {
    if (performance.now() - this.touched_ms_ < kTrust_ms) return;
    this.slider.value = String(stop_of(scale));
    this.show(scale);
  }

  private show(value: number): void {
    write(this.scale, value <= 0 ? 'max' : `${value.toFixed(value < 1 ? 2 : 1)}×`);
    this.slider.setAttribute(
      'aria-valuetext',
      value <= 0 ? 'as fast as possible' : `${value} times`,
    );
  }
}

/** The line that says which other visitor has stopped the clock; it is hidden while the clock goes. */
class PausedBy {
  readonly element: HTMLElement;
  private readonly dot_ = h('i', { class: 'visitor-dot', attributes: { 'aria-hidden': 'true' } });
  private readonly text_ = h('span');

  constructor(private readonly world_: World) {
    this.element = h(
      'output',
      { class: 'by', attributes: { 'data-test': 'paused-by' } },
      this.dot_,
      this.text_,
    );
    this.element.hidden = true;
    world_.company.of_clock.watch(() => this.refresh());
  }

  refresh(): void {
    const deed = this.world_.company.of_clock.value;
    const other = deed && !deed.mine && deed.command === 'pause';
    this.element.hidden = !(other && this.world_.frame.value?.paused);
    if (!other) return;
    this.dot_.style.background = deed.color;
    write(this.text_, paused_words(deed.name));
    this.element.title = this.text_.textContent;
  }
}

/** The room's clock: pause, go on, one step, slow and fast. */
export class ClockBar {
  readonly element: HTMLElement;
  private readonly actions_: Actions;
  private readonly world_: World;
  private readonly pause_ = h('button', {
    class: 'round',
    text: '❚❚',
    attributes: { 'aria-label': 'Pause', 'data-test': 'pause' },
    on: { click: () => this.toggle_pause() },
  });
  private readonly time_ = h('output', { class: 'time', text: '0:00.0' });
  private readonly speed_: SpeedSlider;
  private readonly by_: PausedBy;

  constructor({ actions, world }: Context) {
    this.actions_ = actions;
    this.world_ = world;
    const once = h('button', {
      class: 'round',
      text: '❙▸',
      title: 'Pause and advance one step (.)',
      attributes: { 'aria-label': 'Pause and advance one step' },
      on: { click: () => this.step() },
    });
    this.speed_ = new SpeedSlider(actions);
    sends('pause', this.pause_);
    sends('single_step', once);
    sends('set_time_scale', this.speed_.slider);
    this.by_ = new PausedBy(world);
    world.frame.watch((frame) => frame && this.show(frame));
    this.element = h(
      'div',
      { class: 'clock panel', attributes: { role: 'group', 'aria-label': 'Clock' } },
      ...[this.pause_, once, this.time_],
      ...[this.speed_.slider, this.speed_.scale, this.by_.element],
    );
  }

  toggle_pause(): void {
    const paused = this.world_.frame.value?.paused;
    void this.actions_.send(paused ? { case: 'resume', value: {} } : { case: 'pause', value: {} });
  }

  /** Stops the clock, and lets the room make one tick. */
  step(): void {
    void this.actions_.send({ case: 'singleStep', value: { ticks: 1 } });
  }

  private show(frame: FrameData): void {
    this.by_.refresh();
    write(this.time_, clock_words(this.world_.scene_time_s(frame.tick)));
    write(this.pause_, frame.paused ? '▶' : '❚❚');
    this.pause_.setAttribute('aria-label', frame.paused ? 'Continue' : 'Pause');
    this.speed_.follow(frame.time_scale);
  }
}

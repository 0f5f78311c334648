import { paused_words } from '../../state/visitors/act_words';
import { type Context, needs } from '../page/context';
import { h, throttled, write } from '../parts/dom';

const kLeast = 0.1;
const kMost = 10; // times real time: the slider's last stop before "as fast as the machine allows"
const kStops = 100;

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

export interface ClockBar {
  readonly element: HTMLElement;
  toggle_pause(): void;
  step(): void;
}

/** The room's clock: pause, go on, one step, slow and fast. */
export function clock_bar({ world, actions }: Context): ClockBar {
  const toggle_pause = () =>
    void actions.send(
      world.frame.value?.paused ? { case: 'resume', value: {} } : { case: 'pause', value: {} },
    );
  const step = () => void actions.send({ case: 'singleStep', value: { ticks: 1 } });
  const pause = h('button', {
    class: 'round',
    text: '❚❚',
    attributes: { 'aria-label': 'Pause', 'data-test': 'pause' },
    on: { click: toggle_pause },
  });
  const once = h('button', {
    class: 'round',
    text: '❙▸',
    title: 'Pause and advance one step (.)',
    attributes: { 'aria-label': 'Pause and advance one step' },
    on: { click: step },
  });
  const slider = h('input', {
    attributes: {
      type: 'range',
      min: '0',
      max: String(kStops),
      step: '1',
      'aria-label': 'Simulation speed',
    },
  });
  const scale = h('output', { class: 'scale', text: '1.0×' });
  const time = h('output', { class: 'time', text: '0:00.0' });
  const by_dot = h('i', { class: 'visitor-dot', attributes: { 'aria-hidden': 'true' } });
  const by_text = h('span');
  const by = h(
    'output',
    { class: 'by', attributes: { 'data-test': 'paused-by' } },
    by_dot,
    by_text,
  );
  by.hidden = true;
  needs('admin', pause, once, slider);

  let touched_ms = -Infinity;
  const send = throttled(
    120,
    (value: number) => void actions.send({ case: 'setTimeScale', value: { scale: value } }),
  );
  const show = (value: number) => {
    write(scale, value <= 0 ? 'max' : `${value.toFixed(value < 1 ? 2 : 1)}×`);
    slider.setAttribute('aria-valuetext', value <= 0 ? 'as fast as possible' : `${value} times`);
  };
  slider.addEventListener('input', () => {
    touched_ms = performance.now();
    const value = scale_of(Number(slider.value));
    show(value);
    send(value);
  });
  slider.addEventListener('dblclick', () => {
    slider.value = String(stop_of(1));
    show(1);
    send(1);
  });
  const show_by = () => {
    const deed = world.company.of_clock.value;
    const other = deed && !deed.mine && deed.command === 'pause';
    by.hidden = !(other && world.frame.value?.paused);
    if (!other) return;
    by_dot.style.background = deed.color;
    write(by_text, paused_words(deed.name));
    by.title = by_text.textContent;
  };
  world.company.of_clock.watch(show_by);
  world.frame.watch((frame) => {
    if (!frame) return;
    show_by();
    write(time, clock_words(world.scene_time_s(frame.tick)));
    write(pause, frame.paused ? '▶' : '❚❚');
    pause.setAttribute('aria-label', frame.paused ? 'Continue' : 'Pause');
    if (performance.now() - touched_ms < 1000) return;
    slider.value = String(stop_of(frame.time_scale));
    show(frame.time_scale);
  });
  const element = h(
    'div',
    { class: 'clock panel', attributes: { role: 'group', 'aria-label': 'Clock' } },
    pause,
    once,
    time,
    slider,
    scale,
    by,
  );
  return { element, toggle_pause, step };
}

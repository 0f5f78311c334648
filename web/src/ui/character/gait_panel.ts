import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import type { Style } from '../../gen/promenade/v1/style_pb';
import { achieved_speed } from '../../state/room/achieved';
import { kStyleNumbers, with_number } from '../../state/edit/style_doc';
import { wrapped } from '../../state/hand/steering';
import type { Context } from '../page/context';
import { h, section, throttled, write } from '../parts/dom';
import type { LiveDocument } from '../editor/live_document';

const kFastest_mps = 1.8;
const kSlowest_mps = -0.8;
const kTrust_ms = 1000; // for this long after a slider was moved, older values from the server do not move it back

/** The desired speed, m/s; negative for backwards. */
export function asked_speed(details: CharacterDetails): number {
  const [x = 0, y = 0] = details.desiredVelocityMps;
  return (
    Math.hypot(x, y) *
    (x * Math.cos(details.headingRad) + y * Math.sin(details.headingRad) < -0.01 ? -1 : 1)
  );
}

interface RowOptions {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly hint: string;
}

class GaitRow {
  readonly cells: readonly HTMLElement[];
  readonly slider: HTMLInputElement;
  on_input: (value: number) => void = () => {};
  on_end: () => void = () => {};
  private readonly asked_ = h('output', { class: 'asked' });
  private readonly achieved_ = h('output', { class: 'achieved' });
  private touched_ms_ = -Infinity;

  constructor(private readonly options_: RowOptions) {
    const { key, title, low, high, step, hint } = options_;
    this.slider = h('input', {
      title: hint,
      attributes: {
        type: 'range',
        min: String(low),
        max: String(high),
        step: String(step),
        'data-test': `gait-${key}`,
      },
    });
    this.slider.id = `gait-${key}`;
    this.achieved_.dataset['test'] = `gait-${key}-achieved`;
    this.asked_.dataset['test'] = `gait-${key}-asked`;
    this.slider.addEventListener('input', () => {
      this.touched_ms_ = performance.now();
      this.on_input(Number(this.slider.value));
    });
    this.slider.addEventListener('change', () => this.on_end());
    this.cells = [
      h('label', { text: title, title: hint, attributes: { for: this.slider.id } }),
      this.slider,
      this.asked_,
      this.achieved_,
    ];
  }

  place(value: number): void {
    if (performance.now() - this.touched_ms_ > kTrust_ms) this.slider.value = String(value);
  }

  /** @param off difference between achieved and desired value from which on the row is marked */
  show(asked: number | undefined, achieved: number | undefined, off: number): void {
    const { digits, unit } = this.options_;
    const text = (value: number | undefined) =>
      value === undefined
        ? '–'
        : `${(value + 0).toFixed(digits).replace(/^-(0\.?0*)$/, '$1')}${unit === '°' ? '' : ' '}${unit}`;
    write(this.asked_, text(asked));
    write(this.achieved_, text(achieved));
    const far = asked !== undefined && achieved !== undefined && Math.abs(asked - achieved) > off;
    this.achieved_.classList.toggle('far', far);
  }
}

export interface GaitPanel {
  readonly element: HTMLElement;
  show(details: CharacterDetails | undefined): void;
  /** @param enabled whether this viewer may change anything */
  refresh(enabled: boolean): void;
}

/** Sliders of speed, heading, step time and step width, each with the achieved value beside the desired one. */
export function gait_panel(
  { steering }: Context,
  style: () => LiveDocument<Style> | undefined,
): GaitPanel {
  const rows = {
    speed: new GaitRow({
      key: 'speed',
      title: 'Speed',
      unit: 'm/s',
      digits: 2,
      low: kSlowest_mps,
      high: kFastest_mps,
      step: 0.05,
      hint: 'Forward speed. The pad below also steps sideways',
    }),
    heading: new GaitRow({
      key: 'heading',
      title: 'Heading',
      unit: '°',
      digits: 0,
      low: -180,
      high: 180,
      step: 1,
      hint: 'Counter-clockwise from the world’s x axis',
    }),
    time: new GaitRow({
      key: 'step-time',
      title: 'Step time',
      unit: 's',
      digits: 2,
      low: 0.2,
      high: 1.2,
      step: 0.01,
      hint: 'For a human; scaled to this body’s legs and speed',
    }),
    width: new GaitRow({
      key: 'step-width',
      title: 'Step width',
      unit: 'm',
      digits: 2,
      low: 0,
      high: 0.5,
      step: 0.01,
      hint: 'For a human; scaled to this body’s legs',
    }),
  };
  let sideways = 0;
  const go = throttled(80, (speed: number) => steering.set_velocity(speed, sideways));
  const turn = throttled(80, (degrees: number) => steering.set_heading((degrees * Math.PI) / 180));
  rows.speed.on_input = (value) => go(value);
  rows.heading.on_input = (value) => turn(value);
  for (const [row, key] of [
    [rows.time, 'stepTimeS'],
    [rows.width, 'stepWidthM'],
  ] as const) {
    row.on_input = (value) => {
      const doc = style()?.doc;
      if (doc) style()?.edit(with_number(doc, key, value), `gait-${key}`);
    };
    row.on_end = () => style()?.end_gesture();
  }
  const element = section(
    'Gait',
    true,
    h(
      'div',
      { class: 'gait' },
      h('span', {}),
      h('span', {}),
      h('span', { class: 'gait-head', text: 'desired' }),
      h('span', { class: 'gait-head', text: 'achieved' }),
      ...Object.values(rows).flatMap(({ cells }) => cells),
    ),
  );
  return {
    element,
    show(details) {
      if (!details) {
        for (const row of Object.values(rows)) row.show(undefined, undefined, 0);
        return;
      }
      const speed = asked_speed(details);
      const [x = 0, y = 0] = details.desiredVelocityMps;
      const c = Math.cos(details.desiredHeadingRad),
        s = Math.sin(details.desiredHeadingRad);
      sideways = -x * s + y * c;
      rows.speed.place(x * c + y * s);
      rows.speed.show(speed, achieved_speed(details), Math.max(0.08, 0.12 * Math.abs(speed)));
      const degrees = (rad: number) => Math.round((wrapped(rad) * 180) / Math.PI);
      const [asked, is] = [degrees(details.desiredHeadingRad), degrees(details.headingRad)];
      rows.heading.place(asked);
      const apart = Math.abs(wrapped(details.desiredHeadingRad - details.headingRad));
      rows.heading.show(asked, is, apart > 0.2 ? 0 : 400);
      const { askedStepTimeS: time, askedStepWidthM: width, stepTimeS, stepWidthM } = details;
      const stepping = details.state === 'walking' && stepTimeS > 0;
      rows.time.show(time || undefined, stepping ? stepTimeS : undefined, 0.12 * time);
      rows.width.show(
        time ? width : undefined,
        stepping ? stepWidthM : undefined,
        Math.max(0.04, 0.4 * width),
      );
    },
    refresh(enabled) {
      const doc = style()?.doc;
      for (const row of [rows.speed, rows.heading]) row.slider.disabled = !enabled;
      for (const row of [rows.time, rows.width]) row.slider.disabled = !enabled || !doc;
      for (const { key } of kStyleNumbers) {
        if (!doc) break;
        if (key === 'stepTimeS') rows.time.place(doc[key]);
        if (key === 'stepWidthM') rows.width.place(doc[key]);
      }
    },
  };
}

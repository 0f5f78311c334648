// Sliders of the gait of the selected characters.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import type { Style } from '../../gen/promenade/v1/style_pb';
import { achieved_speed } from '../../state/room/achieved';
import { kStyleNumbers, with_number } from '../../state/edit/style_doc';
import { wrapped } from '../../state/hand/steering';
import { h, section, throttled } from '../parts/dom';
import type { LiveDocument } from '../editor/live_document';
import { GaitRow } from './gait_row';
import type { Steering } from './steering';

const kFastest_mps = 1.8;
const kSlowest_mps = -0.8;
const kSendEvery_ms = 80;

/** The desired speed, m/s; negative for backwards. */
export function asked_speed(details: CharacterDetails): number {
  const [x = 0, y = 0] = details.desiredVelocityMps;
  return (
    Math.hypot(x, y) *
    (x * Math.cos(details.headingRad) + y * Math.sin(details.headingRad) < -0.01 ? -1 : 1)
  );
}

/** Sliders of speed, heading, step time and step width, each with the achieved value beside the desired one. */
export class GaitPanel {
  readonly element: HTMLElement;
  private readonly speed_ = new GaitRow({
    key: 'speed',
    title: 'Speed',
    unit: 'm/s',
    digits: 2,
    low: kSlowest_mps,
    high: kFastest_mps,
    step: 0.05,
    hint: 'Forward speed. The pad below also steps sideways',
  });
  private readonly heading_ = new GaitRow({
    key: 'heading',
    title: 'Heading',
    unit: '°',
    digits: 0,
    low: -180,
    high: 180,
    step: 1,
    hint: 'Counter-clockwise from the world’s x axis',
  });
  private readonly time_ = new GaitRow({
    key: 'step-time',
    title: 'Step time',
    unit: 's',
    digits: 2,
    low: 0.2,
    high: 1.2,
    step: 0.01,
    hint: 'For a human; scaled to this body’s legs and speed',
  });
  private readonly width_ = new GaitRow({
    key: 'step-width',
    title: 'Step width',
    unit: 'm',
    digits: 2,
    low: 0,
    high: 0.5,
    step: 0.01,
    hint: 'For a human; scaled to this body’s legs',
  });
  private readonly rows_ = [this.speed_, this.heading_, this.time_, this.width_];
  private sideways_mps_ = 0; // desired, to the left: it stays when the forward speed is changed

  /** @param style_ gives the style of the selected character; undefined: it is not known yet */
  constructor(
    steering: Steering,
    private readonly style_: () => LiveDocument<Style> | undefined,
  ) {
    this.speed_.on_input = throttled(kSendEvery_ms, (mps: number) =>
      steering.set_velocity(mps, this.sideways_mps_),
    );
    this.heading_.on_input = throttled(kSendEvery_ms, (degrees: number) =>
      steering.set_heading((degrees * Math.PI) / 180),
    );
    this.edits(this.time_, 'stepTimeS');
    this.edits(this.width_, 'stepWidthM');
    this.element = section(
      'Gait',
      true,
      h(
        'div',
        { class: 'gait' },
        h('span', {}),
        h('span', {}),
        h('span', { class: 'gait-head', text: 'desired' }),
        h('span', { class: 'gait-head', text: 'achieved' }),
        ...this.rows_.flatMap(({ cells }) => cells),
      ),
    );
  }

  /** Shows what a character is asked for and does; undefined: that is not known. */
  show(details: CharacterDetails | undefined): void {
    if (!details) {
      for (const row of this.rows_) row.show(undefined, undefined, 0);
      return;
    }
    this.show_speed(details);
    this.show_heading(details);
    this.show_steps(details);
  }

  /** Places the sliders as the style says. @param enabled whether this viewer may change anything */
  refresh(enabled: boolean): void {
    const doc = this.style_()?.doc;
    for (const row of [this.speed_, this.heading_]) row.slider.disabled = !enabled;
    for (const row of [this.time_, this.width_]) row.slider.disabled = !enabled || !doc;
    for (const { key } of kStyleNumbers) {
      if (!doc) break;
      if (key === 'stepTimeS') this.time_.place(doc[key]);
      if (key === 'stepWidthM') this.width_.place(doc[key]);
    }
  }

  /** Has a row edit a number of the style. */
  private edits(row: GaitRow, key: 'stepTimeS' | 'stepWidthM'): void {
    row.on_input = (value) => {
      const doc = this.style_()?.doc;
      if (doc) this.style_()?.edit(with_number(doc, key, value), `gait-${key}`);
    };
    row.on_end = () => this.style_()?.end_gesture();
  }

  private show_speed(details: CharacterDetails): void {
    const speed = asked_speed(details);
    const [x = 0, y = 0] = details.desiredVelocityMps;
    const c = Math.cos(details.desiredHeadingRad),
      s = Math.sin(details.desiredHeadingRad);
    this.sideways_mps_ = -x * s + y * c;
    this.speed_.place(x * c + y * s);
    this.speed_.show(speed, achieved_speed(details), Math.max(0.08, 0.12 * Math.abs(speed)));
  }

  private show_heading({ desiredHeadingRad, headingRad }: CharacterDetails): void {
    const degrees = (rad: number) => Math.round((wrapped(rad) * 180) / Math.PI);
    const [asked, is] = [degrees(desiredHeadingRad), degrees(headingRad)];
    this.heading_.place(asked);
    const apart = Math.abs(wrapped(desiredHeadingRad - headingRad));
    this.heading_.show(asked, is, apart > 0.2 ? 0 : 400);
  }

  private show_steps(details: CharacterDetails): void {
    const { askedStepTimeS: time, askedStepWidthM: width, stepTimeS, stepWidthM } = details;
    const stepping = details.state === 'walking' && stepTimeS > 0;
    this.time_.show(time || undefined, stepping ? stepTimeS : undefined, 0.12 * time);
    this.width_.show(
      time ? width : undefined,
      stepping ? stepWidthM : undefined,
      Math.max(0.04, 0.4 * width),
    );
  }
}

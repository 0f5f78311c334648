// Measurements of the selected character: numbers, and plots of the last seconds.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { mass_words } from '../../state/edit/body_warning';
import { achieved_speed, step_length_text } from '../../state/room/achieved';
import type { Member } from '../../state/room/roster';
import { kGravity_mps2 } from '../../state/values/gravity';
import { section, write } from '../parts/dom';
import { Plot } from '../parts/plot';
import { asked_speed } from './gait_panel';
import { Figures } from './selected_head';

const kMostForce = 2.5; // times the weight: limit of the plot, exceeded for an instant at foot-strike
const kMeanShare = 0.005; // of each new value in the running mean of the potential energy

/** The section with the numbers and plots of one character after the other. */
export class Measurements {
  readonly element: HTMLDetailsElement;
  private readonly step_: HTMLElement;
  private readonly height_: HTMLElement;
  private readonly mass_: HTMLElement;
  private readonly speed_ = new Plot({
    title: 'Speed',
    unit: 'm/s',
    digits: 2,
    least_span: 0.8,
    series: [
      { name: 'desired', color: '--plot-1' },
      { name: 'achieved', color: '--plot-2' },
    ],
  });
  private readonly phase_ = new Plot({
    title: 'Phase of the step',
    unit: '',
    digits: 2,
    least_span: 1,
    series: [{ name: 'phase', color: '--plot-3' }],
  });
  private readonly forces_ = new Plot({
    title: 'Ground force',
    hint: `The line marks the body’s weight. Forces above ${kMostForce} times the weight are cut off and marked`,
    unit: 'N',
    digits: 0,
    least_span: 400,
    series: [
      { name: 'left', color: '--plot-1' },
      { name: 'right', color: '--plot-4' },
    ],
  });
  private readonly energy_ = new Plot({
    title: 'Energy',
    unit: 'J',
    digits: 0,
    least_span: 20,
    series: [
      { name: 'kinetic', color: '--plot-4' },
      { name: 'Δ potential', color: '--plot-2', hint: 'Difference from its running mean' },
    ],
  });
  private readonly plots_ = [this.speed_, this.phase_, this.forces_, this.energy_];
  private readonly of_gait_: readonly HTMLElement[]; // shown only for characters that walk on two legs
  private shown_: number | undefined; // id
  private potential_j_ = Number.NaN; // running mean of the potential energy

  constructor() {
    const figures = new Figures();
    this.step_ = figures.add('Step length');
    this.step_.dataset['test'] = 'step-length';
    this.height_ = figures.add('Height of centre of mass');
    this.mass_ = figures.add('Mass');
    this.of_gait_ = [
      this.step_,
      this.step_.previousElementSibling as HTMLElement,
      ...[this.speed_, this.phase_, this.forces_].map(({ element }) => element),
    ];
    const plots = this.plots_.map(({ element }) => element);
    this.element = section('Measurements', true, figures.element, ...plots);
  }

  /** Shows what is known of a character at once; the plots begin anew for another one than before. */
  show({ id, skeleton, family }: Member): void {
    if (this.shown_ !== id) {
      this.shown_ = id;
      this.potential_j_ = Number.NaN;
      for (const plot of this.plots_) plot.clear();
    }
    write(this.mass_, mass_words(skeleton.mass));
    const weight = skeleton.mass * kGravity_mps2;
    this.forces_.set_limit(kMostForce * weight, weight);
    for (const one of this.of_gait_) one.hidden = !family.walks;
  }

  /** Takes in what was measured of the character. @param time_s of the server */
  add(details: CharacterDetails, time_s: number): void {
    write(this.step_, step_length_text(details));
    write(this.height_, `${(details.comM[2] ?? 0).toFixed(3)} m`);
    const { footForceN, kineticEnergyJ, potentialEnergyJ: potential_j } = details;
    const [, , left = 0, , , right = 0] = footForceN;
    this.potential_j_ = Number.isNaN(this.potential_j_)
      ? potential_j
      : this.potential_j_ + kMeanShare * (potential_j - this.potential_j_);
    this.speed_.add(time_s, [asked_speed(details), achieved_speed(details)]);
    this.phase_.add(time_s, [details.phase]);
    this.forces_.add(time_s, [left, right]);
    this.energy_.add(time_s, [kineticEnergyJ, potential_j - this.potential_j_]);
  }

  /** Says that nothing was measured at the time that is shown. */
  show_none(): void {
    for (const figure of [this.step_, this.height_]) write(figure, '–');
  }

  draw(): void {
    if (!this.element.open) return;
    for (const plot of this.plots_) plot.draw();
  }
}

// The slider of the gait lab that asks the selected character for a speed, and follows the speed that is asked for.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { asked_speed } from '../character/gait_panel';
import type { Steering } from '../character/steering';
import { sends } from '../page/context';
import { h, throttled, write } from '../parts/dom';

const kFastest_mps = 2;
const kTrust_ms = 1000; // for this long after the slider was moved, older values from the server do not move it back

export class LabSpeed {
  readonly element: HTMLElement;
  private readonly asked_ = h('output', { attributes: { 'data-test': 'lab-asked' } });
  private readonly slider_ = h('input', {
    title: 'Desired speed; 0 stands still',
    attributes: {
      ...{ type: 'range', min: '0', max: String(kFastest_mps), step: '0.05', id: 'lab-speed' },
      'data-test': 'lab-speed-slider',
    },
  });
  private touched_ms_ = -Infinity;
  private asked_mps_ = 0;

  constructor(steering: Steering) {
    sends('set_velocity', this.slider_);
    const go = throttled(80, (speed: number) =>
      speed > 0 ? steering.set_velocity(speed, 0) : steering.stop(),
    );
    this.slider_.addEventListener('input', () => {
      this.touched_ms_ = performance.now();
      go(Number(this.slider_.value));
      this.tell(Number(this.slider_.value));
    });
    this.element = h(
      'div',
      { class: 'lab-speed' },
      h('label', { text: 'Speed', attributes: { for: 'lab-speed' } }),
      this.slider_,
      this.asked_,
    );
  }

  /** The speed that is asked for, m/s. */
  get asked_mps(): number {
    return this.asked_mps_;
  }

  /** Moves the slider to what the server says is asked for, unless somebody moves it just now. */
  follow(details: CharacterDetails): void {
    if (performance.now() - this.touched_ms_ < kTrust_ms) return;
    const speed = asked_speed(details);
    this.slider_.value = String(speed);
    this.tell(speed);
  }

  private tell(speed: number): void {
    this.asked_mps_ = speed;
    write(this.asked_, `${speed.toFixed(2)} m/s`);
  }
}

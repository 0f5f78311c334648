// Steering of the selected characters by keys and by the pad. The velocity that was last asked for is remembered until
// the server's details show it, so that quick presses add up.
import { ReferenceFrame } from '../../gen/promenade/v1/command_pb';
import { next_side, next_speed, wrapped } from '../../state/hand/steering';
import type { World } from '../../state/room/world';
import type { Actions } from '../room/actions';

interface Asked {
  forward: number;
  left: number;
  heading: number;
  until_ms: number;
}

const kTrust_ms = 600;
const kTurnFirst_rad = 0.2;
const kTurnRate_radps = 1.6;
const kTurnEvery_ms = 100;

export class Steering {
  private readonly asked_ = new Map<number, Asked>();
  private turning_: { direction: 1 | -1; timer: ReturnType<typeof setInterval> } | undefined;

  constructor(
    private readonly world_: World,
    private readonly actions_: Actions,
  ) {}

  faster(direction: 1 | -1): void {
    this.each((asked) => {
      asked.forward = next_speed(asked.forward, direction);
      return 'velocity';
    });
  }

  sideways(direction: 1 | -1): void {
    this.each((asked) => {
      asked.left = next_side(asked.left, direction);
      return 'velocity';
    });
  }

  /** @param forward, left m/s in the character's frame */
  set_velocity(forward: number, left: number): void {
    this.each((asked) => {
      asked.forward = forward;
      asked.left = left;
      return 'velocity';
    });
  }

  set_heading(heading: number): void {
    this.each((asked) => {
      asked.heading = heading;
      return 'heading';
    });
  }

  /** Turns until `turn_end`. @param direction 1 left, -1 right */
  turn_begin(direction: 1 | -1): void {
    if (this.turning_?.direction === direction) return;
    this.turn_end();
    const turn = (by: number) =>
      this.each((asked) => {
        asked.heading = wrapped(asked.heading + by);
        return 'heading';
      });
    turn(direction * kTurnFirst_rad);
    const timer = setInterval(
      () => turn((direction * kTurnRate_radps * kTurnEvery_ms) / 1000),
      kTurnEvery_ms,
    );
    this.turning_ = { direction, timer };
  }

  turn_end(): void {
    clearInterval(this.turning_?.timer);
    this.turning_ = undefined;
  }

  stop(): void {
    for (const id of this.actions_.walkers) {
      const asked = this.asked(id);
      this.asked_.set(id, {
        ...asked,
        forward: 0,
        left: 0,
        until_ms: performance.now() + kTrust_ms,
      });
    }
    this.actions_.stop();
  }

  private each(change: (asked: Asked) => 'velocity' | 'heading'): void {
    for (const id of this.actions_.walkers) {
      const asked = this.asked(id);
      const what = change(asked);
      asked.until_ms = performance.now() + kTrust_ms;
      this.asked_.set(id, asked);
      void this.actions_.send(
        what === 'velocity'
          ? {
              case: 'setVelocity',
              value: {
                character: id,
                xMps: asked.forward,
                yMps: asked.left,
                frame: ReferenceFrame.CHARACTER,
              },
            }
          : { case: 'setHeading', value: { character: id, headingRad: asked.heading } },
      );
    }
  }

  private asked(id: number): Asked {
    const local = this.asked_.get(id);
    if (local && local.until_ms > performance.now()) return local;
    const details = this.world_.details.value.get(id)?.details;
    const [x = 0, y = 0] = details?.desiredVelocityMps ?? [];
    const heading = details?.desiredHeadingRad ?? 0;
    const c = Math.cos(heading),
      s = Math.sin(heading);
    const tidy = (v: number) => Math.round(v * 100) / 100;
    return { forward: tidy(x * c + y * s), left: tidy(-x * s + y * c), heading, until_ms: 0 };
  }
}

// The aim of the keys in the picture: a push, a place on the ground, a way along it, or where a body that is held goes.
// As the pointer's tools, but step by step.
import { away_on_ground, type ScreenAxes } from './push';
import type { Vec3 } from '../values/quaternion';
import { Signal } from '../values/signal';
import { kGravity_mps2 } from '../values/gravity';

export type Aim =
  | { readonly kind: 'none' }
  /** @param turn_rad from "away from the camera", to the left as seen from above; @param rise_rad above the ground */
  | {
      readonly kind: 'push';
      readonly turn_rad: number;
      readonly rise_rad: number;
      readonly force_n: number;
    }
  | { readonly kind: 'spot'; readonly point: Vec3 } // m, world frame: where the selected are sent
  | { readonly kind: 'path'; readonly points: readonly Vec3[]; readonly point: Vec3 }
  | { readonly kind: 'hold'; readonly id: number; readonly target: Vec3 };

const kNone: Aim = { kind: 'none' };
const kTurn_rad = Math.PI / 12;
const kRise_rad = Math.PI / 12;
const kMostRise_rad = Math.PI / 2;
const kForceStep_n = 50;
const kFineForce_n = 10;
const kMostForce_n = 2000;
const kFirst_weights = 0.4; // of the body that is pushed
const kSame_m = 0.05; // a way-point this near to the last one is the same

/** Steps of a press: to the right and away (or up), and whether they are fine ones. */
export interface Press {
  readonly right: number;
  readonly away: number;
  readonly shift: boolean;
}

export class Aiming {
  readonly aim = new Signal<Aim>(kNone);

  get on(): boolean {
    return this.aim.value.kind !== 'none';
  }

  /** @param mass_kg of the first body that will be pushed @param most_n what this viewer may push with */
  push(mass_kg: number, most_n: number): void {
    const wanted_n = kFirst_weights * mass_kg * kGravity_mps2;
    const rounded_n = Math.round(wanted_n / kFineForce_n) * kFineForce_n;
    const force_n = Math.min(kMostForce_n, most_n, Math.max(kFineForce_n, rounded_n));
    this.aim.set({ kind: 'push', turn_rad: 0, rise_rad: 0, force_n });
  }

  spot(point: Vec3): void {
    this.aim.set({ kind: 'spot', point });
  }

  path(point: Vec3): void {
    this.aim.set({ kind: 'path', points: [], point });
  }

  hold(id: number, target: Vec3): void {
    this.aim.set({ kind: 'hold', id, target });
  }

  /** @return whether there was something to put away */
  end(): boolean {
    const { on } = this;
    this.aim.set(kNone);
    return on;
  }

  /** Turns a push and makes it stronger or weaker; with Shift by fine steps, or up and down. */
  change_push({ right, away, shift }: Press, most_n: number): void {
    const now = this.aim.value;
    if (now.kind !== 'push') return;
    const step_n = shift ? kFineForce_n : kForceStep_n;
    // To whole steps: 290 N and one more are 300 N.
    const to_n =
      away > 0
        ? Math.floor(now.force_n / step_n + 1) * step_n
        : away < 0
          ? Math.ceil(now.force_n / step_n - 1) * step_n
          : now.force_n;
    const turn = now.turn_rad - right * (shift ? kTurn_rad / 3 : kTurn_rad);
    this.aim.set({
      ...now,
      force_n: Math.min(kMostForce_n, most_n, Math.max(kFineForce_n, to_n)),
      turn_rad: Math.atan2(Math.sin(turn), Math.cos(turn)),
    });
  }

  /** @param steps up, of 15 degrees */
  raise(steps: number): void {
    const now = this.aim.value;
    if (now.kind !== 'push') return;
    const rise = now.rise_rad + steps * kRise_rad;
    this.aim.set({ ...now, rise_rad: Math.min(kMostRise_rad, Math.max(-kMostRise_rad, rise)) });
  }

  /** Moves the spot, the next way-point or the held body. */
  move_to(point: Vec3): void {
    const now = this.aim.value;
    if (now.kind === 'spot' || now.kind === 'path') this.aim.set({ ...now, point });
    else if (now.kind === 'hold') this.aim.set({ ...now, target: point });
  }

  /**
   * Adds a way-point.
   * @return the way once the last point is given for a second time; undefined before that
   */
  add_point(): readonly Vec3[] | undefined {
    const now = this.aim.value;
    if (now.kind !== 'path') return undefined;
    const last = now.points[now.points.length - 1];
    if (last && level_distance(last, now.point) < kSame_m) return now.points;
    this.aim.set({ ...now, points: [...now.points, now.point] });
    return undefined;
  }
}

export function level_distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** @return the force of a push that is aimed at, N, world frame */
export function force_of(
  { turn_rad, rise_rad, force_n }: Extract<Aim, { kind: 'push' }>,
  axes: ScreenAxes,
): Vec3 {
  const [x, y] = away_on_ground(axes);
  const [c, s] = [Math.cos(turn_rad), Math.sin(turn_rad)];
  const level_n = force_n * Math.cos(rise_rad);
  return [level_n * (c * x - s * y), level_n * (s * x + c * y), force_n * Math.sin(rise_rad)];
}

const kEighths = [
  'away from you',
  'away and to the left',
  'to the left',
  'towards you and to the left',
  'towards you',
  'towards you and to the right',
  'to the right',
  'away and to the right',
] as const;

/** A direction on the ground as seen in the picture. @param turn_rad from "away", to the left */
export function direction_words(turn_rad: number): string {
  const eighth = Math.round(turn_rad / (Math.PI / 4));
  return kEighths[((eighth % 8) + 8) % 8] as string;
}

export function push_words({
  turn_rad,
  rise_rad,
  force_n,
}: Extract<Aim, { kind: 'push' }>): string {
  const degrees = (rad: number) => Math.round((Math.abs(rad) * 180) / Math.PI);
  const rise = degrees(rise_rad);
  const up = rise === 0 ? '' : `, ${rise}° ${rise_rad > 0 ? 'up' : 'down'}`;
  const turn = degrees(turn_rad);
  const exact = turn % 45 === 0 ? '' : `, ${turn}° ${turn_rad > 0 ? 'left' : 'right'} of away`;
  return `${force_n} N ${direction_words(turn_rad)}${exact}${up}`;
}

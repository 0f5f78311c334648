// The moments of a room's small picture, and what is between them. No DOM.
import type { LobbyFigure, LobbyMoment, LobbyPicture } from '../../gen/promenade/v1/lobby_pb';
import { decode_smallest_three } from '../../net/smallest_three';
import { blend } from '../values/quaternion';

/** A body of a picture at one time. World frame, m. */
export interface Sketch {
  readonly id: number;
  readonly figure: LobbyFigure;
  readonly root: readonly [number, number, number];
  readonly points: Float32Array; // [3 each] from the root, without the root; empty for boxes
  readonly rotation: Float32Array; // x, y, z, w of a box
  readonly presence: number; // 0 to 1: less where it comes or goes
}

interface Moment {
  readonly tick: number;
  readonly bodies: ReadonlyMap<number, Sketch>;
}

const kKept = 16;
const kDelay_s = 1.25; // of what is shown behind what came last: a poll and a moment
const kLate_s = 3; // further behind than this, it jumps

function moment_of(picture: LobbyPicture, moment: LobbyMoment): Moment {
  const bodies = new Map<number, Sketch>();
  const [cx = 0, cy = 0, cz = 0] = picture.centerM;
  let byte = 0;
  let box = 0;
  moment.body.forEach((index, i) => {
    const body = picture.bodies[index];
    const figure = body && picture.figures[body.figure];
    if (!body || !figure) return;
    const root = [
      cx + 0.01 * (moment.positionCm[3 * i] ?? 0),
      cy + 0.01 * (moment.positionCm[3 * i + 1] ?? 0),
      cz + 0.01 * (moment.positionCm[3 * i + 2] ?? 0),
    ] as const;
    const boxed = figure.halfM.length === 3;
    const points = new Float32Array(boxed ? 0 : 3 * figure.parent.length);
    const rotation = new Float32Array([0, 0, 0, 1]);
    if (boxed) decode_smallest_three(moment.rotation[box++] ?? 0, rotation, 0);
    for (let k = 0; k < points.length; ++k) {
      points[k] = (((moment.points[byte++] ?? 0) << 24) >> 24) * figure.unitM;
    }
    bodies.set(body.id, { id: body.id, figure, root, points, rotation, presence: 1 });
  });
  return { tick: Number(moment.tick), bodies };
}

function between(a: Sketch, b: Sketch, u: number): Sketch {
  if (a.points.length !== b.points.length) return u < 0.5 ? a : b;
  const mix = (x: number, y: number) => x + u * (y - x);
  const rotation = new Float32Array(4);
  blend(a.rotation, 0, b.rotation, 0, u, rotation, 0);
  return {
    id: b.id,
    figure: b.figure,
    root: [mix(a.root[0], b.root[0]), mix(a.root[1], b.root[1]), mix(a.root[2], b.root[2])],
    points: a.points.map((value, k) => mix(value, b.points[k] as number)),
    rotation,
    presence: 1,
  };
}

/** Plays a room's pictures a little late, so that there is always a moment to go to. */
export class LobbyTrack {
  private moments_: Moment[] = [];
  private newest_: LobbyPicture | undefined;
  private arrived_ms_ = 0;
  private rate_ = 0; // ticks a millisecond
  private play_ = 0; // tick that is shown
  private last_ms_ = 0;

  /** The last that came. */
  get picture(): LobbyPicture | undefined {
    return this.newest_;
  }

  /** @param now_ms of the page's clock, as in `at` */
  push(picture: LobbyPicture, now_ms: number): void {
    const before = this.moments_.at(-1)?.tick;
    const newest = Number(picture.moments.at(-1)?.tick ?? 0n);
    if (before !== undefined && newest < before) this.moments_ = []; // another room of that id
    const known = this.moments_.at(-1)?.tick ?? -1;
    for (const moment of picture.moments) {
      if (Number(moment.tick) > known) this.moments_.push(moment_of(picture, moment));
    }
    const usual = 1 / (1000 * picture.tickS);
    if (before !== undefined && newest > before && now_ms > this.arrived_ms_) {
      const measured = Math.min(4 * usual, (newest - before) / (now_ms - this.arrived_ms_));
      this.rate_ += 0.3 * (measured - this.rate_);
    } else if (this.rate_ === 0) {
      this.rate_ = usual;
    }
    this.moments_ = this.moments_.slice(-kKept);
    this.newest_ = picture;
    this.arrived_ms_ = now_ms;
  }

  /** The bodies that are seen now; of a room that stands still, those of the last moment. */
  at(now_ms: number): readonly Sketch[] {
    const [first] = this.moments_;
    const last = this.moments_.at(-1);
    if (!first || !last || !this.newest_) return [];
    const second = 1000 * this.rate_;
    const wanted = last.tick + this.rate_ * (now_ms - this.arrived_ms_) - kDelay_s * second;
    const elapsed_ms = Math.max(0, now_ms - this.last_ms_);
    this.last_ms_ = now_ms;
    if (Math.abs(wanted - this.play_) > kLate_s * second) {
      this.play_ = wanted;
    } else {
      // Polls come unevenly: it goes a little faster or slower, and never jumps.
      const off = Math.max(-0.5, Math.min(0.5, (wanted - this.play_) / second));
      this.play_ += this.rate_ * elapsed_ms * (1 + off);
    }
    const tick = Math.max(first.tick, Math.min(last.tick, this.play_));
    const after = this.moments_.findIndex((one) => one.tick >= tick);
    const b = this.moments_[Math.max(0, after)] as Moment;
    const a = this.moments_[Math.max(0, after - 1)] as Moment;
    const u = b.tick > a.tick ? (tick - a.tick) / (b.tick - a.tick) : 1;
    const out: Sketch[] = [];
    for (const sketch of b.bodies.values()) {
      const from = a.bodies.get(sketch.id);
      out.push(from ? between(from, sketch, u) : { ...sketch, presence: u });
    }
    for (const sketch of a.bodies.values()) {
      if (!b.bodies.has(sketch.id)) out.push({ ...sketch, presence: 1 - u });
    }
    return out;
  }

  /** Whether another call of `at` would give something else. */
  moves(): boolean {
    const last = this.moments_.at(-1);
    return last !== undefined && this.play_ < last.tick;
  }
}

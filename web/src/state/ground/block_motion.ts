// Where a moving block of the ground is. The same closed form as the server's
// (server/physics/ground/block_motion.cpp), so that frames need not tell it.
import type { Block } from '../../gen/promenade/v1/scene_pb';
import type { Vec3 } from '../values/quaternion';

interface Leg {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly starts_s: number; // in the round: its pause first
  readonly duration_s: number; // of the way itself
}

export interface BlockPlace {
  readonly center: Vec3; // m, world frame
  readonly turn_rad: number; // about the vertical, on top of the block's own yaw
}

function vec3(values: readonly number[], first = 0): Vec3 {
  return [values[first] ?? 0, values[first + 1] ?? 0, values[first + 2] ?? 0];
}

/** Whether the block itself moves, not only its surface. */
export function moves({ motion }: Block): boolean {
  return (
    motion !== undefined &&
    (motion.spinDps !== 0 || (motion.speedMps > 0 && motion.pathM.length > 0))
  );
}

/**
 * Law, from one centre to the next, a distance d apart: it waits for the pause and then goes on in
 * T = d / speed. After t of these it has gone d (u - sin(2 pi u) / (2 pi)), u = t / T: it starts and stops
 * without a jolt.
 */
export class BlockTrack {
  private readonly legs_: readonly Leg[];
  private readonly round_s_: number;
  private readonly center_: Vec3;
  private readonly spin_radps_: number;
  private readonly pause_s_: number;

  constructor(block: Block) {
    const {
      pathM = [],
      closed = false,
      speedMps = 0,
      pauseS = 0,
      spinDps = 0,
    } = block.motion ?? {};
    this.center_ = vec3(block.centerM);
    this.spin_radps_ = (spinDps * Math.PI) / 180;
    this.pause_s_ = pauseS;
    const stops = [this.center_];
    if (speedMps > 0) {
      const path = Array.from({ length: Math.floor(pathM.length / 3) }, (_, i) =>
        vec3(pathM, 3 * i),
      );
      stops.push(...path);
      if (closed) stops.push(this.center_);
      else stops.push(...path.slice(0, -1).reverse(), ...(path.length > 0 ? [this.center_] : []));
    }
    let round_s = 0;
    this.legs_ = stops.slice(1).map((to, i) => {
      const from = stops[i] as Vec3;
      const distance = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
      const leg = { from, to, starts_s: round_s, duration_s: distance / speedMps };
      round_s += pauseS + leg.duration_s;
      return leg;
    });
    this.round_s_ = round_s;
  }

  /** @param time_s since the scene was loaded */
  at(time_s: number): BlockPlace {
    const turn_rad = (this.spin_radps_ * time_s) % (2 * Math.PI);
    if (this.round_s_ <= 0) return { center: this.center_, turn_rad };
    const in_round = time_s - this.round_s_ * Math.floor(time_s / this.round_s_);
    let i = this.legs_.length - 1;
    while (i > 0 && (this.legs_[i] as Leg).starts_s > in_round) --i;
    const { from, to, starts_s, duration_s } = this.legs_[i] as Leg;
    const going = in_round - starts_s - this.pause_s_;
    if (going <= 0 || duration_s <= 0) return { center: from, turn_rad };
    const u = Math.min(1, going / duration_s);
    const gone = u - Math.sin(2 * Math.PI * u) / (2 * Math.PI);
    const along = (k: 0 | 1 | 2) => from[k] + (to[k] - from[k]) * gone;
    return { center: [along(0), along(1), along(2)], turn_rad };
  }
}

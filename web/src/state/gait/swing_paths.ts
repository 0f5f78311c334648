// The way of a foot through its swing: where its ankle has been since it left the ground, and how it gets from there to
// where it is going.
import { limbs_down } from './footprints';
import { joint_of } from './ground_forces';
import type { WorldPose } from '../frames/interpolate';
import type { Vec3 } from '../values/quaternion';
import type { Member } from '../room/roster';

const kMost = 120; // points of a way
const kStep_m = 0.008; // between two of them
const kGap_ticks = 12; // between two pictures
const kPieces = 14; // of the curve to come

export interface SwingPath {
  readonly past: readonly Vec3[]; // m, world frame; the last is where the ankle is
  readonly to_come: readonly Vec3[]; // from there to the target
}

interface Way {
  readonly points: Vec3[];
  readonly ticks: number[]; // of the points
}

/** Follows the feet of watched characters. */
export class SwingPaths {
  private readonly ways_ = new Map<number, Map<number, Way>>(); // by character, then by limb

  /** Forgets characters that are not watched any more. */
  keep(ids: ReadonlySet<number>): void {
    for (const id of this.ways_.keys()) if (!ids.has(id)) this.ways_.delete(id);
  }

  /**
   * @param target goal of the swing ankle, m, world frame
   * @param left_ticks until it is reached
   * @return the way of the foot that has been in the air for longest; undefined while all stand
   */
  follow(pose: WorldPose, member: Member, target: Vec3, left_ticks: number): SwingPath | undefined {
    const ways = this.ways_.get(member.id) ?? new Map<number, Way>();
    this.ways_.set(member.id, ways);
    const contacts = limbs_down(pose, member);
    for (const { kind, index, soles } of member.skeleton.limbs) {
      if (kind !== 'leg' || soles[0] === undefined) continue;
      if (contacts & (1 << index)) ways.delete(index);
      else note(ways, index, joint_of(pose, member, soles[0]), pose.tick);
    }
    const longest = [...ways.values()].sort((a, b) => b.points.length - a.points.length)[0];
    if (!longest || longest.points.length < 2) return undefined;
    return { past: longest.points, to_come: onward(longest, target, left_ticks) };
  }
}

function note(ways: Map<number, Way>, limb: number, ankle: Vec3, tick: number): void {
  const way = ways.get(limb) ?? { points: [], ticks: [] };
  ways.set(limb, way);
  const last = way.points[way.points.length - 1];
  const since = tick - (way.ticks[way.ticks.length - 1] ?? tick);
  if (last && since <= 0) return;
  if (since > kGap_ticks) way.points.length = way.ticks.length = 0; // a contact may have been missed
  const still = last && Math.hypot(...ankle.map((x, k) => x - (last[k] as number))) < kStep_m;
  if (still && way.points.length > 0) return;
  way.points.push(ankle);
  way.ticks.push(tick);
  if (way.points.length > kMost) {
    way.points.shift();
    way.ticks.shift();
  }
}

/** A cubic from the ankle, as it moves now, to the target, which it reaches from above. */
function onward({ points, ticks }: Way, target: Vec3, left_ticks: number): readonly Vec3[] {
  const here = points[points.length - 1] as Vec3;
  const back = Math.max(0, points.length - 4);
  const before = points[back] as Vec3;
  const span = Math.max(1, (ticks[ticks.length - 1] as number) - (ticks[back] as number));
  const far = Math.hypot(...here.map((x, k) => x - (target[k] as number)));
  const start = here.map((x, k) => ((x - (before[k] as number)) / span) * left_ticks);
  // No more than it has to go, or a quick foot near its target would be sent round in a loop.
  const most = 1.5 * far;
  const size = Math.hypot(...start);
  const fit = size > most ? most / size : 1;
  const end = here.map((x, k) => (k === 2 ? -0.35 * far : 0.5 * ((target[k] as number) - x)));
  return Array.from({ length: kPieces + 1 }, (_, i) => {
    const t = i / kPieces;
    return here.map((x, k) => {
      const [a, b] = [(start[k] as number) * fit, end[k] as number];
      const y = target[k] as number;
      return (
        (2 * t ** 3 - 3 * t ** 2 + 1) * x +
        (t ** 3 - 2 * t ** 2 + t) * a +
        (-2 * t ** 3 + 3 * t ** 2) * y +
        (t ** 3 - t ** 2) * b
      );
    }) as unknown as Vec3;
  });
}

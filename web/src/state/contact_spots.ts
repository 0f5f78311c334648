// Where bodies keep light from the ground: dark spots under soles, and a wide faint one under the body.
import { kFlag } from '../net/frame';
import { limbs_down } from './footprints';
import type { WorldPose } from './interpolate';
import { kPoseSize } from './kinematics';
import { at, heading_of, rotate } from './quaternion';
import type { Member } from './roster';
import { bounds_of_all, bounds_of } from './shapes';
import type { Skeleton } from './skeleton';

export interface ContactSpot {
  readonly x: number; // m, world frame, of the middle
  readonly y: number;
  readonly z: number; // of the ground
  readonly heading: number; // rad, of the length
  readonly length: number; // m
  readonly width: number; // m
  readonly strength: number; // 0 to 1: how much light is kept away
}

interface Foot {
  readonly link: number;
  readonly limb: number; // bit of the limb's contact
  readonly middle: readonly [number, number, number]; // m, in the link's frame
  readonly half: readonly [number, number, number];
}

const kSole = 0.7; // strength under a sole that stands
const kBody = 0.34; // under a body whose root is on the ground
const kLift_m = 0.14; // a sole this high throws none
const kMargin_m = 0.035; // beyond the sole

const turned = new Float64Array(3);

function feet_of(skeleton: Skeleton): readonly Foot[] {
  return skeleton.limbs.flatMap(({ soles, index }) =>
    soles.flatMap((link): Foot[] => {
      const box = bounds_of_all((skeleton.links[link]?.shapes ?? []).map(bounds_of));
      if (!box) return [];
      const [low, high] = box;
      return [
        {
          link,
          limb: index,
          middle: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
          half: [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2],
        },
      ];
    }),
  );
}

/**
 * Finds the spots of each body. The ground under a foot is where that foot last stood, so nothing has to be asked of the
 * scene.
 */
export class ContactSpots {
  private feet_ = new WeakMap<Skeleton, readonly Foot[]>();
  private readonly ground_ = new Map<number, number[]>(); // by character: m, under each foot

  clear(): void {
    this.ground_.clear();
  }

  find(pose: WorldPose, member: Member, found: (spot: ContactSpot) => void): void {
    const feet = this.feet(member.skeleton);
    if (feet.length === 0) return;
    const down = limbs_down(pose, member);
    const grounds = this.ground_.get(member.id) ?? [];
    this.ground_.set(member.id, grounds);
    let lowest = Infinity;
    const fallen = (at(pose.flags, member.index) & kFlag.fallen) !== 0;
    feet.forEach((foot, k) => {
      const { low, ...spot } = under(pose, member, foot);
      if (down & (1 << foot.limb) || (grounds[k] ?? Infinity) > low) grounds[k] = low;
      const z = grounds[k] as number;
      lowest = Math.min(lowest, z);
      const near = 1 - Math.min(1, Math.max(0, (low - z) / kLift_m));
      if (near > 0.05) found({ ...spot, z, strength: kSole * near * near });
    });
    const p = member.pose;
    const reach = member.skeleton.reach;
    const near = 1 - Math.min(1, Math.max(0, (at(pose.poses, p + 2) - lowest) / (1.6 * reach)));
    const [x, y] = [at(pose.poses, p), at(pose.poses, p + 1)];
    const wide = (fallen ? 0.8 : 0.55) * reach;
    if (near > 0.05)
      found({
        ...{ x, y, z: lowest, heading: heading_of(pose.poses, p + 3) },
        ...{ length: fallen ? 1.6 * wide : wide, width: wide, strength: kBody * near },
      });
  }

  private feet(skeleton: Skeleton): readonly Foot[] {
    let feet = this.feet_.get(skeleton);
    if (!feet) this.feet_.set(skeleton, (feet = feet_of(skeleton)));
    return feet;
  }
}

/** The spot under a foot, as if it stood, and the height of its lowest corner. */
function under(
  { poses }: WorldPose,
  { pose: first }: Member,
  { link, middle, half }: Foot,
): Omit<ContactSpot, 'z' | 'strength'> & { readonly low: number } {
  const p = first + kPoseSize * link;
  rotate(poses, p + 3, ...middle, turned, 0);
  const [x, y] = [at(poses, p) + at(turned, 0), at(poses, p + 1) + at(turned, 1)];
  const z = at(poses, p + 2) + at(turned, 2);
  let below = 0;
  for (const k of [0, 1, 2] as const) {
    rotate(poses, p + 3, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, turned, 0);
    below += Math.abs(at(turned, 2)) * half[k];
  }
  return {
    ...{ x, y, low: z - below, heading: heading_of(poses, p + 3) },
    ...{ length: 2 * (half[0] + kMargin_m), width: 2 * (half[1] + kMargin_m) },
  };
}

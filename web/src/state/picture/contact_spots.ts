// Where bodies keep light from the ground: dark spots under soles, and a wide faint one under the body.
import { kFlag } from '../../net/frame';
import { limbs_down } from '../gait/footprints';
import { complete, type WorldPose } from '../frames/interpolate';
import { kPoseSize } from '../figure/kinematics';
import { at, heading_of, rotate } from '../values/quaternion';
import type { Member } from '../room/roster';
import { bounds_of_all, bounds_of } from '../figure/shapes';
import type { Skeleton } from '../figure/skeleton';

export interface ContactSpot {
  x: number; // m, world frame, of the middle
  y: number;
  z: number; // of the ground
  heading: number; // rad, of the length
  length: number; // m
  width: number; // m
  strength: number; // 0 to 1: how much light is kept away
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
// The same of small bodies, as ants, times the body's reach.
const kLift = 0.3;
const kMargin = 0.08;

const turned = new Float64Array(3);
const spot: ContactSpot = { x: 0, y: 0, z: 0, heading: 0, length: 0, width: 0, strength: 0 };

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

  /** @param found gets the same object each time. Allocates nothing once a body is known. */
  find(pose: WorldPose, member: Member, found: (spot: ContactSpot) => void): void {
    const feet = this.feet(member.skeleton);
    if (feet.length === 0) return;
    complete(pose, member);
    const down = limbs_down(pose, member);
    let grounds = this.ground_.get(member.id);
    if (grounds?.length !== feet.length)
      this.ground_.set(member.id, (grounds = feet.map(() => Infinity)));
    let lowest = Infinity;
    const { reach } = member.skeleton;
    const lift = Math.min(kLift_m, kLift * reach);
    const margin = Math.min(kMargin_m, kMargin * reach);
    for (let k = 0; k < feet.length; ++k) {
      const foot = feet[k] as Foot;
      const low = stand_under(pose, member, foot, margin);
      if (down & (1 << foot.limb) || (grounds[k] as number) > low) grounds[k] = low;
      spot.z = grounds[k] as number;
      lowest = Math.min(lowest, spot.z);
      const near = 1 - (low - spot.z) / lift;
      spot.strength = kSole * Math.min(1, near) ** 2;
      if (near > 0.05) found(spot);
    }
    this.find_body(pose, member, lowest, found);
  }

  private find_body(
    { poses, flags }: WorldPose,
    { pose: p, index, skeleton: { reach } }: Member,
    ground: number,
    found: (spot: ContactSpot) => void,
  ): void {
    const near = 1 - Math.max(0, at(poses, p + 2) - ground) / (1.6 * reach);
    if (near < 0.05) return;
    const fallen = (at(flags, index) & kFlag.fallen) !== 0;
    spot.x = at(poses, p);
    spot.y = at(poses, p + 1);
    spot.z = ground;
    spot.heading = heading_of(poses, p + 3);
    spot.width = (fallen ? 0.8 : 0.55) * reach;
    spot.length = (fallen ? 1.6 : 1) * spot.width;
    spot.strength = kBody * near;
    found(spot);
  }

  private feet(skeleton: Skeleton): readonly Foot[] {
    let feet = this.feet_.get(skeleton);
    if (!feet) this.feet_.set(skeleton, (feet = feet_of(skeleton)));
    return feet;
  }
}

/** Puts the spot under a foot, as if it stood. @param margin of the spot, beyond the sole, m @return the height of its lowest corner, m */
function stand_under(
  { poses }: WorldPose,
  { pose: first }: Member,
  { link, middle, half }: Foot,
  margin: number,
): number {
  const p = first + kPoseSize * link;
  const [x, y, z, w] = [at(poses, p + 3), at(poses, p + 4), at(poses, p + 5), at(poses, p + 6)];
  rotate(poses, p + 3, middle[0], middle[1], middle[2], turned, 0);
  spot.x = at(poses, p) + at(turned, 0);
  spot.y = at(poses, p + 1) + at(turned, 1);
  spot.heading = heading_of(poses, p + 3);
  spot.length = 2 * (half[0] + margin);
  spot.width = 2 * (half[1] + margin);
  // The heights of the link's axes: the last row of its rotation.
  const below =
    Math.abs(2 * (x * z - w * y)) * half[0] +
    Math.abs(2 * (y * z + w * x)) * half[1] +
    Math.abs(1 - 2 * (x * x + y * y)) * half[2];
  return at(poses, p + 2) + at(turned, 2) - below;
}

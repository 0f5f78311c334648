// Where feet came down. Found from the contacts of the limbs and the poses that are drawn.
import { kFlag } from '../../net/frame';
import { link_at, type WorldPose } from '../frames/interpolate';
import { at, heading_of } from '../values/quaternion';
import type { Member } from '../room/roster';
import { bounds_of } from '../figure/shapes';
import type { Skeleton, SkeletonLimb, SkeletonLink } from '../figure/skeleton';

export interface Footprint {
  readonly x: number; // m, world frame, middle of the sole
  readonly y: number;
  readonly z: number; // m, just under the sole
  readonly heading: number; // rad
  readonly length: number; // m
  readonly width: number; // m
  readonly left: boolean;
  readonly character: number;
}

interface Sole {
  readonly limb: number; // bit of the limb's contact
  readonly link: number;
  readonly forward: number; // m from the link's origin to the middle of foot and toes
  readonly below: number; // m from the link's origin down to the sole
  readonly length: number;
  readonly width: number;
  readonly left: boolean;
}

/** The soles of a leg as one print: from the back of the first link to the front of the last. */
function sole_of(skeleton: Skeleton, limb: SkeletonLimb): Sole | undefined {
  const [link, ...rest] = limb.soles;
  const shape = link === undefined ? undefined : skeleton.links[link]?.shapes[0];
  if (link === undefined || !shape) return undefined;
  const [low, high] = bounds_of(shape);
  let front = high[0];
  let shift = 0; // of the origin of the next link, along x
  for (const i of rest) {
    const next = skeleton.links[i] as SkeletonLink;
    shift += next.at_parent[0] - next.at_child[0];
    for (const tip of next.shapes) front = Math.max(front, shift + bounds_of(tip)[1][0]);
  }
  const hip = skeleton.links[limb.links[0] ?? link];
  return {
    limb: limb.index,
    link,
    forward: (low[0] + front) / 2,
    below: -low[2],
    length: front - low[0],
    width: high[1] - low[1],
    left: (hip?.at_parent[1] ?? 0) > 0,
  };
}

/** Compares successive pictures and reports each foot that has come down in between. */
export class FootprintFinder {
  private soles_ = new WeakMap<Skeleton, readonly Sole[]>();
  private readonly down_ = new Map<number, number>(); // character to limbs down in the last picture

  /** @param members the characters whose prints can be seen */
  find(pose: WorldPose, members: readonly Member[], found: (print: Footprint) => void): void {
    for (const member of members) {
      const soles = this.soles(member.skeleton);
      const down = limbs_down(pose, member);
      const before = this.down_.get(member.id) ?? down;
      this.down_.set(member.id, down);
      // A body that has just been set down has made no steps yet.
      const whole = (pose.presence[member.index] ?? 1) === 1;
      if (!whole || at(pose.flags, member.index) & kFlag.fallen) continue;
      for (const sole of soles) {
        const bit = 1 << sole.limb;
        if (!(down & bit) || before & bit) continue;
        const p = link_at(pose, member, sole.link);
        const heading = heading_of(pose.poses, p + 3);
        found({
          x: at(pose.poses, p) + sole.forward * Math.cos(heading),
          y: at(pose.poses, p + 1) + sole.forward * Math.sin(heading),
          z: at(pose.poses, p + 2) - sole.below,
          heading,
          length: sole.length,
          width: sole.width,
          left: sole.left,
          character: member.id,
        });
      }
    }
  }

  clear(): void {
    this.down_.clear();
    this.soles_ = new WeakMap();
  }

  private soles(skeleton: Skeleton): readonly Sole[] {
    let soles = this.soles_.get(skeleton);
    if (!soles) {
      const legs = skeleton.limbs.filter(({ kind }) => kind === 'leg');
      soles = legs.flatMap((limb) => sole_of(skeleton, limb) ?? []);
      this.soles_.set(skeleton, soles);
    }
    return soles;
  }
}

/** The limbs that touch something, as a sum of 1 << limb. */
export function limbs_down({ flags, limb_contacts }: WorldPose, member: Member): number {
  const told = limb_contacts.length > 0 ? at(limb_contacts, member.index) : undefined;
  return limbs_told(member.skeleton, at(flags, member.index), told);
}

/**
 * The same of one character in a frame.
 * @param told as FrameData.limb_contacts; older servers send flags for the left and the right foot instead
 */
export function limbs_told(
  { limbs, links }: Skeleton,
  flags: number,
  told: number | undefined,
): number {
  if (told !== undefined) return told;
  return limbs.reduce((sum, limb) => {
    const hip = links[limb.links[0] ?? -1];
    if (limb.kind !== 'leg' || !hip) return sum;
    const flag = hip.at_parent[1] > 0 ? kFlag.left_contact : kFlag.right_contact;
    return flags & flag ? sum | (1 << limb.index) : sum;
  }, 0);
}

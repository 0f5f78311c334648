// Where feet came down. Found from the contact flags and the poses that are drawn.
import { kFlag } from './frame';
import type { WorldPose } from './interpolate';
import { kPoseSize } from './kinematics';
import { at, heading_of } from './quaternion';
import type { Skeleton } from './skeleton';

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
  readonly link: number;
  readonly forward: number; // m from the link's origin to the middle of foot and toes
  readonly below: number; // m from the link's origin down to the sole
  readonly length: number;
  readonly width: number;
}

const kSides = [
  { name: 'left', flag: kFlag.left_contact, left: true },
  { name: 'right', flag: kFlag.right_contact, left: false },
] as const;

function sole_of(skeleton: Skeleton, side: string): Sole | undefined {
  const link = skeleton.links.findIndex(({ name }) => name === `${side}_foot`);
  const box = skeleton.links[link]?.shapes.find((shape) => shape.kind === 'box');
  if (box?.kind !== 'box') return undefined;
  const toes = skeleton.links.find(({ name }) => name === `${side}_toes`);
  const tip = toes?.shapes.find((shape) => shape.kind === 'box');
  const heel = box.center[0] - box.half[0];
  let front = box.center[0] + box.half[0];
  if (toes && tip?.kind === 'box')
    front = toes.at_parent[0] - toes.at_child[0] + tip.center[0] + tip.half[0];
  return {
    link,
    forward: (heel + front) / 2,
    below: box.half[2] - box.center[2],
    length: front - heel,
    width: 2 * box.half[1],
  };
}

/** Watches the pictures go by and reports each foot that has come down since the last one. */
export class FootprintFinder {
  private soles_ = new WeakMap<Skeleton, readonly (Sole | undefined)[]>();
  private readonly down_ = new Map<number, number>(); // character to flags of the last picture

  find(pose: WorldPose, found: (print: Footprint) => void): void {
    for (const member of pose.cast.members) {
      const flags = at(pose.flags, member.index);
      const before = this.down_.get(member.id) ?? flags;
      this.down_.set(member.id, flags);
      const soles = this.soles(member.skeleton);
      kSides.forEach(({ flag, left }, side) => {
        const sole = soles[side];
        if (!sole || !(flags & flag) || before & flag || flags & kFlag.fallen) return;
        const p = member.pose + sole.link * kPoseSize;
        const heading = heading_of(pose.poses, p + 3);
        found({
          x: at(pose.poses, p) + sole.forward * Math.cos(heading),
          y: at(pose.poses, p + 1) + sole.forward * Math.sin(heading),
          z: at(pose.poses, p + 2) - sole.below,
          heading,
          length: sole.length,
          width: sole.width,
          left,
          character: member.id,
        });
      });
    }
  }

  clear(): void {
    this.down_.clear();
    this.soles_ = new WeakMap();
  }

  private soles(skeleton: Skeleton): readonly (Sole | undefined)[] {
    let soles = this.soles_.get(skeleton);
    if (!soles)
      this.soles_.set(skeleton, (soles = kSides.map(({ name }) => sole_of(skeleton, name))));
    return soles;
  }
}

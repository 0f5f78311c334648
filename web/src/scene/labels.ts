import type { CameraRig } from './camera_rig';
import type { WorldPose } from '../state/interpolate';
import { at } from '../state/quaternion';
import type { Member } from '../state/roster';

const kMost = 48; // labels at once: the nearest
const kFar_m = 35;

/** Names over heads: plain elements, so that they stay sharp and can be read out. */
export class Labels {
  private readonly pool_: HTMLElement[] = [];

  constructor(private readonly host_: HTMLElement) {}

  update(
    pose: WorldPose,
    rig: CameraRig,
    shown: boolean,
    name: (member: Member) => string,
    height: (member: Member) => number,
  ): void {
    const { clientWidth, clientHeight } = this.host_;
    const placed = shown
      ? pose.cast.members.flatMap((member) => {
          const p = member.pose;
          const spot = rig.project(
            [
              at(pose.poses, p),
              at(pose.poses, p + 1),
              at(pose.poses, p + 2) + height(member) + 0.12,
            ],
            clientWidth,
            clientHeight,
          );
          return spot && spot.depth < kFar_m ? [{ member, spot }] : [];
        })
      : [];
    placed.sort((a, b) => a.spot.depth - b.spot.depth);
    placed.length = Math.min(placed.length, kMost);
    placed.forEach(({ member, spot }, i) => {
      const label = this.pool_[i] ?? this.make();
      const text = name(member);
      if (label.textContent !== text) label.textContent = text;
      label.style.transform = `translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px) translate(-50%, -100%)`;
      const near = Math.min(1, 1.4 - spot.depth / kFar_m);
      label.style.opacity = String(near * (pose.presence[member.index] ?? 1));
      label.hidden = false;
    });
    for (let i = placed.length; i < this.pool_.length; ++i)
      (this.pool_[i] as HTMLElement).hidden = true;
  }

  dispose(): void {
    for (const label of this.pool_) label.remove();
  }

  private make(): HTMLElement {
    const label = document.createElement('span');
    label.className = 'name-label';
    this.host_.append(label);
    this.pool_.push(label);
    return label;
  }
}

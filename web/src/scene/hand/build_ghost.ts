// The body that is about to be put down, see-through, with a ring under it and an arrow to its front.
import type * as THREE from 'three';
import type { Build, Spot } from '../../state/hand/build';
import type { Vec3 } from '../../state/values/quaternion';
import { origin_on, rest_pose } from '../../state/figure/rest_pose';
import type { Skeleton } from '../../state/figure/skeleton';
import type { Marks } from '../overlays/marks';
import { kColors } from '../overlays/overlays';
import { StillFigure } from '../figure/still_figure';

const kOpacity = 0.55;

export class BuildGhost {
  private ghost_: { skeleton: Skeleton; figure: StillFigure } | undefined;

  constructor(
    private readonly root_: THREE.Object3D,
    private readonly build_: Build,
    private readonly marks_: Marks,
  ) {}

  /** @param spot where it would come; undefined: nowhere */
  draw(spot: Spot | undefined): void {
    const { tool, yaw_rad } = this.build_;
    const { value: now } = tool;
    const skeleton = now.kind === 'place' ? now.kit.skeleton : undefined;
    if (this.ghost_?.skeleton !== skeleton) {
      this.dispose();
      this.ghost_ = skeleton && {
        skeleton,
        figure: new StillFigure(this.root_, skeleton, skeleton.color, kOpacity),
      };
    }
    if (now.kind === 'place' && spot) {
      const radius = skeleton ? 0.5 * skeleton.reach : 0.3;
      this.marks_.ring(spot.point, radius, kColors.selected);
      const [x, y, z] = spot.point;
      const [c, s] = [Math.cos(yaw_rad), Math.sin(yaw_rad)];
      const along = (far: number): Vec3 => [x + c * far, y + s * far, z + 0.01];
      this.marks_.arrow(along(radius), along(1.5 * radius), 0.02 * radius, kColors.selected);
    }
    const ghost = this.ghost_;
    if (!ghost) return;
    ghost.figure.shown = spot !== undefined;
    if (spot)
      ghost.figure.place(rest_pose(ghost.skeleton, origin_on(ghost.skeleton, spot.point), yaw_rad));
  }

  dispose(): void {
    this.ghost_?.figure.dispose();
    this.ghost_ = undefined;
  }
}

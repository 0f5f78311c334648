// Where in the picture the keys aim: where an aim begins, how far an arrow key moves it, and what is drawn of it.
import type { ToolSketch } from '../../scene/hand/pointer_tools';
import type { Viewport } from '../../scene/picture/viewport';
import {
  type Aim,
  direction_words,
  force_of,
  level_distance,
  type Press,
} from '../../state/hand/aim';
import { name_of } from '../../state/recording/marks';
import type { Member } from '../../state/room/roster';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Context } from '../page/context';

const kStep = 0.02; // of the camera's distance: how far an arrow key moves what is aimed at
const kFar = 5; // times that with Shift
const kArrow_m = 0.0025; // length of a push's arrow for each newton

/** The places that keys aim at, as the camera sees them. All points are in m in the world frame. */
export class AimPicture {
  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
  ) {}

  /** The first selected character, if it is in the picture. */
  get first(): Member | undefined {
    const { first } = this.context_.selection;
    return first === undefined ? undefined : this.context_.world.pose.cast.by_id.get(first);
  }

  place_of({ pose }: Member): Vec3 {
    const { poses } = this.context_.world.pose;
    return [at(poses, pose), at(poses, pose + 1), at(poses, pose + 2)];
  }

  ground_at(x: number, y: number): Vec3 | undefined {
    return this.viewport_.ground_below(x, y)?.point;
  }

  /** Where an aim at the ground begins: in the middle of the picture, or else below the selected character. */
  begin_at(): Vec3 | undefined {
    const middle = this.viewport_.middle()?.point;
    if (middle) return middle;
    const member = this.first;
    const [x, y] = member ? this.place_of(member) : [0, 0];
    return this.ground_at(x, y);
  }

  /** The point to which a press of an arrow key moves another point, on the level. */
  moved(from: Vec3, { right, away, shift }: Press): Vec3 {
    const { from: eye, at: target } = this.viewport_.rig.view;
    const distance = Math.hypot(target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]);
    const step = kStep * distance * (shift ? kFar : 1);
    const [fx, fy] = this.viewport_.away;
    return [
      from[0] + step * (fx * away + fy * right),
      from[1] + step * (fy * away - fx * right),
      from[2],
    ];
  }

  /** The point to which a number of steps lift another point. */
  lifted(from: Vec3, steps: number): Vec3 {
    const by = this.moved([0, 0, 0], { right: 0, away: steps, shift: false });
    return [from[0], from[1], from[2] + steps * Math.hypot(by[0], by[1])];
  }

  /** The force of a push that is aimed at, N, world frame. */
  force_of(aim: Extract<Aim, { kind: 'push' }>): Vec3 {
    return force_of(aim, this.viewport_.rig.axes);
  }

  /** Where a spot is from the character that is sent there, in words; undefined: none is. */
  spot_words(point: Vec3): string | undefined {
    const member = this.first;
    if (!member) return undefined;
    const [x, y] = this.place_of(member);
    const [fx, fy] = this.viewport_.away;
    const [dx, dy] = [point[0] - x, point[1] - y];
    const turn = Math.atan2(-dx * fy + dy * fx, dx * fx + dy * fy);
    const far = level_distance(point, [x, y, 0]);
    return `${far.toFixed(1)} m from ${name_of(member)}, ${direction_words(turn)}`;
  }

  /** The marks of an aim in the picture; undefined: none. */
  sketch(aim: Aim): ToolSketch | undefined {
    const member = this.first;
    if (!member) return undefined;
    switch (aim.kind) {
      case 'none':
        return undefined;
      case 'push':
        return this.arrow(aim, member);
      case 'spot':
        return { kind: 'spot', point: aim.point };
      case 'path':
        return { kind: 'path', points: [...aim.points, aim.point] };
      case 'hold':
        return { kind: 'drag', from: this.place_of(member), to: aim.target, level: true };
    }
  }

  private arrow(aim: Extract<Aim, { kind: 'push' }>, member: Member): ToolSketch {
    const from = this.viewport_.cameraman.point_of(member);
    const force = this.force_of(aim);
    const to = [0, 1, 2].map(
      (k) => (from[k] as number) + kArrow_m * (force[k] as number),
    ) as unknown as Vec3;
    const label = this.viewport_.pixel_of(to) ?? { x: 0, y: 0 };
    // An arrow that is not level on the ground says all by itself.
    const level = aim.rise_rad === 0;
    return { kind: 'push', from, to, level, drawn: to, force, label };
  }
}

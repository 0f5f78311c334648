// A second character put over the first or beside it, at the same phase of its stride.
import { read_character } from '../../net/frame_reader';
import { forward_kinematics, kPoseSize } from '../figure/kinematics';
import { at, blend, from_axis_angle, multiply } from '../values/quaternion';
import type { Recording, Take } from './recording';
import type { Member } from '../room/roster';
import { units_in } from './series';
import type { Skeleton } from '../figure/skeleton';
import { Strides } from '../gait/strides';

/** A body in a pose of its own, to be drawn beside the ones that are there. */
export interface Guest {
  readonly id: number;
  readonly skeleton: Skeleton;
  readonly color: string;
  readonly poses: Float32Array; // [kPoseSize links] world frame
}

export interface CompareOptions {
  readonly aligned: boolean; // phases
  readonly aside: boolean; // beside the first, not over it
}

const kAside = 0.55; // of the sum of the bodies' reach
const kBudget_ms = 6;

/** Poses of a character at a time, between the two frames around it. */
export function pose_at(
  recording: Recording,
  id: number,
  t_ms: number,
): { readonly member: Member; readonly poses: Float32Array } | undefined {
  if (recording.empty) return undefined;
  const number = recording.find(t_ms);
  const a = recording.at(number) as Take;
  const first = pose_of(a, id);
  const b = recording.at(number + 1);
  const second = b && b.chapter === a.chapter ? pose_of(b, id) : undefined;
  if (!b || !first || !second || first.member.skeleton !== second.member.skeleton) return first;
  const t = Math.min(1, Math.max(0, (t_ms - a.t_ms) / (b.t_ms - a.t_ms)));
  for (let p = 0; p < first.poses.length; p += kPoseSize) {
    for (let k = p; k < p + 3; ++k)
      first.poses[k] = at(first.poses, k) + t * (at(second.poses, k) - at(first.poses, k));
    blend(first.poses, p + 3, second.poses, p + 3, t, first.poses, p + 3);
  }
  return first;
}

function pose_of(take: Take, id: number) {
  const member = take.cast.by_id.get(id);
  if (!member || member.thing) return undefined;
  const { position_m } = take.chapter.units;
  const units = units_in(take, member);
  const read = read_character(take.bytes, member.index, member.coordinate, units, position_m);
  if (!read) return undefined;
  const poses = new Float32Array(kPoseSize * member.skeleton.links.length);
  forward_kinematics(member.skeleton, read.root, 0, read.joints, 0, poses, 0);
  return { member, poses };
}

/** Turns poses about the vertical through (x, y), and moves that point to another. */
export function place_poses(
  poses: Float32Array,
  [x, y]: readonly [number, number],
  [to_x, to_y]: readonly [number, number],
  yaw_rad: number,
): void {
  const [c, s] = [Math.cos(yaw_rad), Math.sin(yaw_rad)];
  const turn = new Float64Array(4);
  from_axis_angle(0, 0, 1, yaw_rad, turn, 0);
  const turned = new Float64Array(4);
  for (let p = 0; p < poses.length; p += kPoseSize) {
    const [dx, dy] = [at(poses, p) - x, at(poses, p + 1) - y];
    poses[p] = to_x + c * dx - s * dy;
    poses[p + 1] = to_y + s * dx + c * dy;
    multiply(turn, 0, poses, p + 3, turned, 0);
    poses.set(turned, p + 3);
  }
}

export class Compare {
  readonly first: Strides;
  readonly second: Strides;

  constructor(
    private readonly recording_: Recording,
    first: number,
    second: number,
  ) {
    this.first = new Strides(recording_, first);
    this.second = new Strides(recording_, second);
  }

  /** The second as a guest of the first at a moment; undefined while one of them is not there. */
  guest(t_ms: number, { aligned, aside }: CompareOptions): Guest | undefined {
    this.first.update(kBudget_ms);
    this.second.update(kBudget_ms);
    const from_ms = aligned ? this.time_of_second(t_ms) : t_ms;
    const host = pose_at(this.recording_, this.first.id, t_ms);
    const guest = pose_at(this.recording_, this.second.id, from_ms);
    if (!host || !guest) return undefined;
    const host_heading = heading_around(this.first, t_ms);
    const yaw = host_heading - heading_around(this.second, from_ms);
    const { skeleton: one } = host.member;
    const { skeleton, color, id } = guest.member;
    const gap = aside ? kAside * (one.reach + skeleton.reach) : 0;
    const to = [
      at(host.poses, 0) + gap * Math.sin(host_heading), // to its right
      at(host.poses, 1) - gap * Math.cos(host_heading),
    ] as const;
    place_poses(guest.poses, [at(guest.poses, 0), at(guest.poses, 1)], to, yaw);
    return { id, skeleton, color, poses: guest.poses };
  }

  /**
   * The time at which the second was at the phase at which the first is: in its stride at that time or, as long as
   * that one is not over, in the one before.
   */
  time_of_second(t_ms: number): number {
    const phase = this.first.phase(t_ms);
    const stride = this.second.before(this.recording_.to_ms < t_ms + 1 ? t_ms : Infinity);
    const now = this.second.at(t_ms);
    const whole = now && now.to_ms <= this.recording_.to_ms ? now : stride;
    if (phase === undefined || !whole) return t_ms;
    return whole.from_ms + phase * (whole.to_ms - whole.from_ms);
  }
}

/** The direction of a walk: hips turn with every step, so that of the whole stride. */
function heading_around(strides: Strides, t_ms: number): number {
  const stride = strides.at(t_ms);
  const known = stride && t_ms <= stride.to_ms + 500;
  return known ? strides.heading(stride.from_ms, stride.to_ms) : strides.heading(t_ms - 300, t_ms);
}

import type { Glimpse } from '../../state/frames/details_buffer';
import { forces_on, joint_of } from '../../state/gait/ground_forces';
import type { WorldPose } from '../../state/frames/interpolate';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { OverlayState } from '../../state/room/settings';
import type { SwingPath, SwingPaths } from '../../state/gait/swing_paths';
import type { Label } from './labels';
import type { Marks } from './marks';
import type { SupportAreas } from './support_areas';

export const kColors = {
  com: '#ffc21a',
  capture: '#f0471c',
  target: '#a05cf0',
  velocity: '#1f8fe5',
  achieved: '#1fbf94',
  force: '#2fbf55',
  path: '#2f8fd8',
  push: '#ff6b4a',
  hand: '#4fb0e8',
  selected: '#ffb52e',
  hovered: '#ffffff',
} as const;

/** An arrow of one body weight is this long, in reaches of the body: about to the knee of a person. */
const kBodyWeight_reach = 0.55;
/** Speed below which no arrow is drawn: a standing body sways, and its arrow would be a speck on the ground. */
const kSway_mps = 0.1;
/** Metres of an arrow for each m/s2 that a push gives a body: a metre for 300 N on a person. */
const kPush_s2 = 0.23;

/** A number at the end of an arrow. */
export interface Note {
  readonly text: string;
  readonly point: Vec3; // m, world frame
}

/** The pose that overlays draw, and the marks to draw it with. */
export interface OverlayTools {
  readonly pose: WorldPose;
  readonly tick_s: number;
  readonly shown: OverlayState;
  readonly marks: Marks;
  readonly areas: SupportAreas;
  readonly swings: SwingPaths;
  readonly notes: Note[];
}

/** Height of the ground that a body stands on: of its lowest contact, or of its lowest sole. */
function ground_under(pose: WorldPose, member: Member, contacts: readonly number[]): number {
  let lowest = Infinity;
  for (let i = 2; i < contacts.length; i += 6) lowest = Math.min(lowest, contacts[i] as number);
  if (Number.isFinite(lowest)) return lowest;
  const soles = member.skeleton.limbs.flatMap((limb) => limb.soles);
  for (const link of soles) lowest = Math.min(lowest, joint_of(pose, member, link)[2]);
  return Number.isFinite(lowest) ? Math.max(0, lowest) : 0;
}

/** Everything about one watched character that the overlays show. */
export function draw_details(glimpse: Glimpse, member: Member, tools: OverlayTools): void {
  const { shown, pose } = tools;
  const { details } = glimpse;
  const ground = ground_under(pose, member, details.contactsMN);
  // A fallen character is not controlled: the last targets of its controller mean nothing now.
  if (details.state !== 'fallen') {
    if (shown.support) draw_support(glimpse, ground, tools);
    if (shown.com) draw_com(glimpse, ground, tools);
    if (shown.capture) draw_capture_point(glimpse, ground, tools);
    if (shown.target && details.state !== 'standing' && details.state !== 'holding')
      draw_foot_target(glimpse, member, ground, tools);
    if (shown.velocity) draw_velocity(glimpse, member, ground, tools);
  }
  if (shown.forces) draw_forces(member, details.contactsMN, tools);
  if (details.pushN.length === 6) draw_push(member, details.pushN, tools);
}

function draw_com({ com }: Glimpse, ground: number, { marks }: OverlayTools): void {
  if (com.length !== 3) return;
  const [x, y, z] = com as [number, number, number];
  marks.rod([x, y, z], [x, y, ground], 0.006, kColors.com);
  marks.sphere([x, y, z], 0.055, kColors.com, 6.5);
  marks.ring([x, y, ground], 0.09, kColors.com);
  marks.disc([x, y, ground], 0.035, kColors.com);
}

function draw_capture_point(
  { capture_point }: Glimpse,
  ground: number,
  { marks }: OverlayTools,
): void {
  if (capture_point.length !== 2) return;
  const point: Vec3 = [capture_point[0] as number, capture_point[1] as number, ground];
  marks.ring(point, 0.11, kColors.capture);
  marks.disc(point, 0.04, kColors.capture);
}

function draw_support(
  { support_polygon: corners }: Glimpse,
  ground: number,
  { marks, areas }: OverlayTools,
): void {
  if (corners.length < 6) return;
  areas.add(corners, ground);
  const outline: Vec3[] = [];
  for (let i = 0; i + 1 < corners.length; i += 2)
    outline.push([corners[i] as number, corners[i + 1] as number, ground + 0.006]);
  marks.line(outline, 0.008, kColors.force, true);
}

function draw_foot_target(
  { foot_target, details, phase }: Glimpse,
  member: Member,
  ground: number,
  { pose, tick_s, marks, swings }: OverlayTools,
): void {
  if (foot_target.length !== 3) return;
  const target = foot_target as unknown as Vec3;
  const left_s = Math.max(0.05, (1 - phase) * (details.askedStepTimeS || 0.5));
  const path = swings.follow(pose, member, target, left_s / (tick_s || 1 / 60));
  const under: Vec3 = [target[0], target[1], Math.min(ground, target[2])];
  marks.ring(under, 0.1, kColors.target);
  marks.rod(target, under, 0.005, kColors.target);
  marks.sphere(target, 0.04, kColors.target);
  if (path) draw_swing(path, marks);
}

/** Where the ankle has been as a line, where it is going as dots. */
function draw_swing({ past, to_come }: SwingPath, marks: Marks): void {
  marks.line(past, 0.008, kColors.target);
  to_come.forEach((point, i) => {
    if (i % 2 === 1) marks.sphere(point, 0.014, kColors.target, 2);
  });
}

function draw_velocity(
  { desired_velocity, details }: Glimpse,
  { pose: p }: Member,
  ground: number,
  { pose: { poses }, marks }: OverlayTools,
): void {
  const [x, y] = [at(poses, p), at(poses, p + 1)];
  const arrow = ([vx = 0, vy = 0]: readonly number[], lift: number, color: string) => {
    if (Math.hypot(vx, vy) < kSway_mps) return;
    marks.arrow([x, y, ground + lift], [x + vx, y + vy, ground + lift], 0.02, color);
  };
  arrow(desired_velocity, 0.05, kColors.velocity);
  arrow(details.comVelocityMps, 0.12, kColors.achieved);
  const way = details.path.map((to): Vec3 => [to.xM, to.yM, ground + 0.01]);
  draw_way([x, y, ground], way, marks);
}

function draw_forces(
  member: Member,
  contacts: readonly number[],
  { pose, marks, notes }: OverlayTools,
): void {
  for (const { point, force, body_weights } of forces_on(pose, member, contacts)) {
    const size = Math.hypot(...force);
    const k = (body_weights * kBodyWeight_reach * member.skeleton.reach) / Math.max(size, 1e-9);
    const tip: Vec3 = [point[0] + force[0] * k, point[1] + force[1] * k, point[2] + force[2] * k];
    marks.arrow(point, tip, 0.016 * Math.min(1, member.skeleton.reach), kColors.force, 2.4);
    marks.disc(point, 0.03 * Math.min(1, member.skeleton.reach), kColors.force);
    if (body_weights >= 0.15) notes.push({ text: `${body_weights.toFixed(1)} bw`, point: tip });
  }
}

function draw_push({ skeleton }: Member, push: readonly number[], { marks }: OverlayTools): void {
  const [px, py, pz, fx, fy, fz] = push as [number, number, number, number, number, number];
  const k = kPush_s2 / Math.max(skeleton.mass, 1e-9);
  marks.arrow([px - fx * k, py - fy * k, pz - fz * k], [px, py, pz], 0.03, kColors.push);
}

/** Way-points to come, joined by a line. */
export function draw_way(from: Vec3, points: readonly Vec3[], marks: Marks): void {
  if (points.length === 0) return;
  marks.line([[from[0], from[1], from[2] + 0.012], ...points], 0.01, kColors.path);
  for (const point of points.length > 24 ? points.slice(-1) : points)
    marks.disc(point, 0.09, kColors.path);
  marks.ring(points[points.length - 1] as Vec3, 0.2, kColors.path);
}

export function label_of_note({ text, point }: Note, i: number): Label {
  return { key: `value ${i}`, text, point, first: true, kind: 'value' };
}

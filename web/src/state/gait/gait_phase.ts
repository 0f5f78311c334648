// Where somebody is in their stride, for figures too far away for joints of their own. It is read from the joints where
// a frame has them, else from the phase that the frame tells.
import { type FrameData, kTier } from '../../net/frame';
import { legs_of } from '../figure/legs';
import { at, type Numbers } from '../values/quaternion';
import type { Skeleton } from '../figure/skeleton';

/** The stride of a body: where it is in it, and how large it is. */
export interface Gait {
  phase: number; // 0 to 1: 0 at the strike of the left heel, a half at that of the right
  extent: number; // 0: stands; about 1: walks
  told: boolean; // the phase is by the time, as frames tell it; not by the joints
}

/** The joint coordinates that tell the stride, of left and right; and in which sense each of them bends forward. */
export interface Sagittal {
  readonly hips: readonly [number, number];
  readonly knees: readonly [number, number];
  readonly hip_signs: readonly [number, number]; // of a thigh that swings forward
  readonly knee_signs: readonly [number, number]; // of a knee that flexes
  readonly leg_m: number; // from the hip to the ground, as it stands at rest
}

const kHip_rad = 0.7; // by which the thighs are apart in a stride of extent 1
const kKnee_rad = 0.9; // by which the knees differ in it
const kPace = 0.38; // of sqrt(g l): the speed of a stride of extent 1, with legs of length l
const kGravity_mps2 = 9.8;
const kTurn = 2 * Math.PI;

const known = new WeakMap<Skeleton, Sagittal | null>();

/** Which coordinate of a link's joint turns it about y, and its sense. */
function pitch_of({ links }: Skeleton, i: number): readonly [number, number] | undefined {
  const link = links[i];
  if (!link) return undefined;
  const { joint, coordinate } = link;
  switch (joint.kind) {
    case 'ball':
      return [coordinate + 1, 1]; // a rotation vector
    case 'universal':
      return [coordinate, 1]; // pitch comes first
    case 'hinge':
      return Math.abs(joint.axis[1]) > 0.7 ? [coordinate, Math.sign(joint.axis[1])] : undefined;
    case 'root':
    case 'slider':
      return undefined;
  }
}

/** The coordinates that tell the stride of a body that walks on two legs; undefined for others. */
export function sagittal_of(skeleton: Skeleton): Sagittal | undefined {
  let found = known.get(skeleton);
  if (found === undefined) known.set(skeleton, (found = find_sagittal(skeleton) ?? null));
  return found ?? undefined;
}

function find_sagittal(skeleton: Skeleton): Sagittal | undefined {
  const legs = legs_of(skeleton);
  if (!legs) return undefined;
  const [left, right] = legs;
  const hips = [pitch_of(skeleton, left.thigh), pitch_of(skeleton, right.thigh)];
  const knees = [pitch_of(skeleton, left.shank), pitch_of(skeleton, right.shank)];
  const [hl, hr] = hips;
  const [kl, kr] = knees;
  if (!hl || !hr || !kl || !kr) return undefined;
  const shank = skeleton.links[left.shank];
  const foot = skeleton.links[left.foot];
  const thigh = skeleton.links[left.thigh];
  const below = (i: number | undefined) => Math.abs(i ?? 0);
  const leg_m =
    below(shank && thigh && shank.at_parent[2] - thigh.at_child[2]) +
    below(foot && shank && foot.at_parent[2] - shank.at_child[2]);
  // About y a positive angle takes what hangs down backwards: it flexes a knee, and extends a hip.
  return {
    hips: [hl[0], hr[0]],
    knees: [kl[0], kr[0]],
    hip_signs: [-hl[1], -hr[1]],
    knee_signs: [kl[1], kr[1]],
    leg_m,
  };
}

/**
 * The stride by its joints. Over a stride the difference of the thighs goes as a cosine, greatest when the left heel
 * strikes, and that of the knees as a sine: the swinging knee bends while the thighs pass each other. So both together
 * go once around a circle, and no rate is needed.
 * @param joints coordinates of the body, from joints[c]
 */
export function gait_of_joints(s: Sagittal, joints: Numbers, c: number, out: Gait): void {
  const x = s.hip_signs[0] * at(joints, c + s.hips[0]) - s.hip_signs[1] * at(joints, c + s.hips[1]);
  const y =
    s.knee_signs[1] * at(joints, c + s.knees[1]) - s.knee_signs[0] * at(joints, c + s.knees[0]);
  set_gait(x / kHip_rad, y / kKnee_rad, out);
}

/** The same between two frames. @param t 0 to 1, from the first to the second */
export function gait_between(
  s: Sagittal,
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  t: number,
  out: Gait,
): void {
  const [h0, h1] = s.hips;
  const [k0, k1] = s.knees;
  const hip = (k: number) => at(a, i + k) + (at(b, j + k) - at(a, i + k)) * t;
  const x = s.hip_signs[0] * hip(h0) - s.hip_signs[1] * hip(h1);
  const y = s.knee_signs[1] * hip(k1) - s.knee_signs[0] * hip(k0);
  set_gait(x / kHip_rad, y / kKnee_rad, out);
}

function set_gait(x: number, y: number, out: Gait): void {
  const phase = Math.atan2(y, x) / kTurn;
  out.phase = phase < 0 ? phase + 1 : phase;
  out.extent = Math.sqrt(x * x + y * y);
  out.told = false;
}

/** Whether a frame has the joints of the character at this place in it, and not those of an earlier time. */
export function has_joints(frame: FrameData, index: number): boolean {
  return (frame.tiers?.[index] ?? kTier.near) < kTier.far;
}

/**
 * The stride as the frames tell it, for a character whose joints they leave out. Phases go forwards: from 250 to 3 it is 9.
 * @param speed_mps over the ground, of which a stride of its size is made
 */
export function gait_told(
  a: FrameData,
  i: number,
  b: FrameData,
  j: number,
  t: number,
  speed_mps: number,
  leg_m: number,
  out: Gait,
): void {
  const to = b.phases?.[j] ?? 0;
  const from = a.phases?.[i] ?? to;
  const way = (to - from + 256) % 256;
  // More than three quarters of a stride between two frames are a small step back.
  const step = way > 192 ? way - 256 : way;
  const phase = (from + step * t) / 256;
  out.phase = phase - Math.floor(phase);
  out.told = true;
  out.extent = Math.min(1.3, speed_mps / (kPace * Math.sqrt(kGravity_mps2 * Math.max(0.1, leg_m))));
}

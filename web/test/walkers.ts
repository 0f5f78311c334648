// Joints of somebody who walks, for tests: the angles of a plain stride.
import { sagittal_of } from '../src/state/gait_phase';
import type { Skeleton } from '../src/state/skeleton';

const kTurn = 2 * Math.PI;

/** @param phase 0 to 1, 0 at the strike of the left heel */
export function gait_cycle_joints(skeleton: Skeleton, phase: number, size = 1): Float32Array {
  const joints = Float32Array.from(skeleton.rest);
  const s = sagittal_of(skeleton);
  if (!s) return joints;
  for (const side of [0, 1] as const) {
    const own = (phase + side / 2) % 1;
    const [h, k] = [s.hips[side], s.knees[side]];
    // Peak flexion of the knee at 72 % of the cycle, after the foot has left the ground.
    const swing = Math.exp(-(((own - 0.72) / 0.1) ** 2));
    joints[h] = (joints[h] ?? 0) + s.hip_signs[side] * size * (0.1 + 0.37 * Math.cos(kTurn * own));
    joints[k] = (joints[k] ?? 0) + s.knee_signs[side] * size * (0.1 + 0.95 * swing);
  }
  return joints;
}

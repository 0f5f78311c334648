// Joints of a walker, for tests: the angles of real people over a stride.
import { sagittal_of } from '../src/state/gait/gait_phase';
import type { Skeleton } from '../src/state/figure/skeleton';
import { kCyclePoints, people_at } from '../src/state/gait/walk_reference';

const { bands } = people_at(1.2, 0.86);

/** rad, at a share of the cycle of one leg. */
function angle(name: string, share: number): number {
  const mean = bands.get(name)?.mean ?? [];
  const along = (share % 1) * (kCyclePoints - 1);
  const i = Math.floor(along);
  const [a, b] = [mean[i] ?? 0, mean[i + 1] ?? 0];
  return ((a + (b - a) * (along - i)) * Math.PI) / 180;
}

/**
 * @param phase 0 to 1, 0 at the strike of the left heel
 * @param size of all angles, 1: those of people
 */
export function gait_cycle_joints(skeleton: Skeleton, phase: number, size = 1): Float32Array {
  const joints = Float32Array.from(skeleton.rest);
  const s = sagittal_of(skeleton);
  if (!s) return joints;
  for (const side of [0, 1] as const) {
    const own = phase + side / 2;
    const [h, k] = [s.hips[side], s.knees[side]];
    joints[h] = (joints[h] ?? 0) + s.hip_signs[side] * size * angle('hip', own);
    joints[k] = (joints[k] ?? 0) + s.knee_signs[side] * size * angle('knee', own);
  }
  return joints;
}

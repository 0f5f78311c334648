// The arrows of a push that is being drawn.
import type { Vec3 } from '../../state/values/quaternion';
import type { Marks } from '../overlays/marks';
import { kColors } from '../overlays/overlays';
import type { ToolSketch } from './pointer_tools';

/**
 * A push that is being drawn. Along the ground and seen from low its arrow points at the eye or away from it, so a line
 * leads to the pointer and a second arrow lies on the ground, where its direction is seen from any height.
 * @param ground_m height of the ground under the body; undefined: there is none
 */
export function draw_push_arrow(
  { from, to, drawn, level }: Extract<ToolSketch, { kind: 'push' }>,
  ground_m: number | undefined,
  marks: Marks,
): void {
  const color = kColors.push;
  marks.sphere(from, 0.04, color);
  marks.arrow(from, to, 0.03, color);
  if (!level) return;
  marks.rod(from, drawn, 0.006, color);
  if (ground_m === undefined) return;
  const flat = ([x, y]: Vec3): Vec3 => [x, y, ground_m + 0.03];
  marks.ring(flat(from), 0.12, color);
  marks.arrow(flat(from), flat(to), 0.025, color);
}

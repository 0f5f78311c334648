import type { Marks } from '../overlays/marks';
import { draw_way, kColors } from '../overlays/overlays';
import type { ToolSketch } from './pointer_tools';

const kSpot_m = 0.3; // radius of the ring around a place that is chosen

/** Draws what a tool is about to do, but for pushes and what is put down. */
export function draw_sketch(
  sketch: Extract<ToolSketch, { kind: 'drag' | 'tie' | 'spot' | 'path' }>,
  marks: Marks,
): void {
  switch (sketch.kind) {
    case 'drag':
      marks.sphere(sketch.from, 0.025, kColors.hand);
      marks.rod(sketch.from, sketch.to, 0.006, kColors.hand);
      marks.sphere(sketch.to, 0.035, kColors.hand);
      marks.disc([sketch.to[0], sketch.to[1], 0], 0.08, kColors.hand);
      return;
    case 'tie':
      for (const end of [sketch.from, sketch.to]) if (end) marks.sphere(end, 0.03, kColors.hand);
      if (sketch.from && sketch.to) marks.rod(sketch.from, sketch.to, 0.006, kColors.hand);
      return;
    case 'spot':
      marks.ring(sketch.point, kSpot_m, kColors.selected);
      marks.sphere(sketch.point, kSpot_m / 4, kColors.selected);
      return;
    case 'path': {
      const [first, ...rest] = sketch.points;
      if (first) draw_way(first, rest, marks);
      return;
    }
  }
}

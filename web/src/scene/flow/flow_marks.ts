// The items of a flow on the ground: lines that are drawn anew while the editor is open.
import type { Entrance, Exit, Flow, Item, ItemId, List, Point } from '../../state/flow/flow';
import { kLists, same_item } from '../../state/flow/flow';
import { corners, points_of } from '../../state/flow/flow_shapes';
import type { Vec3 } from '../../state/values/quaternion';
import type { Marks } from '../overlays/marks';

const kColors: Readonly<Record<List, string>> = {
  entrances: '#1f9e6e',
  exits: '#e07b1a',
  places: '#8a63d2',
  queues: '#1f8fe5',
  walls: '#5b6470',
  gatherings: '#c74f8d',
};
const kSelected = '#ffb52e';
const kWrong = '#e5484d';
const kRaise_m = 0.03;
const kLine_m = 0.03;

export interface Drawn {
  readonly flow: Flow;
  readonly selected: ItemId | undefined;
  readonly wrong: ItemId | undefined;
  /** What a stroke that is being drawn would make. */
  readonly draft: { readonly list: List; readonly item: Item } | undefined;
  /** Height of the ground, m. */
  ground(x: number, y: number): number;
}

export function draw_flow({ flow, selected, wrong, draft, ground }: Drawn, marks: Marks): void {
  const lift = ([x, y]: Point): Vec3 => [x, y, ground(x, y) + kRaise_m];
  for (const list of kLists)
    flow[list].forEach((item, index) => {
      const id = { list, index };
      const color = same_item(id, wrong)
        ? kWrong
        : same_item(id, selected)
          ? kSelected
          : kColors[list];
      draw_item(list, item, color, same_item(id, selected) ? 2 : 1, lift, marks);
    });
  if (draft) draw_item(draft.list, draft.item, kColors[draft.list], 1.5, lift, marks);
}

function draw_item(
  list: List,
  item: Item,
  color: string,
  bold: number,
  lift: (point: Point) => Vec3,
  marks: Marks,
): void {
  const line = (points: readonly Point[], closed = false) =>
    marks.line(points.map(lift), bold * kLine_m, color, closed);
  const ring = (x: number, y: number, radius: number) => line(circle(x, y, radius), true);
  switch (list) {
    case 'entrances':
    case 'exits': {
      const { area } = item as Entrance | Exit;
      const box = corners(area);
      line(box, true);
      const [x = 0, y = 0] = area.center_m;
      if (list === 'exits') {
        line([box[0] as Point, box[2] as Point]);
        line([box[1] as Point, box[3] as Point]);
        return;
      }
      const angle = (((item as Entrance).heading_deg ?? 0) * Math.PI) / 180;
      const tip: Point = [x + 1.6 * Math.cos(angle), y + 1.6 * Math.sin(angle)];
      marks.arrow(lift([x, y]), lift(tip), bold * 0.06, color);
      return;
    }
    case 'places': {
      if (!('kind' in item) && !('distance_m' in item)) return;
      const {
        center_m,
        kind,
        distance_m,
        facing_deg = 0,
        people = 1,
      } = item as {
        center_m: number[];
        kind?: string;
        distance_m?: number;
        facing_deg?: number;
        people?: number;
      };
      const [x = 0, y = 0] = center_m;
      marks.disc(lift([x, y]), 0.12, color);
      if (kind === 'SIGHT') {
        ring(x, y, distance_m || 1.5);
        return;
      }
      const angle = (facing_deg * Math.PI) / 180;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const half = 0.3 * people;
      line([
        [x - half * s, y + half * c],
        [x + half * s, y - half * c],
      ]);
      marks.arrow(lift([x, y]), lift([x + 0.9 * c, y + 0.9 * s]), bold * 0.04, color);
      return;
    }
    case 'queues': {
      if (!('counter_m' in item)) return;
      const [x = 0, y = 0] = item.counter_m;
      marks.ring(lift([x, y]), 0.3, color);
      const way = points_of(item.line_m);
      if (way.length > 0) line([[x, y], ...way]);
      const angle = ((item.facing_deg ?? 0) * Math.PI) / 180;
      marks.arrow(
        lift([x, y]),
        lift([x + Math.cos(angle), y + Math.sin(angle)]),
        bold * 0.04,
        color,
      );
      return;
    }
    case 'walls':
      if ('points_m' in item)
        marks.line(
          points_of(item.points_m).map(lift),
          Math.max(bold * kLine_m, (item.thickness_m || 0.1) / 2),
          color,
        );
      return;
    case 'gatherings': {
      if (!('radius_m' in item)) return;
      const [x = 0, y = 0] = item.center_m;
      ring(x, y, item.radius_m);
      // As many dots as there are people, up to what can be told apart.
      const count = Math.min(60, item.people);
      for (let i = 0; i < count; ++i) {
        const away = item.radius_m * Math.sqrt((i + 0.5) / count);
        const angle = i * 2.39996; // the golden angle: evenly spread
        marks.disc(lift([x + away * Math.cos(angle), y + away * Math.sin(angle)]), 0.09, color);
      }
    }
  }
}

function circle(x: number, y: number, radius: number): Point[] {
  const count = Math.max(16, Math.min(48, Math.round(8 * radius)));
  return Array.from({ length: count }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

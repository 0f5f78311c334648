// The items of a flow on the ground: lines that are drawn anew while the editor is open.
import type {
  Entrance,
  Exit,
  Flow,
  Gathering,
  Item,
  ItemId,
  List,
  Place,
  Point,
  Queue,
  Wall,
} from '../../state/flow/flow';
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
  /** The item that a stroke under way would make. */
  readonly draft: { readonly list: List; readonly item: Item } | undefined;
  /** Height of the ground, m. */
  ground(x: number, y: number): number;
}

export function draw_flow({ flow, selected, wrong, draft, ground }: Drawn, marks: Marks): void {
  for (const list of kLists)
    flow[list].forEach((item, index) => {
      const id = { list, index };
      const color = same_item(id, wrong)
        ? kWrong
        : same_item(id, selected)
          ? kSelected
          : kColors[list];
      const bold = same_item(id, selected) ? 2 : 1;
      draw_item(list, item, new ItemPen(marks, ground, color, bold));
    });
  if (draft)
    draw_item(draft.list, draft.item, new ItemPen(marks, ground, kColors[draft.list], 1.5));
}

/** Draws on the ground in one colour. Points are in m, world frame. */
class ItemPen {
  /** @param bold_ factor of the thickness of lines */
  constructor(
    private readonly marks_: Marks,
    private readonly ground_: Drawn['ground'],
    private readonly color_: string,
    private readonly bold_: number,
  ) {}

  line(points: readonly Point[], closed = false): void {
    const lifted = points.map((point) => this.lift(point));
    this.marks_.line(lifted, this.bold_ * kLine_m, this.color_, closed);
  }

  /** A line that is as thick as what it stands for, but never thinner than others. */
  thick_line(points: readonly Point[], thickness_m: number): void {
    const lifted = points.map((point) => this.lift(point));
    this.marks_.line(lifted, Math.max(this.bold_ * kLine_m, thickness_m / 2), this.color_);
  }

  /** A circle that follows the ground. */
  circle([x, y]: Point, radius: number): void {
    this.line(circle(x, y, radius), true);
  }

  /** A small flat ring. */
  ring(point: Point, radius: number): void {
    this.marks_.ring(this.lift(point), radius, this.color_);
  }

  disc(point: Point, radius: number): void {
    this.marks_.disc(this.lift(point), radius, this.color_);
  }

  /** @param thickness m, of an arrow that is not bold */
  arrow([x, y]: Point, angle_rad: number, length: number, thickness: number): void {
    const tip: Point = [x + length * Math.cos(angle_rad), y + length * Math.sin(angle_rad)];
    const [from, to] = [this.lift([x, y]), this.lift(tip)];
    this.marks_.arrow(from, to, this.bold_ * thickness, this.color_);
  }

  private lift([x, y]: Point): Vec3 {
    return [x, y, this.ground_(x, y) + kRaise_m];
  }
}

function draw_item(list: List, item: Item, pen: ItemPen): void {
  switch (list) {
    case 'entrances':
      return draw_entrance(item as Entrance, pen);
    case 'exits':
      return draw_exit(item as Exit, pen);
    case 'places':
      return draw_place(item as Place, pen);
    case 'queues':
      return draw_queue(item as Queue, pen);
    case 'walls':
      return draw_wall(item as Wall, pen);
    case 'gatherings':
      return draw_gathering(item as Gathering, pen);
  }
}

function radians(deg = 0): number {
  return (deg * Math.PI) / 180;
}

function draw_entrance({ area, heading_deg }: Entrance, pen: ItemPen): void {
  const [x = 0, y = 0] = area.center_m;
  pen.line(corners(area), true);
  pen.arrow([x, y], radians(heading_deg), 1.6, 0.06);
}

function draw_exit({ area }: Exit, pen: ItemPen): void {
  const box = corners(area);
  pen.line(box, true);
  pen.line([box[0] as Point, box[2] as Point]);
  pen.line([box[1] as Point, box[3] as Point]);
}

/** A row of people who face one way, or a ring of people around a thing that they look at. */
function draw_place(place: Place, pen: ItemPen): void {
  if (!('kind' in place) && !('distance_m' in place)) return;
  const { center_m, kind, distance_m, facing_deg, people = 1 } = place;
  const [x = 0, y = 0] = center_m;
  pen.disc([x, y], 0.12);
  if (kind === 'SIGHT') {
    pen.circle([x, y], distance_m || 1.5);
    return;
  }
  const angle = radians(facing_deg);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const half = 0.3 * people;
  pen.line([
    [x - half * s, y + half * c],
    [x + half * s, y - half * c],
  ]);
  pen.arrow([x, y], angle, 0.9, 0.04);
}

function draw_queue(queue: Queue, pen: ItemPen): void {
  if (!('counter_m' in queue)) return;
  const [x = 0, y = 0] = queue.counter_m;
  pen.ring([x, y], 0.3);
  const way = points_of(queue.line_m);
  if (way.length > 0) pen.line([[x, y], ...way]);
  pen.arrow([x, y], radians(queue.facing_deg), 1, 0.04);
}

function draw_wall(wall: Wall, pen: ItemPen): void {
  if ('points_m' in wall) pen.thick_line(points_of(wall.points_m), wall.thickness_m || 0.1);
}

function draw_gathering(gathering: Gathering, pen: ItemPen): void {
  if (!('radius_m' in gathering)) return;
  const { center_m, people, radius_m } = gathering;
  const [x = 0, y = 0] = center_m;
  pen.circle([x, y], radius_m);
  // As many dots as there are people, up to what can be told apart.
  const count = Math.min(60, people);
  for (let i = 0; i < count; ++i) {
    const away = radius_m * Math.sqrt((i + 0.5) / count);
    const angle = i * 2.39996; // the golden angle: evenly spread
    pen.disc([x + away * Math.cos(angle), y + away * Math.sin(angle)], 0.09);
  }
}

function circle(x: number, y: number, radius: number): Point[] {
  const count = Math.max(16, Math.min(48, Math.round(8 * radius)));
  return Array.from({ length: count }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

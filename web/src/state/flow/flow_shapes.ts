// Where the items of a flow are on the ground, how they are moved and met by a click, and what a stroke of a tool makes.
import type { Area, Entrance, Exit, Item, List, Point, Queue, Wall } from './flow';

const kLeast_m = 0.2; // of an area's sides
const kDefault_m = 2; // side of an area, and radius of a gathering, that is put down by a click
const kSeat_m = 0.6; // between people on a bench
const kStep_m = 0.5; // between the points of a drawn line
const kStraight_m = 0.25; // a point that is nearer to the line between its neighbours is left out
const kDense_pm2 = 0.6; // people per square metre of a painted gathering
const kMostPoints = 30;

export type Tool = 'entrance' | 'exit' | 'bench' | 'sight' | 'queue' | 'wall' | 'people';

const kListOf: Readonly<Record<Tool, List>> = {
  ...{ entrance: 'entrances', exit: 'exits', bench: 'places', sight: 'places' },
  ...{ queue: 'queues', wall: 'walls', people: 'gatherings' },
};
export function list_of(tool: Tool): List {
  return kListOf[tool];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
function degrees(x: number, y: number): number {
  return Math.round((Math.atan2(y, x) * 180) / Math.PI);
}

/** The corners of an area, counter-clockwise. */
export function corners(area: Area): Point[] {
  const [x = 0, y = 0] = area.center_m;
  const [w = 0, d = 0] = area.size_m;
  const yaw = ((area.yaw_deg ?? 0) * Math.PI) / 180;
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return (
    [
      [-w / 2, -d / 2],
      [w / 2, -d / 2],
      [w / 2, d / 2],
      [-w / 2, d / 2],
    ] as const
  ).map(([u, v]): Point => [x + c * u - s * v, y + s * u + c * v]);
}

export function points_of(numbers: readonly number[] = []): Point[] {
  const out: Point[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2)
    out.push([numbers[i] as number, numbers[i + 1] as number]);
  return out;
}

function has_area(item: Item): item is Entrance | Exit {
  return 'area' in item;
}

/** The points that an item's place is given by. */
function lists_of(item: Item): number[][] {
  if (has_area(item)) return [item.area.center_m];
  if ('points_m' in item) return [item.points_m];
  if ('counter_m' in item) return [item.counter_m, ...(item.line_m ? [item.line_m] : [])];
  return [item.center_m];
}

/** Moves an item along the ground, m. */
export function move_item(item: Item, dx: number, dy: number): void {
  for (const numbers of lists_of(item))
    numbers.forEach((value, i) => (numbers[i] = round(value + (i % 2 === 0 ? dx : dy))));
}

/** Where an item is, as one point. */
export function middle_of(item: Item): Point {
  const [numbers = []] = lists_of(item);
  const points = points_of(numbers);
  const n = Math.max(1, points.length);
  const sum = points.reduce<Point>(([a, b], [x, y]) => [a + x / n, b + y / n], [0, 0]);
  return sum;
}

function to_segment([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length)) : 0;
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}

function to_line(p: Point, points: readonly Point[]): number {
  let least =
    points.length === 1 ? Math.hypot(p[0] - points[0]![0], p[1] - points[0]![1]) : Infinity;
  for (let i = 1; i < points.length; ++i)
    least = Math.min(least, to_segment(p, points[i - 1]!, points[i]!));
  return least;
}

/** How far a point is outside of an item, m; 0 inside. */
export function distance_to(item: Item, p: Point): number {
  if (has_area(item)) {
    const [x = 0, y = 0] = item.area.center_m;
    const [w = 0, d = 0] = item.area.size_m;
    const yaw = ((item.area.yaw_deg ?? 0) * Math.PI) / 180;
    const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
    const [u, v] = [c * (p[0] - x) + s * (p[1] - y), -s * (p[0] - x) + c * (p[1] - y)];
    return Math.hypot(Math.max(0, Math.abs(u) - w / 2), Math.max(0, Math.abs(v) - d / 2));
  }
  if ('points_m' in item) return to_line(p, points_of(item.points_m));
  if ('counter_m' in item)
    return to_line(p, [...points_of(item.counter_m), ...points_of(item.line_m)]);
  const away = Math.hypot(p[0] - (item.center_m[0] ?? 0), p[1] - (item.center_m[1] ?? 0));
  const reach = 'radius_m' in item ? item.radius_m : 0.8;
  return Math.max(0, away - reach);
}

/** The points of a drawn line without those that bend it by little. */
export function simplified(points: readonly Point[]): Point[] {
  if (points.length <= 2) return [...points];
  const [first, last] = [points[0]!, points[points.length - 1]!];
  let far = 0;
  let at = 0;
  points.forEach((point, i) => {
    const away = to_segment(point, first, last);
    if (away > far) [far, at] = [away, i];
  });
  if (far < kStraight_m) return [first, last];
  return [...simplified(points.slice(0, at + 1)).slice(0, -1), ...simplified(points.slice(at))];
}

/** Adds a point to a stroke, where it is far enough from the last one. */
export function add_point(stroke: Point[], p: Point): void {
  const last = stroke[stroke.length - 1];
  if (!last || Math.hypot(p[0] - last[0], p[1] - last[1]) > kStep_m) stroke.push(p);
}

function area_of(from: Point, to: Point): Area {
  const size = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
  const clicked = Math.max(...size) < 2 * kLeast_m;
  return {
    center_m: [round((from[0] + to[0]) / 2), round((from[1] + to[1]) / 2)],
    size_m: size.map((side) => (clicked ? kDefault_m : round(Math.max(kLeast_m, side)))),
    yaw_deg: 0,
  };
}

/**
 * The item that a stroke makes: from where the pointer was pressed to where it is now.
 * @param middle of all there is, to which people come in
 */
export function item_of(tool: Tool, stroke: readonly Point[], middle: Point): Item {
  const from = stroke[0] ?? [0, 0];
  const to = stroke[stroke.length - 1] ?? from;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  switch (tool) {
    case 'entrance': {
      const area = area_of(from, to);
      const [x = 0, y = 0] = area.center_m;
      const heading_deg = degrees(middle[0] - x, middle[1] - y);
      return { area, heading_deg, rates: [{ at_s: 0, per_minute: 30 }] };
    }
    case 'exit':
      return { area: area_of(from, to), weight: 1 };
    case 'bench': {
      // Along the stroke; people who sit there look to its right.
      const people = Math.min(50, Math.max(1, Math.round(length / kSeat_m) + 1));
      const facing_deg = length < kSeat_m ? -90 : degrees(dy, -dx);
      const center_m = [round(from[0] + dx / 2), round(from[1] + dy / 2)];
      const stay = { least_stay_s: 10, most_stay_s: 60 };
      return {
        kind: 'BENCH',
        center_m,
        facing_deg,
        people: length < kSeat_m ? 3 : people,
        ...stay,
      };
    }
    case 'sight': {
      const distance_m = length < 0.5 ? 1.5 : round(Math.min(20, length));
      const people = Math.min(50, Math.max(3, Math.round((2 * Math.PI * distance_m) / 1.2)));
      const center_m = [round(from[0]), round(from[1])];
      return { kind: 'SIGHT', center_m, distance_m, people, least_stay_s: 5, most_stay_s: 30 };
    }
    case 'queue': {
      const way = simplified(stroke);
      const whole = way.reduce(
        (sum, p, i) => sum + (i > 0 ? Math.hypot(p[0] - way[i - 1]![0], p[1] - way[i - 1]![1]) : 0),
        0,
      );
      const [next = from] = way.slice(1);
      const straight = whole < 0.8;
      const out: Queue = {
        counter_m: [round(from[0]), round(from[1])],
        // The first one looks away from the line.
        facing_deg: straight ? 90 : degrees(from[0] - next[0], from[1] - next[1]),
        people: straight ? 6 : Math.min(100, Math.floor(whole / 0.8) + 1),
        line_m: straight ? [] : way.slice(1, kMostPoints).flat().map(round),
        service_s: 8,
        spread: 0.5,
      };
      return out;
    }
    case 'wall': {
      const way = simplified(stroke).slice(0, kMostPoints);
      const drawn: readonly Point[] =
        length < kLeast_m && way.length < 3
          ? [
              [from[0] - kDefault_m, from[1]],
              [from[0] + kDefault_m, from[1]],
            ]
          : way;
      const out: Wall = { points_m: drawn.flat().map(round), thickness_m: 0.2 };
      return out;
    }
    case 'people': {
      const radius_m = length < 0.5 ? kDefault_m : round(Math.min(50, length));
      const people = Math.round(Math.PI * radius_m * radius_m * kDense_pm2);
      const center_m = [round(from[0]), round(from[1])];
      return { center_m, radius_m, people: Math.min(1000, Math.max(1, people)) };
    }
  }
}

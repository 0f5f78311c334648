// The surfaces that goals of errands stand on: the ground, and things.
import type { Viewport } from '../../scene/picture/viewport';
import { pick, type Ray } from '../../state/hand/picking';
import type { World } from '../../state/room/world';
import type { Task } from '../../state/tasks/task';

/** A point on the level, m, world frame. */
export type Point = readonly [number, number];

const kSky_m = 100; // above all that stands in a room
const kHeightsFor_ms = 300; // for so long heights of the ground are kept

/** Whether it ends with a thing being put down. */
function is_put(task: Task | undefined): boolean {
  return task?.put_down !== undefined || task?.carry !== undefined;
}

/** Finds the places that a pointer means, and how high they are, m; heights are kept for a moment. */
export class GoalGround {
  private readonly heights_ = new Map<string, number>();
  private heights_ms_ = 0;

  constructor(
    private readonly world_: World,
    private readonly viewport_: Viewport,
  ) {}

  /**
   * The place under a pointer, px of the page: on the ground, or on a thing; at its own height for a point to reach.
   * @param task that the place is for
   * @param but the thing that comes there: it is not where it is now any more by then
   */
  under(px: number, py: number, task: Task | undefined, but: number): Point | undefined {
    const box = this.viewport_.stage.renderer.domElement.getBoundingClientRect();
    const [u, v] = [((px - box.left) / box.width) * 2 - 1, 1 - ((py - box.top) / box.height) * 2];
    const ray = this.viewport_.rig.ray(u, v);
    const level = task?.reach?.point_m?.[2];
    if (level !== undefined) {
      const t = (level - ray.origin[2]) / ray.direction[2];
      return t > 0 ? along(ray, t) : undefined;
    }
    const ground = this.viewport_.ground_at(ray);
    const top = is_put(task) ? this.thing_on(ray, but) : undefined;
    if (top !== undefined && (!ground || top < ground.distance)) return along(ray, top);
    return ground && [ground.point[0], ground.point[1]];
  }

  /** The thing that is highest there; 0: none. */
  thing_at(x: number, y: number, but: number): number {
    const ray: Ray = { origin: [x, y, kSky_m], direction: [0, 0, -1] };
    const found = pick(this.world_.pose, ray, 0, ({ thing, id }) => thing && id !== but);
    return found && kSky_m - found.distance > this.height(x, y) ? found.member.id : 0;
  }

  /** The height of the ground. */
  height(x: number, y: number): number {
    const now = performance.now();
    if (now - this.heights_ms_ > kHeightsFor_ms) {
      this.heights_ms_ = now;
      this.heights_.clear();
    }
    const key = `${x.toFixed(2)} ${y.toFixed(2)}`;
    let z = this.heights_.get(key);
    if (z === undefined) {
      z = this.viewport_.ground_below(x, y)?.point[2] ?? 0;
      this.heights_.set(key, z);
    }
    return z;
  }

  /** The height at which an errand ends: things are put down on other things, too. */
  height_for(task: Task, x: number, y: number, but: number): number {
    return is_put(task) ? this.on_what(x, y, but) : this.height(x, y);
  }

  /** The height of what is highest there, a thing that stands still or the ground. */
  private on_what(x: number, y: number, but: number): number {
    const far = this.thing_on({ origin: [x, y, kSky_m], direction: [0, 0, -1] }, but);
    return Math.max(this.height(x, y), far === undefined ? -Infinity : kSky_m - far);
  }

  /** How far along a ray the first thing is, m. @param but this one, which is not there any more by then */
  private thing_on(ray: Ray, but: number): number | undefined {
    return pick(this.world_.pose, ray, 0, ({ thing, id }) => thing && id !== but)?.distance;
  }
}

/** The point on a ray at a distance, m, seen from above. */
function along({ origin, direction }: Ray, distance: number): Point {
  return [origin[0] + distance * direction[0], origin[1] + distance * direction[1]];
}

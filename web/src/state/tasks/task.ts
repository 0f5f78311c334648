// Tasks of a person with things and places, as the server's JSON has them (proto/promenade/v1/task.proto). Tasks come
// and go as JSON, so that the description of their messages is not in the page.
import { type Hand, kTaskKinds, type TaskKind, type TaskProgress_State } from '../../gen/tasks';
import { at, heading_of, rotate, type Vec3 } from '../values/quaternion';
import type { Member } from '../room/roster';
import { bounds_of } from '../figure/shapes';
import type { WorldPose } from '../frames/interpolate';

export interface Reach {
  readonly thing?: number; // left out: a point of the world
  readonly point_m?: readonly number[];
  readonly hand?: Hand;
  readonly grip?: boolean;
  readonly hold_s?: number;
}
export interface Place {
  readonly thing?: number; // that is moved
  readonly on?: number; // on which it is put
  readonly position_m?: readonly number[];
  readonly heading_rad?: number;
}
/** The message of each kind of task, as far as the page reads and writes it. */
interface Kinds {
  readonly go_to: Place;
  readonly reach: Reach;
  readonly pick_up: { readonly thing: number };
  readonly put_down: Place;
  readonly push_to: Place;
  readonly pull_to: Place;
  readonly climb: Place;
  readonly sit_out: { readonly seconds: number };
  readonly carry: Place;
  readonly hand_over: { readonly to: number };
  readonly take_over: { readonly from?: number }; // left out: from anybody
}
export type Task = { readonly [kind in TaskKind]?: Kinds[kind] } & {
  readonly speed_mps?: number;
};

/** How far an errand is that several share; what is zero is left out. */
export interface ProgressJson {
  readonly state?: TaskProgress_State;
  readonly character?: number;
}

/** The answer to GET .../characters/N/tasks; numbers that are zero are left out. */
export interface TaskListJson {
  readonly tick?: string;
  readonly tasks?: readonly Task[];
  readonly current?: number;
  readonly repeat?: boolean;
  readonly shared_by?: readonly number[];
  readonly progress?: readonly ProgressJson[];
}

export function kind_of(task: Task): TaskKind | undefined {
  return kTaskKinds.find((kind) => task[kind] !== undefined);
}

/** The place that a task has of its own, which can be moved. */
export function place_of(task: Task): readonly number[] | undefined {
  const kind = kind_of(task);
  if (!kind) return undefined;
  const own = task[kind] as Place & Reach;
  const points = kind === 'reach' ? (own.thing ? undefined : own.point_m) : own.position_m;
  return points?.length ? points : undefined;
}

/** The task with its place elsewhere; a height that it had stays. */
export function moved(task: Task, [x, y]: readonly [number, number]): Task {
  const kind = kind_of(task);
  const before = place_of(task);
  if (!kind || !before) return task;
  const points = [x, y, ...before.slice(2)].map((value) => Math.round(1000 * value) / 1000);
  const key = kind === 'reach' ? 'point_m' : 'position_m';
  return { ...task, [kind]: { ...task[kind], [key]: points } };
}

/** The task with a thing turned further, from the heading that it has or else `from`. */
export function turned(task: Task, by_rad: number, from_rad: number): Task {
  const kind = kind_of(task);
  if (kind !== 'put_down' && kind !== 'push_to' && kind !== 'pull_to' && kind !== 'carry')
    return task;
  const heading = (task[kind]?.heading_rad ?? from_rad) + by_rad;
  const heading_rad = Math.atan2(Math.sin(heading), Math.cos(heading));
  return { ...task, [kind]: { ...task[kind], heading_rad } };
}

/** The task of putting something on a thing instead of at a place. */
export function put_on(task: Task, on: number): Task {
  const { thing, heading_rad } = task.carry ?? {};
  if (thing === undefined || thing === on) return task;
  const heading = heading_rad === undefined ? {} : { heading_rad };
  return { ...task, carry: { thing, on, ...heading } };
}

/** In the hands is what somebody is going to hand over, and that is not known yet. */
export const kSomething = -1;

/** The thing in the hands before each task and, as the last entry, after all of them. 0: none. */
export function carried_along(
  tasks: readonly Task[],
  current: number,
  now: number,
  cast: WorldPose['cast'],
): number[] {
  const out = tasks.map(() => 0);
  out.push(0);
  let carried = now;
  for (let i = current; i <= tasks.length; ++i) {
    out[i] = carried;
    const task = tasks[i];
    if (task?.pick_up) carried = task.pick_up.thing;
    else if (task?.take_over) carried = given_by(task.take_over.from, cast);
    else if (task?.put_down ?? task?.carry ?? task?.hand_over) carried = 0;
  }
  return out;
}

/** The thing that both hands of somebody hold; 0: none. */
export function carried_by(member: Member, { ties }: WorldPose['cast']): number {
  const held = ties.flatMap(({ a, b, grip }) =>
    !grip ? [] : a.id === member.id ? [b.id] : b.id === member.id ? [a.id] : [],
  );
  return held.find((id, i) => id !== 0 && held.indexOf(id) !== i) ?? 0;
}

function given_by(from: number | undefined, cast: WorldPose['cast']): number {
  const giver = from ? cast.by_id.get(from) : undefined;
  return (giver && carried_by(giver, cast)) || kSomething;
}

export type Goal =
  | { readonly kind: 'box'; readonly thing: Member; readonly at: Vec3; readonly yaw_rad: number }
  | { readonly kind: 'spot'; readonly at: Vec3 } // on the ground
  | { readonly kind: 'point'; readonly at: Vec3 }; // that a hand goes to

/**
 * Where a task leads, m, world frame; undefined where that is not known before.
 * @param carried what is in the hands then
 * @param height of the ground
 * @param moved goals of tasks before it, by the thing that they move
 */
export function goal_of(
  task: Task,
  carried: number,
  pose: WorldPose,
  height: (x: number, y: number) => number,
  moved: ReadonlyMap<number, Goal>,
): Goal | undefined {
  const { by_id } = pose.cast;
  const kind = kind_of(task);
  const [x, y, z] = place_of(task) ?? [];
  const there = x !== undefined && y !== undefined;
  const on_ground = (): Vec3 => [x ?? 0, y ?? 0, z ?? height(x ?? 0, y ?? 0)];
  const box = (id: number, at_point: Vec3, heading: number | undefined): Goal | undefined => {
    const thing = by_id.get(id);
    return thing && { kind: 'box', thing, at: at_point, yaw_rad: heading ?? yaw_of(thing, pose) };
  };
  switch (kind) {
    case undefined:
    case 'sit_out':
    case 'pick_up':
    case 'hand_over':
    case 'take_over':
      return undefined;
    case 'go_to':
    case 'climb':
      return there ? { kind: 'spot', at: on_ground() } : undefined;
    case 'push_to':
    case 'pull_to': {
      const { thing, heading_rad } = task[kind] as Place;
      return there ? box(thing ?? 0, on_ground(), heading_rad) : undefined;
    }
    case 'carry':
    case 'put_down': {
      const { thing = carried, on, heading_rad } = task[kind] as Place;
      const below = on ? by_id.get(on) : undefined;
      if (below) return box(thing, top_of(below, pose, moved.get(below.id)), heading_rad);
      if (!there) return undefined;
      const spot: Goal | undefined =
        thing === kSomething ? { kind: 'spot', at: on_ground() } : undefined;
      return box(thing, on_ground(), heading_rad) ?? spot;
    }
    case 'reach': {
      const { thing, point_m } = task.reach as Reach;
      const whose = thing ? by_id.get(thing) : undefined;
      if (whose) return { kind: 'point', at: point_of(whose, point_m, pose) };
      return there && !thing ? { kind: 'point', at: [x, y, z ?? 0] } : undefined;
    }
  }
  kind satisfies never; // each kind has its goal above
}

export function yaw_of({ pose: p }: Member, { poses }: WorldPose): number {
  return heading_of(poses, p + 3);
}

export function origin_of({ pose: p }: Member, { poses }: WorldPose): Vec3 {
  return [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
}

/** A point of a thing's first link, or the middle of it, m, world frame. */
function point_of(thing: Member, point: readonly number[] | undefined, pose: WorldPose): Vec3 {
  const [x = 0, y = 0, z = 0] = point ?? [];
  const out = [0, 0, 0];
  rotate(pose.poses, thing.pose + 3, x, y, z, out, 0);
  const origin = origin_of(thing, pose);
  return [origin[0] + at(out, 0), origin[1] + at(out, 1), origin[2] + at(out, 2)];
}

/**
 * The middle of a thing's upper side, m, world frame.
 * @param then where it is to be
 */
function top_of(thing: Member, pose: WorldPose, then: Goal | undefined): Vec3 {
  const [x, y, z] = origin_of(thing, pose);
  const [low, high] = extent_of(thing, pose);
  return then ? [then.at[0], then.at[1], then.at[2] + high - low] : [x, y, z + high];
}

/** How far a thing's first link reaches below and above its origin now, m. */
export function extent_of(thing: Member, pose: WorldPose): readonly [number, number] {
  let [low, high] = [0, 0];
  const out = [0, 0, 0];
  for (const shape of thing.skeleton.links[0]?.shapes ?? []) {
    const [a, b] = bounds_of(shape);
    for (const x of [a[0], b[0]])
      for (const y of [a[1], b[1]])
        for (const z of [a[2], b[2]]) {
          rotate(pose.poses, thing.pose + 3, x, y, z, out, 0);
          low = Math.min(low, at(out, 2));
          high = Math.max(high, at(out, 2));
        }
  }
  return [low, high];
}

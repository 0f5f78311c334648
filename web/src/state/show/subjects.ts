// The bodies that a demonstration means, what these were told to do by their scene, and when the scene's script does something.
import type { Subject } from '../../gen/promenade/v1/demonstration_pb';
import type { Crowd, Placement, Scene } from '../../gen/promenade/v1/scene_pb';
import { type Command, ReferenceFrame } from '../../gen/promenade/v1/command_pb';
import { kFlag } from '../../net/frame';
import type { CommandKind } from '../../net/messages';
import { is_present, link_at, type WorldPose } from '../frames/interpolate';
import type { Observed } from './demonstration';
import { at } from '../values/quaternion';
import type { Cast, Member } from '../room/roster';

const kAll_s = 1e9; // a script that does nothing any more
const kUnseen = 1e6; // m: bodies that lie on the ground come last

/** A body as it is drawn; undefined where it is not in the picture. */
export function observed(pose: WorldPose, id: number, link = ''): Observed | undefined {
  const member = pose.cast.by_id.get(id);
  if (!member || !is_present(pose, member)) return undefined;
  const { poses } = pose;
  const index = link ? member.skeleton.links.findIndex(({ name }) => name === link) : 0;
  const p = link_at(pose, member, Math.max(0, index));
  return {
    place: [at(poses, p), at(poses, p + 1), at(poses, p + 2)],
    rotation: [at(poses, p + 3), at(poses, p + 4), at(poses, p + 5), at(poses, p + 6)],
    fallen: !member.thing && ((pose.flags[member.index] ?? 0) & kFlag.fallen) !== 0,
  };
}

/** The body that a subject means: of all that fit it the nearest to its point, those that lie on the ground last. */
export function find_subject(pose: WorldPose, subject: Subject): Member | undefined {
  const { body, style, thing } = subject;
  const fits = (member: Member) =>
    thing
      ? member.skeleton.name === thing
      : (!body || member.skeleton.name === body) &&
        (!style || (member.style === style && !member.style_edited));
  const { members, things } = pose.cast;
  const near = point_of(pose, subject);
  let best: Member | undefined;
  let best_far = Infinity;
  for (const member of thing ? things : members) {
    const seen = fits(member) ? observed(pose, member.id) : undefined;
    if (!seen) continue;
    const [x, y] = seen.place;
    const far = (near ? Math.hypot(x - near[0], y - near[1]) : 0) + (seen.fallen ? kUnseen : 0);
    if (far >= best_far) continue;
    best = member;
    best_far = far;
  }
  return best;
}

/** The point that a subject is near; undefined: anywhere. */
function point_of(
  pose: WorldPose,
  { nearM, beside }: Subject,
): readonly [number, number] | undefined {
  if (nearM.length === 2) return [nearM[0] as number, nearM[1] as number];
  const thing = pose.cast.things.find(({ skeleton }) => skeleton.name === beside);
  const seen = thing && observed(pose, thing.id);
  return seen && [seen.place[0], seen.place[1]];
}

/** How long a scene's script does nothing, s. @param time_s since the scene began */
export function calm_s({ script, scriptPeriodS: period_s }: Scene, time_s: number): number {
  const phase_s = period_s > 0 ? time_s % period_s : time_s;
  const left = script.map(({ atS }) =>
    atS >= phase_s ? atS - phase_s : period_s > 0 ? atS + period_s - phase_s : kAll_s,
  );
  return Math.min(kAll_s, ...left);
}

/**
 * The id of the scene's first body; undefined where somebody of the scene is missing. A room counts its bodies on from
 * scene to scene: the scene's people come first, then its things, then whatever was added.
 */
export function first_id(scene: Scene, { by_id }: Cast): number | undefined {
  const people = scene.crowds.reduce((sum, { count }) => sum + count, scene.characters.length);
  const first = Math.min(...by_id.keys());
  for (let i = 0; i < people; ++i) if (by_id.get(first + i)?.thing !== false) return undefined;
  const shifted = scene.things.length > 0 && by_id.get(first + people)?.thing !== true;
  return shifted ? undefined : first;
}

/** The task that a scene gave a character: the commands that send it on again. */
export function own_task(scene: Scene, cast: Cast, id: number): readonly CommandKind[] {
  const anew: readonly CommandKind[] = [{ case: 'reset', value: { character: id } }];
  const first = first_id(scene, cast);
  if (first === undefined) return anew; // everybody else would get the task of another
  const number = id - first;
  const placement = scene.characters[number];
  if (placement) {
    const { skeleton } = cast.by_id.get(id) ?? {};
    return skeleton?.name === placement.body ? task_of(placement, id) : anew;
  }
  let left = number - scene.characters.length;
  for (const crowd of scene.crowds) {
    if (left < crowd.count) return task_in(crowd, id);
    left -= crowd.count;
  }
  return anew;
}

function task_of(placement: Placement, id: number): CommandKind[] {
  const { order, path, wander, speedMps, headingDeg } = placement;
  if (order) return order_for(order.kind, id);
  if (path) return [{ case: 'followPath', value: { character: id, path } }];
  if (wander) return [{ case: 'setWander', value: { character: id, ...wander_of(wander) } }];
  if (speedMps === 0) return [{ case: 'stop', value: { character: id } }];
  const frame = ReferenceFrame.CHARACTER;
  return [
    { case: 'setVelocity', value: { character: id, xMps: speedMps, frame } },
    { case: 'setHeading', value: { character: id, headingRad: (headingDeg * Math.PI) / 180 } },
  ];
}

/** An order of a scene, which leaves out whom it is for. */
function order_for({ case: kind, value }: Command['kind'], id: number): CommandKind[] {
  return kind ? [{ case: kind, value: { ...value, character: id } } as CommandKind] : [];
}

function task_in(crowd: Crowd, id: number): readonly CommandKind[] {
  if (!crowd.wander) return [{ case: 'stop', value: { character: id } }];
  return [{ case: 'setWander', value: { character: id, ...wander_of(crowd) } }];
}

function wander_of({ centerM, radiusM }: { centerM: number[]; radiusM: number }) {
  return { centerM: [...centerM], radiusM };
}

import { type Anchor, Tie_Kind } from '../../gen/promenade/v1/creature_pb';
import type { Block } from '../../gen/promenade/v1/scene_pb';
import type { Roster, RosterEntry, TieInfo } from '../../gen/promenade/v1/wire_pb';
import type { Vec3 } from '../values/quaternion';
import { type Skeleton, unknown_skeleton } from '../figure/skeleton';
import { type Families, type Family, kNoFamily } from './families';
import { kPoseSize } from '../figure/kinematics';

export interface Member {
  readonly id: number;
  readonly thing: boolean; // has no controller
  readonly skeleton: Skeleton;
  readonly complete: boolean; // whether `skeleton` is that of its body, which may still be on its way
  readonly style: string;
  readonly style_edited: boolean; // differs from the style of that name
  readonly body_edited: boolean;
  readonly style_id: bigint; // another one whenever anything in the style changes
  readonly body_id: bigint; // another one whenever anything in the body changes
  readonly gait: string; // '' where it plays none
  readonly gait_edited: boolean; // differs from the gait of that name
  readonly gait_id: bigint; // another one whenever anything in the gait changes
  readonly controller: string; // '' of things
  readonly family: Family; // of the controller; one that can do nothing of things
  readonly color: string;
  readonly index: number; // among the characters, or the things, of this roster
  readonly coordinate: number; // of a character: first of its joint coordinates in a frame
  readonly pose: number; // first number of its link poses
}

/** A point of a body's link, or of the world. */
export interface HeldPoint {
  readonly id: number; // 0: the world
  readonly link: number;
  readonly point: Vec3; // m, in the link's frame, or the world's
}

/** A grip or a tie that holds two points now. */
export interface HeldTie {
  readonly id: number;
  readonly a: HeldPoint;
  readonly b: HeldPoint;
  readonly grip: boolean;
  readonly kind: 'ball' | 'hinge' | 'slider' | 'weld' | 'spring';
}

/** The characters and things in the frames of one roster version, and where their numbers are. */
export interface Cast {
  readonly version: number;
  readonly members: readonly Member[]; // characters
  readonly things: readonly Member[];
  readonly thing_ids: readonly number[];
  readonly by_id: ReadonlyMap<number, Member>; // both
  readonly ties: readonly HeldTie[];
  readonly course: readonly Block[]; // the obstacles on the courses of the scene; the same list until it changes
  readonly coordinates: number;
  readonly poses: number; // numbers in a pose array of all characters and things
}

export const kEmptyCast: Cast = {
  version: -1,
  members: [],
  things: [],
  thing_ids: [],
  by_id: new Map(),
  ties: [],
  course: [],
  coordinates: 0,
  poses: 0,
};

/** Bodies that a roster only names. */
export interface Known {
  readonly skeletons: ReadonlyMap<bigint, Skeleton>;
  readonly families: Families;
}

function same(a: Member, b: Member): boolean {
  return (Object.keys(a) as (keyof Member)[]).every((key) => a[key] === b[key]);
}

/**
 * Builds the cast of a roster. A member without changes stays the same object, so that what was made for it can be
 * kept.
 * @param skeletons by the ids of bodies. One that is not there has not come yet: its owner keeps the last skeleton as
 * long as that can be moved by the frames, or gets one that stands in.
 * @param before the previous cast
 */
export function make_cast(
  roster: Roster,
  { skeletons, families }: Known,
  before: Cast = kEmptyCast,
): Cast {
  let coordinate = 0;
  let pose = 0;
  const member_of = (entry: RosterEntry, index: number, thing: boolean): Member => {
    const old = before.by_id.get(entry.id);
    const last = old?.skeleton.coordinates === entry.dof ? old.skeleton : undefined;
    const own = skeletons.get(entry.body);
    const skeleton = own ?? last ?? unknown_skeleton(entry.dof);
    const member: Member = {
      id: entry.id,
      thing,
      skeleton,
      complete: own !== undefined,
      style: entry.style,
      style_edited: entry.styleEdited,
      body_edited: entry.bodyEdited,
      style_id: entry.styleId,
      body_id: entry.body,
      gait: entry.gait,
      gait_edited: entry.gaitEdited,
      gait_id: entry.gaitId,
      controller: entry.controller,
      family: thing ? kNoFamily : families.get(entry.controller),
      color: entry.color || skeleton.color,
      index,
      coordinate,
      pose,
    };
    if (!thing) coordinate += skeleton.coordinates;
    pose += skeleton.links.length * kPoseSize;
    return old && same(old, member) ? old : member;
  };
  const members = roster.entries.map((entry, i) => member_of(entry, i, false));
  const things = roster.things.map((entry, i) => member_of(entry, i, true));
  const by_id = new Map([...members, ...things].map((member) => [member.id, member]));
  return {
    version: Number(roster.version),
    members,
    things,
    thing_ids: things.map(({ id }) => id),
    by_id,
    ties: roster.ties.flatMap((tie) => held_tie(tie, by_id) ?? []),
    course: roster.course?.blocks ?? kEmptyCast.course,
    coordinates: coordinate,
    poses: pose,
  };
}

/** Whether somebody does what the command set_tasks asks for. */
export function does_tasks({ family, skeleton }: Member): boolean {
  return family.tasks && skeleton.hands !== undefined;
}

function tie_kind(kind: Tie_Kind): HeldTie['kind'] {
  switch (kind) {
    case Tie_Kind.HINGE:
      return 'hinge';
    case Tie_Kind.SLIDER:
      return 'slider';
    case Tie_Kind.WELD:
      return 'weld';
    case Tie_Kind.SPRING:
      return 'spring';
    case Tie_Kind.BALL:
    case Tie_Kind.KIND_UNSPECIFIED: // of a grip
      return 'ball';
  }
}

function held_tie(tie: TieInfo, by_id: ReadonlyMap<number, Member>): HeldTie | undefined {
  const point_of = (anchor: Anchor | undefined): HeldPoint | undefined => {
    const [x = 0, y = 0, z = 0] = anchor?.pointM ?? [];
    const id = anchor?.id ?? 0;
    if (id === 0) return { id, link: 0, point: [x, y, z] };
    const links = by_id.get(id)?.skeleton.links;
    const link = anchor?.link ? links?.findIndex(({ name }) => name === anchor.link) : 0;
    return links && link !== undefined && link >= 0 ? { id, link, point: [x, y, z] } : undefined;
  };
  const [a, b] = [point_of(tie.a), point_of(tie.b)];
  return a && b && { id: tie.id, a, b, grip: tie.grip, kind: tie_kind(tie.kind) };
}

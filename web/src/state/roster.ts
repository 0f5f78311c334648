import type { Roster } from '../gen/promenade/v1/wire_pb';
import type { Skeleton } from './skeleton';
import { kPoseSize } from './kinematics';

export interface Member {
  readonly id: number;
  readonly skeleton: Skeleton;
  readonly style: string;
  readonly style_edited: boolean; // not as its name says
  readonly body_edited: boolean;
  readonly color: string;
  readonly index: number; // in the frames of this roster
  readonly coordinate: number; // first of this character's joint coordinates in a frame
  readonly pose: number; // first number of this character's link poses
}

/** Who is in the frames of one roster version, and where each one's numbers are. */
export interface Cast {
  readonly version: number;
  readonly members: readonly Member[];
  readonly by_id: ReadonlyMap<number, Member>;
  readonly coordinates: number;
  readonly poses: number; // numbers in a pose array of everybody
}

export const kEmptyCast: Cast = {
  version: -1,
  members: [],
  by_id: new Map(),
  coordinates: 0,
  poses: 0,
};

function same(a: Member, b: Member): boolean {
  return (Object.keys(a) as (keyof Member)[]).every((key) => a[key] === b[key]);
}

/**
 * Members of whom nothing has changed stay the same objects, so that a change of one does not touch
 * the others.
 * @param skeletons the scene's, then the roster's own
 * @param before the cast that this one follows
 * Throws if an entry names a body that is not there.
 */
export function make_cast(
  roster: Roster,
  skeletons: readonly Skeleton[],
  before: Cast = kEmptyCast,
): Cast {
  let coordinate = 0;
  let pose = 0;
  const members = roster.entries.map((entry, index): Member => {
    const skeleton = skeletons[entry.body];
    if (!skeleton) throw new Error(`character ${entry.id} has an unknown body ${entry.body}`);
    const member: Member = {
      id: entry.id,
      skeleton,
      style: entry.style,
      style_edited: entry.styleEdited,
      body_edited: entry.bodyEdited,
      color: entry.color || skeleton.color,
      index,
      coordinate,
      pose,
    };
    coordinate += skeleton.coordinates;
    pose += skeleton.links.length * kPoseSize;
    const old = before.by_id.get(entry.id);
    return old && same(old, member) ? old : member;
  });
  return {
    version: Number(roster.version),
    members,
    by_id: new Map(members.map((member) => [member.id, member])),
    coordinates: coordinate,
    poses: pose,
  };
}

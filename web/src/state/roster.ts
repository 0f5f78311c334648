import type { Roster } from '../gen/promenade/v1/wire_pb';
import type { Skeleton } from './skeleton';
import { kPoseSize } from './kinematics';

export interface Member {
  readonly id: number;
  readonly skeleton: Skeleton;
  readonly body: number; // index into the scene's bodies
  readonly style: string;
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

/** Throws if an entry names a body that the scene does not have. */
export function make_cast(roster: Roster, skeletons: readonly Skeleton[]): Cast {
  let coordinate = 0;
  let pose = 0;
  const members = roster.entries.map((entry, index): Member => {
    const skeleton = skeletons[entry.body];
    if (!skeleton) throw new Error(`character ${entry.id} has an unknown body ${entry.body}`);
    const member = {
      id: entry.id,
      skeleton,
      body: entry.body,
      style: entry.style,
      color: entry.color || skeleton.color,
      index,
      coordinate,
      pose,
    };
    coordinate += skeleton.coordinates;
    pose += skeleton.links.length * kPoseSize;
    return member;
  });
  return {
    version: Number(roster.version),
    members,
    by_id: new Map(members.map((member) => [member.id, member])),
    coordinates: coordinate,
    poses: pose,
  };
}

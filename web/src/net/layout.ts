// How the integers of a frame are to be read: which joint coordinates are angles and which are lengths.
import type { Creature } from '../gen/promenade/v1/creature_pb';
import type { Roster, RosterEntry } from '../gen/promenade/v1/wire_pb';
import { joint_name, kJoints } from './joint_table';

export interface Units {
  readonly position_m: number;
  readonly angle_rad: number;
}

export interface Layout {
  readonly roster_version: number;
  /** SI units in one count of each joint coordinate: all characters' in the order of the roster. */
  readonly characters: Float32Array;
  /** The same of each thing. */
  readonly things: readonly Float32Array[];
}

export const kNoLayout: Layout = {
  roster_version: -1,
  characters: new Float32Array(0),
  things: [],
};

function coordinate_units(body: Creature, units: Units): number[] {
  return body.joints.flatMap((joint) => {
    const { size, unit } = kJoints[joint_name(joint.kind, joint.name)];
    return new Array<number>(size).fill(unit === 'm' ? units.position_m : units.angle_rad);
  });
}

/**
 * @param body_of the body of an id; undefined as long as it has not come. Its coordinates count as angles until then,
 * and nobody draws them.
 * Throws if a body has other coordinates than the roster says.
 */
export function make_layout(
  roster: Roster,
  body_of: (id: bigint) => Creature | undefined,
  units: Units,
): Layout {
  const known = new Map<bigint, number[]>();
  const of = ({ body: name, id, dof }: RosterEntry): number[] => {
    const read = known.get(name);
    if (read) return read;
    const body = body_of(name);
    if (!body) return new Array<number>(dof).fill(units.angle_rad);
    const units_of = coordinate_units(body, units);
    if (units_of.length !== dof)
      throw new Error(`roster: ${id} has ${dof} coordinates, its body ${units_of.length}`);
    known.set(name, units_of);
    return units_of;
  };
  return {
    roster_version: Number(roster.version),
    characters: Float32Array.from(roster.entries.flatMap(of)),
    things: roster.things.map((entry) => Float32Array.from(of(entry))),
  };
}

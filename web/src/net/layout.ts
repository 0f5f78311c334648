// How the integers of a frame are to be read: which joint coordinates are angles and which are lengths.
import type { Creature } from '../gen/promenade/v1/creature_pb';
import type { Roster } from '../gen/promenade/v1/wire_pb';
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
 * @param built_in the bodies of SceneInfo; the roster's own follow them
 * Throws if an entry names a body that is not there.
 */
export function make_layout(roster: Roster, built_in: readonly Creature[], units: Units): Layout {
  const bodies = [...built_in, ...roster.bodies];
  const known = new Map<number, number[]>();
  const of = (index: number, id: number): number[] => {
    const body = bodies[index];
    if (!body) throw new Error(`roster: ${id} has an unknown body ${index}`);
    let units_of = known.get(index);
    if (!units_of) known.set(index, (units_of = coordinate_units(body, units)));
    return units_of;
  };
  return {
    roster_version: Number(roster.version),
    characters: Float32Array.from(roster.entries.flatMap(({ body, id }) => of(body, id))),
    things: roster.things.map(({ body, id }) => Float32Array.from(of(body, id))),
  };
}

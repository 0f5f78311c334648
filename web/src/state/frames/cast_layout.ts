import { kJoints } from '../../net/joint_table';
import type { Layout, Units } from '../../net/layout';
import type { Cast, Member } from '../room/roster';

/** Units of a member's joint coordinates; those of a body that had not come are read as angles, as in net/layout. */
function units_of({ complete, skeleton }: Member, units: Units): number[] {
  const out = new Array<number>(skeleton.coordinates).fill(units.angle_rad);
  if (!complete) return out;
  for (const { joint, coordinate } of skeleton.links)
    if (joint.kind !== 'root' && kJoints[joint.kind].unit === 'm')
      out[coordinate] = units.position_m;
  return out;
}

/** How the frames of a cast are to be read: as the worker read them when they came. */
export function layout_of(cast: Cast, units: Units): Layout {
  return {
    roster_version: cast.version,
    characters: Float32Array.from(cast.members.flatMap((member) => units_of(member, units))),
    things: cast.things.map((thing) => Float32Array.from(units_of(thing, units))),
  };
}

import type { Frame, Rest } from '../gen/promenade/v1/wire_pb';
import { kRootSize, type FrameData, type RestData, type ThingsData } from './frame';
import type { Layout, Units } from './layout';
import { decode_smallest_three } from './smallest_three';

type Numbers = ArrayLike<number>;

/** The integers of a frame as they are on the wire, in arrays of any kind. */
export type FrameNumbers = {
  readonly [K in Exclude<keyof Frame, `$${string}`>]: Frame[K] extends bigint
    ? bigint | number
    : Frame[K] extends number[]
      ? Numbers
      : Frame[K];
};

function decode_roots(
  what: string,
  position: Numbers,
  rotation: Numbers,
  unit_m: number,
): Float32Array {
  const count = rotation.length;
  if (position.length !== 3 * count)
    throw new Error(`${what}: ${count} rotations, ${position.length} coordinates`);
  const roots = new Float32Array(kRootSize * count);
  for (let i = 0; i < count; ++i) {
    for (let k = 0; k < 3; ++k) roots[kRootSize * i + k] = (position[3 * i + k] as number) * unit_m;
    decode_smallest_three(rotation[i] as number, roots, kRootSize * i + 3);
  }
  return roots;
}

function decode_things(
  what: string,
  index: Numbers,
  position: Numbers,
  rotation: Numbers,
  joint: Numbers,
  units: Units,
  layout: Layout,
): ThingsData {
  const roots = decode_roots(`${what}, things`, position, rotation, units.position_m);
  if (rotation.length !== index.length)
    throw new Error(`${what}: ${index.length} things, ${rotation.length} rotations`);
  const first = new Uint32Array(index.length);
  const joints = new Float32Array(joint.length);
  let j = 0;
  for (let i = 0; i < index.length; ++i) {
    const thing = index[i] as number;
    first[i] = j;
    const counts = layout.things[thing];
    if (!counts) throw new Error(`${what}: thing ${thing} of ${layout.things.length}`);
    for (const unit of counts) {
      joints[j] = (joint[j] ?? 0) * unit;
      ++j;
    }
  }
  if (j !== joint.length)
    throw new Error(`${what}: ${joint.length} coordinates of things' joints instead of ${j}`);
  return { index: Uint32Array.from(index), roots, joints, first };
}

/**
 * A frame's integers as SI numbers. Throws when its arrays do not fit each other or the roster.
 * @param layout of the roster that the frame names
 */
export function decode_frame(
  frame: FrameNumbers,
  units: Units,
  layout: Layout,
  received_ms: number,
): FrameData {
  const what = `frame ${frame.tick}`;
  const count = frame.rootRotation.length;
  const roots = decode_roots(what, frame.rootPosition, frame.rootRotation, units.position_m);
  const { limbContacts: limbs, presence } = frame;
  if (frame.flags.length !== count || (limbs.length !== 0 && limbs.length !== count)) {
    throw new Error(
      `${what}: ${count} rotations, ${frame.flags.length} flags, contacts of the limbs of ${limbs.length}`,
    );
  }
  if (frame.joint.length !== layout.characters.length)
    throw new Error(
      `${what}: ${frame.joint.length} joint coordinates instead of ${layout.characters.length}`,
    );
  const joints = new Float32Array(frame.joint.length);
  for (let i = 0; i < joints.length; ++i)
    joints[i] = (frame.joint[i] as number) * (layout.characters[i] as number);
  return {
    tick: Number(frame.tick),
    server_time_ms: Number(frame.serverTimeUs) / 1000,
    received_ms,
    roster_version: Number(frame.rosterVersion),
    real_time_factor: frame.realTimeFactor,
    paused: frame.paused,
    time_scale: frame.timeScale,
    viewers: frame.viewers,
    dropped: frame.dropped,
    roots,
    joints,
    flags: Uint32Array.from(frame.flags),
    limb_contacts: Uint32Array.from(limbs),
    ...(presence.length === count ? { presence: Uint8Array.from(presence) } : {}),
    things: decode_things(
      what,
      frame.thing,
      frame.thingPosition,
      frame.thingRotation,
      frame.thingJoint,
      units,
      layout,
    ),
  };
}

/** As decode_frame. */
export function decode_rest(rest: Rest, units: Units, layout: Layout): RestData {
  const { tick, rosterVersion, thing, position, rotation, joint } = rest;
  return {
    tick: Number(tick),
    roster_version: Number(rosterVersion),
    things: decode_things(`rest ${tick}`, thing, position, rotation, joint, units, layout),
  };
}

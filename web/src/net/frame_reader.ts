// Reads frames out of their messages into typed arrays, without an object or an array of the wire's library between: the
// frames around a moment of the last minute are decoded while a picture waits for them. A single character is read without
// the others: a minute of one character takes a few milliseconds, however large the crowd is.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { FrameSchema, ServerMessageSchema } from '../gen/promenade/v1/wire_pb';
import type { FrameNumbers } from './decode';
import { kRootSize } from './frame';
import { decode_smallest_three } from './smallest_three';

/** A character as it is in FrameData. */
export interface FrameCharacter {
  readonly root: Float32Array; // [7] as FrameData.roots
  readonly joints: Float32Array; // [count]
  readonly flags: number;
  readonly limbs: number | undefined; // as FrameData.limb_contacts; undefined from older servers
}

type Fields = ReadonlyMap<number, Uint8Array>;

const kFrame = ServerMessageSchema.field.frame.number;
const kField = FrameSchema.field;
const kNothing = new Uint8Array(0);

/** The varints of a packed field from one of them on, as they are. */
function varints(packed: Uint8Array, first: number, count: number): Uint32Array<ArrayBuffer> {
  let at = 0;
  for (let skip = first; skip > 0; ++at) if ((packed[at] as number) < 128) --skip;
  const out = new Uint32Array(count);
  for (let i = 0; i < count; ++i) {
    let byte = packed[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = packed[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    out[i] = value;
  }
  return out;
}

/** All varints of a packed field. */
function unsigned_in(packed: Uint8Array = kNothing): Uint32Array<ArrayBuffer> {
  let count = 0;
  for (let i = 0; i < packed.length; ++i) count += ((packed[i] as number) >> 7) ^ 1;
  return varints(packed, 0, count);
}

function signed(zigzag: number): number {
  return (zigzag >>> 1) ^ -(zigzag & 1);
}

function signed_in(packed?: Uint8Array): Int32Array {
  const out = new Int32Array(unsigned_in(packed).buffer);
  for (let i = 0; i < out.length; ++i) out[i] = signed(out[i] as number);
  return out;
}

/** A packed field of fixed32. */
function fixed_in(packed: Uint8Array = kNothing): Uint32Array {
  const out = new Uint32Array(packed.length >> 2);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let i = 0; i < out.length; ++i) out[i] = view.getUint32(4 * i, true);
  return out;
}

/**
 * The frame in a message; undefined where it has to be read as any other message is: there is none in it, or it comes in
 * pieces.
 */
export function read_frame(message: Uint8Array): FrameNumbers | undefined {
  const scalars = new Map<number, number>();
  const fields = new Map<number, Uint8Array>();
  const read = read_fields(message, fields, scalars);
  if (!read) return undefined;
  const scalar = ({ number }: { number: number }) => scalars.get(number) ?? 0;
  const field = ({ number }: { number: number }) => fields.get(number);
  return {
    tick: scalar(kField.tick),
    serverTimeUs: scalar(kField.serverTimeUs),
    realTimeFactor: scalar(kField.realTimeFactor),
    rosterVersion: scalar(kField.rosterVersion),
    paused: scalar(kField.paused) !== 0,
    timeScale: scalar(kField.timeScale),
    viewers: scalar(kField.viewers),
    dropped: scalar(kField.dropped),
    rootPosition: signed_in(field(kField.rootPosition)),
    rootRotation: fixed_in(field(kField.rootRotation)),
    joint: signed_in(field(kField.joint)),
    flags: unsigned_in(field(kField.flags)),
    limbContacts: unsigned_in(field(kField.limbContacts)),
    presence: unsigned_in(field(kField.presence)),
    thing: unsigned_in(field(kField.thing)),
    thingPosition: signed_in(field(kField.thingPosition)),
    thingRotation: fixed_in(field(kField.thingRotation)),
    thingJoint: signed_in(field(kField.thingJoint)),
    coded: field(kField.coded) ?? kNothing,
  };
}

/**
 * @param index of the character in its roster
 * @param coordinate first of its joint coordinates in the frame
 * @param units of these coordinates, SI in a count
 * @param position_m in a count
 */
export function read_character(
  message: Uint8Array,
  index: number,
  coordinate: number,
  units: Float32Array,
  position_m: number,
): FrameCharacter | undefined {
  const found = new Map<number, Uint8Array>();
  read_fields(message, found, undefined);
  const fields: Fields = found;
  const positions = fields.get(kField.rootPosition.number);
  const rotations = fields.get(kField.rootRotation.number);
  if (!positions || !rotations || rotations.length < 4 * (index + 1)) return undefined;
  const root = new Float32Array(kRootSize);
  varints(positions, 3 * index, 3).forEach((value, k) => (root[k] = signed(value) * position_m));
  const { buffer, byteOffset } = rotations;
  const packed = new DataView(buffer, byteOffset + 4 * index, 4).getUint32(0, true);
  decode_smallest_three(packed, root, 3);
  const joints = new Float32Array(units.length);
  const counts = varints(fields.get(kField.joint.number) ?? kNothing, coordinate, units.length);
  counts.forEach((value, k) => (joints[k] = signed(value) * (units[k] as number)));
  const [flags = 0] = varints(fields.get(kField.flags.number) ?? kNothing, index, 1);
  const contacts = fields.get(kField.limbContacts.number);
  const limbs = contacts && varints(contacts, index, 1)[0];
  return { root, joints, flags, limbs };
}

/**
 * The fields of the frame in a message: the packed ones as the bytes that they are.
 * @param scalars gets the others, where they are wanted
 * @return whether there is one frame, and each field of it once
 */
function read_fields(
  message: Uint8Array,
  packed: Map<number, Uint8Array>,
  scalars: Map<number, number> | undefined,
): boolean {
  const outer = new BinaryReader(message);
  let whole = false;
  while (outer.pos < outer.len) {
    const [number, type] = outer.tag();
    if (number !== kFrame || type !== WireType.LengthDelimited) {
      outer.skip(type, number);
      continue;
    }
    if (whole) return false;
    whole = true;
    const inner = new BinaryReader(outer.bytes());
    while (inner.pos < inner.len) {
      const [field, inner_type] = inner.tag();
      if (inner_type === WireType.LengthDelimited) {
        if (packed.has(field)) return false;
        packed.set(field, inner.bytes());
      } else if (scalars && inner_type === WireType.Varint)
        scalars.set(field, Number(inner.uint64()));
      else if (scalars && inner_type === WireType.Bit32) scalars.set(field, inner.float());
      else inner.skip(inner_type, field);
    }
  }
  return whole;
}

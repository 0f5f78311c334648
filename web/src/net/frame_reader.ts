// Reads one character out of the message of a frame, without decoding the others: a minute of one character is read in
// a few milliseconds, however large the crowd is.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { FrameSchema, ServerMessageSchema } from '../gen/promenade/v1/wire_pb';
import { kRootSize } from './frame';
import { decode_smallest_three } from './smallest_three';

/** A character as it is in FrameData. */
export interface FrameCharacter {
  readonly root: Float32Array; // [7] as FrameData.roots
  readonly joints: Float32Array; // [count]
  readonly flags: number;
}

const kFrame = ServerMessageSchema.field.frame.number;
const { rootPosition, rootRotation, joint, flags: flag } = FrameSchema.field;

/** The varints of a packed field from one of them on, as they are. */
function varints(packed: Uint8Array, first: number, count: number): Uint32Array {
  let at = 0;
  for (let skip = first; skip > 0; ++at) if ((packed[at] as number) < 128) --skip;
  const out = new Uint32Array(count);
  for (let i = 0; i < count; ++i) {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = packed[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    out[i] = value;
  }
  return out;
}

function signed(zigzag: number): number {
  return (zigzag >>> 1) ^ -(zigzag & 1);
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
  const fields = new Map<number, Uint8Array>();
  for (const [number, bytes] of packed_fields(message)) fields.set(number, bytes);
  const positions = fields.get(rootPosition.number);
  const rotations = fields.get(rootRotation.number);
  if (!positions || !rotations || rotations.length < 4 * (index + 1)) return undefined;
  const root = new Float32Array(kRootSize);
  varints(positions, 3 * index, 3).forEach((value, k) => (root[k] = signed(value) * position_m));
  const { buffer, byteOffset } = rotations;
  const packed = new DataView(buffer, byteOffset + 4 * index, 4).getUint32(0, true);
  decode_smallest_three(packed, root, 3);
  const joints = new Float32Array(units.length);
  const counts = varints(fields.get(joint.number) ?? new Uint8Array(), coordinate, units.length);
  counts.forEach((value, k) => (joints[k] = signed(value) * (units[k] as number)));
  const [flags = 0] = varints(fields.get(flag.number) ?? new Uint8Array(), index, 1);
  return { root, joints, flags };
}

/** The packed fields of the frame in a message. */
function* packed_fields(message: Uint8Array): Generator<readonly [number, Uint8Array]> {
  const outer = new BinaryReader(message);
  while (outer.pos < outer.len) {
    const [number, type] = outer.tag();
    if (number !== kFrame || type !== WireType.LengthDelimited) {
      outer.skip(type, number);
      continue;
    }
    const inner = new BinaryReader(outer.bytes());
    while (inner.pos < inner.len) {
      const [field, inner_type] = inner.tag();
      if (inner_type === WireType.LengthDelimited) yield [field, inner.bytes()];
      else inner.skip(inner_type, field);
    }
  }
}

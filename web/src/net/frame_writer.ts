// Whole frames as the messages that the server sends them in, of those that came coded: the recording keeps them so, and
// reads single characters out of them.
import { WireType } from '@bufbuild/protobuf/wire';
import { FrameSchema, ServerMessageSchema } from '../gen/promenade/v1/wire_pb';
import type { FrameNumbers } from './decode';

const kFrame = ServerMessageSchema.field.frame.number;
const kField = FrameSchema.field;
const kMostVarint = 5; // bytes of 32 bits
const kScalars = 80; // bytes of all fields that are no arrays

/** Bytes that are written one after the other into room that is there. */
class Writer {
  private bytes_: Uint8Array<ArrayBuffer>;
  private view_: DataView;
  private at_ = 0;

  constructor(room: number) {
    this.bytes_ = new Uint8Array(room);
    this.view_ = new DataView(this.bytes_.buffer);
  }

  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes_.slice(0, this.at_);
  }

  varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes_[this.at_++] = (rest % 128) + 128;
    this.bytes_[this.at_++] = rest;
  }

  number({ number }: { readonly number: number }, value: number): void {
    if (value === 0) return;
    this.varint(number * 8 + WireType.Varint);
    this.varint(value);
  }

  float({ number }: { readonly number: number }, value: number): void {
    if (value === 0) return;
    this.varint(number * 8 + WireType.Bit32);
    this.view_.setFloat32(this.at_, value, true);
    this.at_ += 4;
  }

  /** A field whose length is not known before: its content is written by `content`. */
  nested(number: number, content: () => void): void {
    this.varint(number * 8 + WireType.LengthDelimited);
    // The length gets as many bytes as the longest takes: allowed, if not the shortest.
    const at = this.at_;
    this.at_ += kMostVarint;
    content();
    let length = this.at_ - at - kMostVarint;
    for (let i = 0; i < kMostVarint; ++i, length >>>= 7)
      this.bytes_[at + i] = (length & 127) | (i < kMostVarint - 1 ? 128 : 0);
  }

  packed({ number }: { readonly number: number }, values: ArrayLike<number>): void {
    if (values.length === 0) return;
    this.nested(number, () => {
      for (let i = 0; i < values.length; ++i) this.small(values[i] as number);
    });
  }

  zigzag({ number }: { readonly number: number }, values: ArrayLike<number>): void {
    if (values.length === 0) return;
    this.nested(number, () => {
      for (let i = 0; i < values.length; ++i) {
        const value = values[i] as number;
        this.small(((value << 1) ^ (value >> 31)) >>> 0);
      }
    });
  }

  fixed({ number }: { readonly number: number }, values: ArrayLike<number>): void {
    if (values.length === 0) return;
    this.nested(number, () => {
      for (let i = 0; i < values.length; ++i, this.at_ += 4)
        this.view_.setUint32(this.at_, values[i] as number, true);
    });
  }

  // As varint(), of 32 bits without a sign: several times as fast.
  private small(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.bytes_[this.at_++] = (rest & 127) | 128;
    this.bytes_[this.at_++] = rest;
  }
}

/** A ServerMessage with the frame; without what was coded. */
export function write_frame(frame: FrameNumbers): Uint8Array<ArrayBuffer> {
  const arrays = [
    ...[frame.rootPosition, frame.rootRotation, frame.joint, frame.flags, frame.limbContacts],
    ...[frame.presence, frame.thing, frame.thingPosition, frame.thingRotation, frame.thingJoint],
  ];
  const count = arrays.reduce((sum, { length }) => sum + length, 0);
  const writer = new Writer(kMostVarint * (count + 2 * arrays.length) + kScalars);
  writer.nested(kFrame, () => {
    writer.number(kField.tick, Number(frame.tick));
    writer.number(kField.serverTimeUs, Number(frame.serverTimeUs));
    writer.float(kField.realTimeFactor, frame.realTimeFactor);
    writer.number(kField.rosterVersion, Number(frame.rosterVersion));
    writer.zigzag(kField.rootPosition, frame.rootPosition);
    writer.fixed(kField.rootRotation, frame.rootRotation);
    writer.zigzag(kField.joint, frame.joint);
    writer.packed(kField.flags, frame.flags);
    writer.number(kField.paused, frame.paused ? 1 : 0);
    writer.float(kField.timeScale, frame.timeScale);
    writer.number(kField.viewers, frame.viewers);
    writer.number(kField.dropped, frame.dropped);
    writer.packed(kField.thing, frame.thing);
    writer.zigzag(kField.thingPosition, frame.thingPosition);
    writer.fixed(kField.thingRotation, frame.thingRotation);
    writer.zigzag(kField.thingJoint, frame.thingJoint);
    writer.packed(kField.limbContacts, frame.limbContacts);
    writer.packed(kField.presence, frame.presence);
  });
  return writer.written;
}

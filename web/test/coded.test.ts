// The stream of coded frames that the server's tests keep, decoded by the page.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { describe, expect, test, vi } from 'vitest';
import { type CodedCrowd, CrowdDecoder } from '../src/net/coded/crowd_decoder';
import { CodedStream } from '../src/net/coded/stream';
import type { FrameNumbers } from '../src/net/decode';
import { read_frame } from '../src/net/frame_reader';
import { write_frame } from '../src/net/frame_writer';

interface Golden {
  readonly rosters: readonly (readonly (readonly [id: number, dof: number])[])[];
  readonly frames: readonly Readonly<Record<string, number>>[];
}

const kSecondRoster = 24; // frame
const kPresent = 255;
const folder = path.resolve(import.meta.dirname, '../../tests/support/golden');
const golden = JSON.parse(readFileSync(path.join(folder, 'coded.json'), 'utf8')) as Golden;
const rosters = golden.rosters.map((roster) => roster.map(([id, dof]) => ({ id, dof })));

function frames(): FrameNumbers[] {
  const reader = new BinaryReader(new Uint8Array(readFileSync(path.join(folder, 'coded.bin'))));
  const out: FrameNumbers[] = [];
  while (reader.pos < reader.len) out.push(read_frame(reader.bytes()) as FrameNumbers);
  return out;
}

/** A decoder that has read the first frames of the stream. */
function reader_of(stream: readonly FrameNumbers[]): CrowdDecoder {
  const decoder = new CrowdDecoder();
  stream.forEach((frame, i) => {
    if (i === 0 || i === kSecondRoster) decoder.follow(rosters[i === 0 ? 0 : 1] ?? []);
    expect(decoder.decode(frame)).toBeDefined();
  });
  return decoder;
}

function digest(values: ArrayLike<number>): number {
  let out = 2166136261;
  for (let i = 0; i < values.length; ++i) out = Math.imul(out ^ (values[i] as number), 16777619);
  return out >>> 0;
}

function digests({ numbers, tiers, phases }: CodedCrowd): Record<string, number> {
  const { presence, flags } = numbers;
  return {
    position: digest(numbers.rootPosition),
    rotation: digest(numbers.rootRotation),
    joint: digest(numbers.joint),
    flags: digest(flags),
    limb_contacts: digest(numbers.limbContacts),
    presence: digest(presence.length > 0 ? presence : new Uint8Array(flags.length).fill(kPresent)),
    tiers: digest(tiers),
    phases: digest(phases),
  };
}

describe('coded frames', () => {
  const stream = frames();

  test('stand for the same numbers as for the server, to the last bit', () => {
    expect(stream).toHaveLength(golden.frames.length);
    const decoder = new CrowdDecoder();
    stream.forEach((frame, i) => {
      if (i === 0 || i === kSecondRoster) decoder.follow(rosters[i === 0 ? 0 : 1] ?? []);
      expect(frame).toMatchObject({ viewers: 2, dropped: 7 });
      const crowd = decoder.decode(frame);
      expect(crowd && digests(crowd), `frame ${i}`).toEqual(golden.frames[i]);
    });
  });

  test('are kept as whole frames', () => {
    const decoder = reader_of(stream.slice(0, 10));
    const crowd = decoder.decode(stream[10] as FrameNumbers) as CodedCrowd;
    const thing = { thing: [3], thingPosition: [-5, 0, 70_000], thingRotation: [0xffffffff] };
    const frame = { ...crowd.numbers, ...thing, thingJoint: [-1], realTimeFactor: 0.5 };
    const bytes = write_frame({ ...frame, tick: 2 ** 40 });
    const read = read_frame(bytes) as FrameNumbers;
    const plain = (numbers: FrameNumbers) =>
      Object.fromEntries(
        Object.entries(numbers).map(([key, value]) => [
          key,
          typeof value === 'object' ? [...(value as ArrayLike<number> as number[])] : value,
        ]),
      );
    expect(plain(read)).toEqual({ ...plain({ ...frame, tick: 2 ** 40 }), coded: [] });
  });

  test('cannot be read where one is missing', () => {
    const decoder = reader_of(stream.slice(0, 5));
    expect(decoder.decode(stream[6] as FrameNumbers)).toBeUndefined();
    expect(decoder.decode(stream[7] as FrameNumbers)).toBeUndefined();
    expect(decoder.decode(stream[0] as FrameNumbers)).toBeDefined(); // needs no earlier one
    expect(decoder.decode(stream[1] as FrameNumbers)).toBeDefined();
  });

  test('cannot be read by a decoder of other characters', () => {
    const decoder = new CrowdDecoder();
    decoder.follow((rosters[0] ?? []).slice(1));
    expect(decoder.decode(stream[0] as FrameNumbers)).toBeUndefined();
  });

  test('never throw and hardly ever pass where they are damaged', () => {
    let state = 1;
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    const frame = stream[3] as FrameNumbers;
    const right = digests(reader_of(stream.slice(0, 3)).decode(frame) as CodedCrowd);
    let taken = 0;
    for (let i = 0; i < 50; ++i) {
      let coded = frame.coded.slice();
      if (i % 3 === 0) coded = coded.slice(0, random(coded.length));
      else for (let k = 0; k < 8; ++k) coded[2 + random(coded.length - 2)] = random(256);
      const crowd = reader_of(stream.slice(0, 3)).decode({ ...frame, coded });
      // The last bits may be others and mean the same.
      if (crowd && JSON.stringify(digests(crowd)) !== JSON.stringify(right)) ++taken;
    }
    expect(taken).toBeLessThanOrEqual(1);
  });
});

describe('a stream of coded frames', () => {
  const viewpoint = { eye_m: [1, 2, 3], forward: [1, 0, 0], height_rad: 0.5, aspect: 1.5 };
  const [first, second, third] = frames() as [FrameNumbers, FrameNumbers, FrameNumbers];

  test('is asked for where the server can and the camera is known', async () => {
    const sent: object[] = [];
    const stream = new CodedStream((value) => sent.push(value));
    stream.look(viewpoint);
    expect(sent).toEqual([]);
    await vi.dynamicImportSettled();
    stream.begin();
    expect(sent).toEqual([
      { eyeM: [1, 2, 3], forward: [1, 0, 0], heightRad: 0.5, aspect: 1.5, key: false },
    ]);
    stream.restart(); // another connection, perhaps to an older server
    stream.look({ ...viewpoint, aspect: 2 });
    expect(sent).toHaveLength(1);
    stream.begin();
    expect(sent[1]).toMatchObject({ aspect: 2, key: false });
  });

  test('asks for a frame that needs no earlier one, not more than twice a second', async () => {
    const sent: { key?: boolean | undefined }[] = [];
    const stream = new CodedStream((value) => sent.push(value));
    stream.look(viewpoint);
    await vi.dynamicImportSettled();
    stream.begin();
    stream.follow(rosters[0] ?? []);
    expect(stream.read(first, 0)).toBeDefined();
    expect(stream.read(third, 33)).toBeUndefined();
    expect(sent.filter(({ key }) => key)).toHaveLength(1);
    expect(stream.read(second, 66)).toBeUndefined();
    expect(sent.filter(({ key }) => key)).toHaveLength(1);
    expect(stream.read(third, 600)).toBeUndefined();
    expect(sent.filter(({ key }) => key)).toHaveLength(2);
    expect(stream.read(first, 633)).toBeDefined();
  });
});

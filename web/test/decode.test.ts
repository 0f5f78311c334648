import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { FrameSchema, ServerMessageSchema } from '../src/gen/promenade/v1/wire_pb';
import { decode_frame } from '../src/net/decode';

const kUnits = { position_m: 0.001, angle_rad: 0.002 };
const kIdentity = ((3 << 30) | (511 << 20) | (511 << 10) | 511) >>> 0;

describe('frames', () => {
  test('become SI numbers', () => {
    const frame = create(FrameSchema, {
      tick: 42n,
      serverTimeUs: 1_500_000n,
      rosterVersion: 3n,
      realTimeFactor: 1,
      rootPosition: [1000, -2500, 940],
      rootRotation: [kIdentity],
      joint: [-500, 250],
      flags: [9],
      paused: true,
      timeScale: 0.5,
      viewers: 2,
      dropped: 7,
    });
    const data = decode_frame(frame, kUnits, 12);
    expect(data).toMatchObject({
      tick: 42,
      server_time_ms: 1500,
      received_ms: 12,
      roster_version: 3,
      paused: true,
      time_scale: 0.5,
      viewers: 2,
      dropped: 7,
    });
    [1, -2.5, 0.94, 0, 0, 0, 1].forEach((value, i) => expect(data.roots[i]).toBeCloseTo(value, 6));
    expect([...data.joints]).toEqual([-1, 0.5]);
    expect([...data.flags]).toEqual([9]);
  });

  test('in two pieces, as the server sends them to a slow viewer, are one frame', () => {
    const piece = (init: Parameters<typeof create<typeof FrameSchema>>[1]) =>
      toBinary(
        ServerMessageSchema,
        create(ServerMessageSchema, { kind: { case: 'frame', value: create(FrameSchema, init) } }),
      );
    const first = piece({
      tick: 5n,
      rootPosition: [1, 2, 3],
      rootRotation: [kIdentity],
      flags: [1],
    });
    const second = piece({ dropped: 9 });
    const { kind } = fromBinary(ServerMessageSchema, Uint8Array.from([...first, ...second]));
    expect(kind.case).toBe('frame');
    if (kind.case !== 'frame') return;
    expect(decode_frame(kind.value, kUnits, 0)).toMatchObject({ tick: 5, dropped: 9 });
    expect(kind.value.rootPosition).toEqual([1, 2, 3]);
  });

  test('whose arrays do not fit each other are refused', () => {
    const frame = create(FrameSchema, {
      rootPosition: [1, 2],
      rootRotation: [kIdentity],
      flags: [1],
    });
    expect(() => decode_frame(frame, kUnits, 0)).toThrow(/1 rotations, 2 coordinates/);
  });
});

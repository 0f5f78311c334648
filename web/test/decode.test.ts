import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema, JointKind } from '../src/gen/promenade/v1/creature_pb';
import {
  FrameSchema,
  RestSchema,
  RosterSchema,
  ServerMessageSchema,
} from '../src/gen/promenade/v1/wire_pb';
import { decode_frame, decode_rest } from '../src/net/decode';
import { read_frame } from '../src/net/frame_reader';
import { kNoLayout, make_layout } from '../src/net/layout';

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
    const layout = { ...kNoLayout, characters: new Float32Array([0.002, 0.002]) };
    const data = decode_frame(frame, kUnits, layout, 12);
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
    expect(decode_frame(kind.value, kUnits, kNoLayout, 0)).toMatchObject({ tick: 5, dropped: 9 });
    expect(kind.value.rootPosition).toEqual([1, 2, 3]);
    expect(read_frame(Uint8Array.from([...first, ...second]))).toBeUndefined();
    expect(read_frame(first)?.dropped).toBe(0);
  });

  test('are read out of their messages as the library reads them', () => {
    const value = create(FrameSchema, {
      tick: 2n ** 40n + 7n,
      serverTimeUs: 2n ** 50n + 3n,
      realTimeFactor: 0.75,
      rosterVersion: 300n,
      rootPosition: [0, -1, 64, -65, 8191, -8192, 2 ** 31 - 1, -(2 ** 31), 5],
      rootRotation: [kIdentity, 0, 2 ** 32 - 1],
      joint: [-500, 250, 0],
      flags: [9, 127, 2 ** 32 - 1],
      paused: true,
      timeScale: 0.5,
      viewers: 2,
      thing: [0, 300],
      thingPosition: [1, 2, 3, -4, -5, -6],
      thingRotation: [kIdentity, 12],
      thingJoint: [1, -2],
      limbContacts: [0, 1, 2 ** 31],
      presence: [255, 0, 128],
    });
    const message = create(ServerMessageSchema, { kind: { case: 'frame', value } });
    const read = read_frame(toBinary(ServerMessageSchema, message));
    if (!read) throw new Error('not read');
    for (const [name, number] of Object.entries(read)) {
      const { [name as keyof typeof value]: wanted } = value as never;
      if (typeof number === 'object')
        expect([name, ...Array.from(number)]).toEqual([name, ...(wanted as number[])]);
      else expect([name, Number(number)]).toEqual([name, Number(wanted)]);
    }
    const other = create(ServerMessageSchema, { kind: { case: 'pong', value: {} } });
    expect(read_frame(toBinary(ServerMessageSchema, other))).toBeUndefined();
  });

  test('whose arrays do not fit each other are refused', () => {
    const frame = create(FrameSchema, {
      rootPosition: [1, 2],
      rootRotation: [kIdentity],
      flags: [1],
    });
    expect(() => decode_frame(frame, kUnits, kNoLayout, 0)).toThrow(/1 rotations, 2 coordinates/);
  });

  // One body has a hinge, the other a slider and a ball.
  const bodies = [
    create(CreatureSchema, { joints: [{ name: 'a', kind: JointKind.HINGE }] }),
    create(CreatureSchema, {
      joints: [
        { name: 'b', kind: JointKind.SLIDER },
        { name: 'c', kind: JointKind.BALL },
      ],
    }),
  ];
  const roster = create(RosterSchema, {
    version: 3n,
    entries: [
      { id: 1, body: 1n, dof: 4 },
      { id: 2, body: 0n, dof: 1 },
    ],
    things: [
      { id: 3, body: 0n, dof: 1 },
      { id: 4, body: 1n, dof: 4 },
    ],
  });
  const layout = make_layout(roster, (id) => bodies[Number(id)], kUnits);

  test("have a slider's coordinate in the unit of positions, all others in that of angles", () => {
    const frame = create(FrameSchema, {
      rootPosition: [0, 0, 0, 0, 0, 0],
      rootRotation: [kIdentity, kIdentity],
      flags: [0, 0],
      limbContacts: [5, 0],
      presence: [255, 7],
      joint: [100, 100, 200, 300, 400],
      thing: [1],
      thingPosition: [1000, 0, 500],
      thingRotation: [kIdentity],
      thingJoint: [-250, 10, 20, 30],
    });
    const { joints, things, limb_contacts, presence } = decode_frame(frame, kUnits, layout, 0);
    [0.1, 0.2, 0.4, 0.6, 0.8].forEach((value, i) => expect(joints[i]).toBeCloseTo(value, 6));
    expect([...limb_contacts]).toEqual([5, 0]);
    expect([...(presence ?? [])]).toEqual([255, 7]);
    expect(decode_frame({ ...frame, presence: [] }, kUnits, layout, 0).presence).toBeUndefined();
    expect([...things.index]).toEqual([1]);
    [1, 0, 0.5, 0, 0, 0, 1].forEach((value, i) => expect(things.roots[i]).toBeCloseTo(value, 6));
    [-0.25, 0.02, 0.04, 0.06].forEach((x, i) => expect(things.joints[i]).toBeCloseTo(x, 6));
  });

  test('tell of things by their index, each with as many coordinates as its body has', () => {
    const rest = create(RestSchema, {
      tick: 9n,
      rosterVersion: 3n,
      thing: [0, 1],
      position: [0, 0, 0, 0, 0, 0],
      rotation: [kIdentity, kIdentity],
      joint: [1, 2, 3, 4, 5],
    });
    const data = decode_rest(rest, kUnits, layout);
    expect(data).toMatchObject({ tick: 9, roster_version: 3 });
    expect([...data.things.first]).toEqual([0, 1]);
    expect(() => decode_rest({ ...rest, joint: [1, 2, 3, 4] }, kUnits, layout)).toThrow(
      /4 coordinates of things' joints instead of 5/,
    );
    expect(() => decode_rest({ ...rest, thing: [0, 7] }, kUnits, layout)).toThrow(/thing 7 of 2/);
  });

  test('of a body whose shape has not come yet are as long as the roster says', () => {
    const { characters, things } = make_layout(roster, () => undefined, kUnits);
    expect([...characters].map((unit) => Math.round(unit * 1e6))).toEqual([
      2e3, 2e3, 2e3, 2e3, 2e3,
    ]);
    expect(things.map(({ length }) => length)).toEqual([1, 4]);
  });

  test('of a body that has other coordinates than the roster says are refused', () => {
    expect(() => make_layout(roster, () => bodies[0], kUnits)).toThrow(
      /1 has 4 coordinates, its body 1/,
    );
  });

  test('of a body with a joint that this page does not know are refused by its name', () => {
    const odd = create(CreatureSchema, { joints: [{ name: 'odd', kind: 9 as JointKind }] });
    expect(() => make_layout(roster, () => odd, kUnits)).toThrow(
      /joint odd has the unknown kind 9/,
    );
  });
});

// The messages that the server's tests keep as golden files, decoded by the page.
import { fromBinary } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ServerMessageSchema, type ServerMessage } from '../src/gen/promenade/v1/wire_pb';
import { changed_roster } from '../src/net/changes';
import { decode_frame } from '../src/net/decode';
import { kNoLayout } from '../src/net/layout';

interface Golden {
  readonly tick: number;
  readonly server_time_us: number;
  readonly real_time_factor: number;
  readonly time_scale: number;
  readonly roster_version: number;
  readonly viewers: number;
  readonly dropped: number;
  readonly position_unit_m: number;
  readonly angle_unit_rad: number;
  readonly max_rotation_error_rad: number;
  readonly characters: readonly {
    readonly id: number;
    readonly flags: number;
    readonly position_m: readonly number[];
    readonly rotation_xyzw: readonly number[];
  }[];
  readonly joint_rad: readonly number[];
}

const folder = path.resolve(import.meta.dirname, '../../tests/support/golden');
const golden = JSON.parse(readFileSync(path.join(folder, 'frame.json'), 'utf8')) as Golden;
const units = { position_m: golden.position_unit_m, angle_rad: golden.angle_unit_rad };

const layout = {
  ...kNoLayout,
  characters: new Float32Array(golden.joint_rad.length).fill(golden.angle_unit_rad),
};

function message(name: string): ServerMessage['kind'] {
  return fromBinary(ServerMessageSchema, new Uint8Array(readFileSync(path.join(folder, name))))
    .kind;
}

/** How far a rounded number may be off, once it has been a 32-bit float too. */
function rounding(unit: number, value: number): number {
  return unit / 2 + 1e-7 * Math.max(1, Math.abs(value));
}

describe('golden messages', () => {
  test.each([
    ['frame.bin', 0],
    ['frame_dropped.bin', golden.dropped],
  ] as const)('%s', (name, dropped) => {
    const kind = message(name);
    expect(kind.case).toBe('frame');
    if (kind.case !== 'frame') return;
    const frame = decode_frame(kind.value, units, layout, 0);
    expect(frame).toMatchObject({
      tick: golden.tick,
      real_time_factor: golden.real_time_factor,
      time_scale: golden.time_scale,
      roster_version: golden.roster_version,
      viewers: golden.viewers,
      dropped,
    });
    expect(frame.server_time_ms).toBeCloseTo(golden.server_time_us / 1000, 3);
    expect([...frame.flags]).toEqual(golden.characters.map(({ flags }) => flags));
    golden.characters.forEach(({ position_m, rotation_xyzw }, i) => {
      position_m.forEach((value, k) =>
        expect(Math.abs((frame.roots[7 * i + k] as number) - value)).toBeLessThanOrEqual(
          rounding(golden.position_unit_m, value),
        ),
      );
      const dot = rotation_xyzw.reduce(
        (sum, value, k) => sum + value * (frame.roots[7 * i + 3 + k] as number),
        0,
      );
      expect(2 * Math.acos(Math.min(1, Math.abs(dot)))).toBeLessThan(golden.max_rotation_error_rad);
    });
    expect(frame.joints).toHaveLength(golden.joint_rad.length);
    golden.joint_rad.forEach((value, i) =>
      expect(Math.abs((frame.joints[i] as number) - value)).toBeLessThanOrEqual(
        rounding(golden.angle_unit_rad, value),
      ),
    );
  });

  test('roster.bin', () => {
    const kind = message('roster.bin');
    expect(kind.case).toBe('roster');
    if (kind.case !== 'roster') return;
    expect(Number(kind.value.version)).toBe(golden.roster_version);
    expect(kind.value.entries.map(({ id }) => id)).toEqual(golden.characters.map(({ id }) => id));
    const [first, second] = kind.value.entries;
    expect(second).toMatchObject({ style: 'sneak', color: '#00ff80', bodyEdited: true, dof: 3 });
    expect(second?.body).toBe((first?.body ?? 0n) + 1n);
  });

  test('roster_change.bin', () => {
    const [before, change] = [message('roster.bin'), message('roster_change.bin')];
    expect([before.case, change.case]).toEqual(['roster', 'rosterChange']);
    if (before.case !== 'roster' || change.case !== 'rosterChange') return;
    const after = changed_roster(before.value, change.value);
    expect(after.version).toBe(9n);
    expect(after.entries.map(({ id }) => id)).toEqual([1, 12, 15]);
    expect(after.entries[0]).toEqual(before.value.entries[0]);
    expect(after.entries[1]).toMatchObject({
      color: '#123456',
      body: before.value.entries[2]?.body,
    });
    expect(after.entries[2]).toMatchObject({ style: 'march', body: before.value.entries[1]?.body });
    expect(() => changed_roster(after, change.value)).toThrow(/from roster 7, here is 9/);
  });

  test('body.bin', () => {
    const kind = message('body.bin');
    expect(kind.case).toBe('body');
    if (kind.case !== 'body') return;
    expect(kind.value.id).toBe(0xf000000000000002n);
    expect(kind.value.creature?.name).toBe('second');
  });

  test('details.bin', () => {
    const kind = message('details.bin');
    expect(kind.case).toBe('details');
    if (kind.case !== 'details') return;
    expect(Number(kind.value.tick)).toBe(golden.tick);
    const walker = kind.value.characters.find(({ id }) => id === 2);
    expect(walker?.path.map(({ xM, yM }) => [xM, yM])).toEqual([
      [1, 2],
      [-3, 4],
    ]);
    expect(walker?.contactsMN).toHaveLength(4 * 6);
    expect(walker?.desiredVelocityMps).toEqual([0.5, -0.25]);
    expect(walker?.comM[2]).toBeCloseTo(0.95, 5);
  });
});

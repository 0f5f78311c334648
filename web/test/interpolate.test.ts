import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import type { FrameData } from '../src/state/frame';
import { FrameBuffer } from '../src/state/frame_buffer';
import { blend_rotation_vectors, make_world_pose, sample_world } from '../src/state/interpolate';
import { make_cast, type Cast } from '../src/state/roster';
import { kSmallCoordinates, small_body } from './body';

const skeleton = small_body();

function cast_of(version: number, ids: readonly number[]): Cast {
  const entries = ids.map((id) => ({ id, body: 0, style: 'normal', color: '#ffffff' }));
  return make_cast(create(RosterSchema, { version: BigInt(version), entries }), [skeleton]);
}

function frame_at(ms: number, roots: readonly (readonly number[])[], knee = 0): FrameData {
  return {
    tick: ms / 10,
    server_time_ms: ms,
    received_ms: ms,
    roster_version: 1,
    real_time_factor: 1,
    paused: false,
    time_scale: 1,
    viewers: 1,
    dropped: 0,
    roots: Float32Array.from(roots.flatMap(([x = 0, y = 0, z = 0]) => [x, y, z, 0, 0, 0, 1])),
    joints: Float32Array.from(roots.flatMap(() => [0, 0, 0, knee, 0, 0])),
    flags: new Uint32Array(roots.length),
  };
}

function positions(buffer: FrameBuffer, ms: number): number[][] {
  const pose = make_world_pose();
  expect(sample_world(buffer, ms, pose)).toBe(true);
  return pose.cast.members.map((member) => [...pose.poses.subarray(member.pose, member.pose + 3)]);
}

describe('interpolation', () => {
  const cast = cast_of(1, [7]);

  test('says that there is nothing before the first frame', () => {
    expect(sample_world(new FrameBuffer(), 0, make_world_pose())).toBe(false);
  });

  test('even motion stays even between frames', () => {
    const buffer = new FrameBuffer();
    for (const ms of [0, 100, 200, 300])
      buffer.push({ frame: frame_at(ms, [[ms / 500, 0, 1]]), cast });
    for (const ms of [110, 130, 150, 199])
      expect(positions(buffer, ms)[0]?.[0]).toBeCloseTo(ms / 500, 5);
  });

  test('late frames are met by the last motion for a moment, then by standing still', () => {
    const buffer = new FrameBuffer();
    for (const ms of [0, 100, 200]) buffer.push({ frame: frame_at(ms, [[ms / 1000, 0, 1]]), cast });
    expect(positions(buffer, 240)[0]?.[0]).toBeCloseTo(0.24, 5);
    expect(positions(buffer, 250)[0]?.[0]).toBeCloseTo(0.25, 5);
    expect(positions(buffer, 5000)[0]?.[0]).toBeCloseTo(0.25, 5);
  });

  test('who is put elsewhere does not fly there', () => {
    const buffer = new FrameBuffer();
    for (const [ms, x] of [
      [0, 0],
      [100, 0],
      [200, 9],
      [300, 9],
    ] as const)
      buffer.push({ frame: frame_at(ms, [[x, 0, 1]]), cast });
    expect(positions(buffer, 150)[0]?.[0]).toBeCloseTo(9, 5);
    expect(positions(buffer, 250)[0]?.[0]).toBeCloseTo(9, 5);
  });

  test('people are matched by number when the roster changes', () => {
    const buffer = new FrameBuffer();
    buffer.push({
      frame: frame_at(0, [
        [0, 0, 1],
        [5, 0, 1],
      ]),
      cast: cast_of(1, [7, 8]),
    });
    buffer.push({
      frame: frame_at(100, [
        [5.2, 0, 1],
        [3, 3, 1],
      ]),
      cast: cast_of(2, [8, 9]),
    });
    const [eight, nine] = positions(buffer, 50);
    expect(eight?.[0]).toBeCloseTo(5.1, 5);
    expect(nine).toEqual([3, 3, 1]);
  });

  test('joints move too', () => {
    const buffer = new FrameBuffer();
    buffer.push({ frame: frame_at(0, [[0, 0, 1]], 0), cast });
    buffer.push({ frame: frame_at(100, [[0, 0, 1]], Math.PI), cast });
    const pose = make_world_pose();
    sample_world(buffer, 50, pose);
    const shank = skeleton.links.findIndex(({ name }) => name === 'shank');
    expect(pose.poses[7 * shank]).toBeCloseTo(-0.2, 5);
    expect(kSmallCoordinates).toBe(skeleton.coordinates);
  });

  test('rotation vectors go the short way through the half turn', () => {
    const out = [0, 0, 0];
    blend_rotation_vectors([0, 3, 0], 0, [0, -3, 0], 0, 0.5, out, 0);
    expect(out[1]).toBeCloseTo(Math.PI, 6);
  });

  test('frames out of order are left out', () => {
    const buffer = new FrameBuffer();
    buffer.push({ frame: frame_at(100, [[0, 0, 1]]), cast });
    buffer.push({ frame: frame_at(50, [[9, 0, 1]]), cast });
    expect(buffer.length).toBe(1);
  });
});

import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { kFlag, type FrameData, type ThingsData } from '../src/net/frame';
import { CreatureSchema, JointKind } from '../src/gen/promenade/v1/creature_pb';
import { make_skeleton } from '../src/state/figure/skeleton';
import { FrameBuffer } from '../src/state/frames/frame_buffer';
import {
  blend_rotation_vectors,
  link_at,
  make_world_pose,
  Sampler,
  type WorldPose,
} from '../src/state/frames/interpolate';
import { ThingTracks } from '../src/state/room/thing_tracks';
import { make_cast, type Cast, type Member } from '../src/state/room/roster';
import { kSmallCoordinates, numbered, small_body } from './body';

const skeleton = small_body();
const kNoThings = things_at([]);

/** Things by their index, with x of the root. */
function things_at(list: readonly (readonly [index: number, x: number])[]): ThingsData {
  return {
    index: Uint32Array.from(list.map(([index]) => index)),
    roots: Float32Array.from(list.flatMap(([, x]) => [x, 0, 0, 0, 0, 0, 1])),
    joints: Float32Array.from(list.flatMap(([, x]) => [x])),
    first: Uint32Array.from(list.map((_, i) => i)),
  };
}

function cast_of(version: number, ids: readonly number[]): Cast {
  const entries = ids.map((id) => ({ id, style: 'normal', color: '#ffffff' }));
  return make_cast(create(RosterSchema, { version: BigInt(version), entries }), numbered(skeleton));
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
    limb_contacts: new Uint32Array(0),
    things: kNoThings,
  };
}

function positions(buffer: FrameBuffer, ms: number): number[][] {
  const pose = make_world_pose();
  expect(sample_world(buffer, ms, pose)).toBe(true);
  return pose.cast.members.map((member) => [...pose.poses.subarray(member.pose, member.pose + 3)]);
}

function sample_world(buffer: FrameBuffer, ms: number, pose: WorldPose): boolean {
  return new Sampler(buffer, new ThingTracks()).sample(ms, pose);
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

  test('a room that is paused shows its last frame, however long no other comes', () => {
    const buffer = new FrameBuffer();
    for (const ms of [0, 100, 200]) {
      const frame = { ...frame_at(ms, [[ms / 1000, 0, 1]]), paused: ms === 200 };
      buffer.push({ frame, cast });
    }
    for (const ms of [200, 240, 5000]) expect(positions(buffer, ms)[0]?.[0]).toBeCloseTo(0.2, 5);
  });

  test('a character that is put elsewhere does not fly there', () => {
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

  test('a character that is set upright is not lifted there, and fades out and in', () => {
    const buffer = new FrameBuffer();
    for (const [ms, z, flags, presence] of [
      [0, 0.1, kFlag.fallen, 200],
      [100, 0.1, kFlag.fallen, 51],
      [200, 0.95, 0, 0],
      [300, 0.95, 0, 102],
    ] as const)
      buffer.push({
        frame: {
          ...frame_at(ms, [[0, 0, z]]),
          flags: Uint32Array.from([flags]),
          presence: Uint8Array.from([presence]),
        },
        cast,
      });
    for (const ms of [20, 50, 80]) expect(positions(buffer, ms)[0]?.[2]).toBeCloseTo(0.1, 5);
    for (const ms of [110, 150, 190, 250, 290])
      expect(positions(buffer, ms)[0]?.[2]).toBeCloseTo(0.95, 5);
    const pose = make_world_pose();
    sample_world(buffer, 150, pose);
    expect(pose.presence[0]).toBeCloseTo(0.1, 5);
    sample_world(buffer, 250, pose);
    expect(pose.presence[0]).toBeCloseTo(0.2, 5);
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
    const member = cast.members[0] as Member;
    expect(pose.poses[link_at(pose, member, shank)]).toBeCloseTo(-0.2, 5);
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

describe('things', () => {
  // A drawer in its chest: the slider's coordinate is the x of the root.
  const drawer = make_skeleton(
    create(CreatureSchema, {
      name: 'drawer',
      links: [{ name: 'chest' }, { name: 'box' }],
      joints: [
        { name: 'rail', parent: 'chest', child: 'box', kind: JointKind.SLIDER, axis: [0, 1, 0] },
      ],
    }),
  );
  const cast = make_cast(
    create(RosterSchema, {
      version: 1n,
      things: [{ id: 5 }, { id: 6 }],
    }),
    numbered(drawer),
  );
  const [first, second] = cast.thing_ids as [number, number];

  function room() {
    const buffer = new FrameBuffer();
    const tracks = new ThingTracks();
    const sampler = new Sampler(buffer, tracks);
    const pose = make_world_pose();
    return {
      frame(ms: number, list: Parameters<typeof things_at>[0]) {
        const things = things_at(list);
        buffer.push({ frame: { ...frame_at(ms, []), things }, cast });
        tracks.push(ms / 10, things, cast.thing_ids);
      },
      rest: (ms: number, list: Parameters<typeof things_at>[0]) =>
        tracks.push(ms / 10, things_at(list), cast.thing_ids),
      x(id: number, ms: number): number | undefined {
        expect(sampler.sample(ms, pose)).toBe(true);
        const thing = cast.by_id.get(id);
        return thing && pose.present[thing.index] ? pose.poses[thing.pose] : undefined;
      },
      y_of_drawer(ms: number): number | undefined {
        sampler.sample(ms, pose);
        return pose.poses[(cast.by_id.get(first)?.pose ?? 0) + 7 + 1];
      },
    };
  }

  test('are not there before the server has told where they are', () => {
    const { frame, x } = room();
    frame(0, [[1, 2]]);
    expect(x(first, 0)).toBeUndefined();
    expect(x(second, 0)).toBe(2);
  });

  test('that wake lay still until the frame before', () => {
    const { frame, rest, x } = room();
    rest(0, [[0, 1]]);
    frame(1000, []);
    frame(1100, []);
    frame(1200, [[0, 1.2]]);
    frame(1300, [[0, 1.4]]);
    expect(x(first, 1050)).toBe(1);
    expect(x(first, 1100)).toBe(1);
    expect(x(first, 1150)).toBeGreaterThan(1);
    expect(x(first, 1150)).toBeLessThan(1.2);
    expect(x(first, 1200)).toBeCloseTo(1.2, 6);
  });

  test('that come to rest do not jump, whether the Rest comes before the frame or after it', () => {
    for (const late of [false, true]) {
      const { frame, rest, x } = room();
      rest(0, [[0, 0]]);
      frame(1000, [[0, 0.9]]);
      frame(1100, [[0, 1]]);
      if (!late) rest(1130, [[0, 1.02]]);
      frame(1200, []);
      if (late) {
        // Until it comes the thing waits where it was last seen, not where it rested before.
        expect(x(first, 1190)).toBeCloseTo(1, 6);
        rest(1130, [[0, 1.02]]);
      }
      frame(1300, []);
      expect(x(first, 1150)).toBeGreaterThanOrEqual(1);
      expect(x(first, 1150)).toBeLessThan(1.03);
      expect(x(first, 1250)).toBeCloseTo(1.02, 6);
    }
  });

  test('move along sliders by metres', () => {
    const { frame, y_of_drawer } = room();
    frame(0, [[0, 0]]);
    frame(100, [[0, 0.4]]);
    expect(y_of_drawer(50)).toBeCloseTo(0.2, 6);
  });

  test('that are thrown fly, those that are put elsewhere do not', () => {
    const { frame, x } = room();
    frame(0, [[0, 0]]);
    frame(100, [[0, 2]]); // 20 m/s
    frame(200, [[0, 30]]);
    expect(x(first, 50)).toBeCloseTo(1, 1);
    expect(x(first, 150)).toBe(30);
  });

  test('a new roster draws those that rest again', () => {
    const { frame, rest, x } = room();
    rest(0, [
      [0, 1],
      [1, 2],
    ]);
    frame(1000, []);
    expect(x(first, 1000)).toBe(1);
    expect(x(second, 1000)).toBe(2);
    expect(x(first, 1000)).toBe(1);
  });
});

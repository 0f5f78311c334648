import { describe, expect, test } from 'vitest';
import { kFlag } from '../src/net/frame';
import { FrameBuffer } from '../src/state/frames/frame_buffer';
import { make_world_pose, Sampler, type WorldPose } from '../src/state/frames/interpolate';
import { kMe, mark_text } from '../src/state/recording/marks';
import { ThingTracks } from '../src/state/room/thing_tracks';
import { Room } from './room';

/** The poses that a live picture draws of the frames that come, for each frame when both of its neighbours are there. */
function watch_live(room: Room): { t_ms: () => number; poses: Map<number, WorldPose> } {
  const poses = new Map<number, WorldPose>();
  const buffer = new FrameBuffer();
  const { world } = room;
  world.frame.watch((frame) => {
    if (!frame) return;
    buffer.push({ frame, cast: world.cast.value });
    const pose = make_world_pose();
    new Sampler(buffer, new ThingTracks()).sample(frame.server_time_ms, pose);
    poses.set(frame.tick, pose);
  });
  return { t_ms: () => world.recording.to_ms, poses };
}

function expect_same(past: WorldPose, live: WorldPose): void {
  expect(past.tick).toBeCloseTo(live.tick, 9);
  expect(past.cast).toBe(live.cast);
  expect([...past.poses]).toEqual([...live.poses]);
  expect([...past.flags]).toEqual([...live.flags]);
  expect([...past.limb_contacts]).toEqual([...live.limb_contacts]);
}

/** The pose of the room at a take. */
function past_of(room: Room, number: number): WorldPose {
  const { recording, lookback } = room.world;
  const pose = make_world_pose();
  lookback.enter(recording.at(number)?.t_ms ?? -1);
  expect(lookback.sample(pose)).toBe(true);
  return pose;
}

describe('what is looked back at', () => {
  test('is what was shown, to the last bit, from any frame on', () => {
    const room = new Room();
    room.roster([1, 2, 3]);
    const { poses } = watch_live(room);
    for (let i = 0; i < 90; ++i) room.frame({ flags: [i % 2, 2, 4] });
    const { recording } = room.world;
    expect(recording.end).toBe(90);
    // In no order: each moment stands for itself.
    for (const number of [70, 3, 89, 0, 41, 40, 88]) {
      const take = recording.at(number);
      const live = poses.get(take?.tick ?? -1);
      expect(live).toBeDefined();
      if (live) expect_same(past_of(room, number), live);
    }
  });

  test('has tiers and phases where the frames came coded for a camera', () => {
    const room = new Room();
    room.roster([1, 2]);
    for (let i = 0; i < 3; ++i) room.frame();
    const { world } = room;
    const frame = world.frame.value;
    const bytes = world.recording.at(2)?.bytes;
    if (!frame || !bytes) throw new Error('no frame');
    const [tiers, phases] = [Uint8Array.of(0, 2), Uint8Array.of(17, 255)];
    const next = { tick: frame.tick + 2, server_time_ms: frame.server_time_ms + room.period_ms };
    world.receive({ kind: 'frame', frame: { ...frame, ...next, tiers, phases }, bytes });
    past_of(room, 3);
    const { frames } = world.lookback;
    expect(frames.frame(3)?.frame).toMatchObject({ tiers, phases });
    expect(frames.frame(2)?.frame.tiers).toBeUndefined();
  });

  test('moves between frames as the live picture does', () => {
    const room = new Room();
    room.roster([1]);
    const buffer = new FrameBuffer();
    room.world.frame.watch((frame) => {
      if (frame) buffer.push({ frame, cast: room.world.cast.value });
    });
    for (let i = 0; i < 30; ++i) room.frame();
    const live = make_world_pose();
    const past = make_world_pose();
    const { recording, lookback } = room.world;
    const take = recording.at(12);
    lookback.enter((take?.t_ms ?? 0) + 11);
    lookback.sample(past);
    new Sampler(buffer, new ThingTracks()).sample((take?.server_time_ms ?? 0) + 11, live);
    past.poses.forEach((value, i) => expect(value).toBeCloseTo(live.poses[i] as number, 5));
  });

  test('has the characters of that moment, with their bodies of then', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 10; ++i) room.frame();
    room.roster([1, 2]);
    for (let i = 0; i < 10; ++i) room.frame();
    room.roster([2]);
    for (let i = 0; i < 10; ++i) room.frame();
    const ids = (number: number) => past_of(room, number).cast.members.map(({ id }) => id);
    expect([ids(2), ids(15), ids(25)]).toEqual([[1], [1, 2], [2]]);
    expect(room.world.cast.value.members.map(({ id }) => id)).toEqual([2]); // the room goes on
    const kinds = room.world.recording.marks.map((mark) => [mark.kind, mark.character]);
    expect(kinds).toEqual([
      ['scene', 0],
      ['join', 2],
      ['leave', 1],
    ]);
  });

  test('keeps to the scene of its time', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 10; ++i) room.frame();
    room.scene('second');
    room.roster([1]); // another one, of the same number
    for (let i = 0; i < 10; ++i) room.frame();
    const { world } = room;
    const { lookback, recording } = world;
    const shown = () => world.shown_scene.value?.scene?.name;
    expect(shown()).toBe('second');
    // Just before the change nothing moves towards what comes after it.
    const end = recording.at(9);
    lookback.enter((end?.t_ms ?? 0) + 60);
    expect(world.sample(0, 16)).toBe(true);
    expect(shown()).toBe('first');
    const root = world.pose.poses[0] as number;
    const last = past_of(room, 9).poses[0] as number;
    expect(Math.abs(root - last)).toBeLessThan(0.3);
    lookback.live();
    expect(shown()).toBe('second');
  });

  test('has the things that move, and those that lie where they were put long before', () => {
    const room = new Room();
    room.roster([1], {}, [11, 12]);
    room.rest([[0, 7000]]);
    for (let i = 0; i < 200; ++i) {
      // The second rolls, rests from frame 100 on, and is thrown at 150.
      if (i < 100) room.frame({ things: [[1, 10 * i]] });
      else if (i < 150) room.frame();
      else room.frame({ things: [[1, 990 + 20 * (i - 149)]] });
      if (i === 100) room.rest([[1, 990]], room.tick - 2);
    }
    const x = (number: number) => {
      const pose = past_of(room, number);
      return pose.cast.things.map((thing) => {
        expect(pose.present[thing.index]).toBe(1);
        return Math.round(1000 * (pose.poses[thing.pose] as number));
      });
    };
    expect(x(199)).toEqual([7000, 1990]);
    expect(x(5)).toEqual([7000, 50]);
    expect(x(130)).toEqual([7000, 990]);
    expect(x(99)).toEqual([7000, 990]);
    expect(x(151)).toEqual([7000, 1030]);
    expect(x(60)).toEqual([7000, 600]);
  });

  test('has the details of watched characters', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 10; ++i) {
      room.frame();
      room.details([{ id: 1, comM: [i / 10, 0, 1], state: 'walking' }]);
    }
    const { lookback, recording, pose } = room.world;
    lookback.enter(recording.at(4)?.t_ms ?? 0);
    room.world.sample(0, 16);
    expect(room.world.details.value.get(1)?.details.comM[0]).toBeCloseTo(0.4);
    expect(room.world.glimpses.sample(1, pose.tick + 1)?.com[0]).toBeCloseTo(0.45);
    // The room goes on, and its details do not show.
    room.frame();
    room.details([{ id: 1, comM: [9, 0, 1] }]);
    expect(room.world.details.value.get(1)?.details.comM[0]).toBeCloseTo(0.4);
  });
});

describe('the recording', () => {
  const people = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

  test('keeps the last minute, whatever comes', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 75 * 30; ++i) room.frame();
    const { recording } = room.world;
    const kept = recording.to_ms - recording.from_ms;
    expect(kept).toBeGreaterThanOrEqual(60_000);
    expect(kept).toBeLessThan(61_100);
    expect(recording.at(recording.first)?.key).toBeDefined();
    expect(recording.at(recording.first - 1)).toBeUndefined();
    const before = recording.bytes;
    for (let i = 0; i < 300; ++i) room.frame();
    expect(Math.abs(recording.bytes - before)).toBeLessThan(0.05 * before);
  });

  test('of a hundred people takes 60 MB at most, about 2 kB a person and second', () => {
    const room = new Room();
    room.roster(people(100));
    for (let i = 0; i < 90; ++i) room.frame();
    const { bytes, from_ms, to_ms } = room.world.recording;
    const rate = bytes / (100 * ((to_ms - from_ms) / 1000));
    expect(rate).toBeLessThan(3000);
    expect(rate * 100 * 61).toBeLessThan(60e6);
  });

  test('of a crowd that is too large is shorter and not larger', () => {
    const room = new Room();
    room.roster([1]);
    room.frame();
    const { cast, frame, recording } = room.world;
    const last = frame.value;
    for (let i = 1; last && i < 1500; ++i) {
      const next = { ...last, tick: last.tick + i, server_time_ms: last.server_time_ms + 33 * i };
      recording.add_frame(next, cast.value, new Uint8Array(100_000));
    }
    expect(recording.bytes).toBeLessThan(60e6);
    expect(recording.to_ms - recording.from_ms).toBeGreaterThan(15_000);
  });

  test('stays while somebody looks back, and leaves pauses out', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 60 * 30; ++i) room.frame();
    const { recording, lookback } = room.world;
    lookback.enter(recording.from_ms);
    for (let i = 0; i < 40 * 30; ++i) room.frame();
    expect(recording.from_ms).toBe(0);
    const end = recording.to_ms;
    for (let i = 0; i < 100; ++i) room.frame({ paused: true, ms: 500 });
    expect(recording.to_ms).toBe(end);
    room.frame();
    expect(recording.to_ms - end).toBeLessThanOrEqual(500);
    lookback.live();
    for (let i = 0; i < 40; ++i) room.frame();
    expect(recording.to_ms - recording.from_ms).toBeLessThan(61_100);
  });
});

describe('marks', () => {
  test('tell pushes, falls and edits, and the visitors who did them', () => {
    const fox = { name: 'Amber Fox', color: '#c2410c', mine: false };
    const room = new Room();
    room.roster([1, 2]);
    room.frame();
    room.world.recording.credit('push', 1, room.tick, kMe);
    room.frame({ flags: [kFlag.pushed] });
    room.frame({ flags: [kFlag.pushed, kFlag.pushed] });
    room.frame({ flags: [0, kFlag.fallen] });
    room.roster([1, 2], { styleEdited: true });
    room.frame({ flags: [0, kFlag.fallen] });
    room.world.recording.credit('edit', 2, room.tick, fox);
    room.frame();
    expect(room.world.recording.marks.map(mark_text)).toEqual([
      'first started',
      'You pushed Human 1',
      'Human 2 was pushed',
      'Human 2 fell',
      'Human 1 was changed',
      'Amber Fox changed Human 2',
      'Human 2 got up',
    ]);
  });
});

describe('looking back', () => {
  function recorded(): Room {
    const room = new Room(100);
    room.roster([1]);
    for (let i = 0; i < 50; ++i) room.frame();
    return room;
  }

  test('steps by frames, plays as fast as is asked, loops, and comes back', () => {
    const { world } = recorded();
    const { lookback, recording } = world;
    expect(lookback.enter(1050)).toBe(true);
    lookback.step(-1);
    expect(lookback.t_ms).toBe(1000);
    lookback.step(2);
    expect(lookback.t_ms).toBe(1200);
    lookback.playing.set(true);
    lookback.speed.set(0.25);
    world.sample(0, 200);
    expect(lookback.t_ms).toBe(1250);
    lookback.speed.set(1);
    lookback.repeat(2000, 1200);
    world.sample(0, 700);
    expect(lookback.t_ms).toBe(1950);
    world.sample(0, 100);
    expect(lookback.t_ms).toBe(1250);
    lookback.seek(99_999);
    expect(lookback.t_ms).toBe(recording.to_ms);
    lookback.live();
    expect(lookback.on.value).toBe(false);
    expect(recording.held).toBe(false);
  });

  test('is not possible before there is anything', () => {
    expect(new Room().world.lookback.enter(0)).toBe(false);
  });
});

test('in a crowd only characters that a visitor added are told of', () => {
  const room = new Room();
  const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const joined = () => room.world.recording.marks.filter(({ kind }) => kind === 'join');
  room.roster(ids(99));
  room.frame({});
  room.roster(ids(100));
  room.frame({});
  expect(joined().map(({ character }) => character)).toEqual([100]);
  room.roster(ids(120));
  room.frame({});
  expect(joined()).toHaveLength(1);
  const [before] = room.world.recording.marks;
  // The server answers before the roster has them, or after.
  room.world.recording.credit('join', 121, room.tick, kMe);
  room.roster(ids(121));
  room.frame({});
  room.roster(ids(122));
  room.frame({});
  room.world.recording.credit('join', 122, room.tick, kMe);
  expect(joined().map(({ character }) => character)).toEqual([100, 121, 122]);
  expect(joined().map(({ by }) => by)).toEqual([undefined, kMe, kMe]);
  expect(room.world.recording.marks[0]).toEqual(before);
});

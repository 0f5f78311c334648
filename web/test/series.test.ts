import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { ServerMessageSchema } from '../src/gen/promenade/v1/wire_pb';
import { decode_frame } from '../src/net/decode';
import { read_character } from '../src/net/frame_reader';
import { layout_of } from '../src/state/frames/cast_layout';
import { csv_of } from '../src/state/values/csv';
import { quantities_of } from '../src/state/recording/quantities';
import { digits_for, round_numbers, round_step } from '../src/state/values/scale';
import { Series } from '../src/state/recording/series';
import { kUnits, Room } from './room';

function quantity(room: Room, key: string) {
  const skeleton = room.world.cast.value.members[0]?.skeleton;
  const found = quantities_of(skeleton).find((one) => one.key === key);
  if (!found) throw new Error(`no ${key}`);
  return found;
}

test('one character is read out of a frame as it is decoded in it', () => {
  const room = new Room();
  room.roster([3, 5, 8]);
  room.frame({ flags: [1, 300, 7] });
  const { recording, cast } = room.world;
  const take = recording.at(0);
  if (!take) throw new Error('nothing recorded');
  const layout = layout_of(cast.value, kUnits);
  const { kind } = fromBinary(ServerMessageSchema, take.bytes);
  if (kind.case !== 'frame') throw new Error('no frame');
  const whole = decode_frame(kind.value, kUnits, layout, 0);
  for (const { index, coordinate, skeleton } of cast.value.members) {
    const units = layout.characters.subarray(coordinate, coordinate + skeleton.coordinates);
    const one = read_character(take.bytes, index, coordinate, units, kUnits.position_m);
    expect(one?.root).toEqual(whole.roots.slice(7 * index, 7 * index + 7));
    expect(one?.joints).toEqual(whole.joints.slice(coordinate, coordinate + units.length));
    expect(one?.flags).toBe(whole.flags[index]);
    expect(one?.limbs).toBe(whole.limb_contacts[index]);
  }
});

describe('a series', () => {
  test('of footfalls has the limbs that press on something', () => {
    const room = new Room();
    room.roster([1, 2]);
    for (let i = 0; i < 9; ++i) room.frame();
    const feet = new Series(room.world.recording, 2, quantity(room, 'footfalls'));
    feet.update(Infinity);
    expect(Array.from({ length: 4 }, (_, i) => feet.value(i))).toEqual(
      Array.from({ length: 4 }, (_, i) => (102 + 2 * i + 1) % 4),
    );
  });

  test('is the quantity at each frame, as far as there is one', () => {
    const room = new Room();
    room.roster([1, 2]);
    for (let i = 0; i < 20; ++i) room.frame();
    room.roster([2]);
    for (let i = 0; i < 20; ++i) room.frame();
    const height = new Series(room.world.recording, 1, quantity(room, 'height'));
    expect(height.update(Infinity)).toBe(true);
    expect(height.length).toBe(39); // the last frame is read with the next
    expect(height.value(5)).toBeCloseTo(0.94 + 0.02 * Math.sin((2 * (100 + 12)) / 30), 2);
    expect(height.value(25)).toBeNaN();
    expect(height.at(height.time_ms(5) + 10)).toBe(height.value(5));
    expect(height.at(height.time_ms(0) - 1000)).toBeNaN();
    const knee = new Series(room.world.recording, 2, quantity(room, 'joint-left_shank-0'));
    knee.update(Infinity);
    expect(Math.abs(knee.value(30))).toBeLessThan((180 * 0.003 * 180) / Math.PI + 0.1);
    expect(knee.value(30)).not.toBeNaN();
  });

  test('has speeds in simulated time, whatever the time scale was', () => {
    const speed_in = (ms: number) => {
      const room = new Room();
      room.world.receive({
        kind: 'hello',
        hello: { version: '', role: 4, room: '', epoch: 1, tick_s: 1 / 60, rate_hz: 30 },
      });
      room.scene('again');
      room.roster([1]);
      for (let i = 0; i < 20; ++i) room.frame({ ms });
      const speed = new Series(room.world.recording, 1, quantity(room, 'speed'));
      speed.update(Infinity);
      return speed.value(10);
    };
    // x = 0.04 tick + 0.9 sin(tick / 30 + 1) m, at 60 ticks a second.
    const tick = 100 + 2 * 11;
    const truth = 60 * (0.04 + (0.9 / 30) * Math.cos(tick / 30 + 1));
    expect(speed_in(33)).toBeCloseTo(truth, 1);
    expect(speed_in(133)).toBeCloseTo(truth, 1);
  });

  test('goes on as the recording does, and forgets with it', () => {
    const room = new Room();
    room.roster([1]);
    const height = new Series(room.world.recording, 1, quantity(room, 'height'));
    for (let i = 0; i < 70 * 30; ++i) {
      room.frame();
      if (i % 100 === 0) height.update(Infinity);
    }
    height.update(Infinity);
    const { recording } = room.world;
    expect(height.length).toBe(recording.end - recording.first - 1);
    expect(height.time_ms(0)).toBe(recording.from_ms);
    expect(height.nearest(recording.from_ms + 340)).toBe(10);
  });

  test('of details is there while somebody was watched', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 10; ++i) {
      room.frame();
      if (i > 4) room.details([{ id: 1, comM: [0, 0, 1 + i], state: 'walking', speedMps: 0.5 }]);
    }
    const com = new Series(room.world.recording, 1, quantity(room, 'com'));
    com.update(Infinity);
    expect(com.value(3)).toBeNaN();
    expect(com.value(7)).toBe(8);
  });
});

test('scales have round numbers', () => {
  expect(round_step(1, 5)).toBeCloseTo(0.2);
  expect(round_numbers(-0.13, 0.52, 6)).toHaveLength(3);
  expect(round_numbers(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(round_numbers(1, 1, 5)).toEqual([]);
  expect([digits_for(0.2), digits_for(0.05), digits_for(20), digits_for(1)]).toEqual([1, 2, 0, 0]);
});

test('tables have cells that any program reads', () => {
  expect(
    csv_of(
      ['t', 'a "b"'],
      [
        [1, 'x,y'],
        [Number.NaN, ''],
      ],
    ),
  ).toBe('t,"a ""b"""\r\n1,"x,y"\r\n,\r\n');
});

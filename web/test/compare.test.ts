import { describe, expect, test } from 'vitest';
import { kFlag } from '../src/net/frame';
import { Compare, place_poses, pose_at } from '../src/state/recording/compare';
import { complete, make_world_pose } from '../src/state/frames/interpolate';
import { heading_of } from '../src/state/values/quaternion';
import { Strides } from '../src/state/gait/strides';
import { Room } from './room';

/** Frames of two walkers: the stride of the first takes 30 frames, of the second 20. */
function walk(frames: number): Room {
  const room = new Room();
  room.roster([1, 2]);
  for (let i = 0; i < frames; ++i)
    room.frame({ flags: [30, 20].map((n) => (i % n < n / 2 ? kFlag.left_stance : 0)) });
  return room;
}

describe('strides', () => {
  test('begin when the left foot begins to bear, and have phases', () => {
    const { recording } = walk(100).world;
    const strides = new Strides(recording, 1);
    expect(strides.update(Infinity)).toBe(true);
    const start = recording.at(30)?.t_ms ?? 0;
    expect(strides.at(start + 400)).toEqual({ from_ms: start, to_ms: recording.at(60)?.t_ms });
    expect(strides.phase(start + 250)).toBeCloseTo(0.25);
    // The one under way is taken to be like the one before.
    expect(strides.phase((recording.at(90)?.t_ms ?? 0) + 200)).toBeCloseTo(0.2);
  });

  test('are none for a character that stands or is not there', () => {
    const room = new Room();
    room.roster([1]);
    for (let i = 0; i < 50; ++i) room.frame({ flags: [kFlag.standing | (i % 2)] });
    const strides = new Strides(room.world.recording, 1);
    strides.update(Infinity);
    expect(strides.at(room.world.recording.to_ms)).toBeUndefined();
    expect(strides.phase(room.world.recording.to_ms)).toBeUndefined();
    const nobody = new Strides(room.world.recording, 9);
    nobody.update(Infinity);
    expect(nobody.at(500)).toBeUndefined();
  });
});

describe('comparing', () => {
  test('shows the second at the phase of the first', () => {
    const { recording } = walk(200).world;
    const compare = new Compare(recording, 1, 2);
    for (const one of [compare.first, compare.second]) one.update(Infinity);
    const at = recording.at(100)?.t_ms ?? 0; // a third of the first's stride from 90 on
    compare.guest(at, { aligned: true, aside: false });
    const then = compare.time_of_second(at);
    expect(compare.second.phase(then)).toBeCloseTo(compare.first.phase(at) ?? -1, 5);
    expect(Math.abs(then - at)).toBeLessThan(700);
    // At the live end too, where the second's stride is not over yet.
    const end = recording.to_ms;
    const last = compare.time_of_second(end);
    expect(last).toBeLessThanOrEqual(end);
    expect(compare.second.phase(last)).toBeCloseTo(compare.first.phase(end) ?? -1, 5);
  });

  test('puts the second where the first is, facing its way, or beside it', () => {
    const { recording } = walk(200).world;
    const compare = new Compare(recording, 1, 2);
    for (const one of [compare.first, compare.second]) one.update(Infinity);
    const at = recording.at(150)?.t_ms ?? 0;
    const host = pose_at(recording, 1, at);
    const over = compare.guest(at, { aligned: true, aside: false });
    expect(over?.id).toBe(2);
    [0, 1].forEach((k) => expect(over?.poses[k]).toBeCloseTo(host?.poses[k] ?? -99, 4));
    const beside = compare.guest(at, { aligned: true, aside: true });
    const [dx, dy] = [0, 1].map((k) => (beside?.poses[k] ?? 0) - (host?.poses[k] ?? 0));
    const away = Math.hypot(dx ?? 0, dy ?? 0);
    expect(away).toBeGreaterThan(0.6);
    expect(away).toBeLessThan(3);
    // The limbs hang together as before.
    const own = pose_at(recording, 2, compare.time_of_second(at));
    const span = (poses: Float32Array | undefined) =>
      Math.hypot(...[0, 1, 2].map((k) => (poses?.[70 + k] ?? 0) - (poses?.[k] ?? 0)));
    expect(span(over?.poses)).toBeCloseTo(span(own?.poses), 4);
  });

  test('reads a pose as the picture has it', () => {
    const { world } = walk(20);
    const { recording, lookback } = world;
    const t_ms = recording.at(7)?.t_ms ?? 0;
    lookback.enter(t_ms);
    const whole = make_world_pose();
    lookback.sample(whole);
    for (const one of whole.cast.members) complete(whole, one);
    const member = whole.cast.members[1];
    const one = pose_at(recording, 2, t_ms);
    one?.poses.forEach((value, k) =>
      expect(value).toBeCloseTo(whole.poses[(member?.pose ?? 0) + k] as number, 5),
    );
  });

  test('turns a body about the vertical', () => {
    const poses = new Float32Array([1, 2, 0.9, 0, 0, 0, 1, 2, 2, 0.5, 0, 0, 0, 1]);
    place_poses(poses, [1, 2], [5, 5], Math.PI / 2);
    [5, 5, 0.9].forEach((value, k) => expect(poses[k]).toBeCloseTo(value, 6));
    [5, 6, 0.5].forEach((value, k) => expect(poses[7 + k]).toBeCloseTo(value, 6));
    expect(heading_of(poses, 10)).toBeCloseTo(Math.PI / 2, 5);
  });
});

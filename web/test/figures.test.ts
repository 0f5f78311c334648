import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CharacterDetailsSchema } from '../src/gen/promenade/v1/wire_pb';
import { achieved_speed, step_length_text } from '../src/state/room/achieved';
import { PictureRate } from '../src/state/picture/picture_rate';

describe('achieved', () => {
  const walking = {
    state: 'walking',
    speedMps: 0.9,
    comVelocityMps: [0.5, 0, 0],
    stepLengthM: 0.62,
    stepTimeS: 0.5,
  };

  test('the speed is that of the last steps while it walks', () => {
    expect(achieved_speed(create(CharacterDetailsSchema, walking))).toBeCloseTo(0.9);
  });

  test('a standing character has the speed of the body and not that of the last steps', () => {
    const standing = {
      ...walking,
      state: 'standing',
      speedMps: 0.29,
      comVelocityMps: [0, 0.01, 0],
    };
    expect(achieved_speed(create(CharacterDetailsSchema, standing))).toBeCloseTo(0, 5);
    const facing = { ...standing, headingRad: Math.PI / 2 };
    expect(achieved_speed(create(CharacterDetailsSchema, facing))).toBeCloseTo(0.01, 5);
  });

  test('there is no step length but that of steps, and none is below nothing', () => {
    const text = (more: object) =>
      step_length_text(create(CharacterDetailsSchema, { ...walking, ...more }));
    expect(text({})).toBe('0.62 m');
    expect(text({ stepLengthM: -0.06 })).toBe('0.06 m back');
    expect(text({ stepLengthM: -0.001 })).toBe('0.00 m');
    expect(text({ state: 'standing', stepLengthM: -0.06 })).toBe('–');
    expect(text({ stepTimeS: 0 })).toBe('–');
  });
});

describe('pictures a second', () => {
  test('are counted over time: a slow picture weighs as long as it took', () => {
    const rate = new PictureRate();
    expect(rate.at(0)).toBe(0);
    // In turn 20 ms and 300 ms: the mean of the rates would be 27, in fact 6.25 are drawn.
    let now = 0;
    for (let i = 0; i < 20; ++i) rate.add((now += i % 2 === 0 ? 20 : 300));
    expect(rate.at(now)).toBeGreaterThan(5.5);
    expect(rate.at(now)).toBeLessThan(8.5);
  });

  test('fall while no picture comes', () => {
    const rate = new PictureRate();
    for (let now = 0; now <= 1000; now += 16) rate.add(now);
    expect(rate.at(1000)).toBeCloseTo(62.5, 0);
    expect(rate.at(3000)).toBeLessThan(0.6);
  });
});

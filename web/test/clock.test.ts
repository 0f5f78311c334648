import { describe, expect, test } from 'vitest';
import { backoff_ms } from '../src/net/backoff';
import { ClockOffset } from '../src/net/clock';
import { Playback } from '../src/state/frames/playback';
import { scale_of, stop_of } from '../src/ui/room/clock_bar';

describe('clock offset', () => {
  test('is unknown before the first ping', () => {
    expect(new ClockOffset().offset_ms()).toBeUndefined();
  });

  test('comes from the fastest ping', () => {
    const clock = new ClockOffset();
    clock.add(1000, 1100, 51080); // slow on the way there: 30 ms off
    clock.add(2000, 2010, 52005);
    clock.add(3000, 3200, 53020);
    expect(clock.offset_ms()).toBe(50000);
    expect(clock.latency_ms()).toBe(200);
  });

  test('forgets old pings, so that drift is followed', () => {
    const clock = new ClockOffset();
    clock.add(0, 1, 100);
    for (let i = 1; i <= 12; ++i) clock.add(1000 * i, 1000 * i + 10, 1000 * i + 205);
    expect(clock.offset_ms()).toBe(200);
  });
});

describe('playback', () => {
  function settle(jitter_ms: number): number {
    const playback = new Playback();
    let delay = 0;
    for (let i = 0; i < 300; ++i) {
      playback.on_frame(i * 33.3, i % 5 === 0 ? jitter_ms : 2);
      delay = playback.delay_ms(33.3);
    }
    return delay;
  }

  test('plays 60 to 110 ms behind on a steady line at 30 Hz', () => {
    expect(settle(2)).toBeGreaterThan(60);
    expect(settle(2)).toBeLessThan(110);
  });

  test('stays further behind on a jittery line, within bounds', () => {
    expect(settle(60)).toBeGreaterThan(settle(2) + 50);
    expect(settle(5000)).toBeLessThanOrEqual(400);
  });
});

describe('backoff', () => {
  test('doubles up to five seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map((attempt) => backoff_ms(attempt, 0.5))).toEqual([
      250, 500, 1000, 2000, 4000, 5000, 5000,
    ]);
  });

  test('spreads by a fifth', () => {
    expect(backoff_ms(2, 0)).toBeCloseTo(800);
    expect(backoff_ms(2, 1)).toBeCloseTo(1200);
  });
});

describe('time scale slider', () => {
  test('reaches from a tenth to as fast as possible', () => {
    expect(scale_of(0)).toBeCloseTo(0.1);
    expect(scale_of(100)).toBe(0);
  });

  test.each([0.1, 0.5, 1, 2, 10, 0])('%d comes back', (scale) => {
    expect(scale_of(stop_of(scale))).toBeCloseTo(scale, 1);
  });
});

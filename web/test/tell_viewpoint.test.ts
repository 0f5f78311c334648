import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Viewpoint } from '../src/net/messages';
import { tell_viewpoint } from '../src/ui/camera/tell_viewpoint';

const kView: Viewpoint = { eye_m: [1, 2, 3], forward: [1, 0, 0], height_rad: 0.5, aspect: 1.5 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the camera is told when it has moved, ten times a second at most', () => {
  const told: Viewpoint[] = [];
  const stage = { viewpoint: kView };
  const client = { look: (viewpoint: Viewpoint) => told.push(viewpoint) };
  const look = tell_viewpoint({ client } as never, stage);
  look();
  expect(told).toEqual([kView]);
  const after_ms = (ms: number, change: Partial<Viewpoint>) => {
    vi.advanceTimersByTime(ms);
    stage.viewpoint = { ...stage.viewpoint, ...change };
    look();
    return told.length;
  };
  expect(after_ms(200, {})).toBe(1);
  expect(after_ms(200, { eye_m: [1.05, 2, 3] })).toBe(1); // less than is worth a message
  expect(after_ms(200, { eye_m: [1.2, 2, 3] })).toBe(2);
  expect(after_ms(50, { eye_m: [9, 2, 3] })).toBe(2); // too soon
  expect(after_ms(50, {})).toBe(3);
  expect(after_ms(200, { forward: [0, 1, 0] })).toBe(4);
  expect(after_ms(200, { height_rad: 0.6 })).toBe(5);
  expect(after_ms(200, { aspect: 1.6 })).toBe(6);
});

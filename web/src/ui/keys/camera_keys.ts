// The keys of the camera.
import type { Viewport } from '../../scene/picture/viewport';
import type { Side } from '../../state/picture/camera_views';
import type { Toasts } from '../parts/toasts';

export interface CameraKeys {
  /** Looks from the front, the side, above; 0: as the scene directs. */
  side(key: '0' | '1' | '2' | '3'): void;
  part(direction: 1 | -1): void;
  /** Turns the camera by steps, to the right on the screen and up. */
  orbit(right: number, up: number): void;
  zoom(steps: number): void;
}

const kSides: Readonly<Record<'1' | '2' | '3', readonly [Side, Side]>> = {
  '1': ['front', 'back'],
  '2': ['right', 'left'],
  '3': ['top', 'top'],
};
const kAgain_ms = 4000; // the same key within this time shows the other side

export function camera_keys(viewport: Viewport, toasts: Toasts): CameraKeys {
  let last: { key: string; other: boolean; ms: number } | undefined;
  return {
    side: (key) => {
      if (key === '0') {
        last = undefined;
        return viewport.cameraman.look_at_scene();
      }
      const now = performance.now();
      const again = last?.key === key && now - last.ms < kAgain_ms;
      last = { key, other: again && !last?.other, ms: now };
      viewport.cameraman.look_from(kSides[key][last.other ? 1 : 0]);
    },
    part: (direction) => {
      const part = viewport.cameraman.follow_next_part(direction);
      toasts.show(
        part
          ? `The camera follows the ${part.title.toLowerCase()}.`
          : 'Select someone first. Then the camera can follow a part of the body.',
      );
    },
    orbit: (right, up) => viewport.cameraman.turn(right, up),
    zoom: (steps) => viewport.cameraman.zoom(steps),
  };
}

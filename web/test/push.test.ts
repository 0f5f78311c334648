import { describe, expect, it } from 'vitest';
import { away_on_ground, push_force, type ScreenAxes } from '../src/state/hand/push';
import type { Vec3 } from '../src/state/values/quaternion';

/** Axes of a camera at this height that looks at the origin from behind it (towards +x). */
function axes_from(pitch_rad: number): ScreenAxes {
  return { right: [0, -1, 0], up: [Math.sin(pitch_rad), 0, Math.cos(pitch_rad)] };
}

const kMass_kg = 70;
const length = (force: Vec3) => Math.hypot(...force);

describe('the force of a drawn push', () => {
  it('grows in proportion to the length on the screen, at a low camera too', () => {
    for (const pitch of [-0.2, 0.02, 0.4, 1.3])
      for (const plane of ['ground', 'screen'] as const) {
        const unit = length(push_force([0, 10], axes_from(pitch), plane, kMass_kg));
        for (const px of [20, 50, 120, 170])
          expect(length(push_force([0, px], axes_from(pitch), plane, kMass_kg))).toBeCloseTo(
            (unit * px) / 10,
            6,
          );
      }
  });

  it('is the same in every direction', () => {
    const forces = Array.from({ length: 12 }, (_, i) => {
      const angle = (i / 12) * 2 * Math.PI;
      const drawn = [100 * Math.cos(angle), 100 * Math.sin(angle)] as const;
      return length(push_force(drawn, axes_from(0.3), 'ground', kMass_kg));
    });
    for (const force of forces) expect(force).toBeCloseTo(forces[0] as number, 6);
  });

  it('lies on the ground, up on the screen leading away, or in the plane of the picture', () => {
    const axes = axes_from(0.3);
    const ground = push_force([0, 100], axes, 'ground', kMass_kg);
    expect(ground[2]).toBe(0);
    expect(ground[0]).toBeGreaterThan(0);
    expect(push_force([100, 0], axes, 'ground', kMass_kg)[1]).toBeLessThan(0);
    const screen = push_force([0, 100], axes, 'screen', kMass_kg);
    expect(screen[2] / screen[0]).toBeCloseTo(axes.up[2] / axes.up[0], 6);
    expect(away_on_ground(axes)).toEqual([1, 0, 0]);
  });

  it('is in proportion to the weight, and at most what the viewer may', () => {
    const axes = axes_from(0.3);
    const one = length(push_force([100, 0], axes, 'ground', 1));
    expect(length(push_force([100, 0], axes, 'ground', 70))).toBeCloseTo(70 * one, 6);
    expect(length(push_force([5000, 0], axes, 'ground', 70))).toBeCloseTo(3 * 70 * 9.8, 6);
    expect(length(push_force([5000, 0], axes, 'ground', 70, 250))).toBeCloseTo(250, 6);
    expect(push_force([0, 0], axes, 'ground', 70)).toEqual([0, 0, 0]);
  });
});

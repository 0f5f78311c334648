// Heads of bodies that walk upright: of a machine, of a beast, and of a person.
import type { Vec3 } from '../../state/values/quaternion';
import type { Tailor } from './tailor';

/** The collision shape that a head is drawn over. */
export interface Head {
  readonly link: number;
  readonly middle: Vec3; // m, in the frame of the link
  readonly r: number; // m, radius
  readonly tall: number; // m, how far the shape's ends are above and below the middle
}

/** A box with a lit visor, and an antenna on its left. */
export function machine_head(t: Tailor, { link, middle: [x, y, z], r, tall }: Head): void {
  t.box(link, 'skin', [x, y, z], [r * 0.4, r * 0.38, tall], r * 0.55);
  t.box(link, 'dark', [x + r * 0.62, y, z + r * 0.12], [r * 0.02, r * 0.42, r * 0.04], r * 0.34);
  t.box(link, 'light', [x + r * 0.9, y, z + r * 0.12], [0.0001, r * 0.38, 0.0001], r * 0.1);
  t.limb(
    link,
    'shoe',
    { from: [x - r * 0.2, y + r * 0.5, z + r * 1.7], to: [x - r * 0.2, y + r * 0.5, z + r * 0.7] },
    r * 0.06,
    r * 0.08,
    { seen: 'close' },
  );
  t.ball(link, 'light', [x - r * 0.2, y + r * 0.5, z + r * 1.75], [r * 0.13, r * 0.13, r * 0.13], {
    seen: 'close',
  });
}

/** A round head with a muzzle, and a horn and an eye on either side. */
export function beast_head(t: Tailor, { link, middle: [x, y, z], r, tall }: Head): void {
  t.box(link, 'skin', [x, y, z], [r * 0.1, r * 0.05, tall * 0.8], r * 0.96);
  t.limb(
    link,
    'skin',
    { from: [x + r * 0.35, y, z - r * 0.05], to: [x + r * 1.15, y, z - r * 0.32] },
    r * 0.6,
    r * 0.42,
  );
  t.ball(link, 'dark', [x + r * 1.52, y, z - r * 0.22], [r * 0.16, r * 0.22, r * 0.15]);
  for (const side of [1, -1]) {
    t.limb(
      link,
      'hair',
      {
        from: [x - r * 0.3, side * r * 1.05, z + r * 1.45],
        to: [x - r * 0.1, side * r * 0.5, z + r * 0.7],
      },
      r * 0.1,
      r * 0.3,
    );
    t.ball(
      link,
      'dark',
      [x + r * 0.72, side * r * 0.44, z + r * 0.38],
      [r * 0.13, r * 0.14, r * 0.16],
      { seen: 'close' },
    );
  }
}

/** A head with hair, a nose, eyes and ears. */
export function human_head(t: Tailor, { link, middle: [x, y, z], r, tall }: Head): void {
  t.box(link, 'skin', [x, y, z], [r * 0.06, 0.0001, tall], r * 0.9, { bottom: r * 0.8 });
  // Hair: a cap pushed back and up, so that the face stays free.
  t.box(link, 'hair', [x - r * 0.2, y, z + r * 0.3], [r * 0.05, r * 0.04, tall * 0.6], r * 0.9, {
    bottom: r * 0.84,
  });
  t.ball(link, 'skin', [x + r * 0.98, y, z - r * 0.02], [r * 0.15, r * 0.11, r * 0.17], {
    seen: 'close',
  });
  for (const side of [1, -1]) {
    t.ball(
      link,
      'dark',
      [x + r * 0.83, side * r * 0.34, z + r * 0.16],
      [r * 0.09, r * 0.1, r * 0.13],
      { seen: 'close' },
    );
    t.ball(link, 'skin', [x - r * 0.02, side * r * 0.9, z], [r * 0.16, r * 0.12, r * 0.22], {
      seen: 'close',
    });
  }
}

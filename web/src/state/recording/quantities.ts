// Quantities of a character to plot over time: of everybody those in the frames, of watched characters those in
// the details.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import type { FrameCharacter } from '../../net/frame_reader';
import { leg_rows } from '../gait/footfalls';
import { limbs_told } from '../gait/footprints';
import { achieved_speed } from '../room/achieved';
import { at, heading_of } from '../values/quaternion';
import type { Skeleton } from '../figure/skeleton';

export interface Quantity {
  readonly key: string;
  readonly title: string;
  readonly group: string;
  readonly unit: string;
  readonly digits: number;
  readonly least_span: number; // the scale never shows less
  /** Of the frame; undefined where the body has no such joint. */
  readonly frame?: (character: FrameCharacter, skeleton: Skeleton) => number | undefined;
  /** Of the frame: x and y, m, whose speed is meant. */
  readonly speed_of?: (character: FrameCharacter) => readonly [number, number];
  /** Its values are the feet that are down, as FootSample.down: each leg has a row, and there is no scale. */
  readonly feet?: true;
  readonly details?: (details: CharacterDetails) => number | undefined;
}

const kDeg = 180 / Math.PI;
const kMove = 'Motion';
const kWatched = 'Recorded while selected';

/** Which feet press on something, of bodies with legs. */
export const kFootfalls: Quantity = {
  ...{ key: 'footfalls', title: 'Footfalls', group: kMove, unit: '', digits: 0, least_span: 1 },
  feet: true,
  frame: ({ flags, limbs }, skeleton) => limbs_told(skeleton, flags, limbs),
};

const upward = (side: 0 | 1) => (details: CharacterDetails) => details.footForceN[3 * side + 2];

const kFixed: readonly Quantity[] = [
  {
    ...{ key: 'speed', title: 'Speed', group: kMove, unit: 'm/s', digits: 2, least_span: 0.5 },
    speed_of: ({ root }) => [at(root, 0), at(root, 1)],
  },
  {
    ...{ key: 'height', title: 'Height of the hips', group: kMove, unit: 'm' },
    ...{ digits: 3, least_span: 0.1 },
    frame: ({ root }) => at(root, 2),
  },
  {
    ...{ key: 'heading', title: 'Heading', group: kMove, unit: '°', digits: 0, least_span: 20 },
    frame: ({ root }) => kDeg * heading_of(root, 3),
  },
  {
    ...{ key: 'lean', title: 'Lean of the hips', group: kMove, unit: '°' },
    ...{ digits: 1, least_span: 10 },
    frame: ({ root }) => kDeg * lean_of(root),
  },
  {
    ...{ key: 'steps', title: 'Speed over the last steps', group: kWatched, unit: 'm/s' },
    ...{ digits: 2, least_span: 0.5 },
    details: achieved_speed,
  },
  {
    ...{ key: 'left-force', title: 'Ground force, left', group: kWatched, unit: 'N' },
    ...{ digits: 0, least_span: 400 },
    details: upward(0),
  },
  {
    ...{ key: 'right-force', title: 'Ground force, right', group: kWatched, unit: 'N' },
    ...{ digits: 0, least_span: 400 },
    details: upward(1),
  },
  {
    ...{ key: 'com', title: 'Height of the centre of mass', group: kWatched, unit: 'm' },
    ...{ digits: 3, least_span: 0.1 },
    details: ({ comM }) => comM[2],
  },
  {
    ...{ key: 'kinetic', title: 'Kinetic energy', group: kWatched, unit: 'J' },
    ...{ digits: 0, least_span: 20 },
    details: ({ kineticEnergyJ }) => kineticEnergyJ,
  },
  {
    ...{ key: 'potential', title: 'Potential energy', group: kWatched, unit: 'J' },
    ...{ digits: 0, least_span: 20 },
    details: ({ potentialEnergyJ }) => potentialEnergyJ,
  },
  {
    ...{ key: 'phase', title: 'Phase of the step', group: kWatched, unit: '' },
    ...{ digits: 2, least_span: 1 },
    details: ({ phase }) => phase,
  },
];

/** Angle of the root's z axis from the vertical, rad. */
function lean_of(root: FrameCharacter['root']): number {
  const [x, y] = [at(root, 3), at(root, 4)];
  return Math.acos(Math.min(1, Math.max(-1, 1 - 2 * (x * x + y * y))));
}

const kAxes: Readonly<Record<string, readonly string[]>> = {
  hinge: [''],
  slider: [''],
  universal: [', pitch', ', roll'],
  ball: [', about x', ', about y', ', about z'],
};

function joint_quantities(skeleton: Skeleton): Quantity[] {
  return skeleton.links.flatMap(({ name, joint }) =>
    (kAxes[joint.kind] ?? []).map((axis, k): Quantity => {
      const slides = joint.kind === 'slider';
      return {
        key: `joint-${name}-${k}`,
        title: `${name.replaceAll('_', ' ')}${axis}`,
        group: 'Joints',
        unit: slides ? 'm' : '°',
        digits: slides ? 3 : 1,
        least_span: slides ? 0.05 : 10,
        frame: ({ joints }, of) => {
          const link = of.links.find((one) => one.name === name);
          if (!link || link.joint.kind !== joint.kind) return undefined;
          return (slides ? 1 : kDeg) * at(joints, link.coordinate + k);
        },
      };
    }),
  );
}

/** All that can be plotted of a body; of another body with joints of the same names, too. */
export function quantities_of(skeleton: Skeleton | undefined): readonly Quantity[] {
  if (!skeleton) return kFixed;
  const feet = leg_rows(skeleton).length > 0 ? [kFootfalls] : [];
  return [...kFixed, ...feet, ...joint_quantities(skeleton)];
}

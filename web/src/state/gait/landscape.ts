// The landscape of a gait: a figure over two of its free numbers, and the gait at one of its points. Source: Panne1996, figure 9
import { create } from '@bufbuild/protobuf';
import {
  type Gait,
  GaitOriginSchema,
  type GaitState,
  type JointPose,
} from '../../gen/promenade/v1/gait_pb';
import type { GaitLandscape, LandscapeAxis } from '../../gen/promenade/v1/gait_study_pb';
import { without_search } from './gait_mix';

/** A point of the grid, from 0: across, then up. */
export interface GridPoint {
  readonly across: number;
  readonly up: number;
}

/** The figures that the page offers, by their names on the server. */
export const kLandscapeFigures: readonly (readonly [name: string, title: string])[] = [
  ['speed', 'Speed'],
  ['turning', 'Turning'],
  ['height', 'Height'],
  ['bounce', 'Bounce'],
  ['airborne', 'Time in the air'],
  ['effort', 'Effort'],
  ['rock', 'Rocking'],
  ['unevenness', 'Unevenness'],
];

/** "state1.left_fore_hip.2" as "1: left fore hip 2". */
export function number_title(name: string): string {
  const [state = '', ...rest] = name.split('.');
  return `${state.replace('state', '')}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

export const index_of = ({ points }: GaitLandscape, { across, up }: GridPoint): number =>
  up * points + across;

/** The point of the grid that is nearest to the gait. */
export function point_of_gait({ axes }: GaitLandscape): GridPoint {
  const nearest = (axis: LandscapeAxis | undefined) => {
    const off = (axis?.marks ?? []).map((mark) => Math.abs(mark - (axis?.at ?? 0)));
    return Math.max(0, off.indexOf(Math.min(...off)));
  };
  return { across: nearest(axes[0]), up: nearest(axes[1]) };
}

/** Least and greatest value of the points that went on; undefined: all fell. */
export function value_span({
  ends,
  values,
}: GaitLandscape): { readonly least: number; readonly most: number } | undefined {
  const up = values.filter((_, i) => ends[i] === 0);
  return up.length > 0 ? { least: Math.min(...up), most: Math.max(...up) } : undefined;
}

const fixed = (value: number) => value.toFixed(3).replace('-', '−');

/** What a point has, in words. */
export function point_words(map: GaitLandscape, point: GridPoint): string {
  const i = index_of(map, point);
  const [across, up] = map.axes;
  const number = (axis: LandscapeAxis | undefined, k: number) =>
    `${number_title(axis?.name ?? '')} ${fixed(axis?.marks[k] ?? 0)} ${axis?.unit ?? ''}`;
  const end = map.ends[i] ?? 0;
  const unit = map.unit && ` ${map.unit}`;
  const value = end === 0 ? `${fixed(map.values[i] ?? 0)}${unit}` : map.endNames[end];
  return `${value} at ${number(across, point.across)}, ${number(up, point.up)}`;
}

/**
 * The gait at a point: its states go linearly with each number, and what follows from the symmetry goes with them. They are those
 * that the map was made of, whatever `gait` has now. It comes from no search, but its feedback still compares with the gait's speed.
 */
export function gait_at(gait: Gait, { axes }: GaitLandscape, { across, up }: GridPoint): Gait {
  const [first] = axes;
  if (!first) return gait;
  const steps = [across, up].flatMap((k, i) => {
    const axis = axes[i];
    if (!axis || axis.high === axis.low) return [];
    const by = ((axis.marks[k] ?? axis.at) - axis.at) / (axis.high - axis.low);
    return [{ by, low: axis.lowStates, high: axis.highStates }];
  });
  const whole = first.high - first.low;
  const share = whole === 0 ? 0 : (first.at - first.low) / whole;
  const states = first.lowStates.map((state, s) => {
    const of_map = moved(state, state, first.highStates[s] ?? state, share);
    return steps.reduce((now, { by, low, high }) => {
      const [a, b] = [low[s], high[s]];
      return a && b ? moved(now, a, b, by) : now;
    }, of_map);
  });
  const origin = create(GaitOriginSchema, { speedMps: gait.origin?.speedMps ?? 0 });
  return { ...gait, origin, states, variants: gait.variants.map(without_search) };
}

function moved(state: GaitState, low: GaitState, high: GaitState, by: number): GaitState {
  const shifted = (values: number[], a: number[], b: number[]) =>
    values.map((value, k) => value + by * ((b[k] ?? 0) - (a[k] ?? 0)));
  const of = (pose: readonly JointPose[], joint: string) => pose.find((one) => one.joint === joint);
  const pose = state.pose.map((one) => {
    const [a, b] = [of(low.pose, one.joint), of(high.pose, one.joint)];
    if (!a || !b) return one;
    return {
      ...one,
      atRad: shifted(one.atRad, a.atRad, b.atRad),
      atM: shifted(one.atM, a.atM, b.atM),
    };
  });
  const durationS = state.durationS + by * (high.durationS - low.durationS);
  return { ...state, durationS, pose };
}

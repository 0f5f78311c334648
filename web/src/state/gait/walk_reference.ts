// How people walk, to hold a character against: the curves and laws of server/study/trial/walk/gait_reference.
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import {
  GaitReferenceSchema,
  type GaitReferenceSpeed,
} from '../../gen/promenade/v1/gait_reference_pb';
import walk from '../../gen/reference/walk.json';
import { kGravity_mps2 } from '../values/gravity';

/** Points of a curve over the gait cycle: 0, 2, ... 100 % from a foot's strike to its next. */
export const kCyclePoints = 51;

const kAdultLeg_m = 0.86; // hip to ankle, of the human: the laws of adults hold for that

/** Mean and standard deviation between people, [kCyclePoints]. */
export interface Band {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** The walk of real people at a speed, with legs of a length. */
export interface People {
  readonly bands: ReadonlyMap<string, Band>; // by the names of the file, such as hip
  readonly foot_off: number; // share of the cycle at which the foot leaves the ground
  readonly cadence: number; // steps a minute
  readonly step_length: number; // m
  readonly double_support: readonly [number, number]; // % of the cycle, both together: normal from, to
}

// Normal ranges of men of 18 to 29, as clinical software has them; by speed, m/s, of adults.
const kSupport = [
  { speed: 0.8, low: 25, high: 34 },
  { speed: 1.2, low: 22, high: 31 },
  { speed: 1.6, low: 17, high: 24 },
] as const;

const { source, speeds: kSpeeds } = fromJson(GaitReferenceSchema, walk as JsonValue);

/** The publication that people's curves are from. */
export const kSource = source;

function mixed(a: readonly number[], b: readonly number[], share: number): number[] {
  return a.map((value, i) => value + share * ((b[i] ?? value) - value));
}

/** The measured speeds on both sides of a Froude speed, and how far it is from the first to the second, 0 to 1. */
function around(froude: number): { low: GaitReferenceSpeed; high: GaitReferenceSpeed; t: number } {
  const found = kSpeeds.findIndex(({ froudeSpeed }) => froudeSpeed >= froude);
  const above = found < 0 ? kSpeeds.length - 1 : found;
  const high = kSpeeds[above] as GaitReferenceSpeed;
  const low = kSpeeds[Math.max(0, above - 1)] as GaitReferenceSpeed;
  const gap = high.froudeSpeed - low.froudeSpeed;
  const t = gap > 0 ? Math.min(1, Math.max(0, (froude - low.froudeSpeed) / gap)) : 1;
  return { low, high, t };
}

/**
 * Law:    cadence = 107 speed^0.43 for adults. Other lengths of leg by dynamic similarity: speeds go with the root of
 *         the length, times too.
 * Source: server/study/trial/walk/gait_reference.h
 */
export function cadence_of(speed: number, leg_length: number): number {
  const scale = Math.sqrt(kAdultLeg_m / leg_length);
  return 107 * scale * (Math.max(0, speed) * scale) ** 0.43;
}

/** Between the speeds linearly, beyond them as at the nearest. */
function support_at(speed: number): readonly [number, number] {
  const above = kSupport.findIndex((range) => range.speed >= speed);
  const b = kSupport[above < 0 ? kSupport.length - 1 : above] ?? kSupport[0];
  const a = kSupport[Math.max(0, above < 0 ? kSupport.length - 1 : above - 1)] ?? b;
  const t = b.speed > a.speed ? Math.max(0, (speed - a.speed) / (b.speed - a.speed)) : 1;
  return [a.low + t * (b.low - a.low), a.high + t * (b.high - a.high)];
}

/**
 * Between the measured speeds linearly, beyond them as at the nearest.
 * @param speed m/s
 * @param leg_length m, hip to ankle
 */
export function people_at(speed: number, leg_length: number): People {
  const { low, high, t } = around(speed / Math.sqrt(kGravity_mps2 * leg_length));
  const mix = (a: number, b: number) => a + t * (b - a);
  const cadence = cadence_of(speed, leg_length);
  return {
    bands: new Map(
      high.curves.flatMap(({ name, mean, deviation }) => {
        const other = low.curves.find((curve) => curve.name === name);
        if (!other) return [];
        const band = {
          mean: mixed(other.mean, mean, t),
          deviation: mixed(other.deviation, deviation, t),
        };
        return [[name, band] as const];
      }),
    ),
    foot_off: mix(low.footOff, high.footOff),
    cadence,
    step_length: cadence > 0 ? (60 * speed) / cadence : 0,
    double_support: support_at(speed * Math.sqrt(kAdultLeg_m / leg_length)),
  };
}

/** % of the points of a curve that are within one standard deviation of people's mean. */
export function share_within(curve: readonly number[], { mean, deviation }: Band): number {
  const within = curve.filter(
    (value, i) => Math.abs(value - (mean[i] ?? 0)) <= (deviation[i] ?? 0),
  ).length;
  return (100 * within) / Math.max(1, curve.length);
}

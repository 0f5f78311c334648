// Whole numbers from the bits of a RangeDecoder; server/stream/coded/number_code.h has the laws.
import type { RangeDecoder } from './range_decoder';

const kLengths = 33;
const kUnary = 14;
const kSizes = 24; // size classes
const kMostMean = 1 << 14;
const kMostSize = 1 << 10;
// Models of a size class: zero, sign by the one before [3], more [kUnary], the highest of the low bits.
const kSign = 1;
const kMore = 4;
const kHighestLow = kMore + kUnary;
const kOfClass = kHighestLow + 1;

/** Models that a number of unknown size takes, and one of a series. */
export const kLengthModels = kLengths;
export const kNumberModels = kSizes * kOfClass + kLengths;

/** A number of unknown size: 0 to 2^32 - 1. @param models index of the first of kLengthModels */
export function read_length(coder: RangeDecoder, models: number): number {
  let length = 0;
  while (length < 32 && coder.bit(models + length)) ++length;
  const high = length > 16 ? coder.plain(length - 16) : 0;
  const rest = high * 65536 + coder.plain(Math.min(length, 16));
  return (2 ** length + rest - 1) >>> 0;
}

/** How large the numbers of each series have been lately. */
export interface Scales {
  readonly mean: Uint16Array; // sixteenths
  readonly sign: Int8Array; // of the last that was not 0
}

/** The next number of a series. @param models index of the first of kNumberModels */
export function read_number(
  coder: RangeDecoder,
  models: number,
  { mean, sign }: Scales,
  series: number,
): number {
  const before = mean[series] as number;
  const width = 32 - Math.clz32(before | 1);
  const half = width >= 2 ? (before >> (width - 2)) & 1 : 0;
  const size = Math.min(2 * (width - 1) + half, kSizes - 1);
  const value = read_in_class(
    coder,
    models + size * kOfClass,
    models + kSizes * kOfClass,
    Math.max(0, (size >> 1) - 5),
    sign[series] as number,
  );
  const length = Math.min(Math.abs(value), kMostSize) * 16;
  mean[series] = before + ((length - before) >> 2);
  if (value !== 0) sign[series] = value < 0 ? -1 : 1;
  return value;
}

function read_in_class(
  coder: RangeDecoder,
  models: number,
  beyond: number,
  low_bits: number,
  sign_before: number,
): number {
  if (!coder.bit(models)) return 0;
  const negative = coder.bit(models + kSign + sign_before + 1);
  let size = 0;
  while (size < kUnary && coder.bit(models + kMore + size)) ++size;
  if (size === kUnary) size = (size + read_length(coder, beyond)) >>> 0;
  if (low_bits > 0) {
    const top = coder.bit(models + kHighestLow);
    const low = coder.plain(low_bits - 1);
    size = ((size << low_bits) | (top << (low_bits - 1)) | low) >>> 0;
  }
  const whole = size + 1;
  return (negative ? -whole : whole) | 0;
}

/** What is coded is counted in quanta 2^change times as large from now on. */
export function rescale(mean: Uint16Array, series: number, change: number): void {
  const before = mean[series] as number;
  const after = change > 0 ? before >> Math.min(change, 15) : before * 2 ** Math.min(-change, 15);
  mean[series] = Math.min(kMostMean, Math.max(1, after));
}

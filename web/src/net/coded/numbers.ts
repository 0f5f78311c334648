// Whole numbers from the symbols of a SymbolDecoder; server/stream/coded/number_code.h has the laws.
import type { SymbolDecoder } from './symbol_decoder';
import { type Alphabet, kNumbers, kSizeClasses, kTooLarge } from './symbols';

/** A number below 2^32 of unknown size: how many bits it has, then these bits. */
export function read_whole(coder: SymbolDecoder): number {
  return coder.plain(Math.min(coder.plain(6), 32));
}

function from_zigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** By the mean size in sixteenths: half a power of two each. */
export function size_class_of(mean: number): number {
  const width = 32 - Math.clz32(mean | 1);
  const half = width >= 2 ? (mean >> (width - 2)) & 1 : 0;
  return Math.min(2 * (width - 1) + half, kSizeClasses - 1);
}

/** The mean that a size class begins with. */
export function mean_of(size_class: number): number {
  return size_class < 2 ? 1 : (2 + (size_class & 1)) << ((size_class >> 1) - 1);
}

/** How many bits a number of a size class has beside its symbol. */
export function low_bits(size_class: number): number {
  return Math.max(0, (size_class - 10) >> 1);
}

/** A number, of which its symbol and the lowest bits are known. */
export function read_rest(coder: SymbolDecoder, size_class: number, zigzag: number): number {
  const low = low_bits(size_class);
  const more = zigzag >>> low === kTooLarge ? read_whole(coder) << low : 0;
  return from_zigzag((zigzag + more) >>> 0);
}

const kOften = 6; // the size class of differences between widths

/** A number of which no earlier one is known. @param widths of the bits of others of its kind, the middle of what came */
export function read_first(coder: SymbolDecoder, widths: Int32Array, kind: number): number {
  const width = widths[kind] as number;
  const off = read_rest(coder, kOften, coder.symbol(kNumbers[kOften] as Alphabet));
  const bits = Math.min(32, Math.max(0, (width + off) | 0));
  widths[kind] = width + Math.sign(bits - width);
  return bits === 0 ? 0 : from_zigzag(2 ** (bits - 1) + coder.plain(bits - 1));
}

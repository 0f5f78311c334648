// The alphabets of coded frames and how likely each symbol is taken to be; server/stream/coded/symbols.h and .cpp have the same.

export const kProbabilityBits = 12;
const kCertain = 1 << kProbabilityBits; // all frequencies of an alphabet

export const kSizeClasses = 24;
const kNumberSymbols = 32; // the last: too large, the rest follows
export const kTooLarge = kNumberSymbols - 1;

// How likely it is that somebody is told of.
const kTold = [
  8, 24, 64, 144, 288, 512, 832, 1280, 1792, 2304, 2816, 3264, 3584, 3808, 3952, 4032, 4080,
];
export const kToldLevels = kTold.length;
// The numbers of a size class: how likely are 0, of 2^16, and those too large, of kCertain; between, pairs of symbols become
// less likely along two series. The first begins with 2^20 and goes on by a ratio, of 2^16; the second begins with so many
// times 2^12 and goes on by kTailRatio.
const kZero = [
  51176, 51176, 43381, 41170, 38220, 33762, 28116, 24162, 19152, 14568, 11925, 9810, 16018, 12214,
  17810, 14808, 18335, 13485, 18829, 14475, 23111, 19013, 24649, 30000,
];
const kRatio = [
  8000, 8000, 8000, 8000, 9000, 10000, 15000, 21000, 29000, 36000, 41000, 46000, 39000, 42000,
  43000, 48000, 44000, 46000, 40000, 46000, 41000, 43000, 40000, 40000,
];
const kTail = [1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 8, 16, 16, 32, 12, 8, 8, 12, 12, 12, 12, 12, 12, 12];
const kTooLargeOnes = [
  1, 1, 2, 2, 3, 3, 6, 13, 60, 44, 89, 182, 73, 146, 44, 94, 28, 84, 26, 73, 27, 41, 13, 9,
];
const kTailRatio = 55050;
// The change of a character besides its numbers: none; the three lowest flags; much; these flags and limb contacts.
const kChange = [2732, 8, 48, 48, 48, 48, 8, 128, 320, 4, 168, 168, 168, 168, 4, 28];
export const kLowFlags = 7;
export const kManyChanges = kLowFlags + 1;

/** Symbols that stand for the numbers from 0 on; a decoder looks a symbol up by the lowest bits of its state. */
export interface Alphabet {
  readonly symbol: Uint8Array; // [kCertain]
  readonly frequency: Uint16Array; // [symbols]
  readonly start: Uint16Array; // [symbols]
}

function alphabet(frequencies: readonly number[]): Alphabet {
  const symbol = new Uint8Array(kCertain);
  const start = new Uint16Array(frequencies.length);
  let next = 0;
  frequencies.forEach((frequency, i) => {
    start[i] = next;
    symbol.fill(i, next, (next += frequency));
  });
  return { symbol, frequency: Uint16Array.from(frequencies), start };
}

function numbers(size_class: number): Alphabet {
  const of = (all: readonly number[]) => all[size_class] as number;
  const weights: number[] = [];
  let first = 2 ** 20;
  let second = of(kTail) * 2 ** 12;
  for (let i = 1; i < kTooLarge; ++i) {
    weights.push(first + second);
    if (i % 2 !== 0) continue;
    first = Math.floor((first * of(kRatio)) / 65536);
    second = Math.floor((second * kTailRatio) / 65536);
  }
  const sum = weights.reduce((a, b) => a + b);
  const zero = Math.floor((of(kZero) * kCertain) / 65536);
  const rest = kCertain - zero - kNumberSymbols - of(kTooLargeOnes);
  const frequencies = weights.map((weight) => 1 + Math.floor((weight * rest) / sum));
  frequencies.push(1 + of(kTooLargeOnes));
  return alphabet([kCertain - frequencies.reduce((a, b) => a + b), ...frequencies]);
}

export const kNumbers: readonly Alphabet[] = kZero.map((_, i) => numbers(i));
export const kToldAt: readonly Alphabet[] = kTold.map((told) => alphabet([kCertain - told, told]));
export const kChanges: Alphabet = alphabet(kChange);

/** The level that is nearest to a likelihood. @param likely of kCertain */
export function told_level(likely: number): number {
  let level = 0;
  while (
    level + 1 < kToldLevels &&
    2 * likely > (kTold[level] as number) + (kTold[level + 1] as number)
  )
    ++level;
  return level;
}

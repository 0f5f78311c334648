// The alphabets of coded frames and how likely each symbol is taken to be; server/stream/coded/symbols.h and .cpp have the same.

export const kProbabilityBits = 12;
const kCertain = 1 << kProbabilityBits; // all frequencies of an alphabet

export const kSizeClasses = 24;
const kNumberSymbols = 32; // the last: too large, the rest follows
export const kTooLarge = kNumberSymbols - 1;
export const kMostBits = 4; // that are told at once, each as likely 0 as 1

// How likely it is that somebody is told of.
const kTold = [
  8, 24, 64, 144, 288, 512, 832, 1280, 1792, 2304, 2816, 3264, 3584, 3808, 3952, 4032, 4080,
];
export const kToldLevels = kTold.length;
// Of the size classes, of 2^16: the likelihood of 0, and the ratio of one symbol's to that of the symbol before it.
const kZero = [
  61000, 61000, 58000, 56000, 53000, 49000, 43000, 36000, 29000, 22000, 16000, 12000, 16000, 12000,
  16000, 12000, 16000, 12000, 16000, 12000, 16000, 12000, 16000, 12000,
];
const kRatio = [
  30000, 30000, 30000, 30000, 32000, 34000, 38000, 42000, 46000, 50000, 54000, 57000, 54000, 57000,
  54000, 57000, 54000, 57000, 54000, 57000, 54000, 57000, 54000, 57000,
];
// What of a character has changed: nothing, the three lowest flags by their number, many things.
const kChange = [3560, 40, 40, 40, 40, 40, 40, 40, 256];
export const kManyChanged = 8;

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

function numbers(zero: number, ratio: number): Alphabet {
  // Weights of 1 and more, the greatest 2^20.
  const weights: number[] = [];
  let sum = 0;
  for (let next = 2 ** 20; weights.length < kTooLarge; next = Math.floor((next * ratio) / 65536)) {
    weights.push(next);
    sum += next;
  }
  const rest = kCertain - Math.floor((zero * kCertain) / 65536) - kNumberSymbols;
  const frequencies = weights.map((weight) => 1 + Math.floor((weight * rest) / sum));
  return alphabet([kCertain - frequencies.reduce((a, b) => a + b), ...frequencies]);
}

export const kNumbers: readonly Alphabet[] = kZero.map((zero, i) => numbers(zero, kRatio[i] ?? 0));
/** By the count of bits, from 1. */
export const kBits: readonly Alphabet[] = [1, 2, 3, 4].map((bits) =>
  alphabet(new Array<number>(1 << bits).fill(kCertain >> bits)),
);
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

// Scales that one reads: round numbers at even distances.

/** The round distance between numbers on a scale: 1, 2 or 5 times a power of ten. */
export function round_step(span: number, most: number): number {
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** Numbers for a scale, inside of its ends. @param most how many there is room for */
export function round_numbers(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [];
  const step = round_step(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Digits after the point that tell numbers at this distance apart. */
export function digits_for(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
}

interface Numbers {
  [index: number]: number;
}

const kScale = Math.SQRT1_2 / 511;

/**
 * Decodes a rotation packed in 32 bits: the index of the largest component (x 0, y 1, z 2, w 3) in
 * the top two bits, then the other three in order, ten bits each, 0 to 1022 for -1/sqrt2 to 1/sqrt2. The
 * largest is positive. Writes x, y, z, w to out[o..o+3].
 */
export function decode_smallest_three(packed: number, out: Numbers, o: number): void {
  const largest = packed >>> 30;
  let sum = 0;
  let shift = 20;
  for (let k = 0; k < 4; ++k) {
    if (k === largest) continue;
    const value = (((packed >>> shift) & 1023) - 511) * kScale;
    out[o + k] = value;
    sum += value * value;
    shift -= 10;
  }
  out[o + largest] = Math.sqrt(Math.max(0, 1 - sum));
}

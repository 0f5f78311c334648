// Texts that people type into a field for a number.

const kNumber = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i;
const kThousands = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * The number that a text is; the decimal mark may be a point or a comma.
 * @return undefined where the text is no number, or may be two: 1,500 is a thousand and a half to some
 */
export function read_number(text: string): number | undefined {
  const bare = text.trim().replace('−', '-');
  if (!kNumber.test(bare) || kThousands.test(bare)) return undefined;
  const value = Number(bare.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

/** The same of a whole number within a range. */
export function read_whole(text: string, low: number, high: number): number | undefined {
  const value = read_number(text);
  const fits = value !== undefined && Number.isInteger(value) && value >= low && value <= high;
  return fits ? value : undefined;
}

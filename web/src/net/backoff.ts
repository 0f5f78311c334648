const kFirst_ms = 250;
const kLongest_ms = 5000;

/**
 * How long to wait before the next try: twice as long each time, up to five seconds, spread by a
 * fifth so that many pages do not come back at the same moment.
 * @param attempt 0 for the first retry
 * @param chance 0 to 1
 */
export function backoff_ms(attempt: number, chance: number): number {
  const base = Math.min(kLongest_ms, kFirst_ms * 2 ** attempt);
  return base * (0.8 + 0.4 * chance);
}

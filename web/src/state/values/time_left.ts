// The time that a work still takes whose share is told now and then.

const kLeast_ms = 1000; // before that, and before this share, nothing is foretold
const kLeastShare = 0.02;

/** Seconds left of something that began so long ago; undefined: too early to tell. @param share done, 0 to 1 */
export function seconds_left(share: number, elapsed_ms: number): number | undefined {
  if (elapsed_ms < kLeast_ms || share < kLeastShare) return undefined;
  return Math.max(0, ((1 - share) / share) * elapsed_ms) / 1000;
}

/** "40 %, about 12 s left" */
export function progress_words(share: number, elapsed_ms: number): string {
  const percent = `${Math.floor(100 * share)} %`;
  const left_s = seconds_left(share, elapsed_ms);
  if (left_s === undefined) return percent;
  const left = left_s < 90 ? `${Math.ceil(left_s)} s` : `${Math.ceil(left_s / 60)} min`;
  return `${percent}, about ${left} left`;
}

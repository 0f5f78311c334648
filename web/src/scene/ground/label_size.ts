// How large a text may be written so that the widest of several fits.

/**
 * @param widths_px of the texts at `wanted_px`
 * @param room_px what each has
 * @return the size of the letters, px: as wanted, or smaller
 */
export function fitting_size(
  widths_px: readonly number[],
  wanted_px: number,
  room_px: number,
): number {
  const widest = Math.max(...widths_px, 1);
  return Math.floor(wanted_px * Math.min(1, room_px / widest));
}

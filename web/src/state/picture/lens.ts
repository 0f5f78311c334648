// The camera's view of the room: how wide it is, and which part of it panels leave.
import type { Rect } from './free_part';

const kHigh_deg = 32; // field of view from top to bottom
const kHighest_deg = 60;
const kWide_deg = 30; // least field of view from side to side

/**
 * A part of the picture as the camera sees it: tangents of the angles to its edges, from the direction in which it
 * looks. Right and up are positive.
 */
export interface Lens {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** The field of view from top to bottom, degrees: higher where the picture is narrow. @param aspect width over height */
export function field_of_view(aspect: number): number {
  const needed = (360 / Math.PI) * Math.atan(Math.tan((Math.PI / 360) * kWide_deg) / aspect);
  return Math.min(kHighest_deg, Math.max(kHigh_deg, needed));
}

/**
 * A part of the picture, px from its upper left corner.
 * @param looks_at the pixel in the direction in which the camera looks
 * @param pixel_m size of a pixel at 1 m, m
 */
export function lens_of(
  { left, top, right, bottom }: Rect,
  looks_at: { readonly x: number; readonly y: number },
  pixel_m: number,
): Lens {
  const { x, y } = looks_at;
  return {
    left: (left - x) * pixel_m,
    right: (right - x) * pixel_m,
    bottom: (y - bottom) * pixel_m,
    top: (y - top) * pixel_m,
  };
}

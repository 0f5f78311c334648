/**
 * The order in which things are drawn: an outline is seen around its body and nowhere else, so the ground is there before
 * it, and bodies come after it.
 */
export const kOrder = {
  sky: -10,
  ground: -2, // and all that stands on it for ever
  outline: -1, // after the sky
  bodies: 0,
  prints: 1, // flat on the ground, from here on blended
  contacts: 2,
  rings: 3,
  ghost: 4,
  shapes: 5,
  overlays: 10, // through bodies
} as const;

/** A text that is to stand above a point of the picture; px. */
export interface Wanted {
  readonly key: string;
  readonly text: string;
  readonly x: number; // of the middle
  readonly y: number; // of the lower edge
  readonly depth: number; // m from the eye: a nearer label comes first
  readonly first: boolean; // comes before all that are not
}

const kHeight_px = 18;
const kLetter_px = 6.4;
const kMargin_px = 16; // on both sides of the letters together
const kGap_px = 2;
const kHeld = 0.85; // of its depth counts for a label that was shown before: labels do not take turns

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function box_of({ text, x, y }: Wanted): Box {
  const half = (text.length * kLetter_px + kMargin_px) / 2;
  return { left: x - half, right: x + half, top: y - kHeight_px, bottom: y };
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.left < b.right + kGap_px &&
    b.left < a.right + kGap_px &&
    a.top < b.bottom + kGap_px &&
    b.top < a.bottom + kGap_px
  );
}

/**
 * Of labels that would lie over each other, the nearest.
 * @param before the keys of those that were shown in the last picture
 * @param most so many at once
 */
export function without_overlap<T extends Wanted>(
  wanted: readonly T[],
  before: ReadonlySet<string>,
  most: number,
): readonly T[] {
  const rank = ({ key, depth, first }: Wanted) =>
    (first ? 0 : 1e6) + depth * (before.has(key) ? kHeld : 1);
  const kept: T[] = [];
  const boxes: Box[] = [];
  for (const label of [...wanted].sort((a, b) => rank(a) - rank(b))) {
    if (kept.length >= most) break;
    const box = box_of(label);
    if (boxes.some((other) => overlap(box, other))) continue;
    kept.push(label);
    boxes.push(box);
  }
  return kept;
}

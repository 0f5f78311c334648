// The part of a picture that no panel covers.

/** px; from the upper left corner */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const area = ({ left, top, right, bottom }: Rect) =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

function overlap(a: Rect, b: Rect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * The largest upright rectangle of a picture that none of the panels reaches into; the whole of it where they leave
 * nothing. Its edges are edges of panels, of which there are few.
 */
export function free_part(whole: Rect, panels: readonly Rect[]): Rect {
  const over = panels.filter((panel) => area(panel) > 0 && overlap(panel, whole));
  const ends = (least: number, most: number, edges: readonly number[]) =>
    [...new Set([least, most, ...edges])].filter((edge) => edge >= least && edge <= most);
  const xs = ends(
    whole.left,
    whole.right,
    over.flatMap(({ left, right }) => [left, right]),
  );
  const ys = ends(
    whole.top,
    whole.bottom,
    over.flatMap(({ top, bottom }) => [top, bottom]),
  );
  let best = whole;
  let most = 0;
  for (const left of xs)
    for (const right of xs)
      for (const top of ys)
        for (const bottom of ys) {
          const part = { left, top, right, bottom };
          if (left >= right || top >= bottom || area(part) <= most) continue;
          if (over.some((panel) => overlap(panel, part))) continue;
          most = area(part);
          best = part;
        }
  return best;
}

// The parts of the page, so that a key leads from one to the next without all that is in between.

const kFocusable =
  'button, input, select, textarea, summary, a[href], [tabindex]:not([tabindex="-1"])';

function is_shown(element: HTMLElement | SVGElement): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

/** The first element of a part that can have the focus now. */
function first_in(part: HTMLElement): HTMLElement | undefined {
  if (part.matches(kFocusable)) return part;
  return [...part.querySelectorAll<HTMLElement>(kFocusable)].find(
    (one) => is_shown(one) && !one.hasAttribute('disabled') && one.tabIndex >= 0,
  );
}

/**
 * Goes on among the parts that are shown; a visitor who comes back to one finds the focus where it was.
 * @return a function that goes on by 1 or -1
 */
export function region_keys(parts: readonly HTMLElement[]): (direction: 1 | -1) => void {
  const last = new WeakMap<HTMLElement, HTMLElement>();
  for (const part of parts)
    part.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) last.set(part, target);
    });
  return (direction) => {
    const shown = parts.filter((part) => is_shown(part) && first_in(part));
    const now = shown.findIndex((part) => part.contains(document.activeElement));
    const from = now < 0 && direction < 0 ? 0 : now;
    const next = shown[(from + direction + shown.length) % shown.length];
    if (!next) return;
    const known = last.get(next);
    const there = known?.isConnected && is_shown(known) && next.contains(known);
    (there ? known : first_in(next))?.focus();
  };
}

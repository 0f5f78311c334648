// The panel at the left: sections that fold. Where the page is low or narrow one is open at a time.
import { h } from '../parts/dom';

/** As in style/left.css. */
const kLow = '(max-height: 699px), (max-width: 760px)';

export function left_panel(...parts: HTMLElement[]): HTMLElement {
  const sections = parts.filter((part) => part instanceof HTMLDetailsElement);
  const low = matchMedia(kLow);
  const keep_one = (kept: HTMLDetailsElement | undefined) => {
    for (const section of sections) if (section !== kept) section.open = false;
  };
  for (const section of sections)
    section.addEventListener('toggle', () => {
      if (!section.open) return;
      if (low.matches) keep_one(section);
      // Once the others have folded: what was asked for is in sight.
      requestAnimationFrame(() => {
        const opened_by_hand = section.contains(document.activeElement);
        if (opened_by_hand) section.scrollIntoView({ block: 'nearest' });
      });
    });
  low.addEventListener('change', () => {
    if (low.matches) keep_one(sections.find(({ open }) => open));
  });
  return h(
    'aside',
    { class: 'panel left scrolls', attributes: { 'aria-label': 'Scenes, crowd and connection' } },
    ...parts,
  );
}

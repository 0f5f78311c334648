// Tells the picture which part of it panels leave free.
import type { Viewport } from '../../scene/picture/viewport';
import { free_part, type Rect } from '../../state/picture/free_part';

// Elements that lie over the picture for longer than a message does.
const kPanels =
  '.panel, .title-bar > *, .bottom > *, .bar > *, .gait-lab, .here > *, .banner, .sheet';
const kEvery_ms = 300; // panels also move where none changes its size

function is_shown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

/** @param host of all panels @param picture below them */
export function watch_free_part(host: HTMLElement, picture: HTMLElement, viewport: Viewport): void {
  const refresh = () => {
    const { left, top, width, height } = picture.getBoundingClientRect();
    const panels = [...host.querySelectorAll(kPanels)].filter(is_shown).map((panel): Rect => {
      const box = panel.getBoundingClientRect();
      return {
        left: box.left - left,
        right: box.right - left,
        top: box.top - top,
        bottom: box.bottom - top,
      };
    });
    viewport.under_panels.set_free(
      free_part({ left: 0, top: 0, right: width, bottom: height }, panels),
    );
  };
  new ResizeObserver(refresh).observe(picture);
  setInterval(refresh, kEvery_ms);
}

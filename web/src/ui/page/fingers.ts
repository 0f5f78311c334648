// Whether this page is used with fingers or with mouse and keys: what the device seems to have, then what was used last.
import { Signal } from '../../state/values/signal';

/** The same for all parts of the page. */
export function watch_fingers(): Signal<boolean> {
  const coarse = matchMedia('(pointer: coarse)');
  const fingers = new Signal(coarse.matches);
  coarse.addEventListener('change', () => fingers.set(coarse.matches));
  const options = { capture: true, passive: true };
  window.addEventListener(
    'pointerdown',
    ({ pointerType }) => {
      if (pointerType === 'touch') fingers.set(true);
      else if (pointerType === 'mouse') fingers.set(false);
    },
    options,
  );
  window.addEventListener(
    'keydown',
    ({ isTrusted, key }) => {
      // Keyboards on the screen send no letters here unless something takes text.
      if (isTrusted && (key.length === 1 || key.startsWith('Arrow'))) fingers.set(coarse.matches);
    },
    options,
  );
  return fingers;
}

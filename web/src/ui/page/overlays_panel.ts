import { kOverlays } from '../../state/room/settings';
import type { Signal } from '../../state/values/signal';
import type { Context } from './context';
import { h, section } from '../parts/dom';

/** Switches for the overlays, for the detail of the picture, and for visitors who use keys or a screen reader. */
export function overlays_panel({ settings }: Context): HTMLElement {
  const rows = kOverlays.map(({ key, title, hint }) => {
    const box = h('input', { attributes: { type: 'checkbox', 'data-overlay': key } });
    box.addEventListener('change', () => settings.set_overlay(key, box.checked));
    settings.overlays.watch((shown) => (box.checked = shown[key]));
    return h(
      'label',
      { class: 'switch', title: hint },
      box,
      h('i', { class: `swatch swatch-${key}` }),
      h('span', { text: title }),
    );
  });
  const note = h('p', {
    class: 'faint',
    text: 'Measurements are shown for the selected characters, or for the eight nearest if none is selected.',
  });
  const option = (signal: Signal<boolean>, text: string, title: string, test: string) => {
    const box = h('input', { attributes: { type: 'checkbox', 'data-test': test } });
    box.addEventListener('change', () => signal.set(box.checked));
    signal.watch((on) => (box.checked = on));
    return h('label', { class: 'switch', title }, box, h('span', { text }));
  };
  return section(
    'Show',
    false,
    h('div', { class: 'switches' }, ...rows),
    note,
    option(
      settings.full_detail,
      'Always in full detail',
      'Keep shadows and full resolution, even where drawing is slow',
      'full-detail',
    ),
    option(
      settings.tells,
      'Announce what happens',
      'Screen readers announce falls, arrivals, people who join or leave, and changes',
      'tells',
    ),
    option(
      settings.picture_keys,
      'Letter keys only in the picture',
      'Single-letter keys such as W, N and P work only while the picture has the focus',
      'picture-keys',
    ),
  );
}

import { kOverlays } from '../state/settings';
import type { Context } from './context';
import { h, section } from './dom';

/** Switches for the overlays and for the detail of the picture. */
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
  const full = h('input', { attributes: { type: 'checkbox', 'data-test': 'full-detail' } });
  full.addEventListener('change', () => settings.full_detail.set(full.checked));
  settings.full_detail.watch((on) => (full.checked = on));
  const detail = h(
    'label',
    {
      class: 'switch',
      title: 'Keep shadows and full resolution, even where drawing is slow',
    },
    full,
    h('span', { text: 'Always in full detail' }),
  );
  return section('Show', false, h('div', { class: 'switches' }, ...rows), note, detail);
}

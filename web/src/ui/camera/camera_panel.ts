import type { Viewport } from '../../scene/picture/viewport';
import type { Side } from '../../state/picture/camera_views';
import type { Context } from '../page/context';
import { field, fill_select, h, section } from '../parts/dom';

const kSides: readonly { readonly side: Side; readonly title: string; readonly key: string }[] = [
  { side: 'front', title: 'Front', key: '1' },
  { side: 'right', title: 'Side', key: '2' },
  { side: 'top', title: 'Top', key: '3' },
];

const kRefresh_ms = 500;

/** Views of the selected character or of the scene, and the part that the camera goes along with. */
export function camera_panel(
  { selection, settings }: Context,
  viewport: () => Viewport,
): HTMLDetailsElement {
  const sides = kSides.map(({ side, title, key }) =>
    h('button', {
      text: title,
      title: `${title} view (${key})`,
      attributes: { 'data-side': side },
      on: { click: () => viewport().cameraman.look_from(side) },
    }),
  );
  const scene = h('button', {
    text: 'Scene',
    title: 'Let the scene direct the camera again (0)',
    attributes: { 'data-test': 'scene-view' },
    on: { click: () => viewport().cameraman.look_at_scene() },
  });
  const follow = h('input', { attributes: { type: 'checkbox', 'data-test': 'follow' } });
  follow.addEventListener('change', () => settings.follow.set(follow.checked));
  settings.follow.watch((on) => (follow.checked = on));
  const row = h(
    'label',
    { class: 'switch', title: 'The camera moves along with the selected character (F)' },
    follow,
    h('span', { text: 'Follow the selected character' }),
  );
  const part = h('select', { attributes: { 'data-test': 'followed-part' } });
  part.addEventListener('change', () => viewport().cameraman.follow_part(part.value));
  const part_row = field('Part', part);
  part_row.title = 'Part of the body that the camera follows (T)';
  let shown = '';
  const refresh = () => {
    const { parts } = viewport().cameraman;
    const now = `${parts.map(({ key }) => key).join()}|${settings.followed_part.value}`;
    if (now === shown) return;
    shown = now;
    part.disabled = parts.length === 0;
    fill_select(
      part,
      parts.length > 0
        ? parts.map(({ key, title }) => ({ value: key, text: title }))
        : [{ value: '', text: 'Select someone first' }],
    );
    part.value = settings.followed_part.value;
    if (part.selectedIndex < 0) part.value = '';
  };
  const panel = section(
    'Camera',
    false,
    h('div', { class: 'buttons cameras' }, ...sides, scene),
    row,
    part_row,
  );
  // The picture takes up a new cast some time after the roster has come, and nothing tells of that.
  setInterval(() => {
    if (panel.open && document.activeElement !== part) refresh();
  }, kRefresh_ms);
  selection.ids.watch(() => panel.open && refresh());
  return panel;
}

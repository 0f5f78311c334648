// The ties and grips of the first selected body.
import type { HeldTie } from '../../state/room/roster';
import type { Builder } from '../hand/builder';
import { apply_rights, type Context, sends } from '../page/context';
import { h, section } from '../parts/dom';

const kTieTitles: Readonly<Record<HeldTie['kind'], string>> = {
  ball: 'Ball',
  hinge: 'Hinge',
  slider: 'Slider',
  weld: 'Weld',
  spring: 'Spring',
};

/** List of the ties and grips of the first selected body, each with a button that releases it. */
export function held_list(context: Context, builder: Builder): HTMLElement {
  const { world, selection } = context;
  const list = h('ul', { class: 'held' });
  const box = section('Ties and grips', true, list);
  const name = (id: number): string => {
    if (id === 0) return 'the ground';
    const member = world.cast.value.by_id.get(id);
    return member ? `${member.skeleton.title} ${id}` : String(id);
  };
  let shown = '';
  const refresh = () => {
    const id = selection.first;
    const ties = world.cast.value.ties.filter(({ a, b }) => a.id === id || b.id === id);
    const key = `${id}: ${ties.map((tie) => tie.id).join()}`;
    box.hidden = ties.length === 0;
    if (key === shown) return;
    shown = key;
    list.replaceChildren(
      ...ties.map((tie) => {
        const other = tie.a.id === id ? tie.b.id : tie.a.id;
        const what = tie.grip ? 'Grip' : kTieTitles[tie.kind];
        const release = h('button', {
          text: 'Release',
          attributes: { 'aria-label': `Release: ${what} to ${name(other)}` },
          on: { click: () => builder.release(tie.id) },
        });
        sends('release', release);
        return h('li', {}, h('span', { text: `${what} to ${name(other)}` }), release);
      }),
    );
    apply_rights(list, world);
  };
  selection.ids.watch(refresh);
  world.cast.watch(refresh);
  return box;
}

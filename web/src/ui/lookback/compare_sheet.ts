// Two characters held against each other: the second selected one over the first or beside it.
import type { Viewport } from '../../scene/picture/viewport';
import { Compare } from '../../state/recording/compare';
import { name_of } from '../../state/recording/marks';
import { Signal } from '../../state/values/signal';
import type { Strides } from '../../state/gait/strides';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import type { Sheet, SheetWork } from '../parts/later';

const kGhost = 0.5; // opacity of who is drawn over the first
const kSelectTwo = 'Select two characters to compare them.';
const kByShift = ' Shift-click or I adds the second.';

export function compare_sheet(
  { selection, settings, world }: Context,
  viewport: Viewport,
  { element, open }: Sheet,
): SheetWork {
  const aside = new Signal(false);
  const ask = matchMedia('(pointer: coarse)').matches ? kSelectTwo : kSelectTwo + kByShift;
  let compare: Compare | undefined;
  let drawn = false;

  const choice = (text: string, value: boolean, test: string) => {
    const button = h('button', {
      text,
      attributes: { 'data-test': test },
      on: { click: () => aside.set(value) },
    });
    aside.watch((now) => button.setAttribute('aria-pressed', String(now === value)));
    return button;
  };
  const aligned = h('input', {
    attributes: { type: 'checkbox', id: 'compare-aligned', 'data-test': 'compare-aligned' },
  });
  aligned.checked = true;
  const told = h('output', { class: 'compare-told', attributes: { 'data-test': 'compare-told' } });
  element.append(
    h(
      'div',
      { class: 'segmented', attributes: { role: 'group', 'aria-label': 'How they are shown' } },
      choice('Over each other', false, 'compare-over'),
      choice('Side by side', true, 'compare-aside'),
    ),
    h(
      'label',
      {
        title: 'Show both at the same moment of their stride',
        attributes: { for: 'compare-aligned' },
      },
      aligned,
      ' in step',
    ),
    told,
    h('button', {
      class: 'quiet',
      text: '×',
      title: 'Close',
      attributes: { 'aria-label': 'Close the comparison' },
      on: { click: () => open.set(false) },
    }),
  );
  const member_of = (id: number) => world.pose.cast.by_id.get(id) ?? world.cast.value.by_id.get(id);
  const pair = () => {
    const [first, second] = selection.ids.value.filter((id) => member_of(id)?.thing === false);
    return first === undefined || second === undefined ? undefined : ([first, second] as const);
  };
  const choose = () => {
    const [first, second] = pair() ?? [];
    const fresh = open.value && first !== undefined && second !== undefined;
    if (fresh && compare?.first.id === first && compare.second.id === second) return;
    compare = fresh ? new Compare(world.recording, first, second) : undefined;
    if (!fresh) return;
    viewport.show(first);
    settings.follow.set(true);
  };
  viewport.guest = () => {
    choose();
    const options = { aligned: aligned.checked, aside: aside.value };
    const guest = compare?.guest(world.shown_ms, options);
    drawn = guest !== undefined;
    return guest && { ...guest, opacity: aside.value ? 1 : kGhost };
  };
  open.watch(choose);
  const line = (strides: Strides): string => {
    const stride = strides.at(world.shown_ms);
    const member = member_of(strides.id);
    const name = member ? name_of(member) : String(strides.id);
    if (!stride) return `${name}: no full stride`;
    return `${name}: ${((stride.to_ms - stride.from_ms) / 1000).toFixed(2)} s per stride`;
  };
  return {
    draw() {
      if (!open.value) return;
      element.dataset['drawn'] = String(drawn);
      write(told, compare ? `${line(compare.first)} · ${line(compare.second)}` : ask);
    },
  };
}

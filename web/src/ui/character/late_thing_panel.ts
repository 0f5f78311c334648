// The panel of a selected thing, whose code comes when a thing is selected.
import type { Builder } from '../hand/builder';
import { apply_rights, type Context } from '../page/context';
import { kLater } from '../page/late_parts';
import { h } from '../parts/dom';
import { tell_missing } from '../parts/later';
import { first_selected } from './selected_head';

/** @param away level unit vector along which the camera looks, world frame */
export function late_thing_panel(
  context: Context,
  builder: Builder,
  away: () => readonly [number, number],
): HTMLElement {
  const { selection, toasts, world } = context;
  const panel = h('aside', {
    class: 'panel character thing',
    attributes: { 'aria-label': 'Selected thing' },
  });
  panel.hidden = true;
  let asked = false;
  const look = () => {
    if (asked || !first_selected(context, true)) return;
    asked = true;
    kLater.thing.get().then(
      ({ fill_thing_panel }) => {
        fill_thing_panel(context, builder, away, panel);
        apply_rights(panel, world);
      },
      (error: unknown) => {
        asked = false;
        tell_missing(toasts, error);
      },
    );
  };
  selection.ids.watch(look);
  world.cast.watch(look);
  return panel;
}

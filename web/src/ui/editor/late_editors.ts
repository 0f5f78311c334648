// The editors of style, body and gait, whose code loads when a character is selected.
import type { Api } from '../../net/api';
import type { Context } from '../page/context';
import { h } from '../parts/dom';
import type { OpenSheet } from '../page/open_sheets';
import type { Editors } from './editors';
import { kLater } from '../page/late_parts';
import { tell_missing } from '../parts/later';

/** @param add_sheet has Esc close a sheet */
export function late_editors(
  context: Context,
  api: Api,
  add_sheet: (sheet: OpenSheet) => void,
): Editors {
  const panels = {
    style_panel: h('div', { class: 'editor' }),
    body_panel: h('div', { class: 'editor' }),
    gait_panel: h('div', { class: 'gait-desk' }),
  };
  let made: Editors | undefined;
  let asked = false;
  const late: Editors = {
    ...panels,
    style: () => made?.style(),
    on_style: () => {},
    get acknowledged_ms() {
      return made?.acknowledged_ms ?? 0;
    },
    refresh: () => made?.refresh(),
    draw: () => made?.draw(),
    undo: (what) => made?.undo(what),
    redo: (what) => made?.redo(what),
    cancel: () => made?.cancel() ?? false,
  };
  const make = async () => {
    asked = true;
    try {
      const { LiveEditors } = await kLater.editors.get();
      made = new LiveEditors(context, api, panels, add_sheet);
      made.on_style = () => late.on_style();
      made.refresh();
    } catch (error) {
      asked = false;
      tell_missing(context.toasts, error);
    }
  };
  context.selection.ids.watch((ids) => {
    if (ids.length > 0 && !asked) void make();
  });
  return late;
}

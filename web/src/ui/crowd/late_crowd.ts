// The section about the crowd, whose content comes when it is first opened.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import { apply_rights, type Context } from '../page/context';
import { section } from '../parts/dom';
import { kLater } from '../page/late_parts';
import { tell_missing } from '../parts/later';

export function late_crowd(context: Context, api: Api, viewport: () => Viewport): HTMLElement {
  const panel = section('Crowd', false);
  let filled = false;
  panel.addEventListener('toggle', () => {
    if (!panel.open || filled) return;
    filled = true;
    kLater.crowd.get().then(
      ({ fill_crowd }) => {
        fill_crowd(context, api, viewport(), panel);
        apply_rights(panel, context.world);
      },
      (error: unknown) => {
        filled = panel.open = false;
        tell_missing(context.toasts, error);
      },
    );
  });
  return panel;
}

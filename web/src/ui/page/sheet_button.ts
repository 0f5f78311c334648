import { Signal } from '../../state/values/signal';
import type { Context } from './context';
import { h } from '../parts/dom';

/** The button that opens the left panel on a narrow page, where the panel is a sheet over the picture. */
export function sheet_button(
  { build, world }: Context,
  host: HTMLElement,
  showing: Signal<boolean>,
): { readonly button: HTMLElement; readonly open: Signal<boolean> } {
  const open = new Signal(false);
  const button = h('button', {
    class: 'round only-narrow',
    text: '☰',
    attributes: { 'aria-label': 'Panels', 'aria-expanded': 'false' },
  });
  const show = (on: boolean) => open.set(on);
  open.watch((on) => {
    host.classList.toggle('sheet-open', on);
    button.setAttribute('aria-expanded', String(on));
  });
  button.addEventListener('click', () => show(!open.value));
  // Tab never leads behind the sheet: it closes when the focus leaves it.
  host.addEventListener('focusin', ({ target }) => {
    const inside = !(target instanceof Element) || target.closest('.left, .title-bar');
    if (!inside && target.matches(':focus-visible')) show(false);
  });
  // The sheet covers the ground on which a chosen body is put down, so it closes.
  build.tool.watch(({ kind }) => {
    host.classList.toggle('in-hand', kind !== 'none');
    if (kind !== 'none') show(false);
  });
  showing.watch((on) => on && show(false));
  // A visitor who chose a scene wants to see it, so the sheet closes.
  let scene: string | undefined;
  world.scene.watch((info) => {
    const now = info?.scene && `${info.scene.name} ${info.sceneTick}`;
    if (scene !== undefined && now !== scene) show(false);
    scene = now;
  });
  return { button, open };
}

import type { Settings, Theme } from '../../state/room/settings';
import { h } from '../parts/dom';

const kNext: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };
const kTitle: Readonly<Record<Theme, string>> = {
  auto: 'Day or dusk, as the system',
  light: 'Day',
  dark: 'Dusk',
};
const kGlyph: Readonly<Record<Theme, string>> = { auto: '◐', light: '☀', dark: '☾' };

/**
 * A button that switches between day, dusk and the system's setting.
 * @param apply called with the result at every change
 */
export function theme_button(settings: Settings, apply: (dark: boolean) => void): HTMLElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = h('button', {
    class: 'round',
    on: { click: () => settings.theme.set(kNext[settings.theme.value]) },
  });
  const refresh = () => {
    const theme = settings.theme.value;
    const dark = theme === 'dark' || (theme === 'auto' && system.matches);
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    button.textContent = kGlyph[theme];
    button.title = kTitle[theme];
    button.setAttribute('aria-label', `Light: ${kTitle[theme]}`);
    apply(dark);
  };
  system.addEventListener('change', refresh);
  settings.theme.watch(refresh);
  return button;
}

import { h } from '../parts/dom';
import { svg } from './svg';

const kIcons = {
  undo: 'M6 4 2.5 7.5 6 11 M3 7.5h6a3.5 3.5 0 0 1 0 7H7',
  redo: 'M10 4l3.5 3.5L10 11 M13 7.5H7a3.5 3.5 0 0 0 0 7h2',
  reset: 'M3 8a5 5 0 1 0 1.6-3.7 M3 2.5V5h2.6',
  download: 'M8 2.5v7.5 M4.8 7 8 10.2 11.2 7 M3 13h10',
  upload: 'M8 10.5V3 M4.8 6 8 2.8 11.2 6 M3 13h10',
  remove: 'M3.5 4.5h9 M6.5 4.5V3h3v1.5 M4.8 4.5l.6 8.5h5.2l.6-8.5',
  plus: 'M8 3.5v9 M3.5 8h9',
  minus: 'M3.5 8h9',
} as const;
export type IconName = keyof typeof kIcons;

function icon(name: IconName): SVGSVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' },
    svg('path', { d: kIcons[name] }),
  );
}

/** @param test names the button for tests */
export function icon_button(
  name: IconName,
  title: string,
  click: () => void,
  test?: string,
): HTMLButtonElement {
  return h(
    'button',
    {
      class: 'icon-button',
      title,
      attributes: {
        type: 'button',
        'aria-label': title.replace(/ \(.*\)$/, ''), // the name of the key stays in the tooltip only
        ...(test ? { 'data-test': test } : {}),
      },
      on: { click },
    },
    icon(name),
  );
}

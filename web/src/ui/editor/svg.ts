/** Makes an SVG element: svg('circle', { r: 4 }). */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Sets attributes; numbers to a tenth of a pixel. */
export function set(
  element: SVGElement,
  attributes: Readonly<Record<string, string | number>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

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

export function icon(name: IconName): SVGSVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' },
    svg('path', { d: kIcons[name] }),
  );
}

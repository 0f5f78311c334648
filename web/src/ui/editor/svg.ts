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

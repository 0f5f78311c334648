// The panels as a picture: a copy of the page's elements in an SVG, which the browser draws like any picture.

const kXhtml = 'http://www.w3.org/1999/xhtml';
const kSvg = 'http://www.w3.org/2000/svg';
const kLeftOut = '.viewport-canvas, .capture, .toasts, .loading, .banner[hidden], dialog, script';

// The page's own ground would cover the picture, and its thin bars for scrolling are drawn as thick ones in pictures.
const kOwnStyles = `
body { background: none !important; }
* { scrollbar-width: none !important; }
`;

/** The page's rules of style, so that the copy looks like the page. */
function styles(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
    .join('\n');
}

/** Writes into the copy what the page's elements hold and their markup does not tell. */
function copy_state(of: Element, to: Element): void {
  if (of instanceof HTMLInputElement) {
    to.setAttribute('value', of.value);
    to.toggleAttribute('checked', of.checked);
  } else if (of instanceof HTMLSelectElement) {
    [...of.options].forEach((option, i) =>
      (to as HTMLSelectElement).options[i]?.toggleAttribute('selected', option.selected),
    );
  } else if (of instanceof HTMLTextAreaElement) {
    to.textContent = of.value;
  } else if (of instanceof HTMLCanvasElement && of.width > 0 && of.height > 0) {
    if (of.matches(kLeftOut)) return;
    const image = document.createElement('img');
    image.className = of.className;
    image.src = of.toDataURL();
    image.style.width = `${of.clientWidth}px`;
    image.style.height = `${of.clientHeight}px`;
    to.replaceWith(image);
  }
  if (of.scrollTop > 0)
    for (const child of to.children)
      (child as HTMLElement).style.translate = `0 ${-of.scrollTop}px`;
}

/** @return the panels of the page as they are now, on nothing, as large as `host` is */
export async function panels_picture(host: HTMLElement): Promise<HTMLImageElement> {
  const { clientWidth: width, clientHeight: height } = host;
  const copy = host.cloneNode(true) as HTMLElement;
  const from = [...host.querySelectorAll('*')];
  const to = [...copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const twin = to[i];
    if (twin) copy_state(element, twin);
  });
  for (const element of copy.querySelectorAll(kLeftOut)) element.remove();
  copy.style.width = `${width}px`;
  copy.style.height = `${height}px`;
  const root = document.documentElement;
  const svg = document.createElementNS(kSvg, 'svg');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  // The rules for the page's root hold for the root of the picture.
  svg.setAttribute('class', root.className);
  svg.setAttribute('data-theme', root.dataset['theme'] ?? '');
  const frame = document.createElementNS(kSvg, 'foreignObject');
  frame.setAttribute('width', String(width));
  frame.setAttribute('height', String(height));
  const body = document.createElementNS(kXhtml, 'body');
  const rules = document.createElementNS(kXhtml, 'style');
  rules.textContent = `${styles()}\n${kOwnStyles}`;
  body.append(rules, copy);
  frame.append(body);
  svg.append(frame);
  const source = new XMLSerializer().serializeToString(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  return image;
}

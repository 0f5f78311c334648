// The page in a real browser, and how the tests look into it.
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { PageState } from '../../web/src/ui/page/hook.ts';

// The packages are the page's own.
const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))(
  'playwright-core',
) as typeof import('playwright-core');

// Without a GPU the pictures are drawn by the processor: small windows, few characters.
const kFlags = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * @param smooth whether edges are drawn smoothly, which takes half the time of a picture
 * @param flags more of the browser's
 */
export function open_browser(smooth = true, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...kFlags, ...(smooth ? [] : ['--webgl-antialiasing-mode=none']), ...flags],
  });
}

/** Acts of pages that their Content-Security-Policy forbids: it must forbid nothing they need. */
const violations = new WeakMap<Browser, string[]>();

/** Such acts of this browser's pages since the last call. */
export function take_violations(browser: Browser): string[] {
  const taken = violations.get(browser) ?? [];
  violations.delete(browser);
  return taken;
}

/** How pages of a browser draw. */
export interface Drawing {
  readonly gap_ms: number; // a picture this often at most; 0: as often as they can
  /** Whether the scene is painted. Without a GPU that takes most of the time, and few tests look at what is painted. */
  readonly painted: boolean;
}

const drawing = new WeakMap<Browser, Drawing>();

/** Pages of this browser that are opened from here on draw like this. */
export function set_drawing(browser: Browser, how: Drawing): void {
  drawing.set(browser, how);
}

/** Runs in the page, before its own scripts: all of a picture is worked out and handed to WebGL, and nothing is painted. */
function paint_nothing(): void {
  const { prototype } = WebGL2RenderingContext;
  for (const name of [
    'blitFramebuffer',
    'clear',
    'drawArrays',
    'drawArraysInstanced',
    'drawElements',
    'drawElementsInstanced',
    'drawRangeElements',
    'generateMipmap',
  ] as const)
    Object.defineProperty(prototype, name, { value: () => undefined });
  // The processor blurs what is behind a panel anew for each picture.
  const plain = new CSSStyleSheet();
  plain.replaceSync('* { backdrop-filter: none !important; }');
  document.adoptedStyleSheets = [plain];
}

/**
 * Runs in the page, before its own scripts: its pictures come this far apart, ms, as on a slow machine. Clicks and
 * waits of Playwright go by the browser's own pictures.
 */
function draw_slowly(gap_ms: number): void {
  const next_picture = window.requestAnimationFrame.bind(window);
  let waiting = new Map<number, FrameRequestCallback>();
  let now_drawn = waiting;
  let handle = 0;
  let asked = false;
  let drawn_ms = Number.NEGATIVE_INFINITY;
  const draw = (now_ms: number) => {
    asked = false;
    drawn_ms = performance.now(); // the time of the picture may be long ago
    now_drawn = waiting;
    waiting = new Map();
    for (const callback of now_drawn.values())
      try {
        callback(now_ms);
      } catch (error) {
        reportError(error);
      }
  };
  window.requestAnimationFrame = (callback) => {
    if (!asked)
      setTimeout(() => next_picture(draw), Math.max(0, drawn_ms + gap_ms - performance.now()));
    asked = true;
    waiting.set(++handle, callback);
    return handle;
  };
  window.cancelAnimationFrame = (cancelled) => {
    waiting.delete(cancelled);
    now_drawn.delete(cancelled);
  };
}

/** @param options first: as a visitor who has never been here, to whom the page shows its first steps */
export async function open_page(
  browser: Browser,
  url: string,
  { first = false, ...options }: BrowserContextOptions & { readonly first?: boolean } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 480, height: 360 }, ...options });
  const page = await context.newPage();
  if (!first)
    await page.addInitScript(() => localStorage.setItem('promenade.first-minute', 'done'));
  page.on('pageerror', (error) => console.error(`    [page] ${error.message}`));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy'))
      violations.set(browser, [...(violations.get(browser) ?? []), message.text()]);
  });
  const { gap_ms, painted } = drawing.get(browser) ?? { gap_ms: 0, painted: true };
  if (gap_ms > 0) await page.addInitScript(draw_slowly, gap_ms);
  if (!painted) await page.addInitScript(paint_nothing);
  await page.goto(url);
  return page;
}

export async function state(page: Page): Promise<PageState> {
  return page.evaluate(() => {
    if (!window.__promenade) throw new Error('the page has not started');
    return window.__promenade.state();
  });
}

/** Waits until the page's state fits. @param what for the message when it does not */
export async function until(
  page: Page,
  what: string,
  fits: (state: PageState) => boolean,
  timeout_ms = 25_000,
): Promise<PageState> {
  const deadline = Date.now() + timeout_ms;
  let last: PageState | undefined;
  while (Date.now() < deadline) {
    try {
      last = await state(page);
      if (fits(last)) return last;
    } catch {
      // the page is still loading
    }
    await page.waitForTimeout(50);
  }
  throw new Error(`not within ${timeout_ms} ms: ${what}; the page says ${JSON.stringify(last)}`);
}

export async function locate(page: Page, id: number): Promise<{ x: number; y: number }> {
  const spot = await page.evaluate((wanted) => window.__promenade?.locate(wanted), id);
  if (!spot) throw new Error(`character ${id} is not in the picture`);
  return spot;
}

/** Where somebody is in the picture once neither the body nor the camera moves there. */
export async function locate_at_rest(
  page: Page,
  id: number,
  timeout_ms = 25_000,
): Promise<{ x: number; y: number }> {
  const deadline = Date.now() + timeout_ms;
  let before = await locate(page, id);
  for (let still = 0; still < 3;) {
    if (Date.now() > deadline) throw new Error(`character ${id} does not come to rest`);
    await page.waitForTimeout(250);
    const spot = await locate(page, id);
    still = Math.hypot(spot.x - before.x, spot.y - before.y) < 2 ? still + 1 : 0;
    before = spot;
  }
  return before;
}

/** Waits until the page has drawn this many more pictures, however long they take. */
export async function pictures(page: Page, count: number): Promise<void> {
  await page.evaluate(async (wanted) => {
    for (let i = 0; i < wanted; ++i) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);
}

/** The state once this part of it, as the camera that flies, stays the same over some pictures. */
export async function at_rest(page: Page, part: (state: PageState) => unknown): Promise<PageState> {
  for (;;) {
    const before = await state(page);
    await pictures(page, 3);
    const now = await state(page);
    if (isDeepStrictEqual(part(before), part(now))) return now;
  }
}

/** Nothing is left out of the picture from here on, however slowly it comes. */
export async function draw_in_full(page: Page): Promise<void> {
  // By script: the switch is in a folded part of the panel, where no pointer gets at it.
  await page.locator('[data-test="full-detail"]').evaluate((element) => {
    const box = element as HTMLInputElement;
    if (!box.checked) box.click();
  });
}

/**
 * The picture is not drawn any more; panels go on. For tests of panels: without a GPU drawing takes most of the time,
 * and every click waits for two pictures.
 */
export async function stop_drawing(page: Page): Promise<void> {
  await page.locator('.viewport-canvas').evaluate((canvas) => {
    const context = (canvas as HTMLCanvasElement).getContext('webgl2');
    const loss = context?.getExtension('WEBGL_lose_context');
    if (!loss) throw new Error('the canvas has no WebGL context to lose');
    loss.loseContext();
  });
}

/** Selects the first character and opens one of its tabs. */
export async function open_tab(page: Page, tab: 'walk' | 'style' | 'body'): Promise<number> {
  if ((await state(page)).selected.length === 0) await page.keyboard.press(']');
  const { selected } = await until(
    page,
    'details of the selected',
    ({ details }) => details.length === 1,
  );
  await page.locator(`.tabs [data-tab="${tab}"]`).click();
  return selected[0] as number;
}

/** The middle of an element, in page pixels. */
export async function middle(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not in the picture`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

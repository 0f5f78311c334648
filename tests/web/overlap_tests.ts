// Sheets that open over the picture: nothing of the page lies over them, and Esc closes them.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { open_page, open_tab, state, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kSizes = [
  { width: 800, height: 640 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
] as const;

/** Runs in the page: what is painted over an element, or over the edge of the page; at points of a grid over its box. */
function painted_over(selector: string): string[] {
  const panel = [...document.querySelectorAll<HTMLElement>(selector)].find((one) =>
    one.checkVisibility({ visibilityProperty: true }),
  );
  if (!panel) return [`${selector} is not shown`];
  const paints = (one: Element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    const clear = /, 0\)$|^transparent$/.test(backgroundColor) && backgroundImage === 'none';
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
    return !clear || text || one instanceof SVGElement || one instanceof HTMLCanvasElement;
  };
  // An element that lets the pointer through hides the ones below it as well.
  const all = new CSSStyleSheet();
  all.replaceSync('* { pointer-events: auto !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, all];
  const { left, top, width, height } = panel.getBoundingClientRect();
  const over = new Set<string>();
  const kPoints = 40;
  for (let i = 0; i <= kPoints; ++i)
    for (let k = 0; k <= kPoints; ++k) {
      const [x, y] = [
        left + 1 + ((width - 2) * i) / kPoints,
        top + 1 + ((height - 2) * k) / kPoints,
      ];
      const found = document.elementsFromPoint(x, y);
      if (found.length === 0) over.add('the edge of the page');
      for (const one of found) {
        if (panel.contains(one)) break;
        if (one.contains(panel)) break; // a corner of it that is round
        if (paints(one) && !one.closest('.viewport'))
          over.add(`${one.tagName.toLowerCase()}.${one.className}`);
      }
    }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== all);
  return [...over];
}

/** Opens one of the registry of sheets. */
async function show_sheet(page: Page, name: string): Promise<void> {
  await page.evaluate((wanted) => window.__promenade?.show_sheet(wanted), name);
  await until(page, `${name} open`, ({ open_sheets }) => open_sheets.includes(name));
}

export const kOverlapTests: readonly PageTest[] = [
  {
    name: 'nothing of the page lies over what is open, on a small window, a desktop and a phone',
    options: ['--scene', 'kick'],
    async run(browser, server) {
      const wrong: string[] = [];
      for (const viewport of kSizes) {
        const page = await open_page(browser, `${server.url}/?room=main`, { viewport });
        await until(page, 'somebody', ({ characters, tick }) => characters > 0 && tick > 2);
        const check = async (what: string, selector: string) => {
          await page.waitForTimeout(350); // panels move
          for (const over of await page.evaluate(painted_over, selector))
            wrong.push(`${viewport.width}x${viewport.height}, ${what}: ${over}`);
        };
        await page.locator('.show-me').first().waitFor({ state: 'attached' });
        for (const tab of ['walk', 'style', 'body'] as const) {
          await open_tab(page, tab);
          await check(tab, '.character');
        }
        await open_tab(page, 'walk');
        const { sheets } = await state(page);
        assert.ok(sheets.length > 6, sheets.join());
        for (const name of sheets) {
          if (name === 'here') continue; // nobody else is here
          await show_sheet(page, name);
          await page.locator(`[data-sheet="${name}"]`).waitFor({ state: 'visible' });
          await check(name, `[data-sheet="${name}"]`);
          await page.keyboard.press('Escape');
          await until(page, `${name} closed`, ({ open_sheets }) => !open_sheets.includes(name));
        }
        await page.context().close();
      }
      assert.equal(wrong.length, 0, wrong.join('\n        '));
    },
  },
  {
    name: 'Esc closes whatever opens over the picture, wherever the focus is',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?room=main`, { viewport: kSizes[1] });
      await until(page, 'somebody', ({ characters, tick }) => characters > 0 && tick > 2);
      await stop_drawing(page);
      const { sheets } = await state(page);
      const focuses = ['nothing', 'the picture', 'inside'] as const;
      for (const name of sheets)
        for (const where of focuses) {
          await show_sheet(page, name);
          await page.evaluate(
            ({ name: wanted, where: place }) => {
              (document.activeElement as HTMLElement | null)?.blur();
              if (place === 'the picture')
                document.querySelector<HTMLElement>('.viewport-canvas')?.focus();
              if (place === 'inside')
                document
                  .querySelector<HTMLElement>(
                    `[data-sheet="${wanted}"] :is(input:not([type]), select, button)`,
                  )
                  ?.focus();
            },
            { name, where },
          );
          await page.keyboard.press('Escape');
          await until(
            page,
            `Esc closes ${name} with the focus in ${where}`,
            ({ open_sheets }) => !open_sheets.includes(name),
            3000,
          );
        }
      // Dialogs, those of the lobby too.
      await show_sheet(page, 'lobby');
      const dialogs = page.locator('dialog');
      await page.waitForFunction(() => document.querySelectorAll('dialog').length > 1);
      for (let i = 0; i < (await dialogs.count()); ++i) {
        const dialog = dialogs.nth(i);
        await dialog.evaluate((one) => (one as HTMLDialogElement).showModal());
        await page.keyboard.press('Escape');
        assert.ok(
          !(await dialog.evaluate((one) => (one as HTMLDialogElement).open)),
          `dialog ${i}`,
        );
      }
    },
  },
];

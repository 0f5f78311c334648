// The page for people who cannot see it or use no mouse: names, roles and contrast by axe-core.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { open_page, pictures, stop_drawing, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kLooks = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const;

/** A finding of axe-core about the page as it is. */
interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The checker is run by the browser's debugger, which the Content-Security-Policy does not bind. */
async function bring_axe(page: Page): Promise<void> {
  const require = createRequire(new URL('../../web/package.json', import.meta.url));
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
}

/** @param part a selector @param rules those that are checked; left out: all */
async function findings(page: Page, part: string, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(
    async ({ part: wanted, rules: only }) => {
      const { axe } = window as unknown as {
        axe: { run(what: string, options: object): Promise<{ violations: Finding[] }> };
      };
      const options = { resultTypes: ['violations'], preload: false };
      const chosen = only ? { ...options, runOnly: only } : options;
      return (await axe.run(wanted, chosen)).violations;
    },
    { part, rules },
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}; ${html}; ${failureSummary}`),
  );
}

const press = (page: Page, test: string) =>
  // By script: on a phone some of these are behind others.
  page
    .locator(`[data-test="${test}"]`)
    .last()
    .evaluate((one) => (one as HTMLElement).click());
const tab = (page: Page, key: string) =>
  page.locator(`.tabs [data-tab="${key}"]`).evaluate((one) => (one as HTMLElement).click());
const fold = (page: Page, title: string, open: boolean) =>
  page
    .locator('.left summary', { hasText: title })
    .evaluate((one, to) => ((one.parentElement as HTMLDetailsElement).open = to), open);

interface State {
  readonly name: string;
  /** The part that is new in it: checked on every page, the rest on one. */
  readonly part: string;
  open(page: Page, server: Server): Promise<unknown>;
  close?(page: Page): Promise<unknown>;
}

const kStates: readonly State[] = [
  { name: 'first view', part: 'body', open: (page) => page.mouse.move(2, 2) },
  {
    name: 'a scene chosen, with the sheet of panels',
    part: '.left',
    async open(page) {
      await page.locator('[data-scene="push-lab"]').evaluate((one) => (one as HTMLElement).click());
      await until(
        page,
        'the scene',
        ({ scene, characters }) => scene === 'push-lab' && characters > 0,
      );
      await page.locator('[aria-label="Panels"]').evaluate((one) => (one as HTMLElement).click());
    },
    close: (page) =>
      page.locator('[aria-label="Panels"]').evaluate((one) => (one as HTMLElement).click()),
  },
  {
    name: 'somebody selected',
    part: '.character',
    async open(page) {
      await page.keyboard.press(']');
      await until(page, 'figures', ({ details }) => details.length === 1);
    },
  },
  {
    name: 'gaits of a wind-up toy',
    part: '.character',
    async open(page, server) {
      await server.command({
        spawn: { body: 'cat', controller: 'posegraph', position_m: [2, 2] },
      });
      const before = await until(page, 'a cat', ({ characters }) => characters > 1);
      await page.keyboard.press('['); // the last one
      await until(page, 'its figures', ({ details }) => details[0]?.id !== before.details[0]?.id);
      const add = page.locator('[data-test="mix-add"]');
      await add.selectOption('cat_bound');
      await page.locator('[data-test="mix-cat_bound"]').waitFor();
      await press(page, 'mix-beyond');
      await page.locator('[data-test="mix-cat_bound"]').fill('-0.5');
      await press(page, 'gait-save');
    },
    close: (page) => page.keyboard.press(']'),
  },
  {
    name: 'a search for a gait',
    part: '.learn',
    async open(page) {
      await page.keyboard.press('['); // the toy
      await press(page, 'open-learn');
      await page.locator('[data-test="learn-budget"]').fill('5');
      await press(page, 'learn-start');
      await page.locator('[aria-invalid="true"]').waitFor();
      await page.locator('[data-test="learn-budget"]').fill('400');
      await press(page, 'learn-start');
      await page.locator('.map-cell').first().focus();
    },
    async close(page) {
      await press(page, 'learn-close');
      await page.keyboard.press(']');
    },
  },
  { name: 'style editor', part: '.character', open: (page) => tab(page, 'style') },
  {
    name: 'body editor',
    part: '.character',
    open: (page) => tab(page, 'body'),
    close: (page) => tab(page, 'walk'),
  },
  {
    name: 'build, show and connection',
    part: '.left',
    async open(page) {
      await page.locator('[aria-label="Panels"]').evaluate((one) => (one as HTMLElement).click());
      for (const title of ['Build', 'Crowd', 'Who is here', 'Camera', 'Show', 'Connection'])
        await fold(page, title, true);
      await page.locator('.kit').first().waitFor({ state: 'attached' });
    },
    close: (page) =>
      page.locator('[aria-label="Panels"]').evaluate((one) => (one as HTMLElement).click()),
  },
  {
    name: 'something to put down',
    part: '.bottom',
    open: (page) =>
      page
        .locator('.kit')
        .first()
        .evaluate((one) => (one as HTMLElement).click()),
    close: (page) => press(page, 'hand-done'),
  },
  {
    name: 'people who come and go, painted',
    part: '.left',
    async open(page) {
      const area = (x: number) => ({ center_m: [x, 0], size_m: [2, 2] });
      const flow = {
        entrances: [{ area: area(-12), rates: [{ per_minute: 0 }] }],
        exits: [{ area: area(12) }],
        gatherings: [{ center_m: [0, 9], radius_m: 2, people: 3 }],
        most_people: 10,
      };
      await page.evaluate(
        (body) => fetch('/api/v1/rooms/main/commands', { method: 'POST', body }),
        JSON.stringify({ set_flow: { flow } }),
      );
      await fold(page, 'Crowd', false);
      await page.locator('.left summary', { hasText: 'Crowd' }).waitFor({ state: 'attached' });
      await page.waitForTimeout(100);
      await fold(page, 'Crowd', true);
      const exit = page.locator('[data-item="exits 0"]');
      await exit.waitFor({ state: 'attached' });
      await exit.evaluate((one) => (one as HTMLElement).click());
      await press(page, 'heat-map');
      await page
        .locator('[data-tool="select"]')
        .evaluate((one) =>
          one.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true })),
        );
    },
    async close(page) {
      await press(page, 'flow-hand-done');
      await press(page, 'heat-map');
      await fold(page, 'Crowd', false);
    },
  },
  {
    name: 'gait lab',
    part: '.gait-lab',
    open: (page) => press(page, 'open-lab'),
    close: (page) =>
      page
        .locator('.gait-lab [aria-label*="lose"]')
        .first()
        .evaluate((one) => (one as HTMLElement).click()),
  },
  { name: 'looking back', part: '.bottom', open: (page) => press(page, 'look-back') },
  {
    name: 'plots',
    part: '.bottom',
    open: (page) => press(page, 'plot'),
    close: (page) => press(page, 'plot'),
  },
  {
    name: 'compare',
    part: '.bottom',
    open: (page) => press(page, 'compare'),
    close: (page) => press(page, 'compare'),
  },
  {
    name: 'capture',
    part: '.bottom',
    open: (page) => press(page, 'capture'),
    async close(page) {
      await press(page, 'capture');
      await press(page, 'past-live');
    },
  },
  {
    name: 'help',
    part: 'dialog[open]',
    open: (page) =>
      page
        .locator('[aria-label="Help"]')
        .first()
        .evaluate((one) => (one as HTMLElement).click()),
    close: (page) => page.keyboard.press('Escape'),
  },
  { name: 'lobby', part: '.lobby', open: (page) => press(page, 'lobby') },
];

/** Colours are checked once they are what they become. */
function end_transitions(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets = [sheet];
  });
}

export const kAccessibilityTests: readonly PageTest[] = [
  {
    name: 'axe-core finds nothing in seventeen states, light and dark, on desktop and phone',
    options: ['--scene', 'square'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?room=main`, {
        viewport: { width: 320, height: 180 },
      });
      await until(page, 'people', ({ characters, tick }) => characters > 3 && tick > 10);
      await stop_drawing(page);
      await server.command({ pause: {} }); // the time of the machine is for the checks
      await bring_axe(page);
      await end_transitions(page);
      const wrong = new Set<string>();
      for (const state of kStates) {
        await page.setViewportSize(kLooks[0].viewport);
        await state.open(page, server);
        for (const { name, viewport } of kLooks)
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize(viewport);
            await page.emulateMedia({ colorScheme });
            await page.waitForTimeout(60);
            await pictures(page, 2);
            // Names and roles are the same in the dark.
            const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
            const whole = name === 'desktop' && colorScheme === 'light';
            for (const one of await findings(page, whole ? 'body' : state.part, rules))
              wrong.add(`${state.name}, ${name}, ${colorScheme}: ${one}`);
          }
        await state.close?.(page);
      }
      assert.equal(wrong.size, 0, [...wrong].join('\n'));
    },
  },
  {
    name: 'axe-core finds nothing in the pictures and the map of a gait',
    options: ['--scene', 'toys'],
    async run(browser, server) {
      const [{ viewport }] = kLooks;
      const page = await open_page(browser, `${server.url}/?select=3`, { viewport });
      await page.locator('[data-test="open-variations"]').waitFor();
      await stop_drawing(page);
      await bring_axe(page);
      await end_transitions(page);
      await press(page, 'open-variations');
      const explored = { timeout: 120_000 };
      await page.locator('[data-test="variation"]').first().waitFor(explored);
      const wrong: string[] = [];
      const look = async (what: string) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.waitForTimeout(60);
          const found = await findings(page, '.variations', undefined);
          wrong.push(...found.map((one) => `${what}, ${colorScheme}: ${one}`));
        }
      };
      await look('pictures');
      await press(page, 'variations-map');
      await press(page, 'landscape-draw');
      await page.locator('[data-test="landscape"]').waitFor(explored);
      await page.locator('[data-test="landscape"]').focus();
      await page.keyboard.press('ArrowRight');
      await page.locator('[data-test="landscape-told"]', { hasText: ' at ' }).waitFor();
      await look('map');
      assert.deepEqual(wrong, []);
    },
  },
];

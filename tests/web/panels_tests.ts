// The panels around the picture: in reach on every page, out of the way when they are not wanted.
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { set_number } from './editors.ts';
import { open_page, open_tab, pictures, state, stop_drawing, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kTiny = { width: 320, height: 180 };

/** The page with its panels only, at a size. */
async function panels(
  browser: Browser,
  server: Server,
  size: { width: number; height: number },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await open_page(browser, `${server.url}/?room=main`, {
    ...options,
    viewport: kTiny,
  });
  await until(page, 'a character', ({ characters, tick }) => characters >= 1 && tick > 2);
  await stop_drawing(page);
  await page.setViewportSize(size);
  return page;
}

/** Whether the middle of an element is where the pointer gets at it, without scrolling. */
async function in_sight(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((wanted) => {
    const one = document.querySelector(wanted);
    if (!one) return false;
    const box = one.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return at !== null && (one.contains(at) || at.contains(one)) && !at.matches('#app, .left');
  }, selector);
}

async function open_section(page: Page, title: string): Promise<void> {
  await page.locator('.left summary', { hasText: title }).click();
  await page.waitForTimeout(200);
}

const sections = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLDetailsElement>('.left > details')].flatMap((one) =>
      one.open ? [one.querySelector('summary')?.textContent ?? ''] : [],
    ),
  );

export const kPanelsTests: readonly PageTest[] = [
  {
    name: 'with all sections open the crowd is in reach; on a low page one is open; a key hides all',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await panels(browser, server, { width: 1600, height: 900 });
      for (const title of ['Build', 'Show', 'Connection', 'Crowd']) await open_section(page, title);
      assert.ok((await sections(page)).length >= 5, 'on a high page any number is open');
      assert.ok(await in_sight(page, '[data-test="add-one"]'), 'Add is out of sight');
      assert.ok(await in_sight(page, '[data-test="reset-all"]'), 'Reset is out of sight');
      await page.keyboard.press('v');
      for (const hidden of ['.left', '.clock', '.title-bar h1'])
        assert.ok(!(await page.locator(hidden).isVisible()), `${hidden} is to be seen`);
      assert.ok(await page.locator('[data-test="bare"]').isVisible());
      await page.locator('[data-test="bare"]').click();
      assert.ok(await page.locator('.left').isVisible());
      await page.setViewportSize({ width: 1280, height: 640 });
      await page.waitForTimeout(200);
      assert.equal((await sections(page)).length, 1);
      await open_section(page, 'Crowd');
      assert.deepEqual(await sections(page), ['Crowd']);
      assert.ok(await in_sight(page, '[data-test="add-one"]'));
    },
  },
  {
    name: 'on a phone the sheet shows every section, closes for a new scene, and hints speak of touch',
    options: ['--scene', 'square'],
    async run(browser, server) {
      const page = await panels(
        browser,
        server,
        { width: 390, height: 844 },
        { hasTouch: true, isMobile: true },
      );
      const hint = await page.locator('.hint').innerText();
      assert.match(hint, /two fingers/i);
      assert.doesNotMatch(hint, /click|wheel|Shift|W A S D/i);
      await page.getByRole('button', { name: 'Panels', exact: true }).tap();
      for (const title of ['Scenes', 'Build', 'Crowd', 'Show', 'Connection']) {
        const box = await page.locator('.left summary', { hasText: title }).boundingBox();
        assert.ok(box && box.y > 0 && box.y + box.height < 700, `${title} is out of sight`);
      }
      assert.match(
        await page.locator('.scene em').innerText(),
        /Tap someone and steer with the round/,
      );
      await page.locator('[data-scene="one"]').tap();
      await until(page, 'the other scene', ({ scene }) => scene === 'one');
      await page.waitForFunction(() => !document.querySelector('.sheet-open'));
      // Lying: the picture stays in the middle, and nothing covers the clock.
      await page.setViewportSize({ width: 844, height: 390 });
      await page.waitForTimeout(300);
      assert.ok(!(await page.locator('.left').isVisible()));
      await page.keyboard.press(']');
      await until(page, 'somebody is selected', ({ selected }) => selected.length === 1);
      await page.locator('#tab-walk-panel').waitFor({ state: 'visible' });
      assert.ok(await in_sight(page, '[data-test="pause"]'));
      assert.ok(await in_sight(page, '[aria-label="Simulation speed"]'));
      const box = await page.locator('#tab-walk-panel').boundingBox();
      assert.ok(box && box.x > 400, `the panel begins at ${box?.x} px`);
    },
  },
  {
    name: 'a ring round the picture is for visitors who come with Tab',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await panels(browser, server, { width: 800, height: 500 });
      const ring = () =>
        page.evaluate(() => {
          const host = document.querySelector('.viewport');
          const canvas = document.querySelector('.viewport-canvas');
          if (!host || !canvas) throw new Error('no picture');
          const shown = (style: CSSStyleDeclaration) => style.boxShadow !== 'none';
          const after = getComputedStyle(host, '::after');
          return shown(getComputedStyle(canvas)) || (after.content !== 'none' && shown(after));
        });
      await page.mouse.click(560, 300);
      await page.keyboard.press('w');
      assert.equal(await ring(), false);
      await page.keyboard.press('Tab');
      await page.locator('.viewport-canvas').evaluate((canvas) => (canvas as HTMLElement).blur());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Shift+Tab');
      for (let i = 0; i < 5 && !(await ring()); ++i) await page.keyboard.press('Shift+Tab');
      for (let i = 0; i < 5 && !(await ring()); ++i) await page.keyboard.press('Tab');
      assert.equal(await ring(), true);
      await page.mouse.click(560, 300);
      assert.equal(await ring(), false);
      await page.keyboard.press('?');
      await page.locator('[aria-label="Help"].help').waitFor({ state: 'visible' });
      await page.keyboard.press('Escape');
      await page.locator('[aria-label="Help"].help').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'footprints and the clock go by the time of the scene',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?room=main`, { viewport: kTiny });
      await until(page, 'prints', ({ footprints, tick }) => footprints.length > 1 && tick > 100);
      await server.command({ pause: {} });
      await until(page, 'the clock stands', ({ paused }) => paused);
      await pictures(page, 3);
      await page.waitForTimeout(500);
      const before = (await state(page)).footprints;
      await page.waitForTimeout(1200);
      await pictures(page, 2);
      assert.deepEqual((await state(page)).footprints, before);
      assert.ok(before.every((strength) => strength > 0 && strength <= 1));
      const { time_s } = await state(page);
      assert.ok(time_s > 1.5);
      await server.command({ loadScene: { scene: 'push-lab' } });
      await server.command({ singleStep: { ticks: 6 } });
      const later = await until(
        page,
        'the new scene',
        ({ scene, tick, characters }) => scene === 'push-lab' && tick > 100 && characters > 0,
      );
      assert.ok(later.time_s < 0.5, `${later.time_s} s after it began`);
      assert.match(await page.locator('.clock .time').innerText(), /^0:00\.\d$/);
    },
  },
  {
    name: 'a very heavy body is warned of, and a new start of the server is told in plain words',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ spawn: { body: 'human' } });
      const page = await panels(browser, server, { width: 1280, height: 800 });
      await until(page, 'two', ({ characters }) => characters === 2);
      await page.keyboard.press('[');
      await open_tab(page, 'body');
      const warning = page.locator('[data-test="mass-warning"]');
      await page.locator('[data-test="body-mass"]').waitFor();
      assert.ok(!(await warning.isVisible()));
      await set_number(page, 'scale', 2);
      await warning.waitFor({ state: 'visible' });
      assert.match(await warning.innerText(), /times as much as/);
      const failed: string[] = [];
      page.on('response', (answer) => {
        if (answer.status() === 404) failed.push(answer.url());
      });
      await server.stop();
      await until(page, 'the page notices', ({ connection }) => connection !== 'online');
      await server.start();
      await until(
        page,
        'it is back',
        ({ connection, tick }) => connection === 'online' && tick > 5,
      );
      await page.locator('.toast', { hasText: 'has restarted' }).waitFor();
      assert.doesNotMatch(await page.locator('.toasts').innerText(), /no such/);
      assert.deepEqual(failed, []);
    },
  },
];

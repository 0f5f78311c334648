// Building: putting down, dragging, taking away.
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { locate_at_rest, open_page, state, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kView = 'camera=-3.8,-3.2,2.75,0,0,0.2';

async function open_palette(page: Page): Promise<void> {
  const fold = async (title: string, open: boolean) =>
    page
      .locator('.left details', { has: page.locator('summary', { hasText: title }) })
      .evaluate((element, wanted) => ((element as HTMLDetailsElement).open = wanted), open);
  await fold('Scenes', false);
  await fold('Build', true);
  await page.locator('[data-kit="crate"]').waitFor({ state: 'visible' });
}

/** A page of a room without characters, so that none walks into a thing that is put down. */
async function open_workshop(
  browser: Browser,
  server: Server,
  options: BrowserContextOptions,
): Promise<Page> {
  await server.command({ remove: { character: 1 } });
  const page = await open_page(browser, `${server.url}/?${kView}`, options);
  await until(page, 'the room', ({ characters, tick }) => characters === 0 && tick > 0);
  return page;
}

/** Where a point of the world is in the picture. */
async function spot_of(page: Page, x: number, y: number, z: number) {
  const spot = await page.evaluate(
    ([a, b, c]) => window.__promenade?.locate_point(a as number, b as number, c as number),
    [x, y, z],
  );
  assert.ok(spot, `(${x}, ${y}, ${z}) is not in the picture`);
  const free = await page.evaluate(
    ({ x, y }) => document.elementFromPoint(x, y)?.classList.contains('viewport-canvas'),
    spot,
  );
  assert.ok(
    free,
    `(${x}, ${y}, ${z}) is at ${spot.x}, ${spot.y}: beside the picture or under a panel`,
  );
  return spot;
}

export const kBuildTests: readonly PageTest[] = [
  {
    name: 'a crate is put down from the palette, dragged somewhere else and taken away',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_workshop(browser, server, { viewport: { width: 780, height: 520 } });
      const before = (await state(page)).things.length;
      await open_palette(page);
      await page.locator('[data-kit="crate"]').click();
      assert.equal((await state(page)).tool, 'place');
      const there = await spot_of(page, 0.5, -1.2, 0);
      await page.mouse.move(there.x, there.y);
      await page.mouse.click(there.x, there.y);
      const placed = await until(
        page,
        'a crate where it was clicked',
        ({ things }) => things.length === before + 1,
      );
      const crate = placed.things.find(({ name }) => name === 'crate');
      assert.ok(crate, 'it is a crate');
      assert.ok(Math.hypot(crate.x - 0.5, crate.y + 1.2) < 0.1, `at ${crate.x}, ${crate.y}`);
      await page.keyboard.press('Escape');
      assert.equal((await state(page)).tool, 'none');

      const from = await locate_at_rest(page, crate.id);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x - 40, from.y - 110, { steps: 6 });
      // Let go sooner, it would fall where it was picked up: it rises before it gets aside.
      await until(page, 'the crate is lifted and gets aside', ({ things }) =>
        things.some(
          ({ id, x, y, z }) =>
            id === crate.id && z > crate.z + 0.1 && Math.hypot(x - crate.x, y - crate.y) > 0.2,
        ),
      );
      await page.mouse.up();
      await until(page, 'the crate falls when it is let go', ({ things }) =>
        things.some(({ id, z }) => id === crate.id && z < crate.z + 0.05),
      );
      const moved = (await state(page)).things.find(({ id }) => id === crate.id);
      assert.ok(moved && Math.hypot(moved.x - crate.x, moved.y - crate.y) > 0.15, 'it has moved');

      const now = await locate_at_rest(page, crate.id);
      await page.mouse.click(now.x, now.y);
      await until(page, 'it is selected', ({ selected }) => selected[0] === crate.id);
      await page.keyboard.press('Delete');
      await until(page, 'it is gone', ({ things }) => things.length === before);
    },
  },
  {
    name: 'two things are tied with the mouse, and let go of',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_workshop(browser, server, { viewport: { width: 780, height: 520 } });
      await server.command({ spawn_thing: { thing: 'crate', position_m: [0.6, -0.9] } });
      await until(page, 'a crate', ({ things }) => things.length === 1);
      await open_palette(page);
      await page.locator('[data-tie="weld"]').click();
      const crate = await spot_of(page, 0.6, -0.9, 0.4);
      await page.mouse.click(crate.x, crate.y);
      await page.locator('[data-test="hand-back"]').waitFor();
      const ground = await spot_of(page, -0.1, -1, 0);
      await page.mouse.click(ground.x, ground.y);
      await until(page, 'a tie', ({ ties }) => ties === 1);
      await page.locator('[data-test="hand-done"]').click();
      await page.mouse.click(crate.x, crate.y);
      await until(
        page,
        'it is selected',
        ({ selected, tool }) => selected.length === 1 && tool === 'none',
      );
      await page.locator('.thing .held button').first().click();
      await until(page, 'no tie', ({ ties }) => ties === 0);
    },
  },
  {
    name: 'fingers put down, turn, throw and tie things',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_workshop(browser, server, {
        viewport: { width: 390, height: 640 },
        hasTouch: true,
        isMobile: true,
      });
      const sheet = page.getByRole('button', { name: 'Panels' });
      await sheet.tap();
      await open_palette(page);
      await page.locator('[data-kit="crate"]').tap();
      await page.locator('.left').waitFor({ state: 'hidden' });
      await page.locator('[data-test="hand-left"]').tap();
      const [x, y] = [0.1, -0.3];
      const there = await spot_of(page, x, y, 0);
      await page.touchscreen.tap(there.x, there.y);
      const placed = await until(page, 'a crate', ({ things }) => things.length === 1);
      const crate = placed.things[0];
      assert.ok(crate && Math.hypot(crate.x - x, crate.y - y) < 0.1, `at ${crate?.x}, ${crate?.y}`);
      await page.locator('[data-test="hand-done"]').tap();
      assert.equal((await state(page)).tool, 'none');
      await until(page, 'it is selected', ({ selected }) => selected[0] === crate.id);
      await page.getByRole('button', { name: 'Turn left' }).tap();
      await page.locator('.thing').getByRole('button', { name: 'Deselect' }).tap();

      const from = await locate_at_rest(page, crate.id);
      const screen = await page.context().newCDPSession(page);
      const touch = (
        type: 'touchStart' | 'touchMove' | 'touchEnd',
        ...at: { x: number; y: number }[]
      ) => screen.send('Input.dispatchTouchEvent', { type, touchPoints: at });
      await touch('touchStart', from);
      for (let i = 1; i <= 6; ++i) await touch('touchMove', { x: from.x, y: from.y - 20 * i });
      await until(page, 'the crate is lifted', ({ things }) => (things[0]?.z ?? 0) > crate.z + 0.1);
      await touch('touchEnd');
      await until(page, 'it falls', ({ things }) => (things[0]?.z ?? 1) < crate.z + 0.1);

      const at = await locate_at_rest(page, crate.id);
      await sheet.tap();
      await page.locator('[data-tie="weld"]').tap();
      await page.touchscreen.tap(at.x, at.y);
      await page.locator('[data-test="hand-back"]').waitFor();
      const ground = await spot_of(page, -1.2, -0.9, 0);
      await page.touchscreen.tap(ground.x, ground.y);
      await until(page, 'a tie', ({ ties }) => ties === 1);
    },
  },
  {
    name: 'a viewer sees what can be built and is told which role it needs',
    options: ['--scene', 'one', '--guest-role', 'viewer'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?${kView}`, {
        viewport: { width: 780, height: 520 },
      });
      await until(page, 'the room', ({ role, tick }) => role === 'viewer' && tick > 0);
      await open_palette(page);
      const kit = page.locator('[data-kit="crate"]');
      assert.ok(await kit.isDisabled());
      assert.match((await kit.getAttribute('title')) ?? '', /operator/);
      assert.ok(await page.locator('[data-mode="grab"]').isDisabled());
    },
  },
  {
    name: 'the keyboard puts down a crate, moves it and turns it before',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?${kView}`, {
        viewport: { width: 780, height: 520 },
      });
      await until(page, 'the room', ({ characters, tick }) => characters > 0 && tick > 0);
      await open_palette(page);
      await page.locator('[data-kit="crate"]').focus();
      await page.keyboard.press('Enter');
      for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowUp', 'r', 'Enter'])
        await page.keyboard.press(key);
      await until(page, 'a crate', ({ things }) => things.some(({ name }) => name === 'crate'));
      await page.keyboard.press('g');
      assert.equal((await state(page)).mode, 'grab');
    },
  },
];

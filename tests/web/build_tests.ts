// Building: putting down things from the palette.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { open_page, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kView = 'camera=-3,-2.5,2.2,0,0,0.2';

async function open_palette(page: Page): Promise<void> {
  const fold = async (title: string, open: boolean) =>
    page
      .locator('.left details', { has: page.locator('summary', { hasText: title }) })
      .evaluate((element, wanted) => ((element as HTMLDetailsElement).open = wanted), open);
  await fold('Scenes', false);
  await fold('Build', true);
  await page.locator('[data-kit="crate"]').waitFor({ state: 'visible' });
}

export const kBuildTests: readonly PageTest[] = [
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

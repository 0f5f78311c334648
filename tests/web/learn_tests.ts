// A search for a gait beside the room: begun in the page, its curve, its map, and a gait of that put beside the learner.
import assert from 'node:assert/strict';
import { eventually, get, kWide, press } from './editors.ts';
import { open_page, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kCat = 1; // of the scene learn
const kSearch_ms = 60_000; // of 300 candidates beside other tests

interface GaitJson {
  readonly info: { readonly name: string };
  readonly definition: { readonly origin?: { readonly trial: string } };
}
interface SearchJson {
  readonly cells: readonly { readonly cell: number; readonly trial: string }[];
}

export const kLearnTests: readonly PageTest[] = [
  {
    name: 'a search for a gait shows its curve and its map, and a cell puts a second cat beside the first',
    options: ['--scene', 'learn'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?select=${kCat}`, kWide);
      await until(page, 'the cat', ({ details }) => details.some(({ id }) => id === kCat));
      await stop_drawing(page);
      await press(page, 'open-learn');

      // What the server says of a field stands there.
      const budget = page.locator('[data-test="learn-budget"]');
      await budget.fill('5');
      await press(page, 'learn-start');
      const note = page.locator('.learn-field', { has: budget }).locator('.learn-wrong');
      await note.filter({ hasText: '10 to 50000' }).waitFor();
      assert.equal(await budget.getAttribute('aria-invalid'), 'true');

      await budget.fill('300');
      await press(page, 'learn-start');
      await page.locator('[data-test="learn-stop"]').waitFor();
      await page.locator('[data-test="learn-notice"]').waitFor({ state: 'attached' });
      // No other person is said to edit it.
      await page
        .locator('.gait-desk .editor-note', { hasText: 'A search changes this gait' })
        .waitFor({ state: 'attached' });
      const far = page.locator('[data-test="learn-far"]', { hasText: /^done: 30\d of 300/ });
      await far.waitFor({ timeout: kSearch_ms });
      await page.waitForFunction(
        () =>
          Number(
            document.querySelector<HTMLElement>('[data-test="learn-curve"]')?.dataset['dots'],
          ) >= 300,
      );

      const cell = page.locator('.map-cell').first();
      await cell.focus();
      await page.locator('[data-test="learn-told"]', { hasText: 'score' }).waitFor();
      await page.keyboard.press('Enter');
      const { positions } = await until(page, 'a second cat', (now) => now.characters === 2);
      const second = positions.find(({ id }) => id !== kCat)?.id ?? 0;
      const number = Number(await cell.getAttribute('data-cell'));
      const { cells } = await get<SearchJson>(server, 'rooms/main/search');
      const trial = cells.find((one) => one.cell === number)?.trial;
      assert.ok(trial !== undefined, 'the cell is one of the search');
      await eventually(
        'its gait',
        () => get<GaitJson>(server, `rooms/main/characters/${second}/gait`),
        ({ definition }) => definition.origin?.trial === trial,
      );

      await page.locator('[data-test="learn"] [data-test="gait-save"]').click();
      await page.locator('[data-test="learn"] [data-test="gait-name"]').fill('Found here');
      await page.locator('[data-test="learn"] [data-test="gait-save-confirm"]').click();
      await page.locator('.toast', { hasText: 'version 1' }).waitFor();
      const { definition } = await get<GaitJson>(server, 'gaits/found-here');
      assert.equal(definition.origin?.trial, trial, 'the chosen gait is kept');

      await press(page, 'learn-away');
      await until(page, 'one cat', (now) => now.characters === 1);
    },
  },
];

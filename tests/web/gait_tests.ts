// Wind-up toys in the page: their gaits, the mix of them, and their footfalls.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, get, kWide, press } from './editors.ts';
import { open_page, stop_drawing, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kCat = 3; // of the scene toys
const kExplored_ms = 120_000; // variations of it, beside other tests

interface GaitJson {
  readonly info: { readonly name: string; readonly version: number };
  readonly definition: {
    readonly name: string;
    readonly variants: readonly { readonly name: string }[];
    readonly states: readonly { readonly duration_s: number }[];
  };
}

function gait_of(server: Server, id: number): Promise<GaitJson> {
  return get<GaitJson>(server, `rooms/main/characters/${id}/gait`);
}

async function open_cat(page: Page): Promise<void> {
  await until(page, 'the cat', ({ details }) => details.some(({ id }) => id === kCat));
  await page.locator('[data-test="gait-load"]').waitFor();
}

export const kGaitTests: readonly PageTest[] = [
  {
    name: 'a wind-up toy plays the gait that is chosen, mixes in another, and the mix is kept',
    options: ['--scene', 'toys'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?select=${kCat}`, kWide);
      const other = await open_page(browser, `${server.url}/?select=${kCat}`, kWide);
      await open_cat(page);
      await open_cat(other);
      await stop_drawing(page);
      await stop_drawing(other);

      await page.locator('[data-test="gait-load"]').selectOption('cat_walk');
      const plays = (what: string, fits: (gait: GaitJson) => boolean) =>
        eventually(what, () => gait_of(server, kCat), fits);
      const walk = await plays('the walk', ({ info }) => info.name === 'cat_walk');
      await page.locator('[data-test="gait-now"]', { hasText: 'walk, 0.11 m/s' }).waitFor();

      await page.locator('[data-test="mix-add"]').selectOption('cat_bound');
      await plays('a variant', ({ definition }) => definition.variants[0]?.name === 'cat_bound');
      await page.locator('[data-test="mix-cat_bound"]').fill('0.4');
      for (const one of [page, other]) {
        await one.locator('[data-test="mix-cat_bound-share"]', { hasText: '40 %' }).waitFor();
        await one.locator('[data-test="mix-own-share"]', { hasText: '60 %' }).waitFor();
      }
      assert.ok(!(await page.locator('[data-test="mix-note"]').isVisible()), 'nothing beyond 1');

      await press(page, 'mix-beyond');
      await page.locator('[data-test="mix-cat_bound"]').fill('-0.25');
      for (const one of [page, other])
        await one.locator('[data-test="mix-note"]', { hasText: 'extrapolates' }).waitFor();
      await press(page, 'mix-beyond'); // back between 0 and 1
      await other.locator('[data-test="mix-cat_bound-share"]', { hasText: /^0 %/ }).waitFor();
      await page.locator('[data-test="mix-cat_bound"]').fill('0.5');
      await other.locator('[data-test="mix-cat_bound-share"]', { hasText: '50 %' }).waitFor();

      await press(page, 'gait-save');
      await page.locator('[data-test="gait-name"]').fill('Half a bound');
      await press(page, 'gait-save-confirm');
      await page.locator('.toast', { hasText: 'version 1' }).waitFor();
      const kept = await plays('the mix', ({ info }) => info.name === 'half-a-bound');
      const bound = await get<GaitJson>(server, 'gaits/cat_bound');
      const seconds = ({ definition }: GaitJson) => definition.states[0]?.duration_s ?? Number.NaN;
      const half = (seconds(walk) + seconds(bound)) / 2;
      assert.ok(Math.abs(seconds(kept) - half) < 1e-9, `${seconds(kept)} s instead of ${half} s`);
      await other.locator('[data-test="gait-load"] option[value="half-a-bound"]').waitFor({
        state: 'attached',
      });

      await press(page, 'gait-wind');
      await until(page, 'a stop', ({ details }) => details[0]?.state === 'standing');
      await page.locator('[data-test="gait-wind"]', { hasText: 'Wind up' }).click();
      await until(page, 'it goes on', ({ details }) => details[0]?.state === 'walking');
    },
  },
  {
    name: 'footfalls of a trotting cat have its stride and phases, live and over the last minute',
    options: ['--scene', 'toys'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?select=${kCat}`, kWide);
      await open_cat(page);
      await stop_drawing(page);
      // Else its fast variant is mixed in, by the speed that it is told.
      const { definition } = await gait_of(server, kCat);
      const weights = [1, ...definition.variants.map(() => 0)];
      await server.command({ set_gait: { character: kCat, weights } });
      await page.locator('[data-test="stride"]', { hasText: /takes 0\.4\d s/ }).waitFor();
      const rows = () =>
        page
          .locator('[data-test="footfalls"] tbody tr')
          .evaluateAll((all) =>
            all.map((row) =>
              [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''),
            ),
          );
      const legs = ['left fore', 'right fore', 'left hind', 'right hind'];
      const table = await eventually(
        'phases of a trot',
        rows,
        (now) => {
          const phase = (leg: number) => Number(now[leg]?.[3]);
          const near = (value: number) => Math.abs(value - 0.5) < 0.12;
          return phase(2) === 0 && near(phase(0)) && near(phase(3));
        },
        20_000,
      );
      assert.deepEqual(
        table.map(([leg]) => leg),
        legs,
      );
      await page.locator('.bar-tools [data-test="plot"]').click();
      await page.locator('[data-test="plot-what"]').selectOption('footfalls');
      await page
        .locator('[data-test="plot-legend"]', { hasText: /down; stride 0\.4\d s/ })
        .waitFor();
    },
  },
  {
    name: 'variations of a trot move in small pictures, and a slider mixes one into the cat of the room',
    options: ['--scene', 'toys'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?select=${kCat}`, kWide);
      const other = await open_page(browser, `${server.url}/?select=${kCat}`, kWide);
      await open_cat(page);
      await open_cat(other);
      await stop_drawing(page);
      await stop_drawing(other);
      const before = (await gait_of(server, kCat)).definition.variants.length;
      await press(page, 'open-variations');
      const tiles = page.locator('[data-test="variation"]');
      await tiles.first().waitFor({ timeout: kExplored_ms });
      const count = await tiles.count();
      assert.ok(count >= 5 && count <= 9, `${count} variations`);
      await eventually(
        'they are variants of its gait',
        () => gait_of(server, kCat),
        ({ definition }) => definition.variants.length === before + count,
      );
      const name = (await tiles.first().locator('input').getAttribute('data-test')) ?? '';
      const variant = name.replace('variation-variation', 'variation');

      await tiles.first().locator('input').fill('0.4');
      // Somebody else sees the share of the room.
      for (const one of [page, other]) {
        const share = one.locator(`[data-test="mix-${variant}-share"]`, { hasText: '40 %' });
        await share.waitFor({ state: 'attached' });
      }
      await other.locator(`[data-test="mix-${variant}"]`).waitFor();

      // By keys: the picture alone, then none of them.
      await tiles.nth(1).locator('button').focus();
      await page.keyboard.press('Enter');
      await tiles.nth(1).locator('output', { hasText: '100 %' }).waitFor();
      await tiles.first().locator('output', { hasText: /^0 %/ }).waitFor();
      await press(page, 'variations-none');
      await tiles.nth(1).locator('output', { hasText: /^0 %/ }).waitFor();

      // One that is kept is mixed as it is now.
      await tiles.nth(1).locator('input').fill('0.5');
      await press(page, 'variations-keep');
      await page.locator('[data-test="gait-name"]').fill('Half a variation');
      await press(page, 'gait-save-confirm');
      await page.locator('.toast', { hasText: 'version 1' }).waitFor();
      await eventually(
        'the mix',
        () => gait_of(server, kCat),
        ({ info }) => info.name === 'half-a-variation',
      );

      await press(page, 'open-variations');
      await page.locator('[data-test="variations"]').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('[data-test="variations"]').waitFor({ state: 'hidden' });
      await page.locator('[data-test="gait-wind"]').waitFor();
    },
  },
];

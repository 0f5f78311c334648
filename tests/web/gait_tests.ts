// Wind-up toys in the page: their gaits, the mix of them, and their footfalls.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, get, kWide, press } from './editors.ts';
import { open_page, state, stop_drawing, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kLamp = 2; // of the scene toys, as the next
const kCat = 3;
const kNear_m = -4.9; // x: the lamp, which begins at -5, has hardly begun
const kSteady_m = -4.6; // x: it hops steadily
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
    name: 'the feedback of a gait is switched off for everybody, and undo switches it on again',
    options: ['--scene', 'monster-walk'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?select=1`, kWide);
      const other = await open_page(browser, `${server.url}/?select=1`, kWide);
      for (const one of [page, other]) {
        await one.locator('[data-test="gait-feedback"]').waitFor();
        await stop_drawing(one);
      }
      // The other page shows what the room has.
      const shows = async (on: boolean) => {
        for (const one of [page, other])
          await one
            .locator(`[data-test="gait-feedback"]${on ? ':checked' : ':not(:checked)'}`)
            .waitFor();
      };
      await shows(true);
      // That no search runs is no error, which a browser would log.
      const asked = await page.waitForResponse((one) => one.url().endsWith('/search'));
      assert.equal(asked.status(), 200);
      await page.locator('[data-test="gait-feedback"]').uncheck();
      await shows(false);
      assert.equal((await gait_of(server, 1)).info.name, 'monster_walk', 'the gait stays');
      await press(page, 'gait-undo');
      await shows(true);
      await press(page, 'gait-redo');
      await shows(false);
      assert.ok(await page.locator('[data-test="gait-undo"]').isEnabled());
      // A gait without one has no switch.
      await page.locator('[data-test="gait-load"]').selectOption('monster_hop');
      for (const one of [page, other])
        await one.locator('[data-test="gait-feedback"]').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'a lamp leaps by the size that is chosen',
    options: ['--scene', 'toys'],
    async run(browser, server) {
      await server.command({ set_gait: { character: kLamp, gait: 'luxo_skip' } });
      await server.command({ set_time_scale: { scale: 0.3 } }); // to see how high it comes
      const page = await open_page(browser, `${server.url}/?select=${kLamp}`, kWide);
      const size = page.locator('[data-test="leap-size"]');
      const shown = page.locator('[data-test="leap-size-shown"]');
      await size.waitFor();
      await stop_drawing(page);
      await shown.filter({ hasText: '100 %' }).waitFor();
      assert.ok(!(await page.locator('[data-test="mix-leap"]').isVisible()), 'it is no share');
      const leap_m = async () => {
        await server.command({ reset: { character: kLamp } });
        await until(page, 'it begins anew', ({ details }) => (details[0]?.com[0] ?? 0) < kNear_m);
        await until(page, 'it hops', ({ details }) => (details[0]?.com[0] ?? -9) > kSteady_m);
        await press(page, 'gait-leap');
        const leaping = page.locator('[data-test="gait-leap"][aria-pressed="true"]');
        await leaping.waitFor();
        let highest_m = 0;
        while (await leaping.isVisible()) {
          const { details } = await state(page);
          highest_m = Math.max(highest_m, details[0]?.com[2] ?? 0);
        }
        return highest_m;
      };
      const full_m = await leap_m();
      await size.fill('1');
      await shown.filter({ hasText: '40 %' }).waitFor();
      const small_m = await leap_m();
      assert.ok(
        full_m > small_m + 0.04,
        `a leap of 40 % rises to ${small_m} m, a full one to ${full_m} m`,
      );
      // A gait without a leap has neither.
      await page.locator('[data-test="gait-load"]').selectOption('luxo_hop');
      await size.waitFor({ state: 'hidden' });
      await page.locator('[data-test="gait-leap"]').waitFor({ state: 'hidden' });
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
      await page.locator('[data-test="own-tile"]', { hasText: 'The gait itself' }).waitFor();
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

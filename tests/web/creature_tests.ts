// Creatures of other shapes than a person's, and the controllers that drive them.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { body_of, confirm_save, eventually, get, kWide, mass_of, press } from './editors.ts';
import { middle, open_page, open_tab, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

interface CharacterJson {
  readonly id: number;
  readonly controller: string;
  readonly state: string;
  readonly position_m: readonly number[];
}

async function character(server: Server, id: number): Promise<CharacterJson> {
  const { characters } = await get<{ characters: readonly CharacterJson[] }>(
    server,
    'rooms/main/state',
  );
  const found = characters.find((one) => one.id === id);
  assert.ok(found, `character ${id} is in the room`);
  return found;
}

function height({ position_m }: CharacterJson): number {
  return position_m[2] ?? Number.NaN;
}

/** The links of which the body editor's figure does not show both views whole. */
function cut_links(page: Page, links: readonly string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const frame = document.querySelector('.body-svg')?.getBoundingClientRect() ?? new DOMRect();
    return names.filter((name) => {
      const views = [...document.querySelectorAll(`.body-figure [data-link="${name}"]`)];
      const whole = views.filter((view) => {
        const { left, right, width, height } = view.getBoundingClientRect();
        return width > 1 && height > 1 && left >= frame.left && right <= frame.right;
      });
      return whole.length !== 2;
    });
  }, links);
}

export const kCreatureTests: readonly PageTest[] = [
  {
    name: 'a controller chosen in the panel drives the character: it drops, lies stiff, and walks again',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, kWide);
      await until(page, 'a character', ({ characters, tick }) => characters === 1 && tick > 5);
      const id = await open_tab(page, 'walk');
      const choose = (controller: string) =>
        page.locator('[data-test="controller"]').selectOption(controller);
      const reached = (what: string, fits: (now: CharacterJson) => boolean) =>
        eventually(what, () => character(server, id), fits, 30_000);
      const upright = height(await reached('gbwc', ({ controller }) => controller === 'gbwc'));
      assert.ok(upright > 0.8, `its root is at ${upright} m`);

      await choose('limp');
      await reached('a limp body on the ground', (now) => {
        return now.controller === 'limp' && now.state === 'limp' && height(now) < 0.4;
      });
      await page.locator('[data-test="no-gait"]').waitFor({ state: 'visible' });
      assert.ok(!(await page.locator('[data-test="style"]').isVisible()), 'no style to choose');

      await choose('hold');
      await reached('a body that lies there stiffly', (now) => {
        return now.controller === 'hold' && height(now) < 0.6;
      });

      await choose('gbwc');
      await reached('a walk', (now) => {
        return now.controller === 'gbwc' && now.state === 'walking' && height(now) > 0.8;
      });
      await page.locator('[data-test="style"]').waitFor({ state: 'visible' });
    },
  },
  {
    name: 'the body of a cat is drawn in the editor, edited, saved and spawned',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ remove: { character: 1 } });
      await server.command({ spawn: { body: 'cat', position_m: [0, 0] } });
      const page = await open_page(browser, server.url, kWide);
      await until(page, 'a cat', ({ characters, tick }) => characters === 1 && tick > 5);
      const id = await open_tab(page, 'body');
      const whole = await body_of(server, id);
      const links = whole.resolved.links.map(({ name }) => name);
      assert.ok(links.includes('tail') && !links.includes('left_thigh'), 'it is a cat');
      await page.locator('[data-handle="fore_trunk.length"]').waitFor();
      assert.deepEqual(await cut_links(page, links), [], 'links that the figure cuts off');
      const parts = await page.locator('[data-test="body-part"] option').count();
      assert.equal(parts, links.length);

      const before = mass_of(whole);
      const handle = await middle(page, '[data-handle="left_hind_lower.length"]');
      await page.mouse.move(handle.x, handle.y);
      await page.mouse.down();
      await page.mouse.move(handle.x, handle.y + 15, { steps: 5 });
      await page.mouse.up();
      const longer = await eventually(
        'longer hind legs',
        () => body_of(server, id),
        (body) => mass_of(body) > before + 0.01,
      );
      assert.equal(longer.definition.base, 'cat');
      const mass = (side: string) =>
        longer.resolved.links.find(({ name }) => name === `${side}_hind_lower`)?.mass_kg;
      assert.equal(mass('left'), mass('right'), 'both sides alike');
      await page.waitForFunction(
        (kg) => document.querySelector('[data-test="body-mass"]')?.textContent === kg,
        `${mass_of(longer).toFixed(1)} kg`,
      );
      const later = await until(page, 'it goes on', ({ details }) => details.length === 1);
      assert.equal(later.details[0]?.state, 'holding');

      await press(page, 'body-save');
      await page.locator('[data-test="body-name"]').fill('Long cat');
      await confirm_save(page, 'body', 1);
      await server.command({ spawn: { body: 'long-cat', position_m: [0, 1] } });
      const both = await until(page, 'another one', ({ characters }) => characters === 2);
      const kitten = both.positions.find((one) => one.id !== id)?.id as number;
      assert.ok(Math.abs(mass_of(await body_of(server, kitten)) - mass_of(longer)) < 1e-6);
    },
  },
];

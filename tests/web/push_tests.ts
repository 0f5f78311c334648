// Pushing by drawing an arrow.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { locate_at_rest, open_page, pictures, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

// Low, so that the horizon is at the hips of a person who stands there.
const kLow = 'camera=-2.6,-2.2,0.75,0,0,0.9';

interface Drawn {
  readonly text_n: number; // what the label says
  readonly force: readonly number[]; // N, world frame
}

/** Reads the label of the push once it has come to rest. */
async function drawn(page: Page): Promise<Drawn> {
  await pictures(page, 2);
  const label = page.locator('.push-label');
  const text = await label.innerText();
  const force = (await label.getAttribute('data-force')) ?? '';
  return { text_n: Number(/^(\d+) N$/.exec(text)?.[1]), force: force.split(' ').map(Number) };
}

export const kPushTests: readonly PageTest[] = [
  {
    name: 'the force of a push is in proportion to what is drawn, in every direction, at a low camera too',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ pause: {} });
      const page = await open_page(browser, `${server.url}/?${kLow}`, {
        viewport: { width: 620, height: 340 },
      });
      const { positions } = await until(page, 'one', ({ characters }) => characters === 1);
      const chest = await locate_at_rest(page, positions[0]?.id as number);
      await page.mouse.move(chest.x, chest.y);
      await page.mouse.down();
      const forces: number[] = [];
      for (const [x, y] of [
        [1, 0],
        [0, -1],
        [-1, 0],
        [0, 1],
      ] as const) {
        const at: number[] = [];
        for (const px of [60, 120]) {
          await page.mouse.move(chest.x + px * x, chest.y + px * y, { steps: 2 });
          at.push((await drawn(page)).text_n);
        }
        const [short = 0, long = 0] = at;
        assert.ok(Math.abs(long / short - 2) < 0.03, `60 and 120 px to ${x}, ${y}: ${at.join()} N`);
        forces.push(long);
      }
      assert.ok(Math.max(...forces) - Math.min(...forces) <= 3, `forces of 120 px: ${forces} N`);
      assert.ok(forces.every((force) => force > 150 && force < 800));
      // Upward leads away from the camera, level; with Shift it leads up, without another move of the pointer.
      await page.mouse.move(chest.x, chest.y - 120);
      const [x = 0, y = 0, z = 1] = (await drawn(page)).force;
      assert.equal(z, 0);
      assert.ok(x > 100 && y > 100, `the push leads to ${x}, ${y}`);
      await page.keyboard.down('Shift');
      const up = await drawn(page);
      assert.ok((up.force[2] ?? 0) > 0.9 * up.text_n, `with Shift: ${up.force.join()} N`);
      await page.keyboard.up('Shift');
      assert.equal((await drawn(page)).force[2], 0);
      await page.keyboard.press('Escape');
      await page.mouse.up();
      assert.deepEqual((await state(page)).selected, []);
      // A hand that trembles clicks all the same.
      await page.mouse.move(chest.x, chest.y);
      await page.mouse.down();
      await page.mouse.move(chest.x + 7, chest.y);
      await page.mouse.up();
      await until(page, 'a click selects', ({ selected }) => selected.length === 1);
    },
  },
];

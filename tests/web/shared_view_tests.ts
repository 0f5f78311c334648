// Views that are shared by their address, and what one pans to while the camera follows.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { open_page, pictures, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kSmall = { viewport: { width: 320, height: 200 } };

/** The parts of the address, once it has been written. */
async function address(page: Page): Promise<URLSearchParams> {
  await page.waitForFunction(() => location.search.includes('show='));
  await page.waitForTimeout(800); // it is written so often
  return new URLSearchParams(await page.evaluate(() => location.search));
}

function numbers(text: string | null): number[] {
  return (text ?? '').split(',').map(Number);
}

/** The point that is looked at, relative to the only character's root, m. */
async function offset(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const hook = window.__promenade;
    const { x = 0, y = 0, z = 0 } = hook?.state().positions[0] ?? {};
    const [ax = 0, ay = 0, az = 0] = hook?.state().camera.at ?? [];
    return [ax - x, ay - y, az - z];
  });
}

export const kSharedViewTests: readonly PageTest[] = [
  {
    name: 'following keeps the view of the address and what one pans to, and a second window shows the same',
    options: ['--scene', 'one'],
    async run(browser, server) {
      // At the feet of a character that walks away.
      await server.command({ pause: {} });
      const page = await open_page(
        browser,
        `${server.url}/?camera=-2.5,-2,0.6,0,0,0.1&follow=1&show=com,names`,
        kSmall,
      );
      await until(page, 'a character', ({ characters }) => characters === 1);
      await server.command({ resume: {} });
      const walked = (metres: number) =>
        until(page, `${metres} m`, ({ positions }) => (positions[0]?.x ?? 0) > metres);
      await walked(1.2);
      const feet = await offset(page);
      assert.ok((feet[2] ?? 0) < -0.5, `it looks ${feet[2]} m above the hips`);
      assert.ok(Math.hypot(feet[0] ?? 9, feet[1] ?? 9) < 1);
      // Panned up to the head.
      await page.mouse.move(160, 50);
      await page.mouse.down({ button: 'right' });
      await page.mouse.move(160, 115, { steps: 4 });
      await page.mouse.up({ button: 'right' });
      await pictures(page, 15); // the camera glides to a stop
      const head = await offset(page);
      assert.ok((head[2] ?? 0) > (feet[2] ?? 0) + 0.3, `panned from ${feet[2]} to ${head[2]} m`);
      await walked(3.5);
      await pictures(page, 2);
      const later = await offset(page);
      assert.ok(Math.abs((later[2] ?? 9) - (head[2] ?? 0)) < 0.12, `${head[2]} m to ${later[2]} m`);
      await server.command({ pause: {} });
      await until(page, 'the clock stands', ({ paused }) => paused);
      await pictures(page, 8); // until the camera has come after it
      const query = await address(page);
      assert.equal(query.get('follow'), '1');
      assert.equal(query.get('show'), 'names,com');
      assert.equal(query.get('paused'), '1');
      assert.ok(Number(query.get('time')) > 2);
      // The room goes on for a while: a second window has the camera at the same place to the body all the same.
      const before = await offset(page);
      await server.command({ resume: {} });
      await walked(5);
      await server.command({ pause: {} });
      const other = await open_page(browser, `${server.url}/?${query.toString()}`, kSmall);
      const asked = other.locator('.toast', { hasText: 'scene paused at' }).waitFor(); // it goes after a while
      await until(other, 'it is there', ({ characters, tick }) => characters === 1 && tick > 0);
      await pictures(other, 8);
      const same = await offset(other);
      for (const k of [0, 1, 2])
        assert.ok(Math.abs((same[k] ?? 9) - (before[k] ?? 0)) < 0.1, `${same} and ${before}`);
      const { overlays } = await state(other);
      assert.deepEqual(overlays, ['names', 'com']);
      // Another viewer is here: the room is not taken to that moment without asking.
      await asked;
    },
  },
  {
    name: 'an address made while the clock stood brings a room of its own to that moment',
    options: ['--scene', 'push-lab'],
    async run(browser, server) {
      const page = await open_page(
        browser,
        `${server.url}/?scene=one&camera=-4,-3,1.5,0,0,0.9&paused=1&time=3.5&show=none`,
        kSmall,
      );
      const there = await until(
        page,
        'the scene, standing',
        ({ scene, paused, time_s }) => scene === 'one' && paused && time_s > 3.49,
      );
      assert.ok(Math.abs(there.time_s - 3.5) < 0.01, `at ${there.time_s} s`);
      assert.deepEqual(there.overlays, []);
      const query = await address(page);
      assert.deepEqual(numbers(query.get('camera')), [-4, -3, 1.5, 0, 0, 0.9]);
      assert.equal(query.get('time'), '3.500');
    },
  },
];

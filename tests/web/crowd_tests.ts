// Great crowds in the picture: light bipeds, which cost the server so little that there can be hundreds in a test.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { draw_in_full, locate, open_page, pictures, state, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kOptions = ['--scene', 'one', '--max-characters', '2000', '--request-rate', '100000'];
const kCamera = '?camera=-6,0,1.9,40,0,0&select=';
const kAtOnce = 20; // requests
const kPatience_ms = 90_000;

type Place = readonly [x: number, y: number];

async function add(server: Server, places: readonly Place[]): Promise<void> {
  for (let i = 0; i < places.length; i += kAtOnce)
    await Promise.all(
      places.slice(i, i + kAtOnce).map((positionM, k) => {
        const headingRad = ((i + k) * 2.4) % 6;
        const spawn = { body: 'human', style: 'normal', controller: 'pendulum' };
        return server.command({ spawn: { ...spawn, positionM, headingRad, wander: true } });
      }),
    );
}

/** From right before the eye to far away, so that each way of drawing somebody is needed. */
function row(count: number): Place[] {
  return Array.from({ length: count }, (_, i): Place => {
    const away = 3 * 50 ** (i / (count - 1));
    return [away - 6, 0.12 * away * (i % 2 === 0 ? 1 : -1)];
  });
}

/** Behind one another, beyond the first few metres. */
function square(count: number): Place[] {
  return Array.from({ length: count }, (_, i): Place => [
    16 + 3 * Math.floor(i / 32),
    2.6 * ((i % 32) - 15.5),
  ]);
}

/** The picture once nothing of it is still to come: small people in it are drawn as one. */
async function settled(page: Page, people: number) {
  await until(
    page,
    `${people} people`,
    (now) => now.characters === people && now.whole_picture && now.drawn_characters.as_one > 0,
    kPatience_ms,
  );
  await pictures(page, 3);
  return state(page);
}

export const kCrowdTests: readonly PageTest[] = [
  {
    name: 'a thousand walkers take as many draw calls as a hundred',
    options: kOptions,
    alone: true,
    async run(browser, server) {
      await server.command({ pause: {} });
      await add(server, row(120));
      const page = await open_page(browser, `${server.url}/${kCamera}`);
      await draw_in_full(page);
      const few = await settled(page, 121);
      await add(server, square(879));
      const many = await settled(page, 1000);
      assert.equal(many.draw_calls, few.draw_calls);
      assert.ok(many.draw_calls < 60, `${many.draw_calls} draw calls`);
      // They are there, and none of them with the triangles of a body that is near.
      const each = (many.triangles - few.triangles) / 879;
      assert.ok(each > 80 && each < 2000, `${each.toFixed(0)} triangles for each of the crowd`);
    },
  },
  {
    name: 'a click on somebody far away in a crowd selects them',
    options: kOptions,
    async run(browser, server) {
      await server.command({ pause: {} });
      const far: readonly Place[] = [
        [70, 4],
        [72, -3],
      ]; // between those of the row
      await add(server, [...row(120), ...far]);
      const page = await open_page(browser, `${server.url}/${kCamera}`);
      const { positions } = await settled(page, 123);
      for (const [x_m, y_m] of far) {
        const id = positions.find(({ x, y }) => Math.hypot(x - x_m, y - y_m) < 0.5)?.id ?? 0;
        const spot = await locate(page, id);
        await page.mouse.click(spot.x, spot.y);
        await until(page, 'the selection', ({ selected }) => selected.join() === String(id));
      }
    },
  },
];

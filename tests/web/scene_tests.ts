// Drawing, judged by the colours of the picture: tests/web/picture.ts shows it to people.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { draw_in_full, locate, locate_at_rest, open_page, state, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

type Color = readonly [number, number, number];
interface Point {
  readonly x: number;
  readonly y: number;
}

const kClose = '?camera=-3.4,-2.8,1.7,0,0,0.9';
const kAmber: Color = [255, 181, 46]; // of the outline around a selected body
const kCom: Color = [255, 194, 26];
const kMost_draw_calls = 20;
const kMost_triangles_each = 400_000 / 300;

async function colors(page: Page, points: readonly Point[]): Promise<Color[]> {
  const found = await page.evaluate((asked) => window.__promenade?.colors_at(asked), points);
  return found as unknown as Color[];
}

function unlike(a: Color, b: Color): number {
  return Math.max(...a.map((value, k) => Math.abs(value - (b[k] as number))));
}

function row(from: Point, to: Point, count: number): Point[] {
  return Array.from({ length: count }, (_, i) => ({
    x: from.x + ((to.x - from.x) * i) / (count - 1),
    y: from.y + ((to.y - from.y) * i) / (count - 1),
  }));
}

/** Stops the clock soon: a page that opens slowly would find that the watched character has walked away. */
async function pause_soon(server: Server): Promise<void> {
  for (let walked = false; !walked;) {
    const reply = await fetch(`${server.url}/api/v1/rooms/main/state`);
    const room = (await reply.json()) as { tick?: string };
    walked = Number(room.tick ?? 0) > 60;
  }
  await server.command({ pause: {} });
}

async function open_paused(browser: Browser, server: Server, query: string): Promise<Page> {
  const page = await open_page(browser, `${server.url}/${query}`, {
    viewport: { width: 900, height: 520 },
  });
  await draw_in_full(page);
  await until(page, 'somebody walks', ({ tick }) => tick > 60);
  await server.command({ pause: {} });
  const { tick } = await until(page, 'the clock stands', ({ paused }) => paused);
  await until(page, 'the last frame is drawn', ({ drawn_tick }) => drawn_tick >= tick);
  return page;
}

/** Waits until what has changed is drawn. */
async function next_picture(page: Page): Promise<void> {
  const { pictures } = await state(page);
  await until(page, 'another picture', (now) => now.pictures >= pictures + 2);
}

async function show_overlay(page: Page, key: string): Promise<void> {
  await page.locator(`[data-overlay="${key}"]`).evaluate((element) => {
    const box = element as HTMLInputElement;
    if (!box.checked) box.click();
  });
}

/** How far the labels of the picture that are shown reach over each other, px; the greatest of all pairs. */
function pile(page: Page): Promise<{ readonly shown: number; readonly over: number }> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll<HTMLElement>('.name-label')]
      .filter((label) => !label.hidden)
      .map((label) => label.getBoundingClientRect());
    let over = 0;
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        over = Math.max(over, Math.min(x, y));
      }),
    );
    return { shown: boxes.length, over };
  });
}

export const kSceneTests: readonly PageTest[] = [
  {
    name: 'a selected body gets an outline and keeps its colours',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      await pause_soon(server);
      const page = await open_paused(browser, server, `${kClose}&select=1`);
      const id = (await until(page, 'somebody is selected', (now) => now.selected.length === 1))
        .selected[0] as number;
      await next_picture(page);
      const torso = await locate(page, id);
      const across = row({ x: torso.x - 90, y: torso.y }, { x: torso.x + 90, y: torso.y }, 181);
      const amber = (seen: readonly Color[]) =>
        seen.filter((one) => unlike(one, kAmber) < 40).length;
      const selected = await colors(page, across);
      assert.ok(amber(selected) >= 2, `${amber(selected)} pixels of the outline across the body`);
      await page.keyboard.press('Escape');
      await until(page, 'nobody is selected', ({ selected: ids }) => ids.length === 0);
      await next_picture(page);
      const other = await locate_at_rest(page, id); // the panel that went may have moved the picture
      const plain = await colors(
        page,
        across.map(({ x, y }) => ({ x: x + other.x - torso.x, y: y + other.y - torso.y })),
      );
      const middle = plain.length >> 1;
      assert.equal(amber(plain), 0, 'an outline around nobody');
      assert.ok(
        unlike(plain[middle] as Color, selected[middle] as Color) < 10,
        `the shirt went from ${plain[middle]} to ${selected[middle]}`,
      );
    },
  },
  {
    name: 'overlays are seen through the body, and from the first camera',
    options: ['--scene', 'square'],
    alone: true,
    async run(browser, server) {
      const page = await open_paused(browser, server, '?select=9');
      await show_overlay(page, 'com');
      const { details } = await until(page, 'details', ({ details }) => details.length === 1);
      const [x = 0, y = 0, z = 0] = details[0]?.com ?? [];
      const spot = await page.evaluate(
        ([a, b, c]) => window.__promenade?.locate_point(a as number, b as number, c as number),
        [x, y, z],
      );
      assert.ok(spot);
      await next_picture(page);
      const seen = await colors(
        page,
        [-3, 0, 3].map((off) => ({ x: spot.x + off, y: spot.y })),
      );
      for (const one of seen) assert.ok(unlike(one, kCom) < 40, `${one} instead of the mark`);
    },
  },
  {
    name: 'names of a crowd do not lie over each other',
    options: ['--scene', 'dancers'],
    alone: true,
    async run(browser, server) {
      const page = await open_paused(browser, server, '');
      await show_overlay(page, 'names');
      await page.waitForFunction(() => document.querySelector('.name-label:not([hidden])'));
      await next_picture(page);
      const { shown, over } = await pile(page);
      assert.ok(shown >= 4, `${shown} names of sixteen`);
      assert.ok(over <= 1, `names lie over each other by ${over} px`);
    },
  },
  {
    name: 'the first picture has sky, whole trees, and the crowd in the middle of what is free',
    options: ['--scene', 'square'],
    alone: true,
    async run(browser, server) {
      const page = await open_paused(browser, server, '');
      const panel = await page.locator('.panel.left').boundingBox();
      assert.ok(panel);
      const free = { left: panel.x + panel.width, right: 900 };
      const top = await colors(page, row({ x: free.left, y: 4 }, { x: free.right - 2, y: 4 }, 60));
      const sky = top.filter(([r, g, b]) => b > g && g > r).length;
      assert.ok(sky > 45, `${sky} of 60 points at the upper edge are sky`);
      // The trees on the far side stand between their foot and five and a half metres.
      for (const side of [-8, 8])
        for (const height of [0, 5.5]) {
          const spot = await page.evaluate(
            ([y, z]) => window.__promenade?.locate_point(38.5, y as number, z as number),
            [side, height],
          );
          assert.ok(spot && spot.y > 0 && spot.y < 520, `a tree's ${height} m at ${spot?.y}`);
        }
      const { positions } = await state(page);
      const xs = await Promise.all(positions.map(async ({ id }) => (await locate(page, id)).x));
      const mean = xs.reduce((sum, x) => sum + x, 0) / xs.length;
      const middle = (free.left + free.right) / 2;
      assert.ok(Math.abs(mean - middle) < 60, `the crowd's middle is at ${mean}, not ${middle}`);
    },
  },
  {
    name: 'no face is black, on the side that the sun does not reach, by day and at dusk',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      const page = await open_paused(
        browser,
        server,
        '?camera=2.6,-2.4,1.5,0,0,1&follow=1&about=0,0,0.95',
      );
      await page.waitForTimeout(1500); // the camera comes along
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await next_picture(page);
        const { positions } = await state(page);
        const { x = 0, y = 0, z = 0 } = positions[0] ?? {};
        const spots = await page.evaluate(
          (points) => points.map((p) => window.__promenade?.locate_point(p[0]!, p[1]!, p[2]!)),
          [0.6, 0.63, 0.66].map((up) => [x + 0.06, y - 0.05, z + up]),
        );
        const seen = await colors(page, spots as Point[]);
        for (const [r, g, b] of seen) {
          const light = 0.21 * r + 0.72 * g + 0.07 * b;
          assert.ok(light > 60, `a point of the face is ${[r, g, b].join(' ')} (${scheme})`);
        }
      }
    },
  },
  {
    name: 'a hundred people with all overlays take few draw calls and triangles',
    options: ['--scene', 'hundred'],
    alone: true,
    async run(browser, server) {
      const page = await open_paused(browser, server, '');
      for (const key of ['com', 'capture', 'support', 'target', 'velocity', 'forces', 'footprints'])
        await show_overlay(page, key);
      await next_picture(page);
      const { triangles } = await state(page); // before the camera goes near to the selected body
      await page.keyboard.press(']');
      await until(page, 'details', ({ details }) => details.length === 1);
      await next_picture(page);
      const { characters, draw_calls, programs } = await state(page);
      assert.equal(characters, 100);
      assert.ok(draw_calls <= kMost_draw_calls, `${draw_calls} draw calls`);
      const least = 60_000; // of the houses, trees and ground
      assert.ok(
        triangles < least + 100 * kMost_triangles_each,
        `${triangles} triangles for ${characters} people`,
      );
      assert.ok(programs <= 24, `${programs} shaders to compile`);
    },
  },
];

import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { PageState } from '../../web/src/ui/page/hook.ts';
import {
  draw_in_full,
  locate_at_rest,
  open_page,
  open_tab,
  state,
  stop_drawing,
  until,
} from './page.ts';
import type { Server } from './server.ts';

export interface PageTest {
  readonly name: string;
  readonly options: readonly string[]; // of `promenade serve`
  /** It checks times, rates or pictures: nothing else runs meanwhile, and the page draws as often as it can. */
  readonly alone?: boolean;
  /** It looks at what is painted, or at how the page does where painting takes long. */
  readonly painted?: boolean;
  run(browser: Browser, server: Server): Promise<void>;
}

// Close enough that one person fills the small window, with the panels out of the way.
const kClose = 'camera=-3.3,-2.8,1.9,0,0,0.9';
const kPresses = 20;
const kRounds = 6;
const kLatencyLimit_ms = 120;

async function show_one(browser: Browser, server: Server): Promise<Page> {
  const page = await open_page(browser, `${server.url}/?${kClose}`, {
    viewport: { width: 740, height: 420 },
  });
  await until(
    page,
    'somebody is there',
    ({ characters, details }) => characters === 1 && details.length === 0,
  );
  return page;
}

async function select_first(page: Page): Promise<number> {
  await page.keyboard.press(']');
  const { selected } = await until(
    page,
    'details of the selected',
    ({ details }) => details.length === 1,
  );
  return selected[0] as number;
}

/** Each of these can be brought to where it can be pressed. */
export async function reachable(page: Page, selector: string): Promise<void> {
  const hidden = await page.evaluate((wanted) => {
    const out: string[] = [];
    let seen = 0;
    for (const one of document.querySelectorAll<HTMLElement>(wanted)) {
      if (one.offsetParent === null) continue;
      ++seen;
      one.scrollIntoView({ block: 'nearest' });
      const box = one.getBoundingClientRect();
      const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (!at || !(one.contains(at) || at.contains(one))) out.push(one.outerHTML.slice(0, 80));
    }
    return seen > 0 ? out : ['none at all'];
  }, selector);
  assert.deepEqual(hidden, [], `out of reach: ${selector}`);
}

/** Whichever tab is open, all of them are where they were. */
async function same_places(page: Page): Promise<void> {
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.tabs button')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      }),
    );
  const first = await places();
  assert.equal(first.length, 3);
  for (const tab of ['style', 'body', 'walk'] as const) {
    await open_tab(page, tab);
    await page.waitForTimeout(300);
    assert.deepEqual(await places(), first, `the tabs moved when ${tab} was opened`);
  }
}

function speed_of([x = 0, y = 0]: readonly number[]): number {
  return Math.hypot(x, y);
}

/** Sorted times, in ms, from key presses to the intents that they changed, seen in the page. */
async function press_times(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < kPresses; ++i) {
    const before = (await state(page)).details[0]?.desired_velocity ?? [];
    await page.keyboard.press(i % 2 === 0 ? 'w' : 's');
    const after = await until(
      page,
      `press ${i} shows`,
      ({ details }) =>
        Math.abs(speed_of(details[0]?.desired_velocity ?? []) - speed_of(before)) > 0.1,
    );
    // The change is in every later message too; the first one with it was kept by the page.
    const changed_ms = await page.evaluate(() => window.__promenade?.intent_changed_ms() ?? 0);
    const pressed_ms = Number(await page.evaluate(() => document.body.dataset['pressed']));
    assert.ok(after.details.length === 1);
    times.push(changed_ms - pressed_ms);
    await page.waitForTimeout(150);
  }
  return times.sort((a, b) => a - b);
}

export const kTests: readonly PageTest[] = [
  {
    name: 'the crowd appears within seconds, in a fixed number of draw calls',
    options: ['--scene', 'square'],
    alone: true,
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      await draw_in_full(page); // or shadows that go would hide draw calls that come
      const crowd = await until(
        page,
        'a crowd',
        ({ characters, tick }) => characters >= 24 && tick > 0,
        20_000,
      );
      assert.equal(crowd.connection, 'online');
      const few = (await until(page, 'a whole picture', ({ whole_picture }) => whole_picture))
        .draw_calls;
      const moved = ({ positions }: PageState): number =>
        positions.filter(({ id, x, y }) => {
          const before = crowd.positions.find((position) => position.id === id);
          return before !== undefined && Math.hypot(x - before.x, y - before.y) > 0.02;
        }).length;
      // They start from standing, and the page draws the past: how many ticks that takes is the machine's.
      await until(page, 'people walking', (later) => moved(later) > 5, 20_000);
      // More people, the same number of draw calls (each tier of the crowd and its shadow may come or go).
      for (let i = 0; i < 8; ++i) await server.command({ spawn: { body: 'human' } });
      await until(page, 'more people', ({ characters }) => characters === crowd.characters + 8);
      await page.waitForTimeout(1000);
      const more = (await state(page)).draw_calls;
      assert.ok(Math.abs(more - few) <= 4, `draw calls went from ${few} to ${more}`);
      assert.ok(more < 40, `${more} draw calls`);
    },
  },
  {
    name: 'a key changes the intent at the room, and it is back in a frame, in time',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      // A small picture: what is measured is the way to the room and back, not the drawing without a GPU.
      const page = await open_page(browser, `${server.url}/?${kClose}`, {
        viewport: { width: 240, height: 180 },
      });
      await until(page, 'somebody is there', ({ characters }) => characters === 1);
      await select_first(page);
      await page.keyboard.press(' ');
      await until(
        page,
        'it was told to stop',
        ({ details }) => speed_of(details[0]?.desired_velocity ?? [1]) < 0.05,
      );
      await page.evaluate(() => {
        window.addEventListener(
          'keydown',
          () =>
            (document.body.dataset['pressed'] = String(performance.timeOrigin + performance.now())),
          true,
        );
      });
      // A round that the machine was too busy for says nothing of the page: the best counts.
      let best_ms = Number.POSITIVE_INFINITY;
      for (let round = 0; round < kRounds && best_ms > kLatencyLimit_ms; ++round) {
        const times = await press_times(page);
        const p50 = times[Math.floor(times.length / 2)] as number;
        const p95 = times[Math.ceil(times.length * 0.95) - 1] as number;
        console.log(
          `        key to changed intent and back: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms of ${times.length} presses`,
        );
        assert.ok(
          times.every((time) => time > 0),
          `times out of order: ${times.join(' ')}`,
        );
        best_ms = Math.min(best_ms, p95);
      }
      assert.ok(
        best_ms <= kLatencyLimit_ms,
        `p95 ${best_ms.toFixed(1)} ms, at most ${kLatencyLimit_ms} allowed`,
      );
    },
  },
  {
    name: 'dragging a body pushes it',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ stop: { character: 1 } });
      const page = await show_one(browser, server);
      const id = await select_first(page);
      await until(
        page,
        'it stands',
        ({ details }) => speed_of(details[0]?.com_velocity ?? [1]) < 0.15,
        20_000,
      );
      const chest = await locate_at_rest(page, id);
      const before = await state(page);
      await page.mouse.move(chest.x, chest.y);
      await page.mouse.down();
      await page.mouse.move(chest.x + 40, chest.y, { steps: 3 });
      await page.mouse.move(chest.x + 130, chest.y, { steps: 3 });
      await page.waitForFunction(() =>
        /^\d+ N$/.test(document.querySelector('.push-label')?.textContent ?? ''),
      );
      await page.waitForTimeout(500);
      await page.mouse.up();
      const after = await until(
        page,
        'the push moves it',
        ({ details }) => speed_of(details[0]?.com_velocity ?? []) > 0.3,
      );
      assert.equal(after.characters, before.characters);
      assert.deepEqual(after.selected, [id]);
    },
  },
  {
    name: 'a click selects, a click on the ground sends, Escape lets go',
    options: ['--scene', 'one'],
    async run(browser, server) {
      // Standing before the camera, however long the page takes to come up.
      await server.command({ stop: { character: 1 } });
      const page = await open_page(browser, `${server.url}/?${kClose}`, {
        viewport: { width: 900, height: 520 },
      });
      await until(page, 'somebody is there', ({ characters }) => characters === 1);
      const id = await select_first(page);
      await page.keyboard.press('Escape');
      await until(page, 'nobody is selected', ({ selected }) => selected.length === 0);
      const chest = await locate_at_rest(page, id);
      await page.mouse.click(chest.x, chest.y);
      await until(
        page,
        'it is selected',
        ({ selected }) => selected.length === 1 && selected[0] === id,
      );
      await page.mouse.click(340, 380);
      await until(page, 'it has a way to go', ({ details }) => (details[0]?.path ?? 0) > 0);
      await page.waitForFunction(() => location.search.includes('select='));
    },
  },
  {
    name: 'fingers select, command and send too',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ pause: {} });
      const page = await open_page(browser, `${server.url}/?${kClose}`, {
        viewport: { width: 900, height: 520 },
        hasTouch: true,
      });
      const { positions } = await until(
        page,
        'somebody stands there',
        ({ characters, paused }) => characters === 1 && paused,
      );
      const id = positions[0]?.id as number;
      const chest = await locate_at_rest(page, id);
      await page.touchscreen.tap(chest.x, chest.y);
      await until(page, 'it is selected', ({ selected }) => selected[0] === id);
      await page.locator('[data-test="pause"]').tap();
      await until(
        page,
        'it walks',
        ({ paused, details }) => !paused && speed_of(details[0]?.com_velocity ?? []) > 0.4,
      );
      await page.getByRole('button', { name: 'Stop', exact: true }).tap();
      await until(
        page,
        'it stands',
        ({ details }) => speed_of(details[0]?.com_velocity ?? [1]) < 0.15,
      );
      await page.touchscreen.tap(340, 380);
      await until(page, 'it has a way to go', ({ details }) => (details[0]?.path ?? 0) > 0);
      await page.locator('[data-test="pause"]').tap();
      await until(page, 'the clock stands', ({ paused }) => paused);
    },
  },
  {
    name: 'two fingers move the camera, also when one of them is on a body',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ pause: {} });
      const page = await open_page(browser, `${server.url}/?${kClose}`, {
        viewport: { width: 900, height: 520 },
        hasTouch: true,
      });
      const { positions } = await until(
        page,
        'somebody stands there',
        ({ characters, paused }) => characters === 1 && paused,
      );
      const { x, y } = await locate_at_rest(page, positions[0]?.id as number);
      const camera = () =>
        page.evaluate(() => new URLSearchParams(location.search).get('camera') ?? '');
      const before = await camera();
      const screen = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...spots: [number, number][]) =>
        screen.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: spots.map(([dx, dy], id) => ({ x: x + dx, y: y + dy, id })),
        });
      await touch('touchStart', [0, 0]);
      await touch('touchMove', [-4, 0]);
      await touch('touchStart', [-4, 0], [40, 0]);
      for (let i = 1; i <= 6; ++i) await touch('touchMove', [-4 - 10 * i, 0], [40 + 10 * i, 0]);
      await page.waitForTimeout(500);
      assert.ok(!(await page.locator('.push-label').isVisible()), 'a pinch pushes nobody');
      await touch('touchEnd');
      await page.waitForFunction((old) => !location.search.includes(old), `camera=${before}`);
      const distance = (view: string) => {
        const [fx = 0, fy = 0, fz = 0, ax = 0, ay = 0, az = 0] = view.split(',').map(Number);
        return Math.hypot(fx - ax, fy - ay, fz - az);
      };
      const [far, near] = [distance(before), distance(await camera())];
      assert.ok(near < 0.7 * far, `the camera came from ${far} m to ${near} m`);
      assert.deepEqual((await state(page)).selected, []);
      await page.touchscreen.tap(x, y);
      await until(page, 'one finger selects as before', ({ selected }) => selected.length === 1);
    },
  },
  {
    name: 'a drawn path becomes way-points',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?${kClose}`, {
        viewport: { width: 900, height: 520 },
      });
      await until(page, 'somebody', ({ characters }) => characters === 1);
      await select_first(page);
      await page.keyboard.press(' ');
      await page.keyboard.press('l');
      await page.waitForTimeout(1500); // the camera's flight
      await page.mouse.move(330, 400);
      await page.mouse.down();
      for (const [x, y] of [
        [380, 350],
        [440, 330],
        [500, 340],
        [550, 380],
      ] as const) {
        await page.mouse.move(x, y, { steps: 6 });
      }
      await page.mouse.up();
      await until(page, 'way-points', ({ details }) => (details[0]?.path ?? 0) >= 3);
      assert.equal(await page.locator('.viewport').getAttribute('data-tool'), 'none');
    },
  },
  {
    name: 'the camera stays where the address puts it, and follows where the address says so',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const target = (page: Page) =>
        page.evaluate(() =>
          (new URLSearchParams(location.search).get('camera') ?? '')
            .split(',')
            .slice(3)
            .map(Number),
        );
      const walked = ({ positions }: PageState) => (positions[0]?.x ?? 0) > 1.5;
      const still = await open_page(browser, `${server.url}/?${kClose}`);
      await until(still, 'a character walks on', walked);
      await still.waitForFunction(() => location.search.includes('scene=one'));
      assert.deepEqual(await target(still), [0, 0, 0.9]);
      await still.close();
      const going = await open_page(browser, `${server.url}/?${kClose}&follow=1`);
      await until(going, 'it is there', walked);
      await going.waitForFunction(() => {
        const camera = new URLSearchParams(location.search).get('camera') ?? '';
        return Number(camera.split(',')[3]) > 1;
      });
    },
  },
  {
    name: 'scenes are loaded from the list',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 800, height: 420 } });
      await until(
        page,
        'the first scene',
        ({ scene, characters }) => scene === 'one' && characters === 1,
      );
      await page.getByRole('button', { name: 'Panels', exact: true }).click();
      await page.locator('button[data-scene="push-lab"]').click();
      await until(
        page,
        'the other scene',
        ({ scene, characters, tick }) => scene === 'push-lab' && characters >= 1 && tick > 5,
      );
      await page.waitForFunction(
        () =>
          document.querySelector('button[data-scene="push-lab"]')?.getAttribute('aria-current') ===
          'true',
      );
      await page.waitForFunction(() => location.search.includes('scene=push-lab'));
    },
  },
  {
    name: 'the clock is paused and goes on',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      await until(page, 'time passes', ({ tick }) => tick > 5);
      await page.locator('[data-test="pause"]').click();
      await until(page, 'the clock stands', ({ paused }) => paused);
      const { tick } = await state(page);
      await page.waitForTimeout(700);
      assert.equal((await state(page)).tick, tick);
      await page.keyboard.press('.');
      await until(page, 'one step', (now) => now.tick === tick + 1);
      await page.locator('[data-test="pause"]').click();
      await until(page, 'time passes again', (now) => !now.paused && now.tick > tick + 10);
    },
  },
  {
    name: 'people are added, counted and removed',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 800, height: 600 } });
      await until(page, 'somebody', ({ characters }) => characters === 1);
      await page.locator('summary', { hasText: 'Crowd' }).click();
      await page.locator('[data-test="add-one"]').click();
      const added = await until(
        page,
        'two of them, the new one selected',
        ({ characters, selected }) => characters === 2 && selected.length === 1,
      );
      await page.locator('button', { hasText: 'Remove 1' }).first().click();
      const left = await until(page, 'one again', ({ characters }) => characters === 1);
      assert.ok(!left.positions.some(({ id }) => id === added.selected[0]));
      await until(page, 'the selection lets go', ({ selected }) => selected.length === 0);
    },
  },
  {
    name: 'a lost connection is told, and resumes when the server is back',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      await until(page, 'somebody walks', ({ tick, characters }) => tick > 5 && characters === 1);
      await server.stop();
      const lost = await until(
        page,
        'the page notices',
        ({ connection }) => connection !== 'online',
      );
      assert.equal(lost.characters, 1, 'the last picture stays');
      const banner = page.locator('.banner');
      await banner.waitFor({ state: 'visible' });
      assert.match(await banner.innerText(), /Connection lost/);
      await server.start();
      await until(
        page,
        'it is back',
        ({ connection, tick }) => connection === 'online' && tick > 5,
        20_000,
      );
      await banner.waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'a viewer is told what needs rights, and a token gives them',
    options: [
      ...['--scene', 'one', '--guest-role', 'viewer'],
      ...['--token', 'operator:half-open-1234', '--token', 'admin:open-sesame-1234'],
    ],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 800, height: 760 } });
      await until(
        page,
        'the role',
        ({ role, characters }) => role === 'viewer' && characters === 1,
      );
      assert.match(await page.locator('.banner').innerText(), /You are a viewer/);
      assert.ok(await page.locator('[data-test="pause"]').isDisabled());
      await page.keyboard.press(']');
      await page.keyboard.press('w');
      // In one go: a toast goes away by itself.
      await page.waitForFunction(() =>
        /operator role/.test(document.querySelector('.toast-error')?.textContent ?? ''),
      );
      const title = (test: string) =>
        page.locator(`[data-test="${test}"]`).getAttribute('title', { timeout: 5000 });
      await page.locator('summary', { hasText: 'Crowd' }).click(); // its content comes then
      assert.equal(await title('reset-all'), 'Needs the admin role');
      await page.locator('summary', { hasText: 'Connection' }).click();
      await page.locator('.token input').fill('half-open-1234');
      await page.locator('.token button').click();
      await until(page, 'some rights', ({ role }) => role === 'operator');
      assert.ok(!(await page.locator('[data-test="add-one"]').isDisabled()));
      assert.ok(await page.locator('[data-test="reset-all"]').isDisabled());
      await page.locator('.token input').fill('open-sesame-1234');
      await page.locator('.token button').click();
      await until(page, 'more rights', ({ role }) => role === 'admin');
      assert.match((await title('reset-all')) ?? '', /starting place/);
      await page.locator('.banner').waitFor({ state: 'hidden' });
      assert.ok(!(await page.locator('[data-test="pause"]').isDisabled()));
    },
  },
  {
    name: 'everything can be reached with the keyboard, in a narrow window too',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, {
        viewport: { width: 380, height: 640 },
        reducedMotion: 'reduce',
        colorScheme: 'dark',
      });
      await until(page, 'somebody', ({ characters }) => characters === 1);
      assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
      assert.ok(!(await page.locator('.left').isVisible()));
      await page.getByRole('button', { name: 'Panels' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.left').waitFor({ state: 'visible' });
      const reached = new Set<string>();
      const wanted = ['push-lab', 'Crowd', 'Show', 'Connection', 'Pause', 'Simulation speed'];
      const scenes = await page.locator('[data-scene]').count(); // each is a stop on the way
      for (let i = 0; i < scenes + 40 && !wanted.every((name) => reached.has(name)); ++i) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(() => {
          const element = document.activeElement;
          return (
            element?.getAttribute('data-scene') ??
            element?.getAttribute('aria-label') ??
            element?.textContent ??
            ''
          );
        });
        reached.add(name);
      }
      for (const name of wanted) {
        assert.ok(
          reached.has(name),
          `${name} was not reached with Tab: ${[...reached].join(', ')}`,
        );
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 380, `the page is ${wide} pixels wide`);
    },
  },
  {
    name: 'tabs keep their place, and nothing is out of reach in a low or a narrow window',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 320, height: 180 } });
      await until(page, 'a character', ({ characters, tick }) => characters === 1 && tick > 5);
      await stop_drawing(page);
      await page.setViewportSize({ width: 1280, height: 720 });
      await open_tab(page, 'walk');
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((one) => (one.open = true)),
      );
      await reachable(page, '.left input, .left button, .left dd');
      await reachable(page, '.character button, .character input, .character canvas');
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.plot figcaption, .plot figcaption > *')]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          .map((one) => one.textContent),
      );
      assert.deepEqual(cut, [], 'captions of plots that are cut off');
      await same_places(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForTimeout(500);
      await same_places(page);
    },
  },
];

// People who come and go, painted on the ground; how dense they stand; and the alarm.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { open_page, pictures, state, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kFromAbove = '?camera=-2,-12,17,-2,0,0';

interface Named {
  readonly name?: string;
  readonly area: { readonly center_m: number[]; readonly size_m: number[] };
}
interface Report {
  readonly people: number;
  readonly flow?: {
    readonly exits: readonly Named[];
    readonly walls: readonly { readonly points_m: number[] }[];
    readonly gatherings: readonly { readonly people: number }[];
  };
}

function small_flow(more: object = {}): object {
  const area = (x: number) => ({ center_m: [x, 0], size_m: [1.5, 3] });
  return {
    entrances: [{ name: 'west', area: area(-8), rates: [{ at_s: 0, per_minute: 120 }] }],
    exits: [{ name: 'east', area: area(4) }],
    ...{ bodies: ['child'], styles: ['normal'], controller: 'pendulum', most_people: 60 },
    ...more,
  };
}

async function report_of(server: Server): Promise<Report> {
  return (await (await fetch(`${server.url}/api/v1/rooms/main/flow`)).json()) as Report;
}

/** Waits until the server's flow fits. */
async function told(server: Server, what: string, fits: (now: Report) => boolean): Promise<Report> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const now = await report_of(server);
    if (fits(now)) return now;
    assert.ok(Date.now() < deadline, `${what}: ${JSON.stringify(now.flow)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A page with the section Crowd open. */
async function open_crowd(browser: Browser, server: Server): Promise<Page> {
  const page = await open_page(browser, `${server.url}/${kFromAbove}`, {
    viewport: { width: 900, height: 700 },
  });
  await until(page, 'people', ({ characters, tick }) => characters > 1 && tick > 0);
  await page.locator('.left').evaluate((left) => {
    for (const fold of left.querySelectorAll('details'))
      fold.open = fold.querySelector('summary')?.textContent === 'Crowd';
  });
  await page.locator('[data-item="exits 0"]').waitFor();
  return page;
}

async function spot(page: Page, [x, y]: readonly [number, number]) {
  const found = await page.evaluate(
    ([a, b]) => window.__promenade?.locate_point(a!, b!, 0),
    [x, y],
  );
  assert.ok(found, `(${x}, ${y}) is not in the picture`);
  return found;
}

/** Presses, moves and lets go over points of the ground. */
async function stroke(page: Page, points: readonly (readonly [number, number])[]): Promise<void> {
  const spots = [];
  for (const point of points) spots.push(await spot(page, point));
  const [first, ...rest] = spots;
  assert.ok(first);
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  for (const { x, y } of rest) await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.up();
}

const near = (values: readonly number[] = [], wanted: readonly number[], by = 0.35) =>
  values.length === wanted.length &&
  values.every((value, i) => Math.abs(value - (wanted[i] as number)) < by);

export const kFlowTests: readonly PageTest[] = [
  {
    name: 'an exit is painted, moved, walled in, which is refused at it, undone, and removed',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ set_flow: { flow: small_flow() } });
      const page = await open_crowd(browser, server);
      await page.locator('[data-tool="exit"]').click();
      await stroke(page, [
        [-1, 3],
        [1, 5],
      ]);
      const made = await told(server, 'a second exit', ({ flow }) => flow?.exits.length === 2);
      const exit = made.flow?.exits[1];
      assert.equal(exit?.name, 'exit_1');
      assert.ok(
        near(exit?.area.center_m, [0, 4]) && near(exit?.area.size_m, [2, 2]),
        `${exit?.area}`,
      );

      await page.locator('[data-tool="select"]').click();
      await stroke(page, [
        [0, 4],
        [1, 4.5],
        [2, 5],
      ]);
      await told(server, 'it is moved', ({ flow }) => near(flow?.exits[1]?.area.center_m, [2, 5]));
      assert.equal(
        await page.locator('[data-item="exits 1"]').getAttribute('aria-expanded'),
        'true',
      );

      await page.locator('[data-tool="wall"]').click();
      await stroke(page, [
        [-0.2, 3],
        [4.2, 3],
        [4.2, 7],
        [-0.2, 7],
        [-0.2, 3],
      ]);
      await page
        .locator('li', { has: page.locator('[data-item="exits 1"]') })
        .locator('.field-problem', { hasText: 'nobody reaches it' })
        .first()
        .waitFor();
      assert.equal((await report_of(server)).flow?.walls.length, 0, 'the room goes on as it was');
      const people = (await report_of(server)).people;
      assert.ok(people > 0);
      await page.keyboard.press('Escape');
      assert.ok(await page.locator('.flow-hand').isHidden());
      await page.locator('[data-test="flow-undo"]').click();
      await page.locator('.refused .flow-item').waitFor({ state: 'detached' });

      // With the keyboard alone.
      const row = page.locator('[data-item="exits 1"]');
      await row.focus();
      if ((await row.getAttribute('aria-expanded')) !== 'true') await page.keyboard.press('Enter');
      const [before = 0] = (await report_of(server)).flow?.exits[1]?.area.center_m ?? [];
      for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowRight');
      await told(server, 'it is moved by a metre', ({ flow }) =>
        near([flow?.exits[1]?.area.center_m[0] ?? 0], [before + 1], 0.05),
      );
      await page.keyboard.press('Delete');
      await told(server, 'it is gone', ({ flow }) => flow?.exits.length === 1);
    },
  },
  {
    name: 'the heat map colours the ground where people stand, with one draw call',
    options: ['--scene', 'one'],
    painted: true,
    async run(browser, server) {
      const gatherings = [{ center_m: [0, -2], radius_m: 3, people: 30 }];
      await server.command({ set_flow: { flow: small_flow({ gatherings }) } });
      await told(server, 'people', ({ people }) => people > 15);
      await server.command({ pause: {} });
      const page = await open_crowd(browser, server);
      await until(page, 'the whole picture', ({ whole_picture }) => whole_picture);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const looked: [number, number][] = [];
      for (let x = -2; x <= 2; x += 1) for (let y = -4; y <= 0; y += 1) looked.push([x, y]);
      looked.push([-10, 6], [-9, 6]);
      const spots: { x: number; y: number }[] = [];
      for (const point of looked) spots.push(await spot(page, point));
      const colors = () =>
        page.evaluate((points) => window.__promenade?.colors_at(points) ?? [], spots);
      await pictures(page, 2);
      const before = await colors();
      const { draw_calls } = await state(page);
      await page.locator('[data-test="heat-map"]').check();
      await page.locator('[data-test="heat-legend"]').waitFor();
      await page.waitForTimeout(600);
      await pictures(page, 3);
      const after = await colors();
      assert.equal((await state(page)).draw_calls, draw_calls + 1);
      const change = after.map((color, i) =>
        color.reduce((sum, value, k) => sum + Math.abs(value - (before[i]?.[k] ?? 0)), 0),
      );
      const amidst = change.slice(0, -2).filter((one) => one > 60).length;
      assert.ok(amidst > 8, `the ground amidst them: ${change.join(' ')}`);
      assert.ok(Math.max(...change.slice(-2)) < 12, 'the ground where nobody is');
      await page.locator('[data-test="heat-map"]').uncheck();
      await pictures(page, 2);
      assert.equal((await state(page)).draw_calls, draw_calls);
      assert.ok(await page.locator('[data-test="heat-legend"]').isHidden());
    },
  },
  {
    name: 'an alarm at a place that is clicked makes people run',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ set_flow: { flow: small_flow() } });
      const page = await open_crowd(browser, server);
      await told(server, 'people on their way', ({ people }) => people > 6);
      await page.locator('[data-tool="alarm"]').click();
      const { x, y } = await spot(page, [-4, 0]);
      await page.mouse.click(x, y);
      await page.locator('.toast', { hasText: 'Alarm' }).waitFor();
      assert.equal(
        await page.locator('[data-tool="alarm"]').getAttribute('aria-pressed'),
        'false',
        'it is rung once',
      );
      const deadline = Date.now() + 15_000;
      for (;;) {
        const { characters } = (await (
          await fetch(`${server.url}/api/v1/rooms/main/state`)
        ).json()) as { characters: { velocity_mps: number[] }[] };
        const fastest = Math.max(
          ...characters.map(({ velocity_mps: [u = 0, v = 0] }) => Math.hypot(u, v)),
        );
        if (fastest > 1.7) break;
        assert.ok(Date.now() < deadline, `nobody runs: ${fastest} m/s`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  },
];

// Tasks of a person with things: the menu, the list of errands, and their goals in the picture.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { locate, open_page, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kView = '?camera=-1.5,-6.5,4.5,0.3,0,0.3';
const kPerson = 1;

interface TaskList {
  readonly tasks?: readonly Readonly<Record<string, { position_m?: number[]; thing?: number }>>[];
  readonly current?: number;
  readonly repeat?: boolean;
  readonly shared_by?: readonly number[];
  readonly progress?: readonly { readonly state?: string; readonly character?: number }[];
}

async function tasks_of(server: Server, id = kPerson): Promise<TaskList> {
  const answer = await fetch(`${server.url}/api/v1/rooms/main/characters/${id}/tasks`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as TaskList;
}

/** Waits until the server's list fits. */
async function told(server: Server, what: string, fits: (list: TaskList) => boolean) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const list = await tasks_of(server);
    if (fits(list)) return list;
    assert.ok(Date.now() < deadline, `${what}: ${JSON.stringify(list)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A room whose clock stands, with a person, a small crate and a barrel that is too heavy. */
async function open_yard(browser: Browser, server: Server): Promise<Page> {
  await server.command({ stop: { character: kPerson } });
  await server.command({ spawn_thing: { thing: 'small_crate', position_m: [-1.2, 0.4] } });
  await server.command({ spawn_thing: { thing: 'barrel', position_m: [1.1, 2.2] } });
  const page = await open_page(browser, `${server.url}/${kView}`, {
    viewport: { width: 1000, height: 700 },
  });
  await until(page, 'things', ({ things, tick }) => things.length === 2 && tick > 0);
  await page.locator('.left').evaluate((left) => {
    for (const fold of left.querySelectorAll('details')) fold.open = false;
  });
  await server.command({ pause: {} });
  // By the pointer: keys that select let the camera fly there, and the places below were no longer where they are now.
  const person = await locate(page, kPerson);
  await page.mouse.click(person.x, person.y);
  await page.locator('.character [data-test="errands"]').waitFor({ state: 'attached' });
  await page.locator('.character details', { hasText: 'Errands' }).evaluate((section) => {
    (section as HTMLDetailsElement).open = true;
    section.scrollIntoView();
  });
  return page;
}

async function spot(page: Page, x: number, y: number, z = 0) {
  const found = await page.evaluate(
    ([a, b, c]) => window.__promenade?.locate_point(a as number, b as number, c as number),
    [x, y, z],
  );
  assert.ok(found, `(${x}, ${y}) is not in the picture`);
  const over = await page.evaluate(
    ({ x: px, y: py }) => document.elementFromPoint(px, py)?.className,
    found,
  );
  assert.equal(over, 'viewport-canvas', `something is over (${x}, ${y})`);
  return found;
}

const entry = (page: Page, key: string) => page.locator(`.task-menu [data-entry="${key}"]`);
const kinds = ({ tasks = [] }: TaskList) => tasks.map((task) => Object.keys(task)[0]);
const near = (values: readonly number[] = [], wanted: readonly number[], by = 0.15) =>
  values.length === wanted.length &&
  values.every((value, i) => Math.abs(value - (wanted[i] as number)) < by);

export const kTaskTests: readonly PageTest[] = [
  {
    name: 'errands are given by clicking things and the ground, reordered, dragged and removed',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_yard(browser, server);
      const [crate, barrel] = [2, 3];
      const at_crate = await locate(page, crate);
      await page.mouse.click(at_crate.x, at_crate.y);
      await entry(page, 'pick_up').click();
      await told(server, 'it picks up', (list) => kinds(list).join() === 'pick_up');

      // The menu says beforehand what is not possible, with the reason.
      const at_barrel = await locate(page, barrel);
      await page.mouse.click(at_barrel.x, at_barrel.y);
      assert.equal(await entry(page, 'pick_up').getAttribute('aria-disabled'), 'true');
      assert.match(await entry(page, 'pick_up').innerText(), /the hands are full/);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.task-menu').count(), 0);

      const ground = await spot(page, -0.6, -1);
      await page.mouse.click(ground.x, ground.y, { button: 'right' });
      await entry(page, 'put_down').click();
      const put = await told(server, 'it puts down', ({ tasks = [] }) => tasks.length === 2);
      assert.ok(near(put.tasks?.[1]?.['put_down']?.position_m, [-0.6, -1]), JSON.stringify(put));

      // Its ghost is dragged elsewhere.
      const ghost = await spot(page, -0.6, -1, 0.1);
      const to = await spot(page, -1.2, -0.6, 0);
      await page.mouse.move(ghost.x, ghost.y);
      await page.mouse.down();
      await page.mouse.move((ghost.x + to.x) / 2, (ghost.y + to.y) / 2, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
      await told(server, 'it is put elsewhere', ({ tasks = [] }) =>
        near(tasks[1]?.['put_down']?.position_m, [-1.2, -0.6]),
      );

      // A click on a goal is one on what is below it.
      const goal = await spot(page, -1.2, -0.6, 0.1);
      await page.mouse.click(goal.x, goal.y);
      await entry(page, 'put_down').waitFor();
      await page.keyboard.press('Escape');
      assert.equal((await tasks_of(server)).tasks?.length, 2);

      await page.locator('[data-test="errand-wait"]').click();
      await page.locator('[data-act="up 2"]').click();
      await told(server, 'it waits in between', (list) => kinds(list)[1] === 'sit_out');
      await page.locator('[data-test="errand-repeat"]').click();
      await told(server, 'it repeats', ({ repeat }) => repeat === true);
      await page.locator('[data-act="remove 1"]').click();
      await told(server, 'two are left', (list) => kinds(list).join() === 'pick_up,put_down');
      await page.locator('[data-test="errand-clear"]').click();
      await told(server, 'none is left', ({ tasks = [] }) => tasks.length === 0);
    },
  },
  {
    name: 'an errand is given by keys alone, and one that fails says why',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_yard(browser, server);
      await page.locator('.viewport-canvas').focus();
      await page.keyboard.press('u');
      await entry(page, 'place').waitFor();
      await page.keyboard.press('Enter'); // the nearest thing, the crate
      await entry(page, 'push_to').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+ArrowUp');
      await page.keyboard.press('Enter');
      const list = await told(server, 'it pushes', (now) => kinds(now).join() === 'push_to');
      const [, y = 0] = list.tasks?.[0]?.['push_to']?.position_m ?? [];
      assert.ok(y > 0.7, `${y}`);

      await page.locator('[data-test="errand-clear"]').click();
      await told(server, 'none is left', ({ tasks = [] }) => tasks.length === 0);
      await server.command({
        set_tasks: { character: kPerson, tasks: [{ put_down: {} }, { sit_out: { seconds: 60 } }] },
      });
      // The page knows of it before it fails.
      await page.locator('[data-errand="1"]').waitFor();
      await server.command({ resume: {} });
      await page.locator('.errand-failed', { hasText: 'Nothing is carried' }).waitFor();
      assert.equal(await page.locator('.errand-now').getAttribute('data-errand'), '1');
    },
  },
  {
    name: 'several selected people share a list of errands',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const [ben, crate, carton] = [2, 3, 4];
      await server.command({ stop: { character: kPerson } });
      await server.command({ spawn: { body: 'human', position_m: [0.9, 1.2] } });
      await server.command({ spawn_thing: { thing: 'small_crate', position_m: [-1.2, 0.6] } });
      await server.command({ spawn_thing: { thing: 'carton', position_m: [-2, -0.6] } });
      const page = await open_page(browser, `${server.url}/${kView}`, {
        viewport: { width: 1000, height: 700 },
      });
      await until(page, 'all', ({ things, characters }) => things.length + characters === 4);
      await page.locator('.left').evaluate((left) => {
        for (const fold of left.querySelectorAll('details')) fold.open = false;
      });
      await server.command({ pause: {} });
      for (const [id, modifiers] of [
        [kPerson, []],
        [ben, ['Shift']],
      ] as const) {
        const at = await locate(page, id);
        if (modifiers.length > 0) await page.keyboard.down('Shift');
        await page.mouse.click(at.x, at.y);
        await page.keyboard.up('Shift');
      }
      const section = page.locator('.character details', { hasText: 'Errands' });
      await section.evaluate((fold) => ((fold as HTMLDetailsElement).open = true));
      await section.locator('.errand-status', { hasText: 'What these 2 are told' }).waitFor();

      // To a place, and onto what is carried there.
      const ground = await spot(page, -0.4, -1.4);
      const at_crate = await locate(page, crate);
      await page.mouse.click(at_crate.x, at_crate.y);
      await entry(page, 'carry').waitFor();
      assert.equal(
        await entry(page, 'pick_up').count(),
        0,
        'only what one can do alone is offered',
      );
      await entry(page, 'carry').click();
      await page.mouse.click(ground.x, ground.y);
      await told(server, 'they share', (list) => list.shared_by?.join() === '1,2');
      const at_carton = await locate(page, carton);
      await page.mouse.click(at_carton.x, at_carton.y);
      await entry(page, 'carry').click();
      await page.mouse.click(at_crate.x, at_crate.y);
      const list = await told(server, 'two errands', ({ tasks = [] }) => tasks.length === 2);
      assert.ok(near(list.tasks?.[0]?.['carry']?.position_m, [-0.4, -1.4]), JSON.stringify(list));
      assert.partialDeepStrictEqual(list.tasks?.[1]?.['carry'], { thing: carton, on: crate });

      // The list says which person has which errand, and a clear leaves nothing to both.
      await server.command({ resume: {} });
      await page.locator('[data-errand="0"].errand-now .errand-by').waitFor();
      await section.locator('.errand-status', { hasText: '2 share this list: 0 of 2' }).waitFor();
      await page.locator('[data-test="errand-clear"]').click();
      for (const id of [kPerson, ben]) {
        const deadline = Date.now() + 10_000;
        while ((await tasks_of(server, id)).tasks?.length) assert.ok(Date.now() < deadline);
      }
    },
  },
];

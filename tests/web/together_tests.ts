// Two people in one room see the visitors, what each attends to, and their deeds; and nothing of it while one is alone.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { set_number } from './editors.ts';
import { locate, open_page, open_tab, state, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kSmall = { viewport: { width: 480, height: 360 } } as const;
const kWide = { viewport: { width: 800, height: 560 } } as const; // the panels leave some of the picture

/** By script: the picture takes the processor, and clicks wait for two pictures. */
async function take_name(page: Page, name: string): Promise<void> {
  await page.evaluate((wanted) => {
    const panel = document.querySelector<HTMLElement>('.here-now-panel');
    if (panel?.hidden) document.querySelector<HTMLElement>('[data-test="here-now"]')?.click();
    const field = document.querySelector<HTMLInputElement>('[data-test="own-name"]');
    if (!field) throw new Error('there is no field for the name');
    field.value = wanted;
    field.form?.requestSubmit();
  }, name);
}

const shown = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).first().isVisible();

async function until_text(page: Page, selector: string, text: RegExp): Promise<void> {
  await page.locator(selector, { hasText: text }).first().waitFor({ timeout: 20_000 });
}

export const kTogetherTests: readonly PageTest[] = [
  {
    name: 'two in a room see each other, what each attends to, and what each did',
    alone: true,
    options: ['--scene', 'one'],
    async run(browser, server) {
      const one = await open_page(browser, server.url, kSmall);
      const alone = await until(
        one,
        'somebody',
        ({ characters, tick }) => characters === 1 && tick > 5,
      );
      assert.deepEqual(alone.others, []);
      assert.equal(await shown(one, '[data-test="here-now"]'), false);
      await stop_drawing(one); // names in the picture are elements: they go on

      const two = await open_page(browser, server.url, kWide);
      const both = await until(
        two,
        'the other, and somebody',
        ({ others, positions }) => others.length === 1 && positions.length === 1,
      );
      const id = both.positions[0]?.id as number;
      await stop_drawing(two);
      await server.command({ stop: { character: id } }); // where it can be seen: the camera does not go along any more
      const met = await until(one, 'the other', ({ others }) => others.length === 1);
      assert.equal(await shown(one, '[data-test="here-now"]'), true);
      assert.equal(met.others[0]?.name, (await state(two)).own_name);
      assert.match(met.others[0]?.name ?? '', /^\w+ \w+$/);

      // A name that turns the text around it is refused, and told so; another one is seen by the other, and kept.
      await take_name(two, '\u202eAmber');
      await until_text(two, '.here-now-panel .wrong', /introduce\.name.*U\+202E/);
      await take_name(two, 'Amber <b>Fox');
      await until(one, 'the name', ({ others }) => others[0]?.name === 'Amber <b>Fox');
      assert.equal(await one.locator('.visitors b').count(), 0);
      await take_name(two, 'Amber Fox');
      await until(one, 'the name', ({ others }) => others[0]?.name === 'Amber Fox');
      assert.equal(await two.evaluate(() => localStorage.getItem('promenade.name')), 'Amber Fox');

      // The other's selection and pointer.
      await open_tab(two, 'walk');
      await until(one, 'the selection', ({ others }) => others[0]?.selected.join() === String(id));
      // On the ground, where neither a panel nor a note is.
      const free = await two.evaluate(() => {
        for (let y = 0.9 * innerHeight; y > 0.5 * innerHeight; y -= 10)
          for (let x = 0.3 * innerWidth; x < 0.7 * innerWidth; x += 10)
            if (document.elementFromPoint(x, y)?.tagName === 'CANVAS') return { x, y };
        return undefined;
      });
      assert.ok(free);
      await two.mouse.move(free.x, free.y);
      const seen = await until(
        one,
        'the pointer',
        ({ others }) => others[0]?.pointer !== undefined,
      );
      const pointer = seen.others[0]?.pointer ?? [];
      const there = await two.evaluate(
        ([x = 0, y = 0, z = 0]) => window.__promenade?.locate_point(x, y, z),
        [...pointer],
      );
      assert.ok(there);
      // The camera may go along with the person in the meantime.
      assert.ok(Math.hypot(there.x - free.x, there.y - free.y) < 80, `${there.x}, ${there.y}`);
      await until_text(one, '.name-label[data-kind="visitor"]', /^Amber Fox$/);
      await one.locator('[data-test="here-now"]').click();
      await until_text(one, '.visitors li', /Amber Fox.*has selected Human 1/);
      await one.keyboard.press('Escape');
      await two.mouse.move(5, 5); // the title
      await until(one, 'no pointer', ({ others }) => others[0]?.pointer === undefined);

      // A push, by drawing it.
      const body = await locate(two, id);
      await two.mouse.move(body.x, body.y);
      await two.mouse.down();
      await two.mouse.move(body.x + 60, body.y, { steps: 4 });
      await two.mouse.up();
      await until(one, 'who pushed', ({ past }) => past.marks.includes('Amber Fox pushed Human 1'));
      await until(two, 'who pushed', ({ past }) => past.marks.includes('You pushed Human 1'));

      // A slider that is dragged is one toast, and none for the visitor who drags.
      await open_tab(two, 'style');
      for (const lean of [2, 3, 4, 5]) await set_number(two, 'lean_deg', lean);
      await until_text(one, '.toast', /^Amber Fox changed Human 1/);
      assert.equal(await one.locator('.toast', { hasText: 'Amber Fox changed' }).count(), 1);
      assert.deepEqual(
        await two.locator('.toast', { hasText: 'changed Human' }).allInnerTexts(),
        [],
      );
      await until(one, 'who changed', ({ past }) =>
        past.marks.includes('Amber Fox changed Human 1'),
      );

      // The clock.
      await two.locator('[data-test="pause"]').click();
      await until_text(one, '[data-test="paused-by"]', /^Amber Fox paused$/);
      assert.equal(await shown(two, '[data-test="paused-by"]'), false);
      await one.locator('[data-test="pause"]').click();
      await one.locator('[data-test="paused-by"]').waitFor({ state: 'hidden' });

      await two.context().close();
      await until(one, 'nobody else', ({ others }) => others.length === 0);
      assert.equal(await shown(one, '[data-test="here-now"]'), false);
      await one.locator('.name-label[data-kind="visitor"]').first().waitFor({ state: 'hidden' });
    },
  },
];

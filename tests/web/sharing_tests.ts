// Two people in one room, who edit the same style or body at the same time.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { edit_together } from './edits.ts';
import { get, eventually, near, set_number, style_of } from './editors.ts';
import { open_page, open_tab, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kSmall = { viewport: { width: 800, height: 640 } } as const;

const kMany = 15; // edits of each page

interface BodyEdit {
  readonly definition: {
    readonly edit?: { readonly scale?: number; readonly links?: readonly { link: string }[] };
  };
}

const shown = (page: Page, field: string): Promise<number> =>
  page.locator(`[data-test="${field}"] input.number`).inputValue().then(Number);

async function until_shown(page: Page, field: string, value: number): Promise<void> {
  await eventually(
    `the other page shows ${field}`,
    () => shown(page, field),
    (now) => near(now, value),
  );
}

export const kSharingTests: readonly PageTest[] = [
  {
    name: 'two who edit one style see each other’s edits and keep each other’s changes',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const pages: Page[] = [];
      let id = 0;
      for (let i = 0; i < 2; ++i) {
        const page = await open_page(browser, server.url, kSmall);
        await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
        id = await open_tab(page, 'style');
        await page.locator('[data-point="1"]').first().waitFor();
        await stop_drawing(page);
        pages.push(page);
      }
      const [one, two] = pages as [Page, Page];
      // One after the other: the second edit used to be made from what the first had been.
      await set_number(one, 'lean_deg', 6);
      await until_shown(two, 'lean_deg', 6);
      await set_number(two, 'crouch_deg', 20);
      await until_shown(one, 'crouch_deg', 20);
      await set_number(one, 'lean_deg', 8);
      await until_shown(two, 'lean_deg', 8);
      const told = await two.locator('.editor-note:visible').innerText();
      assert.match(told, /Someone else .*Lean/);
      // At once.
      await Promise.all([set_number(one, 'twist_deg', 5), set_number(two, 'arm_swing', 2)]);
      const both = await eventually(
        'the room has both edits',
        () => style_of(server, id) as Promise<unknown> as Promise<Record<string, number>>,
        (style) => near(style['twist_deg'], 5) && near(style['arm_swing'], 2),
      );
      assert.equal(both['lean_deg'], 8);
      assert.equal(both['crouch_deg'], 20);
      await until_shown(two, 'twist_deg', 5);
      await until_shown(one, 'arm_swing', 2);
      // Undo takes back the visitor's own changes.
      await two.locator('[data-test="style-undo"]').click();
      const undone = await eventually(
        'the arm swing is what it was',
        () => style_of(server, id) as Promise<unknown> as Promise<Record<string, number>>,
        (style) => !near(style['arm_swing'], 2),
      );
      assert.equal(undone['twist_deg'], 5);
      assert.equal(undone['lean_deg'], 8);
      // Many, as fast as each sees what the other does.
      const { seen_ms, lost } = await edit_together([one, two], kMany);
      assert.deepEqual(lost, []);
      assert.ok(seen_ms.length > kMany);
      await one.context().close();
    },
  },
  {
    name: 'two who edit one body keep each other’s changes',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, kSmall);
      await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
      const id = await open_tab(page, 'body');
      await page.locator('[data-handle="left_thigh.length"]').waitFor();
      await stop_drawing(page);
      const body = { name: 'human', base: 'human' };
      // Somebody else, over HTTP.
      await server.command({
        set_body: {
          character: id,
          based_on: body,
          definition: { ...body, edit: { links: [{ link: 'left_shank', length: 1.1 }] } },
        },
      });
      await set_number(page, 'scale', 0.9);
      const edited = () => get<BodyEdit>(server, `rooms/main/characters/${id}/body`);
      const { definition } = await eventually('the room has both', edited, (now) =>
        near(now.definition.edit?.scale, 0.9),
      );
      assert.deepEqual(
        definition.edit?.links?.map(({ link }) => link),
        ['left_shank'],
      );
    },
  },
];

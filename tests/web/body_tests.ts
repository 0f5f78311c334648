// The editor of bodies, against a real server.
import assert from 'node:assert/strict';
import {
  body_of,
  mass_of,
  eventually,
  open_editor,
  kTop,
  press,
  set_number,
  confirm_save,
  file,
} from './editors.ts';
import { middle, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

export const kBodyTests: readonly PageTest[] = [
  {
    name: 'dragging a thigh changes the body, and the character goes on walking',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const { page, id } = await open_editor(browser, server, 'body');
      const few = (await until(page, 'a picture', ({ draw_calls }) => draw_calls > 0)).draw_calls;
      const before = mass_of(await body_of(server, id));
      assert.equal(
        await page.locator('[data-test="body-mass"]').innerText(),
        `${before.toFixed(1)} kg`,
      );
      const knee = await middle(page, '[data-handle="left_thigh.length"]');
      await page.mouse.move(knee.x, knee.y);
      await page.mouse.down();
      await page.mouse.move(knee.x, knee.y + 12, { steps: 6 });
      await page.mouse.up();
      const heavier = await eventually(
        'a longer thigh',
        () => body_of(server, id),
        (body) => mass_of(body) > before + 1,
      );
      assert.equal(heavier.definition.base, 'human');
      const thighs = heavier.resolved.links.filter(({ name }) => name.endsWith('_thigh'));
      assert.equal(thighs[0]?.mass_kg, thighs[1]?.mass_kg, 'both sides alike');
      // The page reckons what the server does.
      await page.waitForFunction(
        (kg) => document.querySelector('[data-test="body-mass"]')?.textContent === kg,
        `${mass_of(heavier).toFixed(1)} kg`,
      );
      const { tick } = await state(page);
      const later = await until(page, 'five seconds', (now) => now.tick > tick + 5 * 60, 60_000);
      assert.equal(later.details[0]?.state, 'walking');
      assert.ok(later.positions[0] && later.positions[0].z > 0.7, 'it is on its feet');
      assert.ok(
        Math.abs(later.draw_calls - few) <= 4,
        `${few} draw calls, then ${later.draw_calls}`,
      );

      await page.locator('[data-test="body-symmetric"]').uncheck();
      await page.locator('[data-test="body-part"]').selectOption('right_shank');
      await set_number(page, 'length', 1.05);
      await eventually(
        'unequal legs',
        () => body_of(server, id),
        (body) => {
          const [left, right] = ['left', 'right'].map(
            (side) => body.resolved.links.find(({ name }) => name === `${side}_shank`)?.mass_kg,
          );
          return left !== right;
        },
      );
      await press(page, 'body-undo');
      await press(page, 'body-undo');
      await eventually(
        'as it was',
        () => body_of(server, id),
        (body) => Math.abs(mass_of(body) - before) < 1e-6,
      );
    },
  },
  {
    name: 'a body is saved, and a bad one is refused',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const { page, id } = await open_editor(browser, server, 'body');
      await set_number(page, 'scale', 1.1);
      await press(page, 'body-save');
      await page.locator('[data-test="body-name"]').fill('Tall one');
      await confirm_save(page, 'body', 1);
      await eventually(
        'its name',
        () => body_of(server, id),
        ({ definition }) => definition.name === 'tall-one',
      );
      const before = await body_of(server, id);
      const bad = { name: 'x', base: 'human', edit: { links: [{ link: 'tail', length: 1.2 }] } };
      await page
        .locator('[data-test="body-file"]')
        .setInputFiles(file('bad.json', JSON.stringify(bad)));
      await page.locator('[data-test="body-note"]').waitFor();
      assert.match(
        await page.locator('[data-test="body-note"]').innerText(),
        /edit\.links\[0\]\.link.*tail/,
      );
      const after = await body_of(server, id);
      assert.deepEqual(after.definition, before.definition);
      assert.deepEqual(after.resolved, before.resolved);
    },
  },
  {
    name: 'each handle of a body can be grabbed, and axes tell their units',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const { page } = await open_editor(browser, server, 'body');
      for (const part of ['left_thigh', 'left_foot', 'left_toes', 'head']) {
        await page.locator('[data-test="body-part"]').selectOption(part);
        await page.locator(`[data-handle="${part}.width"]`).waitFor();
        const covered = await page.evaluate(() => {
          document.querySelector('.body-figure')?.scrollIntoView({ block: 'nearest' });
          return [...document.querySelectorAll<SVGElement>('.body-handle')]
            .filter((handle) => {
              const box = handle.querySelector('.dot')?.getBoundingClientRect() ?? new DOMRect();
              const reach = [0, 9, -9].flatMap((x) => [0, 9, -9].map((y) => [x, y] as const));
              return !reach.every(([x, y]) => {
                const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
                const at = document.elementFromPoint(cx + x, cy + y);
                return at !== null && handle.contains(at);
              });
            })
            .map((handle) => handle.dataset['handle']);
        });
        assert.deepEqual(covered, [], `with ${part} chosen`);
      }
      await page.locator('.tabs [data-tab="style"]').click();
      await page.locator(kTop).waitFor();
      const titles = () => page.locator('[data-test="style-curve"] .axis').allTextContents();
      assert.deepEqual(await titles(), ['phase of the step', 'height of the swing foot, cm']);
      await page.locator('.slot:not([disabled])').nth(1).click();
      await page.waitForFunction(
        () =>
          document.querySelectorAll('[data-test="style-curve"] .axis')[1]?.textContent ===
          'angle, °',
      );
    },
  },
];

// The page by keys alone: selecting, pushing, sending, looking back, plots, editors, dialogs, and what is read out.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { open_page, state, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

/** The text that is read out next, or was read out last. */
const told = (page: Page, region: 'answers' | 'happenings') =>
  page.locator(`[data-test="${region}"]`).innerText();

async function until_told(
  page: Page,
  region: 'answers' | 'happenings',
  wanted: RegExp,
): Promise<void> {
  await page
    .locator(`[data-test="${region}"]`, { hasText: wanted })
    .waitFor({ state: 'attached', timeout: 20_000 })
    .catch(async () => {
      throw new Error(`${region}: “${await told(page, region)}” is not ${wanted}`);
    });
}

/** Gives an element the focus as Tab would, without the way there. */
const focus = (page: Page, selector: string) => page.locator(selector).first().focus();
const focused = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
const value_text = (page: Page, selector: string) =>
  page.locator(selector).first().getAttribute('aria-valuetext');

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

interface Stop {
  readonly name: string;
  readonly seen: boolean;
  readonly ring: boolean; // it shows that it has the focus
}

/** Goes through the whole page with Tab. */
async function stops(page: Page): Promise<Stop[]> {
  const out: Stop[] = [];
  for (let i = 0; i < 150; ++i) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const one = document.activeElement;
      if (!(one instanceof HTMLElement || one instanceof SVGElement) || one === document.body)
        return undefined;
      const known = one.dataset['visited'] !== undefined;
      one.dataset['visited'] = '';
      const label = one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : undefined;
      const name = one.getAttribute('aria-label') ?? label ?? (one.textContent || one.outerHTML);
      const box = one.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const at = document.elementFromPoint(x, y);
      const seen = at !== null && (one.contains(at) || at.contains(one));
      const { outlineStyle } = getComputedStyle(one);
      const ring = outlineStyle !== 'none' || one.matches('canvas, [data-key-focus]');
      return { name: name.trim().slice(0, 60), seen, ring, known };
    });
    if (stop?.known) break;
    if (stop) out.push(stop);
  }
  return out;
}

/** Pushes, sends and leads the selected character, by keys. */
async function command(page: Page): Promise<void> {
  await press(page, 'x');
  await until_told(page, 'answers', /^Push .+: 2\d0 N away from you/);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowUp');
  await until_told(page, 'answers', /^350 N away and to the right/);
  assert.match(await page.locator('.hint').innerText(), /350 N away and to the right.*Enter/);
  await press(page, 'Enter');
  await until(page, 'pushed', ({ past }) => past.marks.some((mark) => /^You pushed/.test(mark)));
  await press(page, 'Escape');
  assert.doesNotMatch(await page.locator('.hint').innerText(), /350 N/);
  assert.ok((await state(page)).selected.length > 0, 'Esc ends the aim before the selection');

  await press(page, 'k', 'ArrowUp', 'ArrowUp', 'Shift+ArrowRight');
  await until_told(page, 'answers', /^\d+\.\d m from .+/);
  await press(page, 'Enter');
  await until(page, 'on its way', ({ details }) => details[0]?.path === 1);
  await press(page, 'l', 'Enter', 'Enter', 'Shift+ArrowUp', 'Enter', 'Shift+ArrowLeft', 'Enter');
  await until_told(page, 'answers', /^Point 3/);
  await press(page, 'Enter');
  await until(page, 'along the path', ({ details }) => (details[0]?.path ?? 0) >= 2);
  await press(page, ' ');
  await until(page, 'stopped', ({ details }) => details[0]?.path === 0);
}

/** The timeline and a plot. */
async function look_back(page: Page): Promise<void> {
  await focus(page, '[data-test="look-back"]');
  await press(page, 'Enter');
  const { past } = await until(page, 'the past', (now) => now.past.on);
  assert.ok(await focused(page, '.track'));
  await press(page, 'Shift+ArrowLeft');
  await until(page, 'a second back', (now) => now.past.t_ms < past.t_ms - 700);
  await press(page, 'PageUp', 'PageUp');
  await page.waitForFunction(() =>
    /ago/.test(document.querySelector('.track')?.getAttribute('aria-valuetext') ?? ''),
  );
  await focus(page, '[data-test="plot"]');
  await press(page, 'Enter');
  const value = () => value_text(page, '.big-plot');
  await page.waitForFunction(() =>
    document.querySelector('.big-plot')?.getAttribute('aria-valuetext')?.includes('m/s'),
  );
  await focus(page, '.big-plot');
  await press(page, 'End', 'ArrowLeft');
  const before = await value();
  await press(page, 'Shift+ArrowLeft');
  await page.waitForFunction(
    (old) => document.querySelector('.big-plot')?.getAttribute('aria-valuetext') !== old,
    before,
  );
  const { past: then } = await state(page);
  await press(page, 'Enter');
  await until(page, 'looked at', (now) => now.past.t_ms !== then.t_ms);
  await press(page, 'b');
  await until(page, 'live', (now) => !now.past.on);
}

/** A point of a curve, and a part of a body. */
async function edit(page: Page): Promise<void> {
  await focus(page, '.tabs [data-tab="walk"]');
  await press(page, 'ArrowRight');
  const point = '[data-test="style-curve"] [data-point="1"]';
  await page.locator(point).waitFor({ state: 'attached' });
  await focus(page, point);
  const before = await value_text(page, point);
  await press(page, 'ArrowUp');
  assert.notEqual(await value_text(page, point), before);
  await press(page, 'Control+z');
  await page.waitForFunction(
    ([selector, old]) =>
      document.querySelector(selector as string)?.getAttribute('aria-valuetext') === old,
    [point, before],
  );
  await focus(page, '.tabs [data-tab="style"]');
  await press(page, 'ArrowRight');
  const thigh = '.body-part[aria-label^="Left thigh"]';
  await page.locator(thigh).waitFor({ state: 'attached' });
  await focus(page, thigh);
  await press(page, 'ArrowUp');
  await page
    .locator('.body-figure [aria-live]', { hasText: 'Left thigh: length 1.02' })
    .waitFor({ state: 'attached' });
}

/** The help takes the focus and gives it back. */
async function dialogs(page: Page): Promise<void> {
  await focus(page, '[data-test="pause"]');
  await press(page, '?');
  await page.locator('dialog.help[open]').first().waitFor();
  for (let i = 0; i < 3; ++i) {
    await press(page, 'Tab');
    const outside = await page.evaluate(
      () => document.activeElement?.closest('dialog, body')?.tagName,
    );
    assert.ok(outside === 'DIALOG' || (await focused(page, 'body')), 'the focus has left the help');
  }
  await press(page, 'Escape');
  assert.ok(await focused(page, '[data-test="pause"]'), 'the focus is where it was before');
}

export const kKeysTests: readonly PageTest[] = [
  {
    name: 'by keys alone: select, push, send, lead, look back, plot, edit; what happens is told on request',
    alone: true,
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ spawn: { body: 'human', positionM: [1.5, 1] } });
      await server.command({ spawn: { body: 'human', positionM: [-1.5, 1] } });
      const page = await open_page(browser, `${server.url}/?room=main`, {
        viewport: { width: 320, height: 180 },
        reducedMotion: 'reduce',
      });
      await until(page, 'three', ({ characters, tick }) => characters === 3 && tick > 10);
      await stop_drawing(page);
      await page.setViewportSize({ width: 1280, height: 720 });
      const name = () => page.locator('.viewport-canvas').getAttribute('aria-label');
      assert.match((await name()) ?? '', /^Picture: .+\. 3 characters, nobody selected/);

      await press(page, 'm');
      await until_told(page, 'answers', /, (walking|standing), \d of 3$/);
      await press(page, 'i');
      assert.equal((await state(page)).selected.length, 2);
      await until_told(page, 'answers', /and 1 more are selected/);
      await press(page, 'n');
      const { selected } = await until(page, 'figures', (now) => now.details.length === 1);
      assert.equal(selected.length, 1);
      assert.match((await name()) ?? '', new RegExp(` ${selected[0]} selected`));
      await command(page);

      // From part to part.
      await press(page, 'j');
      const parts = ['.title-bar *', '.left *', '.character *', '.hints *', '.clock *'];
      for (const part of [...parts, '.bar-tools *']) {
        assert.ok(!(await focused(page, '.viewport-canvas')));
        assert.ok(await focused(page, part), `J does not lead to ${part}`);
        await press(page, 'j');
      }
      assert.ok(await focused(page, '.viewport-canvas'));

      // Events are told once that is switched on.
      assert.equal(await told(page, 'happenings'), '');
      await page.locator('.left summary', { hasText: 'Show' }).focus();
      await press(page, 'Enter');
      await focus(page, '[data-test="tells"]');
      await press(page, ' ', 'p');
      await until_told(page, 'happenings', /you paused the scene/i);
      await press(page, 'p');
      await until_told(page, 'happenings', /you resumed the scene/i);
      const push = { character: selected[0], forceN: [3000, 0, 0], durationS: 0.1 };
      await focus(page, '.viewport-canvas');
      await press(page, 'k', 'ArrowUp', 'Enter');
      await until_told(page, 'happenings', /reached the destination/);
      await server.command({ push });
      await until_told(page, 'happenings', /pushed/);
      await until_told(page, 'happenings', /fell/);

      await look_back(page);
      await edit(page);
      await dialogs(page);

      // Letters only in the picture, for visitors who dictate or use a reader's own keys.
      await focus(page, '[data-test="picture-keys"]');
      await press(page, ' ', 'p');
      await focus(page, '.viewport-canvas');
      await press(page, 'p');
      await until(page, 'paused once', ({ paused }) => paused);
      await page.reload();
      await page.locator('[data-test="tells"]').waitFor({ state: 'attached' });
      for (const kept of ['tells', 'picture-keys'])
        assert.ok(await page.locator(`[data-test="${kept}"]`).isChecked(), `${kept} is kept`);
    },
  },
  {
    name: 'at 200 % and with forced colours every stop of the keyboard is in sight and shows the focus',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?room=main`, {
        viewport: { width: 320, height: 180 },
        reducedMotion: 'reduce',
      });
      await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
      await server.command({ pause: {} });
      await press(page, 'n');
      await until(page, 'figures', ({ details }) => details.length === 1);
      await page.setViewportSize({ width: 640, height: 360 }); // 1280x720 at 200 %
      await page.emulateMedia({ forcedColors: 'active' });
      await page.evaluate(() => document.body.focus());
      const check = async (what: string, least: number) => {
        const all = await stops(page);
        await page.evaluate(() =>
          document.querySelectorAll<HTMLElement>('[data-visited]').forEach((one) => {
            delete one.dataset['visited'];
          }),
        );
        const out = (fits: (stop: Stop) => boolean) =>
          all.filter((stop) => !fits(stop)).map(({ name }) => name);
        assert.ok(all.length >= least, `${what}: ${all.length} stops`);
        assert.deepEqual(
          out(({ seen }) => seen),
          [],
          `${what}: out of sight`,
        );
        assert.deepEqual(
          out(({ ring }) => ring),
          [],
          `${what}: no ring`,
        );
      };
      await check('somebody selected', 20);
      await page.getByRole('button', { name: 'Panels', exact: true }).focus();
      await press(page, 'Enter');
      await check('the sheet of panels', 15);
      await focus(page, '.viewport-canvas');
      await press(page, 'b');
      await until(page, 'the past', ({ past }) => past.on);
      await check('looking back', 15);
    },
  },
];

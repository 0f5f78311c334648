// "Show me" of the scenes, and the first minute.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageState } from '../../web/src/ui/page/hook.ts';
import { at_rest, locate, open_page, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kLong_ms = 100_000; // pictures come slowly without a graphics card, and the past is shown in pictures
const kClose = 'camera=-3.3,-2.8,1.9,0,0,0.9&follow=1';

interface Shown {
  readonly told: readonly string[];
  readonly past: boolean; // whether the past was looked back at
  readonly overlays: readonly string[]; // that were on at any time
}

/** Presses the button; by script: on a small page the panel of the selected character stands in its place. */
async function begin(page: Page): Promise<void> {
  await page.locator('.hints [data-test="show-me"]').dispatchEvent('click');
}

/** Presses the button and lets the demonstration go on to its end. */
async function show(page: Page): Promise<Shown> {
  await page.evaluate(() => {
    const notes = { told: [] as string[], past: false, overlays: [] as string[] };
    Object.assign(window, { notes });
    const see = () => {
      const told = document.querySelector('[data-test="show"]')?.textContent ?? '';
      if (told && notes.told[notes.told.length - 1] !== told) notes.told.push(told);
      const { past, overlays } = window.__promenade!.state();
      notes.past ||= past.on;
      notes.overlays = [...new Set([...notes.overlays, ...overlays])];
    };
    setInterval(see, 100);
  });
  await begin(page);
  const is_shown = (on: boolean) =>
    page.waitForFunction(
      (wanted) => document.documentElement.classList.contains('showing') === wanted,
      on,
      { timeout: kLong_ms },
    );
  await is_shown(true);
  await is_shown(false);
  return page.evaluate(() => (window as unknown as { notes: Shown }).notes);
}

/** The state that a demonstration has to leave as it was. */
function kept({ overlays, selected, followed_part, past, things, time_scale }: PageState) {
  return { overlays, selected, followed_part, past: past.on, things: things.length, time_scale };
}

export const kShowMeTests: readonly PageTest[] = [
  {
    name: 'a scene shows what it suggests to try, and so does a very different one',
    options: ['--scene', 'door'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 400, height: 260 } });
      const before = await until(page, 'the door', ({ things }) => things.length > 0);
      const ball = await show(page);
      assert.match(ball.told[0] ?? '', /ball/);
      assert.ok(ball.told.some((said) => said.includes('Once more, slowly')));
      assert.ok(ball.past);
      await until(page, 'the ball is gone', ({ things, past }) => {
        return !past.on && things.length === before.things.length;
      });
      assert.deepEqual(kept(await state(page)), kept(before));

      await server.command({ loadScene: { scene: 'push-lab' } });
      const lab = await until(page, 'the lab', ({ scene, characters, things }) => {
        return scene === 'push-lab' && characters === 1 && things.length === 0;
      });
      const push = await show(page);
      // The result of the push decides the sentence about it.
      const { past } = await state(page);
      assert.ok(
        past.marks.some((mark) => mark.startsWith('You pushed')),
        past.marks.join(),
      );
      assert.ok(
        push.told.some((said) => /^(No fall|Too hard)/.test(said)),
        push.told.join(),
      );
      assert.ok(push.overlays.includes('capture') && push.overlays.includes('target'));
      assert.deepEqual(kept(await state(page)), kept(lab));
    },
  },
  {
    name: 'Esc or any act of the viewer stops what is shown and gives everything back',
    options: ['--scene', 'styles'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 400, height: 260 } });
      const style_of = async () => {
        const response = await fetch(`${server.url}/api/v1/rooms/main/state`);
        const { characters } = (await response.json()) as { characters: { style: string }[] };
        return characters[0]?.style;
      };
      const wears = async (style: string) => {
        for (let i = 0; (await style_of()) !== style; ++i) {
          assert.ok(i < 300, `the style is not ${style}`);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      await until(page, 'styles', ({ characters }) => characters === 12);
      await page.keyboard.press(']');
      await page.keyboard.press(']');
      await until(page, 'the second', ({ selected }) => selected.length === 1);
      const before = await at_rest(page, ({ camera }) => camera);
      await begin(page);
      await until(page, 'looking back', ({ past }) => past.on, kLong_ms);
      assert.equal(await style_of(), 'march');
      assert.notDeepEqual((await state(page)).selected, before.selected);
      await page.keyboard.press('Escape');
      await until(page, 'live, with the earlier selection', (now) => {
        return JSON.stringify(kept(now)) === JSON.stringify(kept(before));
      });
      assert.ok(await page.locator('.show').isHidden());
      await wears('normal');
      await until(page, 'the camera is back', ({ camera }) => {
        return camera.from.every((x, i) => Math.abs(x - (before.camera.from[i] ?? 0)) < 1.5);
      });
      // A drag of the camera takes over: what was shown ends, and the view stays.
      await begin(page);
      await page.waitForFunction(() => document.querySelector('.show-said')?.textContent !== '');
      await page.mouse.move(380, 60);
      await page.mouse.down();
      await page.mouse.up();
      assert.ok(await page.locator('.show').isHidden());
      assert.deepEqual((await state(page)).selected, before.selected);
      // A visitor who leaves the page leaves nothing behind.
      await begin(page);
      await wears('march');
      await page.goto('about:blank');
      await wears('normal');
    },
  },
  {
    name: 'the first minute shows a push, lets one push and turn, and does not come again',
    alone: true,
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?${kClose}`, {
        first: true,
        viewport: { width: 620, height: 400 },
      });
      const told = (text: RegExp) =>
        page.waitForFunction(
          (wanted) =>
            new RegExp(wanted).test(
              document.querySelector('[data-test="first-minute"]')?.textContent ?? '',
            ),
          text.source,
          { timeout: 30_000 },
        );
      await told(/You can push/);
      await until(page, 'the hand pushes', ({ past }) => {
        return past.marks.some((mark) => mark.startsWith('You pushed'));
      });
      await told(/^Your turn/);
      const { positions } = await state(page);
      const chest = await locate(page, positions[0]?.id ?? 0);
      await page.mouse.move(chest.x, chest.y);
      await page.mouse.down();
      await page.mouse.move(chest.x + 50, chest.y, { steps: 4 });
      await page.mouse.up();
      await told(/That was a push/);
      await told(/turn the camera/);
      await page.mouse.move(530, 170); // ground, above the bars
      await page.mouse.down();
      await page.mouse.move(590, 170, { steps: 8 });
      await told(/nearer/);
      await page.mouse.up();
      await told(/Show me/);
      await page.keyboard.press('f'); // a visitor who knows keys needs no more
      await page.locator('.tip').waitFor({ state: 'hidden' });
      await page.reload();
      await until(page, 'the room again', ({ pictures }) => pictures > 4);
      await page.waitForTimeout(4000);
      assert.ok(await page.locator('.tip').isHidden());
    },
  },
  {
    name: 'the first minute begins in the room that was chosen, not with the choice',
    options: ['--room', 'main:one,lab:steps'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, {
        first: true,
        viewport: { width: 620, height: 400 },
      });
      await page.waitForFunction(() => document.activeElement?.matches('.lobby-enter'));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.locator('.lobby').waitFor({ state: 'hidden' });
      await page.locator('.tip', { hasText: 'You can push' }).waitFor();
    },
  },
];

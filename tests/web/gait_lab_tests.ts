// The gait lab: plots over the gait cycle beside people's, and the slider of speed.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { kWide } from './editors.ts';
import { draw_in_full, open_page, open_tab, pictures, state, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kPlots = [
  'hip',
  'knee',
  'ankle',
  'vertical_force',
  'hip_power',
  'knee_power',
  'ankle_power',
] as const;
const kMost_draw_calls = 20;
const kLab = '[data-test="gait-lab"]';

/** Waits for means of this many cycles. */
async function cycles(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      Number(document.querySelector<HTMLElement>('[data-test="lab-strides"]')?.dataset['count']) >=
      wanted,
    count,
    { timeout: 40_000 },
  );
}

/** A figure of the lab, without its unit. */
async function figure(page: Page, name: string): Promise<number> {
  return Number.parseFloat((await page.locator(`[data-test="lab-${name}"]`).textContent()) ?? '');
}

/** Of each plot: whether means of both legs were drawn, and how many pixels have about a colour of the page. */
function drawn(page: Page): Promise<{ key: string; means: number; pixels: number[] }[]> {
  return page.evaluate(
    ({ keys }) =>
      keys.map((key) => {
        const plot = document.querySelector<HTMLElement>(`[data-test="lab-${key}"]`);
        const canvas = plot?.querySelector('canvas');
        if (!plot || !canvas) throw new Error(`no plot ${key}`);
        const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        const style = getComputedStyle(canvas);
        const pixels = ['--plot-1', '--plot-2', '--people'].map((name) => {
          const hex = style.getPropertyValue(name).trim().slice(1);
          const wanted = [0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
          let count = 0;
          for (let i = 0; i < data.length; i += 4) {
            const off = wanted.map((value, k) => Math.abs(value - (data[i + k] as number)));
            if ((data[i + 3] as number) > 40 && Math.max(...off) < 12) ++count;
          }
          return count;
        });
        return { key, means: Number(plot.dataset['means']), pixels };
      }),
    { keys: kPlots },
  );
}

export const kGaitLabTests: readonly PageTest[] = [
  {
    name: 'the gait lab opens in its scene, fills its plots, and its slider sets the speed',
    options: ['--scene', 'gait-lab'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, kWide);
      // The person takes ten seconds to walk at the speed asked; the lab is to see none of them.
      await until(
        page,
        'it is under way',
        ({ characters, tick }) => characters === 1 && tick > 600,
      );
      await page.reload();
      await page.locator(kLab).waitFor({ state: 'visible' });
      const { selected } = await until(page, 'it is selected', (now) => now.selected.length === 1);
      // In full detail and with the marks of the selected one: the walkway's marks are a single draw call.
      await draw_in_full(page);
      await until(page, 'a whole picture', ({ whole_picture }) => whole_picture);
      await pictures(page, 2);
      const { draw_calls } = await state(page);
      assert.ok(draw_calls > 8 && draw_calls <= kMost_draw_calls, `${draw_calls} draw calls`);
      await stop_drawing(page);

      await cycles(page, 4);
      const near = (value: number, from: number, to: number, what: string) =>
        assert.ok(value > from && value < to, `${what} is ${value}`);
      near(await figure(page, 'speed'), 0.9, 1.5, 'the speed at 1.2 m/s');
      near(await figure(page, 'cadence'), 70, 200, 'the cadence');
      near(await figure(page, 'step'), 0.3, 0.9, 'the step length');
      near(await figure(page, 'cadence-people'), 105, 125, 'people’s cadence');
      // The cycle of the leg that has just come down is only a dot yet.
      let plots = await drawn(page);
      const begun = () =>
        plots.every(({ pixels: [left = 0, right = 0] }) => left > 60 && right > 60);
      for (let looks = 0; looks < 20 && !begun(); ++looks) {
        await page.waitForTimeout(100);
        plots = await drawn(page);
      }
      for (const { key, means, pixels } of plots) {
        const [left = 0, right = 0, people = 0] = pixels;
        assert.equal(means, 2, `${key}: means of both legs`);
        assert.ok(left > 60 && right > 60, `${key}: curves of both legs: ${left}, ${right} pixels`);
        if (!key.endsWith('power')) assert.ok(people > 400, `${key}: a band of ${people} pixels`);
      }

      const asked = ({
        details,
      }: {
        details: readonly { desired_velocity: readonly number[] }[];
      }) => Math.hypot(...(details[0]?.desired_velocity ?? []));
      const slider = page.locator('[data-test="lab-speed-slider"]');
      await slider.fill('0.6');
      await until(page, '0.6 m/s is asked for', (now) => Math.abs(asked(now) - 0.6) < 0.01);
      await page.waitForFunction(
        () => document.querySelector('[data-test="lab-asked"]')?.textContent === '0.60 m/s',
      );
      await page.waitForFunction(
        () =>
          Number.parseFloat(document.querySelector('[data-test="lab-speed"]')?.textContent ?? '9') <
          0.8,
        undefined,
        { timeout: 40_000 },
      );
      await slider.fill('0');
      await until(page, 'it stands', ({ details }) => details[0]?.state === 'standing');

      // Closed, it gives place to the panel of the character; another scene leaves it closed.
      await page.locator('[data-test="lab-close"]').click();
      await page.locator(kLab).waitFor({ state: 'hidden' });
      await page.locator('[data-test="open-lab"]').click();
      await page.locator(kLab).waitFor({ state: 'visible' });
      assert.equal((await until(page, 'the same', () => true)).selected[0], selected[0]);
    },
  },
  {
    name: 'the gait lab opens from the panel of a person on two legs, also on a phone, and from no other',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ spawn: { body: 'cat', position_m: [0, 3] } });
      const page = await open_page(browser, server.url, {
        viewport: { width: 390, height: 780 },
      });
      await until(page, 'both', ({ characters, tick }) => characters === 2 && tick > 5);
      await stop_drawing(page);
      assert.ok(!(await page.locator(kLab).isVisible()), 'it is closed at first');
      await open_tab(page, 'walk');
      await page.locator('[data-test="open-lab"]').click();
      await page.locator(kLab).waitFor({ state: 'visible' });
      await cycles(page, 1);
      // All of it can be brought into view, below a picture that is left free.
      const box = await page.locator(kLab).boundingBox();
      assert.ok(box && box.y > 200 && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
      for (const key of kPlots) {
        const plot = page.locator(`[data-test="lab-${key}"]`);
        await plot.scrollIntoViewIfNeeded();
        const { y = 0, height = 0, width = 0 } = (await plot.boundingBox()) ?? {};
        assert.ok(y >= box.y && y + height <= 780, `${key} is from ${y} to ${y + height}`);
        assert.ok(width > 280 && height > 100, `${key} is ${width} x ${height}`);
      }
      await page.keyboard.press(']');
      await page.locator('.lab-note').waitFor({ state: 'visible' });
      await page.locator('[data-test="lab-close"]').click();
      assert.ok(!(await page.locator('[data-test="open-lab"]').isVisible()), 'a cat has no lab');
    },
  },
];

// The page when something is in the way: a picture that was lost, a script that is late, a room that others use.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { at_rest, open_page, open_tab, pictures, state, stop_drawing, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kClose = 'camera=-3.3,-2.8,1.9,0,0,0.9';
const kLarge = { viewport: { width: 1280, height: 720 } };

/** A grid over the part of the picture that no panel covers. */
function grid(width: number, height: number): { x: number; y: number }[] {
  return Array.from({ length: 108 }, (_, i) => ({
    x: Math.round((0.3 + (0.4 * ((i % 12) + 0.5)) / 12) * width),
    y: Math.round((0.12 + (0.66 * (Math.floor(i / 12) + 0.5)) / 9) * height),
  }));
}

async function colors(page: Page): Promise<number[]> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const read = await page.evaluate(
    (points) => window.__promenade?.colors_at(points),
    grid(width, height),
  );
  return (read ?? []).flat();
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);

async function open_fold(page: Page, title: string): Promise<void> {
  await page.locator('.left').evaluate((left, wanted) => {
    for (const fold of left.querySelectorAll('details'))
      fold.open = fold.querySelector('summary')?.textContent === wanted;
  }, title);
}

/** Runs in the page: of each picture the share that is not clear, and how much its lightness varies, 0 to 255. */
function look_at_tiles(): { kit: string; filled: number; spread: number }[] {
  return [...document.querySelectorAll<HTMLImageElement>('.kit img')].flatMap((image) => {
    if (image.naturalWidth === 0) return [];
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const pen = canvas.getContext('2d')!;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let [count, sum, squares] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3]! < 128) continue;
      const light = (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
      ++count;
      sum += light;
      squares += light * light;
    }
    const average = sum / Math.max(1, count);
    const kit = image.closest<HTMLElement>('.kit')?.dataset['kit'] ?? '';
    const spread = Math.sqrt(Math.max(0, squares / Math.max(1, count) - average * average));
    return [{ kit, filled: (4 * count) / data.length, spread }];
  });
}

/** Saves a picture. @return it, as a data URL */
async function save_picture(page: Page): Promise<string> {
  const coming = page.waitForEvent('download');
  await page
    .locator('[data-test="capture-still"]')
    .evaluate((button) => (button as HTMLElement).click());
  const file = await (await coming).path();
  return `data:image/png;base64,${readFileSync(file).toString('base64')}`;
}

/** Runs in the page: by how much two pictures differ, of 255. */
async function difference([a = '', b = '']: readonly string[]): Promise<number> {
  const read = async (url: string) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const pen = canvas.getContext('2d')!;
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const [one, other] = [await read(a), await read(b)];
  let sum = 0;
  for (let i = 0; i < one.length; ++i) sum += Math.abs(one[i]! - other[i]!);
  return sum / one.length;
}

async function open_one(browser: Browser, url: string, options = kLarge): Promise<Page> {
  const page = await open_page(browser, url, options);
  await until(page, 'somebody', ({ characters, drawn_tick }) => characters > 0 && drawn_tick > 0);
  return page;
}

/** Presses a button of the bar. By script: a pointer waits for two pictures, which may take seconds. */
const press = (page: Page, test: string) =>
  page.locator(`.bar-tools [data-test="${test}"]`).evaluate((button) => {
    (button as HTMLElement).focus();
    (button as HTMLElement).click();
  });

export const kRoughEdgeTests: readonly PageTest[] = [
  {
    name: 'tiles of Build show their bodies',
    options: ['--scene', 'one'],
    painted: true,
    async run(browser, server) {
      const page = await open_one(browser, `${server.url}/?${kClose}`);
      await open_fold(page, 'Build');
      await page.waitForFunction(
        () =>
          [...document.querySelectorAll<HTMLImageElement>('.kit img')].filter((one) => one.src)
            .length >= 12,
      );
      const tiles = await page.evaluate(look_at_tiles);
      assert.ok(tiles.length >= 12, `${tiles.length} tiles have a picture`);
      for (const { kit, filled, spread } of tiles) {
        assert.ok(filled > 0.02 && filled < 0.98, `${kit}: ${filled} of its tile is filled`);
        assert.ok(spread > 2, `${kit}: one colour all over, ${spread}`);
      }
    },
  },
  {
    name: 'a lost picture is told of, and comes back as it was',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      const page = await open_one(browser, `${server.url}/?${kClose}`, {
        viewport: { width: 740, height: 420 },
      });
      await server.command({ pause: {} });
      await until(page, 'it stands', ({ paused }) => paused);
      await until(page, 'all of the picture', ({ whole_picture }) => whole_picture);
      await at_rest(page, ({ camera, positions }) => [camera, positions]);
      const before = await colors(page);
      assert.ok(new Set(before).size > 10, 'there is a picture');
      const lose = (back: boolean) =>
        page.locator('.viewport-canvas').evaluate((canvas, restore) => {
          const own = canvas as HTMLCanvasElement & { loss?: WEBGL_lose_context | null };
          own.loss ??= own.getContext('webgl2')!.getExtension('WEBGL_lose_context');
          if (restore) own.loss?.restoreContext();
          else own.loss?.loseContext();
        }, back);
      await lose(false);
      const told = page.locator('[data-test="picture-loss"]');
      await told.waitFor({ state: 'visible' });
      assert.match(await told.innerText(), /comes back by itself/);
      await lose(true);
      await told.waitFor({ state: 'hidden' });
      await pictures(page, 6);
      const after = await colors(page);
      const off = mean(after.map((value, i) => Math.abs(value - (before[i] ?? 0))));
      assert.ok(off < 1.5, `colours differ by ${off} of 255`);
      const [light, was] = [mean(after), mean(before)];
      assert.ok(Math.abs(light - was) < 1, `it is as light as before: ${was}, now ${light}`);
    },
  },
  {
    name: 'Esc closes the sheets of the bar, the last one first',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const small = { viewport: { width: 800, height: 500 } };
      const page = await open_one(browser, server.url, small);
      await stop_drawing(page);
      const open = async () => (await state(page)).open_sheets;
      for (const [test, name] of [
        ['plot', 'plots'],
        ['capture', 'capture'],
        ['compare', 'compare'],
      ] as const) {
        await press(page, test);
        assert.deepEqual(await open(), [name]);
        await page.keyboard.press('Escape');
        assert.deepEqual(await open(), [], `Esc leaves ${name} open`);
      }
      // One over the other, with the focus in a list.
      await press(page, 'plot');
      await press(page, 'capture');
      await page.locator('[data-test="capture-part"]').focus();
      assert.deepEqual(await open(), ['plots', 'capture']);
      await page.keyboard.press('Escape');
      assert.deepEqual(await open(), ['plots']);
      await page.keyboard.press('Escape');
      assert.deepEqual(await open(), []);
    },
  },
  {
    name: 'what the four signs of the bar do can be read without pointing at them',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server.url);
      for (const [width, height] of [
        [1280, 720],
        [1920, 1080],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        const words = await page.locator('.bar-tools button span').evaluateAll((all) =>
          all.map((one) => {
            const box = one.getBoundingClientRect();
            const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            const inside = box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
            const large = parseFloat(getComputedStyle(one).fontSize) >= 10;
            const shown = inside && large && one.closest('button')!.contains(seen);
            return shown ? one.textContent : `${one.textContent} is not to be seen`;
          }),
        );
        assert.deepEqual(words, ['Look back', 'Compare', 'Plot', 'Save'], `at ${width} px`);
      }
    },
  },
  {
    name: 'a saved picture without panels has its middle in the middle',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      const page = await open_one(browser, `${server.url}/?${kClose}`);
      await server.command({ pause: {} });
      await until(page, 'it stands', ({ paused }) => paused);
      await until(page, 'all of the picture', ({ whole_picture }) => whole_picture);
      await at_rest(page, ({ camera, positions }) => [camera, positions]);
      await press(page, 'capture');
      await page.locator('[data-test="capture-still"]').waitFor();
      const beside = await save_picture(page);
      await page.keyboard.press('v');
      await pictures(page, 3);
      const bare = await save_picture(page);
      const off = await page.evaluate(difference, [beside, bare]);
      assert.ok(off < 1, `with panels beside it, the picture differs by ${off} of 255`);
    },
  },
  {
    name: 'something is said before any script has come',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, 'about:blank', kLarge);
      await page.route('**/*.js', () => undefined); // they never come
      const began = Date.now();
      await page.goto(server.url, { waitUntil: 'commit' });
      await page.locator('.loading p', { hasText: 'Opening Promenade' }).waitFor();
      console.log(`        after ${Date.now() - began} ms`);
      await page.unroute('**/*.js');
      await page.reload();
      await until(page, 'somebody', ({ characters }) => characters > 0);
      await page.waitForFunction(() => document.querySelectorAll('.loading').length <= 1);
    },
  },
  {
    name: 'the title while looking back is that of the scene that is seen',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server.url);
      const title = () => page.locator('.scene-title').innerText();
      const first = await title();
      await until(page, 'a while', ({ past }) => past.to_ms - past.from_ms > 2500);
      await server.command({ loadScene: { scene: 'push-lab' } });
      await until(page, 'another scene', ({ scene, drawn_tick }) =>
        Boolean(scene === 'push-lab' && drawn_tick > 0),
      );
      await page.waitForFunction((was) => document.title !== `${was} – Promenade`, first);
      const second = await title();
      assert.notEqual(second, first);
      await press(page, 'look-back');
      await page.keyboard.press('Home'); // the timeline has the focus
      await page.waitForFunction(
        (was) => document.title === `Looking back – ${was} – Promenade`,
        first,
      );
      assert.equal(await title(), first);
      await page.keyboard.press('Escape');
      await page.waitForFunction((was) => document.title === `${was} – Promenade`, second);
      assert.equal(await title(), second);
    },
  },
  {
    name: 'a number with a comma is that number',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server.url);
      await open_tab(page, 'style');
      const field = page.locator('[data-test="lean_deg"] input.number');
      await field.fill('');
      await field.pressSequentially('1,5');
      await field.press('Enter');
      assert.equal(Number(await field.inputValue()), 1.5);
      await field.fill('');
      await field.pressSequentially('1,5,0');
      await field.press('Enter');
      assert.equal(Number(await field.inputValue()), 1.5, 'what is no number is refused');
    },
  },
  {
    name: 'the alarm is offered where people come and go, and nowhere else',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server.url);
      await open_fold(page, 'Crowd');
      const alarm = page.locator('[data-tool="alarm"]');
      await alarm.waitFor({ state: 'attached' });
      assert.equal(await alarm.isVisible(), false);
      const area = (x: number) => ({ center_m: [x, 0], size_m: [1.5, 3] });
      const entrances = [{ area: area(-8), rates: [{ at_s: 0, per_minute: 1 }] }];
      const flow = { entrances, exits: [{ area: area(4) }], bodies: ['child'], most_people: 3 };
      await server.command({ setFlow: { flow } });
      await alarm.waitFor({ state: 'visible' });
      await server.command({ loadScene: { scene: 'push-lab' } });
      await alarm.waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'the scene of a link is asked for where others are, and where the page wrote the link itself',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const link = `${server.url}/?scene=push-lab`;
      const first = await open_one(browser, server.url);
      const second = await open_page(browser, link, kLarge);
      const question = second.locator('.toast', { hasText: 'This link is for the scene' });
      await question.waitFor();
      assert.equal((await state(second)).scene, 'one', 'nothing is loaded unasked');
      await second.waitForTimeout(11_000); // longer than other messages stay
      await question.locator('button', { hasText: 'Load it for everyone' }).click();
      await until(second, 'it is loaded', ({ scene }) => scene === 'push-lab');
      await second.context().close();
      // Alone, and away for a while in which somebody loads another scene.
      await first.waitForFunction(() => location.search.includes('scene=push-lab'));
      await first.waitForTimeout(800);
      const own = first.url();
      await first.goto('about:blank');
      await server.command({ loadScene: { scene: 'one' } });
      await first.goto(own);
      await first.locator('.toast', { hasText: 'This link is for the scene' }).waitFor();
      assert.equal((await state(first)).scene, 'one');
    },
  },
];

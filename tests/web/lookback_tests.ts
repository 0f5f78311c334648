// Looking back at the last minute, and figures that panels show of the present.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { PageState } from '../../web/src/ui/page/hook.ts';
import { at_rest, open_page, open_tab, pictures, state, stop_drawing, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

async function open_one(
  browser: Browser,
  server: Server,
  viewport = { width: 900, height: 560 },
): Promise<Page> {
  const page = await open_page(browser, `${server.url}/?camera=-2.6,-2.2,1.7,0,0,0.9`, {
    viewport,
  });
  await until(page, 'a recording', ({ characters, past }) => characters === 1 && past.to_ms > 1500);
  return page;
}

/** Numbers of the positions, to be compared to the last bit. */
const places = ({ positions }: PageState) => positions.map(({ id, x, y, z }) => [id, x, y, z]);

/** Runs in the page: how large pictures are, how many colours they have, and how much of the right is like paper. */
async function read_pictures(files: readonly string[]) {
  const out = [];
  for (const file of files) {
    const image = new Image();
    image.src = `data:image/png;base64,${file}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    const { naturalWidth: width, naturalHeight: height } = image;
    [canvas.width, canvas.height] = [width, height];
    const pen = canvas.getContext('2d')!;
    pen.drawImage(image, 0, 0);
    const all = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
    const right = pen.getImageData(500, 80, 200, 200).data;
    let paper = 0;
    for (let i = 0; i < right.length; i += 4) if (Math.min(right[i]!, right[i + 2]!) > 225) ++paper;
    out.push({ width, height, colors: new Set(all).size, panel: paper / 40_000 });
  }
  return out;
}

/** Runs in the page: how large and long a clip is, and how many colours are in its middle. */
async function read_clip(file: string) {
  const video = document.createElement('video');
  video.muted = true;
  const reached = (name: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(name, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), {
        once: true,
      });
    });
  const loaded = reached('loadeddata');
  video.src = `data:video/webm;base64,${file}`;
  await loaded;
  const sought = reached('seeked');
  video.currentTime = 0.1;
  await sought;
  const canvas = document.createElement('canvas');
  const { videoWidth: width, videoHeight: height, duration } = video;
  [canvas.width, canvas.height] = [width, height];
  const pen = canvas.getContext('2d')!;
  pen.drawImage(video, 0, 0);
  const all = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
  return { width, height, duration, colors: new Set(all).size };
}

export const kLookbackTests: readonly PageTest[] = [
  {
    name: 'a standing character achieves no speed and takes no steps',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server);
      const id = await open_tab(page, 'walk');
      await stop_drawing(page);
      await server.command({ setVelocity: { character: id, xMps: 1, yMps: 0 } });
      const speed = page.locator('[data-test="gait-speed-achieved"]');
      const step = page.locator('[data-test="step-length"]');
      const pace = ({ details }: PageState) => {
        const [x = 0, y = 0] = details[0]?.com_velocity ?? [];
        return Math.hypot(x, y);
      };
      await until(page, 'walking', (seen) => pace(seen) > 0.6);
      await page.waitForFunction(() =>
        /^0\.\d\d m$/.test(document.querySelector('[data-test="step-length"]')?.textContent ?? ''),
      );
      await server.command({ stop: { character: id } });
      await until(page, 'standing', ({ details }) => details[0]?.state === 'standing');
      await until(page, 'at rest', (seen) => pace(seen) < 0.04);
      await page.waitForTimeout(100);
      assert.ok(Math.abs(Number.parseFloat((await speed.textContent()) ?? '1')) < 0.06);
      assert.equal(await step.textContent(), '–');
    },
  },
  {
    name: 'the last minute is looked back at, as it was shown, while the room goes on',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server);
      const id = (await state(page)).positions[0]?.id ?? 0;
      await server.command({ push: { character: id, forceN: [0, 250, 0], durationS: 0.1 } });
      const is_push = (mark: string) => / pushed Human 1$/.test(mark); // by the one who asked over HTTP
      await until(page, 'the push in the recording', ({ past }) => past.marks.some(is_push));
      // A room that is paused shows one frame, so what is seen now can be compared.
      await server.command({ pause: {} });
      await until(
        page,
        'the last frame is drawn',
        ({ paused, tick, past }) => paused && past.tick === tick,
      );
      const now = await at_rest(page, places); // the last motion goes on for a moment
      await page.keyboard.press('b');
      const back = await until(page, 'the past', ({ past }) => past.on);
      assert.equal(back.past.tick, now.tick);
      assert.deepEqual(places(back), places(now));
      // One frame back, then on again: the same, and the room goes on meanwhile.
      await server.command({ resume: {} });
      await page.keyboard.press(',');
      const before = await until(page, 'a frame back', ({ past }) => past.tick < now.tick);
      assert.notDeepEqual(places(before), places(now));
      await until(page, 'the room goes on', ({ tick }) => tick > now.tick + 30);
      assert.equal((await state(page)).past.tick, before.past.tick);
      await page.keyboard.press('.');
      const again = await until(page, 'a frame on', ({ past }) => past.tick === now.tick);
      assert.deepEqual(places(again), places(now));
      // To the push, by the keyboard; it is told what is seen.
      const line = page.locator('[data-test="timeline"]');
      await line.focus();
      await page.keyboard.press('PageUp');
      await until(page, 'the push', ({ past }) => past.tick < before.past.tick);
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('PageUp');
      // However far apart the frames are: by single frames until the push has been.
      let words = '';
      for (let i = 0; i < 60 && !words.includes('pushed Human 1'); ++i) {
        await page.keyboard.press('ArrowRight');
        await pictures(page, 1);
        words = (await line.getAttribute('aria-valuetext')) ?? '';
      }
      assert.match(words, /^\d+\.\d s ago · .* pushed Human 1$/);
      // Slow, and again and again.
      await page.selectOption('[data-test="past-speed"]', '0.5');
      await page.locator('[data-test="past-loop"]').click();
      await line.focus();
      const start = (await state(page)).past.t_ms;
      await page.keyboard.press('p');
      await until(page, 'time goes on', ({ past }) => past.t_ms > start + 100);
      await until(page, 'the loop begins again', ({ past }) => past.t_ms < start);
      await page.keyboard.press('b');
      const live = await until(page, 'live', ({ past }) => !past.on);
      await until(page, 'the present', ({ past, tick }) => tick - past.tick < 60);
      assert.equal(live.characters, 1);
    },
  },
  {
    name: 'a drag along the line goes through the past, whichever characters were there',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_one(browser, server);
      const first = (await state(page)).positions[0]?.id ?? 0;
      await server.command({ spawn: { body: 'human' } });
      await until(page, 'two', ({ characters }) => characters === 2);
      await page.waitForTimeout(500);
      await server.command({ remove: { character: first } });
      await until(page, 'one again', ({ characters }) => characters === 1);
      await page.locator('[data-test="look-back"]').click();
      const box = await page.locator('[data-test="timeline"]').boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + box.width - 8, box.y + 25);
      await page.mouse.down();
      await page.mouse.move(box.x + 12, box.y + 25, { steps: 6 });
      const then = await until(
        page,
        'the time before',
        ({ past, characters }) => characters === 1 && past.t_ms - past.from_ms < 200,
      );
      await page.mouse.up();
      assert.equal(then.positions[0]?.id, first);
      // A character that has left can be selected, and stays so.
      await page.keyboard.press(']');
      await page.locator('[data-test="past-live"]').click();
      const live = await until(page, 'live', ({ past }) => !past.on);
      await until(page, 'the newcomer', ({ positions }) => positions[0]?.id !== first);
      assert.ok(live.past.marks.some((mark) => / added Human \d+$/.test(mark)));
      assert.ok(live.past.marks.some((mark) => / removed Human \d+$/.test(mark)));
    },
  },
  {
    name: 'a plot tells the value under the pointer, of two characters, and gives a table',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ spawn: { body: 'human' } });
      const page = await open_page(browser, `${server.url}/?select=1,2&camera=-3,-3,2,0,0,1`, {
        viewport: { width: 900, height: 640 },
      });
      await until(
        page,
        'a recording of both',
        ({ selected, past }) => selected.length === 2 && past.to_ms > 2500,
      );
      await page.locator('.bar-tools [data-test="plot"]').click();
      await page.selectOption('[data-test="plot-what"]', 'height');
      const legend = page.locator('[data-test="plot-legend"]');
      await page.waitForFunction(() =>
        /: 0\.\d{3} m.*: 0\.\d{3} m/.test(
          document.querySelector('[data-test="plot-legend"]')?.textContent ?? '',
        ),
      );
      // Under the pointer stands what it was then: pressed, the picture shows that moment.
      await page.selectOption('[data-test="plot-span"]', '2');
      const box = await page.locator('.big-plot').boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 0.6 * box.width, box.y + box.height / 2);
      await page.mouse.down();
      const then = await until(page, 'the past', ({ past }) => past.on);
      await page.mouse.up();
      await page.mouse.move(2, 2); // not above the plot, which goes up as the timeline comes below it
      // At a frame, so that nothing lies between what is drawn and what is plotted, however far apart frames are.
      await page.keyboard.press(',');
      await until(page, 'a frame', ({ past }) => past.t_ms < then.past.t_ms);
      await pictures(page, 2); // the time is that of the frame at once, the characters are so with the next picture
      const frame = await state(page);
      const height = frame.positions.find(({ id }) => id === 1)?.z ?? 0;
      await page.waitForFunction((wanted) => {
        const text = document.querySelector('[data-test="plot-legend"]')?.textContent ?? '';
        return Math.abs(Number(/: (\d\.\d{3}) m/.exec(text)?.[1]) - wanted) < 0.0011;
      }, height);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('[data-test="plot-csv"]').click(),
      ]);
      const rows = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n');
      assert.match(rows[0] ?? '', /^time \(s\),.* Height of the hips \(m\),.*,event$/);
      assert.equal(rows[0]?.split(',').length, 4);
      assert.ok(rows.length > 10, `${rows.length} rows`);
      assert.ok(rows.slice(1).every((row) => /^[\d.]+,0\.\d+,0\.\d+,/.test(row)));
      assert.ok((await legend.textContent())?.includes(' 2:'));
    },
  },
  {
    name: 'a picture and a clip of a part of the past are saved, with and without panels',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      const page = await open_one(browser, server, { width: 780, height: 400 });
      const saved = async (what: 'still' | 'clip') => {
        const [file] = await Promise.all([
          page.waitForEvent('download', { timeout: 60_000 }),
          page.locator(`[data-test="capture-${what}"]`).click(),
        ]);
        const bytes = readFileSync(await file.path());
        return { name: file.suggestedFilename(), base64: bytes.toString('base64') };
      };
      await page.locator('.bar-tools [data-test="capture"]').click();
      await page.keyboard.press(']');
      const plain = await saved('still');
      assert.equal(plain.name, 'promenade-one.png');
      await page.locator('[data-test="capture-panels"]').check();
      const panels = await saved('still');
      // Part of the picture is ground and body; at the right stands the panel of the selected character, or does not.
      const seen = await page.evaluate(read_pictures, [plain.base64, panels.base64]);
      const [bare, full] = seen;
      assert.ok(bare && full);
      assert.deepEqual([bare.width, bare.height], [780, 400]);
      assert.ok(bare.colors > 200, `${bare.colors} colours`);
      assert.ok(full.panel > bare.panel + 0.1, `paper: ${full.panel} and ${bare.panel}`);

      await page.locator('[data-test="capture-panels"]').uncheck();
      await page.locator('[data-test="look-back"]').click();
      await page.locator('[data-test="past-loop"]').click();
      await page.locator('[data-test="past-from"]').click();
      const start = (await state(page)).past.t_ms;
      await page.locator('[data-test="timeline"]').focus();
      await page.keyboard.press('Shift+ArrowLeft'); // so that there are frames ahead of it
      await page.locator('[data-test="past-from"]').click();
      for (let i = 0; i < 6; ++i) await page.keyboard.press('.');
      await page.locator('[data-test="past-to"]').click();
      const end = (await state(page)).past.t_ms;
      assert.ok(end < start);
      const clip = await saved('clip');
      assert.equal(clip.name, 'promenade-one.webm');
      const blank = await page.context().newPage(); // the page's own rules let it play nothing
      const film = await blank.evaluate(read_clip, clip.base64);
      await blank.close();
      assert.deepEqual([film.width, film.height], [780, 400]);
      assert.ok(Math.abs(film.duration - 0.2) < 0.11, `${film.duration} s`);
      assert.ok(film.colors > 100, `${film.colors} colours`);
      // Afterwards everything is as it was.
      assert.equal((await state(page)).past.t_ms, end);
    },
  },
  {
    name: 'two characters are compared, over each other and side by side',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ spawn: { body: 'stout', positionM: [3, 3] } });
      const page = await open_page(browser, `${server.url}/?select=1&camera=-3,-3,2,0,0,1`, {
        viewport: { width: 780, height: 420 },
      });
      for (const character of [1, 2])
        await server.command({ setVelocity: { character, xMps: 0.8, yMps: 0 } });
      await until(page, 'both', ({ selected, characters }) => selected.length + characters === 3);
      await page.locator('.bar-tools [data-test="compare"]').click();
      const told = () => page.locator('[data-test="compare-told"]').textContent();
      await page.waitForFunction(() =>
        document.querySelector('[data-test="compare-told"]')?.textContent?.includes('Select two'),
      );
      assert.equal((await state(page)).guest, undefined);
      await page.evaluate(() => {
        // As by a press with Shift on the second.
        window.history.replaceState(null, '', `${location.pathname}?select=1,2`);
      });
      await page.reload();
      await until(page, 'both selected', ({ selected }) => selected.length === 2);
      await page.locator('.bar-tools [data-test="compare"]').click();
      await page.waitForFunction(
        () =>
          / s per stride · .* s per stride/.test(
            document.querySelector('[data-test="compare-told"]')?.textContent ?? '',
          ),
        undefined,
        { timeout: 40_000 },
      );
      await server.command({ pause: {} });
      await until(
        page,
        'the last frame is drawn',
        ({ paused, tick, past }) => paused && past.tick === tick,
      );
      await pictures(page, 3);
      const still = await state(page);
      const first = still.positions.find(({ id }) => id === 1);
      const second = still.positions.find(({ id }) => id === 2);
      assert.ok(first && second && still.guest);
      const apart = ([x = 0, y = 0]: readonly number[], of: { x: number; y: number }) =>
        Math.hypot(x - of.x, y - of.y);
      assert.ok(apart(still.guest, first) < 0.01, `${apart(still.guest, first)} m off`);
      assert.ok(apart(still.guest, second) > 0.5);
      await page.locator('[data-test="compare-aside"]').click();
      const beside = await state(page);
      const gap = apart(beside.guest ?? [], first);
      assert.ok(gap > 0.6 && gap < 2.5, `${gap} m`);
      assert.match((await told()) ?? '', /Stout 2/);
    },
  },
];

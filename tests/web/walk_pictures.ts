// Close pictures of the person in the gait lab, for docs/walk.md: scripts/film-strip --page, or
//   npm run walk-pictures -- FOLDER in web/.
// Needs PROMENADE_BINARY as the tests do, and a built page. All show one moment, just after a strike, in a clock that stands.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { draw_in_full, locate, open_browser, open_page, state, until } from './page.ts';
import { free_port, Server } from './server.ts';

const kSteady_ticks = 600; // the walk is steady then
const kMost_ticks = 120; // in which a foot strikes
const kSettle_ms = 3000; // the camera is at its place then, and the picture without the marks
const kPage = { width: 800, height: 720 }; // px
const kPicture = { width: 320, height: 580 }; // px, around the body
const kAbove_px = 180; // from the middle of the torso to the upper edge

// Places of the camera from the hips of a person who walks along x, m.
const kViews = {
  side: [0, -4.57, 0.13],
  front: [4.57, -0.38, 0.13],
  behind: [-4.57, 0.38, 0.13],
} as const;
const kHips_m = 0.95;

/** The lab, closed, its character not selected, and no marks that hide the legs. */
async function open_lab(url: string, [x, y, z]: readonly number[]): Promise<Page> {
  const camera = [x, y, kHips_m + (z ?? 0), 0, 0, kHips_m].join(',');
  const page = await open_page(browser, `${url}/?scene=gait-lab&camera=${camera}&follow=1`, {
    viewport: kPage,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await draw_in_full(page);
  await until(page, 'somebody to look at', ({ characters }) => characters > 0);
  await page.locator('[data-test="lab-close"]').click();
  await page.keyboard.press('Escape');
  await until(page, 'nobody is selected', ({ selected }) => selected.length === 0);
  return page;
}

async function step(page: Page, server: Server, ticks: number): Promise<void> {
  const { tick } = await state(page);
  await server.command({ single_step: { ticks } });
  await until(page, `${ticks} ticks later`, (now) => now.tick >= tick + ticks);
}

/** Lets the walk become steady and stops the clock just after a foot has struck. */
async function stop_at_strike(page: Page, server: Server): Promise<void> {
  await server.command({ pause: {} });
  await until(page, 'the clock stands', ({ paused }) => paused);
  await step(page, server, kSteady_ticks);
  await page.keyboard.press(']'); // the phase is sent for the selected character
  await until(page, 'details', ({ selected, details }) => selected.length * details.length === 1);
  let before = 0;
  for (let ticks = 0; ticks < kMost_ticks; ++ticks) {
    await step(page, server, 1);
    const { details } = await until(page, 'details', (now) => now.details.length === 1);
    const phase = details[0]?.phase ?? 0;
    if (phase < before) {
      await page.keyboard.press('Escape');
      return;
    }
    before = phase;
  }
  throw new Error(`no foot struck in ${kMost_ticks} ticks`);
}

async function take_picture(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLInputElement>('input[data-overlay]')) {
      if (box.checked) box.click();
    }
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (!element.querySelector('.viewport-canvas')) element.style.visibility = 'hidden';
    }
    const canvas = document.querySelector<HTMLElement>('.viewport-canvas');
    if (canvas) canvas.style.visibility = 'visible';
  });
  await page.waitForTimeout(kSettle_ms);
  const body = await locate(page, (await state(page)).positions[0]?.id ?? 1);
  const clip = { x: body.x - kPicture.width / 2, y: body.y - kAbove_px, ...kPicture };
  await page.screenshot({ path: file, clip });
  console.log(file);
}

const [folder = '.'] = process.argv.slice(2);
const server = new Server(await free_port(), ['--scene', 'gait-lab']);
const browser = await open_browser();
try {
  await server.start();
  let stopped = false;
  for (const [view, from] of Object.entries(kViews)) {
    const page = await open_lab(server.url, from);
    if (!stopped) await stop_at_strike(page, server);
    stopped = true;
    await take_picture(page, path.join(folder, `page-${view}.png`));
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.stop();
}

// The subjects of pictures.ts: states of the page, and how each is reached.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { locate, open_tab, pictures, state, until } from './page.ts';
import type { Server } from './server.ts';

export type Theme = 'light' | 'dark';

export interface Size {
  readonly name: string;
  readonly width: number; // px
  readonly height: number;
  readonly phone: boolean;
}

export interface Reach {
  readonly page: Page;
  readonly server: Server;
  readonly size: Size;
}

export interface PictureState {
  readonly name: string;
  readonly scene: string;
  readonly query?: string; // of the page's address
  readonly options?: readonly string[]; // of the server, instead of its scene
  readonly lobby?: boolean; // no room is entered
  readonly begin_s?: number; // of the scene, before anything is done
  prepare?(reach: Reach): Promise<void>;
}

export const kDesktop: Size = { name: 'desktop', width: 1600, height: 900, phone: false };

export const kSizes: readonly Size[] = [
  kDesktop,
  { name: 'phone', width: 390, height: 844, phone: true },
  { name: 'lying', width: 844, height: 390, phone: true },
];

/** Opens one section of the left panel, which is behind a button where the page is narrow. */
async function open_section(page: Page, title: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Panels', exact: true });
  if (await button.isVisible()) await button.click();
  await page.locator('.left').evaluate((left, wanted) => {
    for (const fold of left.querySelectorAll('details'))
      fold.open = fold.querySelector('summary')?.textContent?.includes(wanted) ?? false;
  }, title);
}

/** Draws a push from somebody's chest, and holds it. */
async function draw_push(page: Page, id: number, right: number, down: number): Promise<void> {
  const chest = await locate(page, id);
  await page.mouse.move(chest.x, chest.y);
  await page.mouse.down();
  await page.mouse.move(chest.x + right, chest.y + down, { steps: 4 });
  await pictures(page, 3);
}

async function stand_still(page: Page, server: Server): Promise<void> {
  await server.command({ pause: {} });
  await until(page, 'the clock stands', ({ paused }) => paused);
  await pictures(page, 3);
}

/** A room in which something has happened, looked back at. */
async function look_back(page: Page, server: Server): Promise<void> {
  await server.command({ push: { character: 3, forceN: [0, 250, 0], durationS: 0.15 } });
  await page.waitForTimeout(2500);
  await server.command({ push: { character: 5, forceN: [1400, 0, 0], durationS: 0.2 } });
  await server.command({ setStyle: { character: 4, style: 'march' } }).catch(() => undefined);
  await page.waitForTimeout(3500);
  await page.keyboard.press('b');
  await until(page, 'the past', ({ past }) => past.on);
  await page.locator('[data-test="timeline"]').focus();
  for (let i = 0; i < 2; ++i) await page.keyboard.press('PageUp');
  for (let i = 0; i < 6; ++i) await page.keyboard.press('.');
  await pictures(page, 3);
}

const kScenes = readdirSync(path.resolve(import.meta.dirname, '../../server/data/scenes'))
  .map((file) => path.parse(file).name)
  .sort();

const kClose = 'camera=-3.4,-2.9,1.6,0,0,0.9&about=0,0,0.9&follow=1';
const kAll = 'show=names,footprints,com,capture,support,target,velocity,forces';

export const kStates: readonly PictureState[] = [
  { name: 'first-view', scene: 'plaza' },
  ...kScenes.map((scene) => ({ name: `scene-${scene}`, scene })),
  {
    name: 'selected',
    scene: 'square',
    query: `select=3&${kClose}&${kAll}`,
  },
  ...[
    { name: 'errands', query: 'select=1' },
    { name: 'errands-shared', query: 'select=1,2' },
  ].map((state) => ({
    ...state,
    scene: 'removal',
    begin_s: 6,
    async prepare({ page }: Reach) {
      await page.keyboard.press('u');
      await page.locator('.task-menu').waitFor();
      await pictures(page, 3);
    },
  })),
  {
    name: 'push-high',
    scene: 'one',
    query: 'camera=-2.6,-3.4,2.6,0,0,0.8&about=0,0,0.9&follow=1',
    async prepare({ page, server }) {
      await stand_still(page, server);
      await draw_push(page, 1, 110, -70);
    },
  },
  {
    name: 'push-low',
    scene: 'one',
    query: 'camera=-2.6,-3,0.75,0,0,0.9&about=0,0,0.9&follow=1',
    async prepare({ page, server }) {
      await stand_still(page, server);
      await draw_push(page, 1, 60, -120);
    },
  },
  {
    name: 'looking-back',
    scene: 'square',
    query: 'select=3',
    async prepare({ page, server }) {
      await look_back(page, server);
    },
  },
  {
    name: 'plots',
    scene: 'square',
    query: `select=3,4&${kClose}`,
    begin_s: 8,
    async prepare({ page }) {
      await page.locator('.bar-tools [data-test="plot"]').click();
      await pictures(page, 5);
    },
  },
  ...(['over', 'aside'] as const).map((way) => ({
    name: `compare-${way}`,
    scene: 'styles',
    query: 'select=1,9',
    begin_s: 6,
    async prepare({ page }: Reach) {
      await page.locator('.bar-tools [data-test="compare"]').click();
      await page.locator(`[data-test="compare-${way}"]`).click();
      await page.waitForTimeout(6000);
      await pictures(page, 3);
    },
  })),
  {
    name: 'capture',
    scene: 'square',
    async prepare({ page }) {
      await page.locator('.bar-tools [data-test="capture"]').click();
    },
  },
  ...(['style', 'body'] as const).map((tab) => ({
    name: `${tab}-editor`,
    scene: 'styles',
    query: `select=3&${kClose}`,
    async prepare({ page }: Reach) {
      await open_tab(page, tab);
      await page.waitForTimeout(2500);
    },
  })),
  {
    name: 'gait-lab',
    scene: 'gait-lab',
    begin_s: 16,
  },
  {
    name: 'learn',
    scene: 'learn',
    query: 'select=1',
    async prepare({ page }) {
      await page.locator('[data-test="open-learn"]').click();
      await page.locator('[data-test="learn-budget"]').fill('600');
      await page.locator('[data-test="learn-start"]').click();
      await page.locator('[data-test="learn-far"]', { hasText: 'done' }).waitFor();
      await page.locator('.map-cell.best').first().click();
      await page.waitForTimeout(2500);
    },
  },
  {
    name: 'variations',
    scene: 'toys',
    query: 'select=3',
    async prepare({ page }) {
      await page.locator('[data-test="open-variations"]').click();
      const slider = page.locator('[data-test="variation"] input').first();
      await slider.waitFor({ timeout: 120_000 });
      await slider.fill('0.4');
      await page.waitForTimeout(2500);
    },
  },
  {
    name: 'build',
    scene: 'playground',
    async prepare({ page, size }) {
      await open_section(page, 'Build');
      await page.locator('[data-kit="crate"]').click();
      await page.mouse.move(0.5 * size.width, 0.55 * size.height);
      await page.mouse.move(0.5 * size.width + 4, 0.55 * size.height);
      await pictures(page, 3);
    },
  },
  ...['Crowd', 'Camera', 'Show'].map((title) => ({
    name: `section-${title.toLowerCase()}`,
    scene: 'square',
    async prepare({ page }: Reach) {
      await open_section(page, title);
      await page.waitForTimeout(500);
    },
  })),
  {
    name: 'names',
    scene: 'hundred',
    query: 'show=names,footprints',
  },
  {
    name: 'fading',
    scene: 'square',
    query: `select=3&${kClose}`,
    async prepare({ page, server }) {
      await server.command({ push: { character: 3, forceN: [2200, 600, 0], durationS: 0.3 } });
      await server.command({ setTimeScale: { scale: 0.5 } }); // a fade lasts less than a picture may take
      const is_fading = ({ positions }: Awaited<ReturnType<typeof state>>) => {
        const presence = positions.find(({ id }) => id === 3)?.presence ?? 1;
        return presence < 0.8 && presence > 0.2;
      };
      await until(page, 'somebody fades', is_fading, 60_000);
      await stand_still(page, server);
    },
  },
  {
    name: 'help',
    scene: 'square',
    async prepare({ page }) {
      await page.keyboard.press('?');
      await page.locator('dialog[open]').waitFor();
    },
  },
  {
    name: 'lobby',
    scene: 'square',
    options: ['--room', 'main:square,lab:steps,zoo:zoo,a-rather-long-name-of-a-room:dominoes'],
    lobby: true,
    async prepare({ page }) {
      await page.locator('[data-lobby-room="lab"] canvas').waitFor();
      await page.waitForTimeout(4000);
    },
  },
];

const kDocs: Size = { name: 'docs', width: 1280, height: 720, phone: false };

/** The pictures of docs/images that show the page; the others there are drawn, or made by scripts/film-strip. */
export const kDocPictures: readonly {
  readonly file: string;
  readonly state: string;
  readonly size: Size;
  readonly theme: Theme;
}[] = [
  { file: 'plaza.jpg', state: 'first-view', size: kDocs, theme: 'light' },
  { file: 'style-editor.jpg', state: 'style-editor', size: kDocs, theme: 'light' },
  { file: 'looking-back.jpg', state: 'looking-back', size: kDocs, theme: 'dark' },
  { file: 'compare.jpg', state: 'compare-aside', size: kDocs, theme: 'light' },
  { file: 'gait-lab.jpg', state: 'gait-lab', size: kDocs, theme: 'light' },
  { file: 'playground.jpg', state: 'scene-playground', size: kDocs, theme: 'light' },
];

// Scenes are framed: a scene's subjects are in the part of the picture that no panel covers, large enough, and not hidden.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { at_rest, open_page, pictures, state, until } from './page.ts';
import { page_code } from './page_code.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';
import type { Rect } from '../../web/src/state/picture/free_part.ts';
import type { Framing, InPicture } from '../../web/src/ui/page/framing.ts';

const { fault } = await page_code<typeof import('../../web/test/served/framing_fault.ts')>(
  'test/served/framing_fault.ts',
);
const { kScreens } =
  await page_code<typeof import('../../web/test/served/layouts.ts')>('test/served/layouts.ts');
const { UnseenPage } = await page_code<typeof import('../../web/test/served/unseen_page.ts')>(
  'test/served/unseen_page.ts',
);

// These stand for the others, which web/test/served/framed.test.ts looks at without a browser: somebody alone, a crowd, and
// a page with other panels.
const kScenes = ['kick', 'close-circle', 'gait-lab'];
const kMoments_s = [1, 6] as const;
const kGrace_s = 1; // of the room's time: a cut may be under way
const kApart_px = 8; // of somebody in the page and in the page that nobody sees: as far as panels of kPanels_px move them
const kPanels_px = 12; // of the free part: words are wider with other fonts
// The picture has few pixels, and the page has as many as ever.
const kCheap = { deviceScaleFactor: 0.15, first: true };

function framing(page: Page): Promise<Framing> {
  return page.evaluate(() => {
    if (!window.__promenade) throw new Error('the page has not started');
    return window.__promenade.framing();
  });
}

/** Waits for a moment of the scene, and there until the picture is right, or no longer. */
async function look_at(page: Page, scene: string, at_s: number): Promise<void> {
  await until(page, `${scene}, ${at_s} s`, (now) => now.time_s >= at_s, 60_000);
  for (;;) {
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    const wrong = fault(await framing(page), height > width);
    if (!wrong) return;
    const now = await state(page);
    assert.ok(now.time_s < at_s + kGrace_s, `${scene} at ${at_s} s: ${wrong}`);
    await pictures(page, 1);
  }
}

async function load(page: Page, server: Server, scene: string): Promise<void> {
  const now = await state(page);
  if (now.scene !== scene || now.time_s > 0.5) await server.command({ loadScene: { scene } });
  await until(
    page,
    scene,
    ({ scene: shown, drawn_tick, time_s }) => shown === scene && drawn_tick > 0 && time_s < 20,
    60_000,
  );
}

const edges = ({ left, top, right, bottom }: Rect) => [left, top, right, bottom];
const furthest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((one, i) => Math.abs(one - (b[i] ?? NaN))));

/** How far a picture is from that of the same moment in a page that nobody sees; undefined: it is the same. */
function difference(seen: Framing, unseen: Framing): string | undefined {
  const off = furthest(edges(seen.free), edges(unseen.free));
  if (!(off <= kPanels_px))
    return `panels leave ${edges(seen.free).join()}, layouts.ts has ${edges(unseen.free).join()}`;
  const ids = ({ people }: Framing) => people.map(({ id }) => id).sort((a, b) => a - b);
  if (!isDeepStrictEqual(ids(seen), ids(unseen)))
    return `shown are ${ids(seen).join()}, without a browser ${ids(unseen).join()}`;
  for (const one of seen.people) {
    const same = unseen.people.find(({ id }) => id === one.id) as InPicture;
    const apart = furthest(edges(one.box), edges(same.box));
    if (!(apart <= kApart_px)) return `${one.id} is ${apart.toFixed(1)} px apart`;
    if (one.seen !== same.seen) return `${one.id} is seen by ${one.seen}, and by ${same.seen}`;
  }
  return undefined;
}

export const kFramingTests: readonly PageTest[] = [
  ...kScreens.map((screen): PageTest => ({
    name: `on ${screen.name} ${kScenes.join(', ')} are framed, as without a browser`,
    options: ['--scene', kScenes[0] as string],
    async run(browser, server) {
      const { width, height, phone } = screen;
      const page = await open_page(browser, server.url, {
        ...{ ...kCheap, viewport: { width, height } },
        ...{ isMobile: phone, hasTouch: phone },
      });
      await until(page, 'somebody', ({ characters }) => characters > 0, 60_000);
      const unseen = new UnseenPage(server.url, screen);
      try {
        for (const scene of kScenes) {
          await load(page, server, scene);
          for (const at_s of kMoments_s) await look_at(page, scene, at_s);
          await server.command({ pause: {} });
          await until(page, 'the clock stands', ({ paused }) => paused);
          const { tick } = await at_rest(page, ({ camera, drawn_tick }) => ({
            camera,
            drawn_tick,
          }));
          await unseen.enter(scene);
          await unseen.until('the tick', () => unseen.has_frame(tick));
          unseen.settle();
          assert.equal(difference(await framing(page), unseen.framing), undefined, scene);
          await server.command({ resume: {} });
        }
      } finally {
        unseen.close();
      }
    },
  })),
  ...(
    [
      { where: 'an upright phone', width: 390, height: 844, phone: true },
      { where: 'a large screen', width: 1920, height: 1080, phone: false },
    ] as const
  ).map(({ where, width, height, phone }): PageTest => ({
    name: `on ${where} a walker, a fall and a crowd are framed, with panels and without`,
    options: ['--scene', 'kick'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, {
        ...kCheap,
        ...{ viewport: { width, height }, isMobile: phone, hasTouch: phone },
      });
      await until(page, 'somebody', ({ characters }) => characters > 0, 60_000);
      for (const scene of ['kick', 'get-up', 'square', 'close-circle']) {
        await load(page, server, scene);
        await look_at(page, scene, 1);
        const { free } = await framing(page);
        await page.keyboard.press('v');
        await page.waitForFunction(
          (before) => (window.__promenade?.framing().free.bottom ?? 0) > before,
          free.bottom,
        );
        await look_at(page, scene, 6);
        await page.keyboard.press('v');
      }
    },
  })),
];

// Every scene is framed: at its beginning and later, whom it is of is in the part of the picture that no panel covers,
// large enough, and not hidden.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { open_page, pictures, state, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';
import type { Framing, InPicture } from '../../web/src/ui/framing.ts';

const kScenes = readdirSync(path.resolve(import.meta.dirname, '../../server/data/scenes'))
  .map((file) => path.parse(file).name)
  .sort();
const kGroups = 12; // so that no test takes long, and the lanes share them
const kMoments_s = [1, 10, 20] as const;
const kGrace_s = 1; // of the room's time: a cut may be under way
const kFast = 8; // between the moments
const kSlow_s = 2; // before each, the room goes at its own pace
// The picture has few pixels, and the page has as many as ever.
const kCheap = { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 0.15, first: true };

const kLeastAlone = 0.2; // of the free height, for somebody who stands
const kLeastAmongMany = 0.05;
const kEdge_px = 6;

function framing(page: Page): Promise<Framing> {
  return page.evaluate(() => {
    if (!window.__promenade) throw new Error('the page has not started');
    return window.__promenade.framing();
  });
}

/** What is wrong with a picture; undefined: nothing. */
export function fault({ directed, free, people }: Framing): string | undefined {
  if (!directed) return 'the scene does not direct the camera';
  const high = free.bottom - free.top;
  const who = people.filter(({ thing }) => !thing);
  const [first] = who;
  if (!first) return 'nobody is shown';
  const share = (one: InPicture) => one.high / high;
  const inside = ({ box }: InPicture) =>
    box.left > free.left - kEdge_px &&
    box.right < free.right + kEdge_px &&
    box.top > free.top - kEdge_px &&
    box.bottom < free.bottom + kEdge_px;
  const told = (one: InPicture) =>
    `${one.id} from ${Object.values(one.box).map(Math.round).join()}, ${share(one).toFixed(2)} high, ` +
    `${one.seen.toFixed(2)} seen, of ${Object.values(free).map(Math.round).join()}`;
  if (who.length === 1) {
    if (!inside(first)) return `not in the picture: ${told(first)}`;
    if (share(first) < kLeastAlone) return `too small: ${told(first)}`;
    return first.seen < 0.5 ? `hidden: ${told(first)}` : undefined;
  }
  const shown = who.filter((one) => inside(one) && one.seen >= 0.5);
  const least = who.length > 8 ? 0.4 : 0.5; // in a crowd some stand before others
  if (shown.length < least * who.length)
    return `${shown.length} of ${who.length} are seen: ${who.map(told).join('; ')}`;
  const middle = shown.map(share).sort((a, b) => a - b)[shown.length >> 1] ?? 0;
  return middle < kLeastAmongMany ? `too small: ${told(shown[0] as InPicture)}` : undefined;
}

/** Goes on to a moment of the scene, and waits there until the picture is right, or no longer. */
async function look_at(page: Page, server: Server, scene: string, at_s: number): Promise<void> {
  const { time_s } = await state(page);
  if (at_s - time_s > 2 * kSlow_s) {
    await server.command({ setTimeScale: { scale: kFast } });
    await until(page, `${scene}, ${at_s} s`, (now) => now.time_s > at_s - kSlow_s, 60_000);
    await server.command({ setTimeScale: { scale: 1 } });
  }
  await until(page, `${scene}, ${at_s} s`, (now) => now.time_s >= at_s, 60_000);
  for (;;) {
    const wrong = fault(await framing(page));
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

const kAll: readonly PageTest[] = Array.from({ length: kGroups }, (_, group) => {
  const scenes = kScenes.filter((_scene, i) => i % kGroups === group);
  return {
    name: `framed at 1, 10 and 20 s: ${scenes.join(', ')}`,
    options: ['--scene', scenes[0] as string],
    async run(browser, server) {
      const page = await open_page(browser, server.url, kCheap);
      await until(page, 'somebody', ({ characters }) => characters > 0, 60_000);
      const wrong: string[] = [];
      for (const scene of scenes) {
        await load(page, server, scene);
        try {
          for (const at_s of kMoments_s) await look_at(page, server, scene, at_s);
        } catch (error) {
          wrong.push(error instanceof Error ? error.message : String(error));
        }
        await server.command({ setTimeScale: { scale: 1 } });
      }
      assert.equal(wrong.length, 0, wrong.join('\n        '));
    },
  };
});

export const kFramingTests: readonly PageTest[] = [
  ...kAll,
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
        await look_at(page, server, scene, 1);
        const { free } = await framing(page);
        await page.keyboard.press('v');
        await page.waitForFunction(
          (before) => (window.__promenade?.framing().free.bottom ?? 0) > before,
          free.bottom,
        );
        await look_at(page, server, scene, 6);
        await page.keyboard.press('v');
      }
    },
  })),
];

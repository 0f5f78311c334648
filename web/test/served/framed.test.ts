// Every scene is framed: at 1, 10 and 20 s, its subjects are in the part of the picture that no panel covers, large
// enough, and not hidden. The page's net code, world and camera run here, the room in a real server; nothing is drawn.
// tests/web/framing_tests.ts shows of some scenes that the page in a browser is framed alike.
//   PROMENADE_BINARY  the server's program
//   ONLY              scenes whose name has this in it; several are parted by |
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { free_port, Server } from '../../../tests/web/server';
import { fault } from './framing_fault';
import { kScreens } from './layouts';
import { UnseenPage } from './unseen_page';

const kServers = 4; // as in vitest.served.config.ts
const kSlow_ms = 180_000; // for a scene, of a machine that does other things too
const kOnly = (process.env['ONLY'] ?? '').split('|');
// The scene shows its dominoes, and on an upright phone not the ones that stand at either end.
const kAside = new Set(['dominoes on an upright phone']);
const kScenes = readdirSync(path.resolve(import.meta.dirname, '../../../server/data/scenes'))
  .map((file) => path.parse(file).name)
  .filter((scene) => kOnly.some((part) => scene.includes(part)))
  .sort();

const kMoments_s = [1, 10, 20] as const;
const kLead_s = 2; // before each, pictures come as they do in the page; until then there is none
const kPicture_s = 0.1; // from one picture to the next
const kGrace_s = 1; // a cut may be under way

const servers: Server[] = [];
const free: Server[] = []; // those that no test uses

/** Lets the room go on, and has all pages take a picture. The first page has the room in its hands. */
async function advance(pages: readonly [UnseenPage, ...UnseenPage[]], by_s: number): Promise<void> {
  const tick = await pages[0].ask_for(by_s);
  while (!pages.every((page) => page.has_frame(tick))) await pages[0].ask_again();
  for (const page of pages) page.see();
}

/** Goes on to a moment of the scene. @return what is wrong there with the picture of each page, if it stays so */
async function look_at(
  pages: readonly [UnseenPage, ...UnseenPage[]],
  scene: string,
  at_s: number,
): Promise<readonly string[]> {
  const far_s = at_s - kLead_s - pages[0].time_s;
  if (far_s > 0) await advance(pages, far_s);
  while (pages[0].time_s < at_s) await advance(pages, kPicture_s);
  const look = () => pages.map(({ framing, screen }) => fault(framing, screen.phone));
  let wrong = look();
  while (wrong.some(Boolean) && pages[0].time_s < at_s + kGrace_s) {
    await advance(pages, kPicture_s);
    const now = look();
    wrong = wrong.map((one, i) => one && now[i]);
  }
  return wrong.flatMap((one, i) => {
    const { name } = pages[i]?.screen ?? {};
    return one && !kAside.has(`${scene} on ${name}`) ? [`${name} at ${at_s} s: ${one}`] : [];
  });
}

beforeAll(async () => {
  for (let i = 0; i < kServers; ++i) {
    const server = new Server(await free_port(), ['--scene', 'one']);
    servers.push(server);
    await server.start();
    free.push(server);
  }
});
afterAll(async () => {
  for (const server of servers) await server.stop();
});

test.concurrent.for(kScenes)(
  '%s is framed at 1, 10 and 20 s',
  { timeout: kSlow_ms },
  async (scene) => {
    const server = free.pop();
    if (!server) throw new Error('more tests at once than servers');
    const all: UnseenPage[] = [];
    try {
      for (const screen of kScreens) all.push(new UnseenPage(server.url, screen));
      const pages = all as [UnseenPage, ...UnseenPage[]];
      await pages[0].load(scene);
      await Promise.all(pages.map((page) => page.enter(scene)));
      const wrong: string[] = [];
      for (const at_s of kMoments_s) wrong.push(...(await look_at(pages, scene, at_s)));
      expect(wrong).toEqual([]);
    } finally {
      for (const page of all) page.close();
      free.push(server);
    }
  },
);

// How fast the page is: npm run bench in web/, after a build; docs/benchmarks.md says what is measured.
//   npm run bench -- first script crowd scrub edits     only these parts
//   PROMENADE_BINARY  the server's program
//   WEB_ROOTS         folders with built pages, parted by commas: measured in turn, for comparisons (default: web/dist)
//   QUICK             set: fewer loads, edits and pictures
import type { Browser, Page } from 'playwright-core';
import { edit_together, open_style, quantile } from './edits.ts';
import { bytes_of, first_files } from './first_view.ts';
import { draw_in_full, open_browser, open_page, pictures, state, until } from './page.ts';
import { free_port, Server } from './server.ts';
import { add_walkers, walkers_options } from './walkers.ts';

type Row = Record<string, string | number>;

const kQuick = process.env['QUICK'] !== undefined;
const kLoads = kQuick ? 1 : 5;
const kEdits = kQuick ? 50 : 250; // of each page
const kJumps = 60;
const kKept_ms = kQuick ? 6000 : 57_000; // of the last minute, before the jumps
const kPictures = kQuick ? 40 : 90;
const kPatience_ms = 240_000;
const kOverlays = 'com,capture,support,target,velocity,forces,footprints,names';
const kSmall = { viewport: { width: 480, height: 360 } } as const;

const roots = process.env['WEB_ROOTS']?.split(',') ?? [];

/** Each built page in turn, with a server of its own. */
async function with_each(
  options: readonly string[],
  measure: (server: Server) => Promise<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const root of roots.length > 0 ? roots : [undefined]) {
    const server = new Server(await free_port(), [
      ...options,
      ...(root ? ['--web-root', root] : []),
    ]);
    try {
      await server.start();
      const row = { ...(root ? { page: root } : {}), ...(await measure(server)) };
      console.error(JSON.stringify(row)); // the table comes when all is measured
      rows.push(row);
    } finally {
      for (const context of browser.contexts()) await context.close();
      await server.stop();
    }
  }
  return rows;
}

function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Time to the first walking person, from a cold cache. */
async function first_view(server: Server): Promise<Row> {
  const loads: Record<string, number>[] = [];
  let files: string[] = [];
  for (let i = 0; i < kLoads; ++i) {
    const page = await open_page(browser, `${server.url}/?scene=one`, kSmall);
    const seen = await until(
      page,
      'somebody',
      (now) => now.first_view_ms.shown !== undefined,
      kPatience_ms,
    );
    loads.push({ ...seen.first_view_ms });
    files = await first_files(page);
    await page.context().close();
  }
  const steps = Object.keys(loads[0] ?? {}).map((step): [string, string] => [
    `${step}, ms`,
    median(loads.map((load) => load[step] ?? Number.NaN)).toFixed(0),
  ]);
  return {
    ...Object.fromEntries(steps),
    'brotli, kB': ((await bytes_of(server, files, 'br')) / 1000).toFixed(0),
    'gzip, kB': ((await bytes_of(server, files, 'gzip')) / 1000).toFixed(0),
  };
}

/** Puts so many people into the room, slowly enough for a busy machine. */
async function fill(server: Server, page: Page, people: number): Promise<void> {
  const { characters } = await until(page, 'the scene', (now) => now.characters > 0, kPatience_ms);
  if (people > 150) await server.command({ setTimeScale: { scale: 0.25 } });
  for (let i = characters; i < people; ++i)
    await server.command({ spawn: { body: 'human', wander: true } });
  await until(page, `${people} people`, (now) => now.characters >= people, kPatience_ms);
}

/** Script for a picture in full detail. */
async function script(server: Server, name: string, query: string, people: number): Promise<Row> {
  const page = await open_page(browser, `${server.url}/${query}`, kSmall);
  await draw_in_full(page);
  await fill(server, page, people);
  const times: number[] = [];
  let shown = await state(page);
  for (let i = 0; i < kPictures; ++i) {
    await pictures(page, 1);
    shown = await state(page);
    times.push(shown.last_script_ms ?? shown.script_ms); // of older pages only the median is known
  }
  times.sort((a, b) => a - b);
  return {
    scene: name,
    people: shown.characters,
    'p50, ms': quantile(times, 0.5).toFixed(2),
    'p10, ms': quantile(times, 0.1).toFixed(2),
    'draw calls': shown.draw_calls,
    'triangles, M': (shown.triangles / 1e6).toFixed(2),
  };
}

/** The same of a great crowd of light bipeds, from its midst and from above; the server goes as slowly as it likes. */
async function crowd(server: Server, people: number): Promise<Row> {
  await server.command({ setTimeScale: { scale: 0.25 } });
  await add_walkers(server, people);
  const views = { 'its midst': '-8,-3,2.2,4,0,1', 'above it': '-60,-5,30,0,0,0' };
  const row: Row = {};
  for (const [name, camera] of Object.entries(views)) {
    const one = await script(server, name, `?camera=${camera}`, people);
    await browser.contexts()[0]?.close();
    row['people'] = one['people'] ?? 0;
    for (const what of ['p50, ms', 'p10, ms', 'draw calls', 'triangles, M'])
      row[`${name}: ${what}`] = one[what] ?? 0;
  }
  return row;
}

/** Memory of the page's script, with the buffers that it holds, after a collection. */
async function heap_bytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize + backingStorageSize;
}

/** Jumps in what is kept: the picture after each jump shows it, and costs so much. */
async function scrub(server: Server, people: number): Promise<Row> {
  const page = await open_page(browser, `${server.url}/?camera=-7,-5,3,0,0,1`, kSmall);
  await fill(server, page, people);
  const { past: before } = await state(page);
  const heap = await heap_bytes(page);
  await until(
    page,
    'a recording',
    ({ past }) => past.to_ms - before.to_ms > kKept_ms,
    kPatience_ms,
  );
  const grown = (await heap_bytes(page)) - heap;
  const live = await state(page);
  await page.keyboard.press('b');
  await until(page, 'the past', ({ past }) => past.on);
  const jumps = await page.evaluate(async (count) => {
    const line = document.querySelector('[data-test="timeline"]');
    const now = () => window.__promenade!.state();
    const picture = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const out: { ms: number; pictures: number }[] = [];
    for (let i = 0; i < count; ++i) {
      const before = now();
      // Around in the recording, so that no frame is found decoded.
      const key = i % 5 === 4 ? 'End' : i % 5 === 2 ? 'Home' : 'ArrowLeft';
      line?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: key === 'ArrowLeft' }));
      while (now().pictures === before.pictures || now().past.tick === before.past.tick) {
        await picture();
        if (now().pictures > before.pictures + 5) break;
      }
      const after = now();
      out.push({ ms: after.last_script_ms, pictures: after.pictures - before.pictures });
    }
    return out;
  }, kJumps);
  const ms = jumps.map((one) => one.ms).sort((a, b) => a - b);
  const span_s = (live.past.to_ms - live.past.from_ms) / 1000;
  return {
    people: live.characters,
    'script of a live picture, p50 ms': live.script_ms.toFixed(1),
    'of one after a jump, p50 ms': quantile(ms, 0.5).toFixed(1),
    'p95 ms': quantile(ms, 0.95).toFixed(1),
    'pictures until it shows': median(jumps.map((one) => one.pictures)),
    'kept, s': span_s.toFixed(0),
    'frames a second': (live.past.frames / span_s).toFixed(1),
    'kept, MB': (live.past.bytes / 1e6).toFixed(1),
    'a minute of 30 a second, MB': ((live.past.bytes / live.past.frames) * 1800e-6).toFixed(1),
    'heap grown meanwhile, MB': (grown / 1e6).toFixed(1),
  };
}

async function edits(server: Server): Promise<Row> {
  const one = await open_page(browser, server.url, kSmall);
  const two = await open_page(browser, server.url, kSmall);
  await open_style(one);
  await open_style(two);
  const { seen_ms, lost } = await edit_together([one, two], kEdits);
  for (const what of lost) console.log(`lost: ${what}`);
  return {
    edits: 2 * kEdits,
    'seen by the other, p50 ms': quantile(seen_ms, 0.5).toFixed(0),
    'p95 ms': quantile(seen_ms, 0.95).toFixed(0),
    lost: lost.length,
  };
}

const kParts: Readonly<Record<string, () => Promise<Row[]>>> = {
  first: () => with_each(['--scene', 'one'], first_view),
  script: async () => {
    const rows: Row[] = [];
    for (const [name, query, people] of [
      ['square', '?scene=square', 24],
      ['hundred', '?scene=hundred', 100],
      ['hundred', '?scene=hundred', 300],
      ['hundred', '?scene=hundred', 500],
      ['gait-lab', '', 1],
      ['hundred', `?scene=hundred&select=1,2&show=${kOverlays}`, 100],
    ] as const)
      rows.push(
        ...(await with_each(['--scene', name], (server) =>
          script(server, query.includes('show') ? `${name}, all on` : name, query, people),
        )),
      );
    return rows;
  },
  crowd: async () => {
    const rows: Row[] = [];
    for (const people of [1000, 5000])
      rows.push(...(await with_each(walkers_options(people), (server) => crowd(server, people))));
    return rows;
  },
  scrub: async () => {
    const rows: Row[] = [];
    for (const people of [100, 300, 500])
      rows.push(...(await with_each(['--scene', 'hundred'], (server) => scrub(server, people))));
    return rows;
  },
  edits: () => with_each(['--scene', 'one'], edits),
};

const chosen = process.argv.slice(2);
const browser: Browser = await open_browser(false);
for (const [part, measure] of Object.entries(kParts)) {
  if (chosen.length > 0 && !chosen.includes(part)) continue;
  console.log(part);
  console.table(await measure());
}
await browser.close();

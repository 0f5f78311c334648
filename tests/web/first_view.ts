// The bytes that come over the line until somebody walks.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Server } from './server.ts';

/** Paths of the files that the page had asked for when somebody was shown, itself and its worker among them. */
export async function first_files(page: Page): Promise<string[]> {
  const urls = await page.evaluate(() => {
    const { shown = 0 } = window.__promenade?.state().first_view_ms ?? {};
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < shown)
      .map(({ name }) => name);
  });
  const paths = ['/', ...urls.map((url) => new URL(url).pathname)];
  const worker = await page.evaluate(async () => {
    for (const { src } of document.scripts) {
      const found = /worker-[\w-]+\.js/.exec(await (await fetch(src)).text());
      if (found) return `/assets/${found[0]}`;
    }
    return undefined;
  });
  assert.ok(worker, 'the page names its worker');
  return [...new Set([...paths, worker])].filter((path) => !path.startsWith('/api/'));
}

/** Bytes of these files as a browser gets them that takes this coding. */
export async function bytes_of(
  server: Server,
  paths: readonly string[],
  coding: 'br' | 'gzip',
): Promise<number> {
  let sum = 0;
  for (const path of paths) {
    const answer = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': coding } });
    const length = Number(answer.headers.get('content-length'));
    assert.ok(answer.ok && length > 0, path);
    if (path.endsWith('.js') && length > 2000)
      assert.equal(answer.headers.get('content-encoding'), coding, path);
    await answer.arrayBuffer();
    sum += length;
  }
  return sum;
}

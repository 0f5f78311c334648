// What comes over the line for the first picture, and how the page presents itself to browsers and to previews of links.
import assert from 'node:assert/strict';
import { open_page, until } from './page.ts';
import type { PageTest } from './tests.ts';

// 350 kB are wanted. Browsers take brotli, except over plain HTTP from another machine.
const kMost_bytes = { br: 350_000, gzip: 370_000 };

export const kFirstViewTests: readonly PageTest[] = [
  {
    name: 'the first view comes compressed, and names are cached for long',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      const seen = new Map<string, Record<string, string>>();
      page.on('response', (response) => seen.set(response.url(), response.headers()));
      await page.reload();
      await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
      const script = [...seen].find(([url]) => /assets\/index-.*\.js$/.test(url));
      assert.ok(script, `no script among ${[...seen.keys()].join(' ')}`);
      assert.match(script[1]['cache-control'] ?? '', /max-age=31536000, immutable/);

      // A cold load, as a browser asks that takes brotli on plain HTTP, or only gzip: browsers offer brotli over TLS
      // and to this machine.
      const files = ['/', ...[...seen.keys()].map((url) => new URL(url).pathname)];
      const worker = /assets\/worker-[\w-]+\.js/.exec(await (await fetch(script[0])).text());
      const paths = new Set([...files, ...(worker ? [`/${worker[0]}`] : [])]);
      for (const coding of ['br', 'gzip'] as const) {
        let sum = 0;
        for (const path of [...paths].filter((one) => !one.startsWith('/api/'))) {
          const answer = await fetch(`${server.url}${path}`, {
            headers: { 'accept-encoding': coding },
          });
          const length = Number(answer.headers.get('content-length'));
          assert.ok(answer.ok && length > 0, path);
          if (path.endsWith('.js')) assert.equal(answer.headers.get('content-encoding'), coding);
          await answer.arrayBuffer();
          sum += length;
        }
        console.log(
          `        first view with ${coding}: ${(sum / 1000).toFixed(0)} kB in ${paths.size} files`,
        );
        assert.ok(
          sum < kMost_bytes[coding],
          `${coding}: ${sum} bytes, at most ${kMost_bytes[coding]}`,
        );
      }
    },
  },
  {
    name: 'the page has an icon, a description and a picture for previews of links',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      const meta = (selector: string) => page.locator(selector).getAttribute('content');
      assert.match((await meta('meta[name="description"]')) ?? '', /walk by physics/);
      const image = await meta('meta[property="og:image"]');
      assert.equal(image, `${server.url}/preview.jpg`, 'a whole address');
      const icon = await page
        .locator('link[rel="icon"]')
        .evaluate((link) => (link as HTMLLinkElement).href);
      for (const [url, type] of [
        [image, 'image/jpeg'],
        [icon, 'image/svg+xml'],
      ] as const) {
        const answer = await fetch(url as string);
        assert.equal(answer.status, 200, `${url}`);
        assert.equal(answer.headers.get('content-type'), type);
        assert.ok((await answer.arrayBuffer()).byteLength < 100_000);
      }
    },
  },
];

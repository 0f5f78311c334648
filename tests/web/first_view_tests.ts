// The bytes that come over the line for the first picture, and how the page presents itself to browsers and to previews of links.
import assert from 'node:assert/strict';
import { bytes_of, first_files } from './first_view.ts';
import { open_page, until } from './page.ts';
import type { PageTest } from './tests.ts';

// Browsers take brotli, except over plain HTTP from another machine: there they take gzip.
const kMost_bytes = 350_000;

export const kFirstViewTests: readonly PageTest[] = [
  {
    name: 'the first view comes compressed, and names are cached for long',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      await until(page, 'somebody', ({ first_view_ms }) => first_view_ms.shown !== undefined);
      const files = await first_files(page);
      const script = files.find((path) => /assets\/index-.*\.js$/.test(path));
      assert.ok(script, `no script among ${files.join(' ')}`);
      const answer = await fetch(`${server.url}${script}`);
      assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
      for (const coding of ['br', 'gzip'] as const) {
        const bytes = await bytes_of(server, files, coding);
        console.log(
          `        first view with ${coding}: ${(bytes / 1000).toFixed(0)} kB in ${files.length} files`,
        );
        assert.ok(bytes < kMost_bytes, `${coding}: ${bytes} bytes, at most ${kMost_bytes}`);
      }
      // The rest comes when the browser has time for it, so that nobody waits for an editor.
      await page.waitForFunction(
        () =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => /editors-|lobby-/.test(name)).length >= 2,
      );
    },
  },
  {
    name: 'a part of the page that does not load is told of, and is there at the next try',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, 'about:blank');
      let gone = true; // as when a newer server has other files
      await page.route(/plot_sheet/, (route) =>
        gone ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await page.goto(`${server.url}/?scene=one`);
      await until(page, 'somebody', ({ characters }) => characters === 1);
      const plot = page.locator('.bar-tools [data-test="plot"]');
      await plot.click();
      await page.locator('.toast', { hasText: 'did not load' }).waitFor();
      assert.equal(await plot.getAttribute('aria-pressed'), 'false');
      gone = false;
      await page.locator('.toast').getByRole('button', { name: 'Reload the page' }).click();
      await until(page, 'the page again', ({ characters }) => characters === 1);
      await plot.click();
      await page.locator('[data-test="plot-legend"]').waitFor();
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

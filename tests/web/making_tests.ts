// The page while a scene is being made: it shows how far the making is, and what is being done.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { open_page, until } from './page.ts';
import { Server, free_port } from './server.ts';
import type { PageTest } from './tests.ts';

const kData =
  process.env['PROMENADE_TEST_DATA'] ?? path.resolve(import.meta.dirname, '../../server/data');

/** A data directory with people whose walk was not measured yet: measuring takes seconds. */
function data_of_its_own(): string {
  const data = path.join(mkdtempSync(path.join(tmpdir(), 'promenade-')), 'data');
  cpSync(kData, data, { recursive: true });
  const styles = path.join(data, 'styles');
  for (const file of readdirSync(styles)) {
    const style = JSON.parse(readFileSync(path.join(styles, file), 'utf8')) as {
      description?: string;
    };
    style.description = `${style.description ?? ''} ${Date.now()}`;
    writeFileSync(path.join(styles, file), JSON.stringify(style));
  }
  return data;
}

export const kMakingTests: readonly PageTest[] = [
  {
    name: 'while a room’s first scene is being made the page tells what is done and how far it is',
    options: ['--scene', 'one'],
    async run(browser) {
      const data = data_of_its_own();
      const server = new Server(await free_port(), ['--scene', 'plaza', '--data', data]);
      try {
        await server.start('/healthz');
        const page = await open_page(browser, `${server.url}/?room=main`);
        const first = page.locator('[data-test="loading"]', {
          hasText: /is being made: \d+ % · measuring how people walk, \d+ of \d+/,
        });
        await first.waitFor();
        const share = () =>
          page
            .locator('[data-test="loading"] progress')
            .evaluate((one) => Number((one as HTMLProgressElement).value));
        const before = await share();
        await page.waitForFunction(
          (then) =>
            (document.querySelector<HTMLProgressElement>('[data-test="loading"] progress')?.value ??
              1) > then,
          before,
        );
        await until(
          page,
          'the room',
          ({ characters, tick }) => characters > 0 && tick > 2,
          100_000,
        );
        await page.locator('[data-test="loading"]').waitFor({ state: 'detached' });
        assert.ok(!(await page.locator('[data-test="making"]').isVisible()));
      } finally {
        await server.stop();
        rmSync(path.dirname(data), { recursive: true });
      }
    },
  },
];

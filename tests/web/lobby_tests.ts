// The lobby: rooms with small pictures, before one is entered and from inside.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { open_page, state, stop_drawing, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kAdmin = 'open-sesame-1234';
const kRooms = ['--room', 'main:square,lab:steps', '--sleep-after', '2'];

async function drawn(page: Page, room: string): Promise<number> {
  const canvas = page.locator(`[data-lobby-room="${room}"] canvas`);
  return Number((await canvas.getAttribute('data-drawn')) ?? 0);
}

async function figure(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function eventually(what: string, fits: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await fits())) {
    if (Date.now() > deadline) throw new Error(`not within 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export const kLobbyTests: readonly PageTest[] = [
  {
    name: 'the lobby is the entrance where there are rooms to choose from, by keys alone',
    options: kRooms,
    async run(browser, server) {
      await eventually('both asleep', async () => (await figure(server, 'promenade_asleep')) === 2);
      const page = await open_page(browser, server.url, { viewport: { width: 900, height: 700 } });
      const lab = page.locator('[data-lobby-room="lab"]');
      await lab.waitFor();
      assert.match(await lab.innerText(), /^asleep\s+lab\s/);
      await eventually('pictures', async () => (await drawn(page, 'lab')) > 0);
      assert.equal(await page.locator('.lobby-badge', { hasText: 'asleep' }).count(), 2);
      assert.equal(await figure(server, 'promenade_asleep'), 2, 'nobody was woken');
      assert.equal(await figure(server, 'promenade_viewers'), 0);
      await page.waitForFunction(() => document.activeElement?.matches('.lobby-enter'));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await until(page, 'the room', ({ scene, tick }) => scene === 'steps' && tick > 0);
      await page.waitForURL(/room=lab/);
      assert.ok(await page.locator('.lobby').isHidden());
      await page.keyboard.press('h');
      await page.locator('.lobby-badge', { hasText: 'you are here' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.lobby').waitFor({ state: 'hidden' });
      const { tick } = await state(page);
      await until(page, 'the room goes on', (now) => now.tick > tick);
    },
  },
  {
    name: 'the lobby shows what happens in a room that somebody watches',
    options: kRooms,
    async run(browser, server) {
      const watcher = await open_page(browser, `${server.url}/?room=lab`);
      await until(watcher, 'the room', ({ tick }) => tick > 0);
      await stop_drawing(watcher); // it has no processor to itself
      const page = await open_page(browser, server.url, { viewport: { width: 900, height: 700 } });
      await page.locator('.lobby-people', { hasText: '1 watching' }).waitFor();
      const before = await drawn(page, 'lab');
      await eventually('moving pictures', async () => (await drawn(page, 'lab')) > before + 10);
      const paint = await page.locator('[data-lobby-room="lab"] canvas').evaluate((element) => {
        const canvas = element as HTMLCanvasElement;
        const pen = canvas.getContext('2d');
        const { data } = pen?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        const colors = new Set<number>();
        for (let i = 0; i < data.length; i += 4)
          colors.add(
            ((data[i] ?? 0) >> 4) * 256 +
              ((data[i + 1] ?? 0) >> 4) * 16 +
              ((data[i + 2] ?? 0) >> 4),
          );
        return colors.size;
      });
      assert.ok(paint > 25, `people, ground and sky: ${paint} colours`);
    },
  },
  {
    name: 'from the lobby an admin makes, configures and closes a room',
    options: [...kRooms, '--guest-role', 'viewer', '--token', `admin:${kAdmin}`],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 900, height: 900 } });
      await page.locator('[data-lobby-room="main"]').waitFor();
      assert.ok(await page.locator('[data-test="lobby-new-room"]').isHidden(), 'guests may not');
      await page.evaluate((token) => sessionStorage.setItem('promenade.token', token), kAdmin);
      await page.reload();
      await page.locator('[data-test="lobby-new-room"]').click();
      const dialog = page.locator('.room-dialog');
      await dialog.locator('input').first().fill('Workshop');
      await dialog.locator('select').first().selectOption('one');
      await dialog.locator('[data-test="new-room"]').click();
      await until(page, 'the new room', ({ scene, tick }) => scene === 'one' && tick > 0);
      await page.locator('[data-test="lobby"]').click();
      const card = page.locator('.lobby-card', { hasText: 'Workshop' });
      await card.locator('.lobby-configure').click();
      await dialog.locator('input').first().fill('Great workshop');
      await dialog.locator('[data-test="new-room"]').click();
      await page.locator('.lobby-card', { hasText: 'Great workshop' }).waitFor();
      await page.locator('.lobby-card', { hasText: 'Great' }).locator('.lobby-configure').click();
      await dialog.locator('[data-test="close-room"]').click();
      assert.equal(await page.locator('.lobby-card').count(), 3, 'asked once more');
      await dialog.locator('[data-test="close-room"]').click();
      await page.locator('.lobby-card', { hasText: 'Great' }).waitFor({ state: 'detached' });
      // The page was in it: it says so, and the others can be chosen.
      await page.locator('.lobby-notice', { hasText: 'closed' }).waitFor();
      await page.locator('[data-lobby-room="lab"]').click();
      await until(page, 'another room', ({ scene, tick }) => scene === 'steps' && tick > 0);
    },
  },
  {
    name: 'an address of a room that is not there leads to the lobby',
    options: kRooms,
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?room=cellar`, {
        viewport: { width: 390, height: 844 },
      });
      await page.locator('.lobby-notice', { hasText: 'is not here' }).waitFor();
      await page.locator('[data-lobby-room="lab"]').click();
      await until(page, 'the room', ({ scene, tick }) => scene === 'steps' && tick > 0);
    },
  },
];

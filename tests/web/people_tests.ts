// Roles, rooms and people as the page shows them.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { open_page, state, until } from './page.ts';
import type { Server } from './server.ts';
import type { PageTest } from './tests.ts';

const kAdmin = 'open-sesame-1234';

async function ask(server: Server, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${kAdmin}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

async function open_section(page: Page, title: string): Promise<void> {
  await page
    .locator('.left details', { has: page.locator('summary', { hasText: title }) })
    .evaluate((element) => ((element as HTMLDetailsElement).open = true));
}

export const kPeopleTests: readonly PageTest[] = [
  {
    name: 'a guest player gets one character, steers it, and is the same after a reload',
    options: ['--scene', 'one', '--guest-role', 'player', '--token', `admin:${kAdmin}`],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 800, height: 760 } });
      await until(page, 'the role', ({ role, tick }) => role === 'player' && tick > 0);
      assert.match(await page.locator('.banner').innerText(), /a player.*400 N/);
      await page.keyboard.press(']');
      await page.keyboard.press('w');
      const refused = page.locator('.toast-error').first();
      await refused.waitFor();
      assert.match(await refused.innerText(), /character of your own/);
      await open_section(page, 'Crowd');
      await page.locator('[data-test="add-one"]').click();
      const { selected } = await until(
        page,
        'the own character',
        ({ characters, selected: ids }) => characters === 2 && ids.length === 1 && ids[0] !== 1,
      );
      await page.locator('.banner').waitFor({ state: 'hidden' });
      await page.reload();
      await until(page, 'the room again', ({ tick, characters }) => tick > 0 && characters === 2);
      await page.locator('.banner').waitFor({ state: 'hidden' });
      const people = (await ask(server, 'GET', '/rooms/main/people')) as {
        people: { own_character: number }[];
      };
      assert.deepEqual(
        people.people.map(({ own_character }) => own_character).filter(Boolean),
        selected,
      );
    },
  },
  {
    name: 'an admin makes a room, enters it, and is taken back when it is closed',
    options: ['--scene', 'one', '--token', `admin:${kAdmin}`],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 900, height: 900 } });
      await until(page, 'the room', ({ role, tick }) => role === 'admin' && tick > 0);
      await open_section(page, 'Rooms');
      await page.locator('[data-room="main"]').waitFor();
      await page.locator('.new-room input').first().fill('Workshop');
      await page.locator('.new-room select').first().selectOption('steps');
      await page.locator('.left [data-test="new-room"]').click();
      await until(page, 'the new room', ({ scene, tick }) => scene === 'steps' && tick > 0);
      const { rooms } = (await ask(server, 'GET', '/rooms')) as {
        rooms: { id: string; title: string }[];
      };
      const made = rooms.find(({ title }) => title === 'Workshop');
      assert.ok(made);
      await page.waitForURL(new RegExp(`room=${made.id}`));
      await ask(server, 'DELETE', `/rooms/${made.id}`);
      await until(page, 'the first room', ({ scene, connection }) => {
        return scene === 'one' && connection === 'online';
      });
      await page.locator('.toast', { hasText: 'has been closed' }).first().waitFor();
    },
  },
  {
    name: 'an invitation gives its role and leaves the address; a muted guest is told why',
    options: ['--scene', 'one', '--guest-role', 'viewer', '--token', `admin:${kAdmin}`],
    async run(browser, server) {
      const { link } = (await ask(server, 'POST', '/invitations', { role: 'operator' })) as {
        link: string;
      };
      const page = await open_page(browser, `${server.url}${link}`, {
        viewport: { width: 900, height: 900 },
      });
      await until(page, 'the role', ({ role, tick }) => role === 'operator' && tick > 0);
      assert.doesNotMatch(page.url(), /invite/);
      await open_section(page, 'Who is here');
      await page.locator('.people li', { hasText: '(you)' }).waitFor();
      const { people } = (await ask(server, 'GET', '/rooms/main/people')) as {
        people: { visitor: string; connections: number }[];
      };
      const visitor = people.find(({ connections }) => connections > 0)?.visitor ?? '';
      await ask(server, 'POST', `/rooms/main/people/${visitor}`, {
        action: 'mute',
        reason: 'too many crates',
      });
      const banner = page.locator('.banner', { hasText: 'too many crates' });
      await banner.waitFor();
      await page.keyboard.press(']');
      await page.keyboard.press('w');
      await page.locator('.toast-error', { hasText: 'too many crates' }).first().waitFor();
      await ask(server, 'POST', `/rooms/main/people/${visitor}`, { action: 'kick', reason: 'bye' });
      await until(page, 'the end', ({ connection }) => connection === 'refused');
      assert.match(await page.locator('.banner').innerText(), /bye/);
      assert.equal((await state(page)).connection, 'refused');
    },
  },
];

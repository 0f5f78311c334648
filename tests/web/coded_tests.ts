// Frames that are coded for the camera of the page.
import assert from 'node:assert/strict';
import type { PageState } from '../../web/src/ui/page/hook.ts';
import { open_page, pictures, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

const kMore = 130; // with the hundred of the scene more than a small room, where nothing is left out

interface RoomState {
  readonly characters: readonly { readonly id: number; readonly position_m: readonly number[] }[];
}

function same_as_live(back: PageState, live: PageState): void {
  assert.equal(back.positions.length, live.positions.length);
  const away = back.positions.map(({ id, x, y, z }) => {
    const then = live.positions.find((one) => one.id === id);
    return Math.hypot(x - (then?.x ?? NaN), y - (then?.y ?? NaN), z - (then?.z ?? NaN));
  });
  // A room that stands still goes on telling of characters that it left out: of unseen ones once they are 0.25 m off.
  assert.ok(Math.max(...away) < 0.3, `somebody is ${Math.max(...away)} m from where they were`);
}

export const kCodedTests: readonly PageTest[] = [
  {
    name: 'little is told of people whom the camera does not see, and everybody is where they are',
    options: ['--scene', 'hundred', '--max-load', '0'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 900, height: 560 } });
      await until(page, 'the scene', ({ characters, tick }) => characters === 100 && tick > 5);
      for (let i = 0; i < kMore; ++i) {
        const position_m = [-60 - 2 * (i % 10), 2 * Math.floor(i / 10) - 12];
        await server.command({ spawn: { body: 'child', controller: 'pendulum', position_m } });
      }
      const all_here = await until(page, 'tiers', ({ tiers, characters }) => {
        const [near = 0, middle = 0, far = 0, unseen = 0] = tiers;
        const all = near + middle + far + unseen;
        return characters === 100 + kMore && all === characters && near + middle > 10;
      });
      // A second before the pause, where the test looks back to, all of them are there.
      await until(page, 'two seconds more', ({ time_s }) => time_s > all_here.time_s + 2);
      await until(page, 'people of whom little is told', ({ tiers }) => {
        const [, , far = 0, unseen = 0] = tiers;
        return far + unseen > 15; // the first 100 stand where they were told whole
      });
      await server.command({ pause: {} });
      await until(page, 'a pause', ({ paused, tick, drawn_tick }) => paused && tick === drawn_tick);
      const { characters } = (await (
        await fetch(`${server.url}/api/v1/rooms/main/state`)
      ).json()) as RoomState;
      const drawn = await until(page, 'positions', ({ positions }) => positions.length > 0);
      const off = drawn.positions.map(({ id, x, y }) => {
        const there = characters.find((one) => one.id === id)?.position_m ?? [NaN, NaN];
        return Math.hypot(x - (there[0] ?? NaN), y - (there[1] ?? NaN));
      });
      assert.equal(off.length, 100 + kMore);
      assert.ok(Math.max(...off) < 0.4, `somebody is ${Math.max(...off)} m off`);
      const sorted = [...off].sort((a, b) => a - b);
      const middle = sorted[off.length >> 1] ?? NaN;
      assert.ok(middle < 0.05, `half are more than ${middle} m off`);

      // Looking back shows everybody as they were shown live, also after going to and fro.
      await page.keyboard.press('b');
      const back = await until(page, 'the past', ({ past }) => past.on && past.tick === drawn.tick);
      same_as_live(back, drawn);
      await page.locator('[data-test="timeline"]').focus();
      // Part of the last seconds is the pause itself.
      let before = back;
      for (let i = 0; i < 20 && before.past.tick >= drawn.tick - 30; ++i) {
        await page.keyboard.press('Shift+ArrowLeft');
        await pictures(page, 2);
        before = await state(page);
      }
      assert.ok(before.past.tick < drawn.tick - 30, 'the past is not shown');
      assert.equal(before.positions.length, 100 + kMore);
      assert.ok(before.positions.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
      await page.keyboard.press('End');
      const end = await until(page, 'the end', ({ past }) => past.tick === drawn.tick);
      same_as_live(end, drawn);
    },
  },
];

// Sides, parts and turns of the camera, by keys; a character that stands in front is drawn see-through.
import assert from 'node:assert/strict';
import { at_rest, open_page, pictures, state, until } from './page.ts';
import type { PageState } from '../../web/src/ui/page/hook.ts';
import type { PageTest } from './tests.ts';

const kSmall = { width: 480, height: 320 };

/** From what is looked at to the camera, m. */
function arm({ camera: { from, at } }: PageState): [number, number, number] {
  const part = (k: number) => (from[k] ?? 0) - (at[k] ?? 0);
  return [part(0), part(1), part(2)];
}

export const kCameraTests: readonly PageTest[] = [
  {
    name: 'keys look from each side and at parts, and a character that stands in front fades',
    options: ['--scene', 'one'],
    async run(browser, server) {
      await server.command({ stop: { character: 1 } });
      await server.command({ spawn: { body: 'human', positionM: [2.2, 0], style: 'normal' } });
      const page = await open_page(browser, `${server.url}/?camera=-5,-4,2,0,0,0.9`, {
        viewport: kSmall,
        reducedMotion: 'reduce', // no flights: each view is there at once
      });
      await until(page, 'two', ({ characters, tick }) => characters === 2 && tick > 5);
      await server.command({ pause: {} });
      await until(page, 'the clock stands', ({ paused }) => paused);
      await page.keyboard.press(']');
      const {
        selected: [id],
      } = await until(page, 'the first', ({ selected }) => selected[0] === 1);
      await page.keyboard.press('1');
      const front = await until(page, 'the front', (now) => arm(now)[0] > 3);
      assert.ok(Math.abs(arm(front)[1]) < 1.5, `from the front: ${arm(front)}`);
      const hidden = await until(page, 'the other fades', ({ veiled }) => veiled.length === 1);
      assert.notEqual(hidden.veiled[0]?.id, id);
      assert.ok((hidden.veiled[0]?.amount ?? 0) > 0.5);
      await page.keyboard.press('1');
      await until(page, 'the back', (now) => arm(now)[0] < -3);
      await until(page, 'nobody is in front', ({ veiled }) => veiled.length === 0);
      await page.keyboard.press('3');
      const top = await until(page, 'from above', (now) => arm(now)[2] > 3);
      assert.ok(Math.hypot(arm(top)[0], arm(top)[1]) < 0.3);
      await page.keyboard.press('2');
      const side = await until(page, 'the side', (now) => arm(now)[1] < -3);
      // A quarter turn in six steps, upward, then nearer.
      for (let i = 0; i < 6; ++i) await page.keyboard.press('ArrowRight');
      await until(page, 'a quarter further', (now) => arm(now)[0] > 3);
      await page.keyboard.press('ArrowUp');
      await until(page, 'higher', (now) => arm(now)[2] > arm(side)[2] + 0.7);
      const far = Math.hypot(...arm(await state(page)));
      await page.keyboard.press('+');
      await until(page, 'nearer', (now) => Math.hypot(...arm(now)) < 0.9 * far);
      await page.keyboard.press('t');
      const head = await until(page, 'the head', ({ followed_part }) => followed_part !== '');
      assert.match(head.followed_part, /head/);
      await until(page, 'at the head', ({ camera }) => (camera.at[2] ?? 0) > 1.35);
      await page.waitForFunction(() => location.search.includes('part=head'));
      await page.keyboard.press('Shift+T');
      await until(page, 'the whole', ({ camera }) => (camera.at[2] ?? 9) < 1.2);
      await page.keyboard.press('0');
      await until(page, 'the scene', (now) => arm(now)[1] < -7);
    },
  },
  {
    name: 'flights of the camera go around bodies',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      await server.command({ pause: {} });
      const page = await open_page(browser, `${server.url}/?camera=4,0,1.5,0,0,0.9`, {
        viewport: kSmall,
      });
      await until(page, 'one', ({ characters }) => characters === 1);
      await page.keyboard.press(']');
      await until(page, 'selected', ({ selected }) => selected.length === 1);
      await page.keyboard.press('1');
      await until(page, 'the front', ({ camera, positions: [body] }) => {
        const [x = 0, y = 0] = [(camera.from[0] ?? 0) - (body?.x ?? 0), camera.from[1]];
        return x > 3 && Math.abs(y - (body?.y ?? 0)) < 2;
      });
      await pictures(page, 8);
      const flight = page.evaluate(async () => {
        const way: number[][] = [];
        const deadline = performance.now() + 20_000;
        while (performance.now() < deadline) {
          const { camera, positions } = window.__promenade?.state() ?? {};
          const [x = 0, y = 0, z = 0] = camera?.from ?? [];
          const body = positions?.[0];
          if (body) way.push([x - body.x, y - body.y, z - body.z]);
          if (body && x - body.x < -2) return way;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        return [];
      });
      // Another side first, since the same key again leads to the back only for a while.
      for (const key of ['2', '1', '1']) await page.keyboard.press(key);
      const way = await flight;
      const told = way.map((spot) => spot.map((part) => part.toFixed(2)).join()).join(' ');
      assert.ok(way.length > 0, 'it does not get there');
      // Straight through, it would come as near as the body's own half width.
      const far = way.map((spot) => Math.hypot(...spot));
      const ends = Math.min(far[0] as number, far[far.length - 1] as number);
      assert.ok(Math.min(...far) > Math.max(1, 0.95 * ends), told);
    },
  },
  {
    name: 'the scene directs the camera until it is touched, and again when asked',
    options: ['--scene', 'one'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: kSmall });
      await until(page, 'it directs', ({ directed, time_s }) => directed && time_s > 1);
      // The first shot has been reached.
      const begun = await at_rest(page, (now) => Math.hypot(...arm(now)).toFixed(1));
      const [person] = begun.positions;
      const moved = (now: PageState) =>
        Math.hypot(...[0, 1].map((k) => (now.camera.at[k] ?? 0) - (begun.camera.at[k] ?? 0)));
      // Along with the walker, at the same distance.
      const later = await until(page, 'it comes along', (now) => moved(now) > 1);
      const far = [begun, later].map((now) => Math.hypot(...arm(now)));
      assert.ok(
        Math.abs((far[1] ?? 0) - (far[0] ?? 0)) < 0.6,
        `${far.join()} m, ${begun.time_s}, ${later.time_s} s`,
      );
      assert.ok((later.positions[0]?.x ?? 0) - (person?.x ?? 0) > 0.5);
      // An address without a camera leads to what the scene directs.
      await page.waitForFunction(() => location.search.includes('scene=one'));
      assert.doesNotMatch(new URL(page.url()).search, /camera=/);
      await page.mouse.move(40, 60); // the sky
      await page.mouse.down();
      await page.mouse.move(90, 66, { steps: 4 });
      await page.mouse.up();
      await until(page, 'it is let go', ({ directed }) => !directed);
      const rest = await at_rest(page, ({ camera }) => camera.at.map((x) => x.toFixed(3)));
      const gone = await until(
        page,
        'the walker goes on',
        ({ time_s }) => time_s > rest.time_s + 2,
      );
      for (const k of [0, 1, 2])
        assert.ok(Math.abs((gone.camera.at[k] ?? 0) - (rest.camera.at[k] ?? 0)) < 0.01);
      await page.keyboard.press('0');
      await until(page, 'it directs again', ({ directed }) => directed);
      await until(page, 'at the walker', ({ camera, positions: [one] }) => {
        const [x = 0, y = 0] = camera.at;
        return Math.hypot(x - (one?.x ?? 99), y - (one?.y ?? 99)) < 1.5;
      });
    },
  },
  {
    name: 'following keeps its distance by the size of the body',
    options: ['--scene', 'bodies'],
    async run(browser, server) {
      const page = await open_page(browser, `${server.url}/?camera=-2,-6,2,-1,0,1`, {
        viewport: kSmall,
        reducedMotion: 'reduce',
      });
      await until(page, 'all', ({ characters }) => characters === 9);
      await server.command({ pause: {} });
      await page.keyboard.press(']');
      await until(page, 'somebody', ({ selected }) => selected.length === 1);
      await page.keyboard.press('f');
      await pictures(page, 4);
      const child = Math.hypot(...arm(await state(page)));
      for (let i = 0; i < 8; ++i) await page.keyboard.press(']'); // the last of nine
      await pictures(page, 4);
      const giant = Math.hypot(...arm(await state(page)));
      assert.ok(giant > 1.5 * child, `the giant from ${giant} m, the child from ${child} m`);
      // However far the camera was, the followed character is seen well.
      await page.keyboard.press('f');
      for (let i = 0; i < 14; ++i) await page.keyboard.press('-');
      await until(page, 'far away', (now) => Math.hypot(...arm(now)) > 1.8 * giant);
      await page.keyboard.press('f');
      await until(page, 'near again', (now) => Math.hypot(...arm(now)) < 1.7 * giant);
    },
  },
];

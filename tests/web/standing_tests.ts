// Characters that have fallen, and people who walk beside each other.
import assert from 'node:assert/strict';
import { open_page, state, until } from './page.ts';
import type { PageTest } from './tests.ts';

interface Sample {
  readonly z: number;
  readonly presence: number;
}

export const kStandingTests: readonly PageTest[] = [
  {
    name: 'a person who has fallen gets up by themselves, without a jump',
    options: ['--scene', 'one'],
    alone: true,
    async run(browser, server) {
      const page = await open_page(browser, server.url);
      await until(page, 'somebody', ({ characters, tick }) => characters === 1 && tick > 5);
      const id = (await state(page)).positions[0]?.id ?? 0;
      await server.command({ push: { character: id, force_n: [2500, 800, 0], duration_s: 0.25 } });
      await until(page, 'a fall', ({ positions }) => (positions[0]?.z ?? 1) < 0.4);
      const samples = await page.evaluate(
        () =>
          new Promise<Sample[]>((done) => {
            const seen: Sample[] = [];
            const look = () => {
              const body = window.__promenade?.state().positions[0];
              if (body) seen.push({ z: body.z, presence: body.presence });
              const up = seen.length > 0 && body && body.z > 0.7 && body.presence === 1;
              if (up || seen.length > 5000) done(seen);
              else requestAnimationFrame(look);
            };
            look();
          }),
      );
      const last = samples.at(-1);
      assert.ok(last && last.z > 0.7, `is at ${last?.z} m`);
      assert.ok(
        samples.every(({ presence }) => presence === 1),
        'somebody faded out',
      );
      const squat = samples.filter(({ z }) => z > 0.4 && z < 0.6);
      assert.ok(squat.length > 0, 'passed through no squat');
    },
  },
  {
    name: 'every style walks beside the others under its name',
    options: ['--scene', 'styles'],
    async run(browser, server) {
      const page = await open_page(browser, server.url, { viewport: { width: 900, height: 560 } });
      await until(page, 'all', ({ characters, tick }) => characters === 12 && tick > 5);
      // Of names that would lie over each other one is left out, another one as they walk on.
      for (const name of ['Normal', 'March', 'Tiptoe'])
        await page
          .locator('.name-label:visible', { hasText: name })
          .first()
          .waitFor({ timeout: 20_000 });
      // Long after the start everybody is where the round is.
      const start = await state(page);
      await server.command({ set_time_scale: { scale: 0 } });
      await until(page, '45 s', ({ tick }) => tick > start.tick + 45 * 60, 60_000);
      const { positions } = await state(page);
      const apart = start.positions.map(({ id, x, y }) => {
        const now = positions.find((one) => one.id === id);
        return now ? Math.hypot(now.x - x, now.y - y) : Infinity;
      });
      assert.ok(
        apart.every((distance) => distance < 6),
        `metres from the start: ${apart.map((one) => one.toFixed(1)).join(' ')}`,
      );
    },
  },
];

// A picture of the page as it looks with a GPU: npm run picture -- FILE [QUERY] in web/.
//   node ../tests/web/picture.ts square.png '?camera=-6,-4,2.6,0,0,0.8' [--dark] [--scene=one] [--tab=style]
// Needs PROMENADE_BINARY as the tests do, and a built page.
import { draw_in_full, open_browser, open_page, open_tab, until } from './page.ts';
import { free_port, Server } from './server.ts';

const kSettle_ms = 12_000;

const [file = 'promenade.png', query = ''] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'));
const option = (name: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const tab = option('tab');
const server = new Server(await free_port(), ['--scene', option('scene') ?? 'square']);
const browser = await open_browser();
try {
  await server.start();
  const page = await open_page(browser, `${server.url}/${query}`, {
    viewport: { width: 1280, height: 720 },
    colorScheme: process.argv.includes('--dark') ? 'dark' : 'light',
  });
  await draw_in_full(page);
  await until(
    page,
    'somebody to look at',
    ({ characters, tick }) => characters > 0 && tick > 0,
    30_000,
  );
  if (tab === 'walk' || tab === 'style' || tab === 'body') await open_tab(page, tab);
  else if (tab) throw new Error(`--tab=${tab}: walk, style or body.`);
  await page.waitForTimeout(kSettle_ms);
  await page.screenshot({ path: file });
  console.log(`Wrote ${file}.`);
} finally {
  await browser.close();
  await server.stop();
}

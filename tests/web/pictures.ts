// Pictures of the page to look at, and those in docs/images: npm run pictures -- FOLDER in web/.
//   node ../tests/web/pictures.ts FOLDER [--only=TEXT,TEXT] [--size=TEXT] [--light] [--dark] [--scale=0.6] [--coarse]
//   node ../tests/web/pictures.ts --docs [--only=TEXT]
// Every state of picture_states.ts, on a desktop and a phone held either way, by day and at dusk, goes into FOLDER as
// STATE-SIZE-THEME.png. --only takes states, --size sizes with one of the texts in their name; --light and --dark one
// theme. Without a GPU, two options make a set in less time: --scale is pixels of a picture for each of the page, and
// with --coarse the page leaves out what it leaves out on a slow machine.
// --docs makes the pictures of docs/images anew, in that folder, and no others.
// Needs PROMENADE_BINARY as the tests do, and a built page.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { draw_in_full, open_browser, open_page, pictures, until } from './page.ts';
import {
  kDocPictures,
  kSizes,
  kStates,
  type PictureState,
  type Size,
  type Theme,
} from './picture_states.ts';
import { free_port, Server } from './server.ts';

const kImages = path.resolve(import.meta.dirname, '../../docs/images');
const kBegin_s = 3; // of a scene, before its picture
const kPicturesAfterTheme = 2; // the light of the sky is there with the second
const kQuality = 84; // of a JPEG, of 100
const kLong_ms = 120_000; // pictures may take seconds

interface Shot {
  readonly file: string;
  readonly theme: Theme;
}

/** A server and a page of it, which states that are but a scene use one after the other. */
class Studio {
  private server_: Server | undefined;
  private page_: Page | undefined;
  private used_ = ''; // size of the page while any scene can be shown in it; '' where it cannot

  private readonly browser_: Browser;
  private readonly scale_: number;

  constructor(browser: Browser, scale: number) {
    this.browser_ = browser;
    this.scale_ = scale;
  }

  /** Brings a page into a state, and saves a picture of it for each theme. */
  async shoot(state: PictureState, size: Size, shots: readonly Shot[]): Promise<void> {
    try {
      const page = await this.reach(state, size, shots[0]?.theme ?? 'light');
      if (!state.lobby && !has('coarse')) {
        await draw_in_full(page);
        await pictures(page, 2);
      }
      for (const { file, theme } of shots) {
        await page.emulateMedia({ colorScheme: theme });
        if (shots.length > 1) await pictures(page, kPicturesAfterTheme);
        const jpeg = { type: 'jpeg' as const, quality: kQuality };
        const kind = file.endsWith('.jpg') ? jpeg : {};
        await page.screenshot({ path: file, timeout: kLong_ms, ...kind });
        console.log(file);
      }
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      console.error(`${state.name}, ${size.name}: ${told}`);
      this.used_ = '';
      process.exitCode = 1;
    }
  }

  async close(): Promise<void> {
    await this.page_?.context().close();
    await this.server_?.stop();
    this.page_ = this.server_ = undefined;
  }

  private async reach(state: PictureState, size: Size, theme: Theme): Promise<Page> {
    const plain = !state.prepare && !state.query && !state.options;
    if (!plain || this.used_ !== size.name) await this.open(state, size, theme);
    const [page, server] = [this.page_ as Page, this.server_ as Server];
    if (plain && this.used_ === size.name)
      await server.command({ loadScene: { scene: state.scene } });
    this.used_ = plain ? size.name : '';
    if (!state.lobby) {
      const { begin_s = kBegin_s, scene: wanted } = state;
      await until(
        page,
        `${begin_s} s of ${wanted}`,
        ({ scene, time_s, drawn_tick }) => scene === wanted && time_s > begin_s && drawn_tick > 0,
        kLong_ms,
      );
    }
    await state.prepare?.({ page, server, size });
    return page;
  }

  private async open(state: PictureState, size: Size, theme: Theme): Promise<void> {
    await this.close();
    this.server_ = new Server(await free_port(), state.options ?? ['--scene', state.scene]);
    await this.server_.start();
    this.page_ = await open_page(this.browser_, 'about:blank', {
      ...{ viewport: size, isMobile: size.phone, hasTouch: size.phone },
      ...{ deviceScaleFactor: this.scale_, colorScheme: theme },
      reducedMotion: 'reduce', // no flights: each view is there at once
    });
    this.page_.setDefaultTimeout(kLong_ms);
    await this.page_.goto(`${this.server_.url}/${state.query ? `?${state.query}` : ''}`);
  }
}

function option(name: string, otherwise: string): string {
  const word = process.argv.find((text) => text.startsWith(`--${name}=`));
  return word?.slice(name.length + 3) ?? otherwise;
}

const has = (name: string) => process.argv.includes(`--${name}`);
/** Whether a name has one of the texts of an option in it. */
const chosen = (name: string, by: string) =>
  option(by, '')
    .split(',')
    .some((text) => name.includes(text));

async function shoot_docs(studio: Studio): Promise<void> {
  for (const { file, state: name, size, theme } of kDocPictures) {
    if (!chosen(file, 'only')) continue;
    const state = kStates.find((one) => one.name === name);
    if (!state) throw new Error(`There is no state ${name} in picture_states.ts.`);
    await studio.shoot(state, size, [{ file: path.join(kImages, file), theme }]);
  }
}

async function shoot_all(studio: Studio, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const both = ['light', 'dark'] as const;
  const themes = has('light') || has('dark') ? both.filter(has) : both;
  for (const size of kSizes) {
    if (!chosen(size.name, 'size')) continue;
    for (const state of kStates) {
      if (!chosen(state.name, 'only')) continue;
      const file = (theme: Theme) => path.join(folder, `${state.name}-${size.name}-${theme}.png`);
      const shots = themes.map((theme) => ({ file: file(theme), theme }));
      await studio.shoot(state, size, shots);
    }
  }
}

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (!folder && !has('docs'))
  throw new Error('Which folder? npm run pictures -- FOLDER, or --docs.');
const browser = await open_browser();
const studio = new Studio(browser, Number(option('scale', '1')));
try {
  if (has('docs')) await shoot_docs(studio);
  else await shoot_all(studio, folder as string);
} finally {
  await studio.close();
  await browser.close();
}

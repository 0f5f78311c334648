// Runs the page against a real server in a real browser: npm run test:e2e in web/.
//   PROMENADE_BINARY  the server's program (default: build/server/app/promenade)
//   CHROMIUM          the browser (default: /usr/bin/chromium)
//   ONLY              runs the tests whose name has this in it; several are parted by |
//   SCREENSHOTS       a folder for a picture after each test (default: none)
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { open_browser, violations } from './page.ts';
import { free_port, Server } from './server.ts';
import { kAccessibilityTests } from './accessibility_tests.ts';
import { kBodyTests } from './body_tests.ts';
import { kBuildTests } from './build_tests.ts';
import { kCameraTests } from './camera_tests.ts';
import { kCreatureTests } from './creature_tests.ts';
import { kEditorTests } from './editor_tests.ts';
import { kFirstViewTests } from './first_view_tests.ts';
import { kGaitLabTests } from './gait_lab_tests.ts';
import { kKeysTests } from './keys_tests.ts';
import { kLobbyTests } from './lobby_tests.ts';
import { kLookbackTests } from './lookback_tests.ts';
import { kPeopleTests } from './people_tests.ts';
import { kPanelsTests } from './panels_tests.ts';
import { kPushTests } from './push_tests.ts';
import { kSharedViewTests } from './shared_view_tests.ts';
import { kSceneTests } from './scene_tests.ts';
import { kSharingTests } from './sharing_tests.ts';
import { kShowMeTests } from './show_me_tests.ts';
import { kStandingTests } from './standing_tests.ts';
import { kTests } from './tests.ts';
import { kTogetherTests } from './together_tests.ts';

const kLimit_ms = 120_000;

function limited<T>(work: Promise<T>, name: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${name} took more than ${kLimit_ms / 1000} s`)),
      kLimit_ms,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What an error says, and the line of the test that it comes from. */
function located({ message, stack = '' }: Error): string {
  const line = /\w+_tests?\.ts:\d+/.exec(stack)?.[0];
  return line ? `${message}\n        at ${line}` : message;
}

const only = process.env['ONLY'] ?? '';
const pictures = process.env['SCREENSHOTS'];
if (pictures) mkdirSync(pictures, { recursive: true });

const chosen = [
  ...kTests,
  ...kEditorTests,
  ...kBodyTests,
  ...kBuildTests,
  ...kCreatureTests,
  ...kPeopleTests,
  ...kLobbyTests,
  ...kGaitLabTests,
  ...kCameraTests,
  ...kPanelsTests,
  ...kPushTests,
  ...kSharedViewTests,
  ...kLookbackTests,
  ...kSceneTests,
  ...kSharingTests,
  ...kShowMeTests,
  ...kFirstViewTests,
  ...kStandingTests,
  ...kAccessibilityTests,
  ...kKeysTests,
  ...kTogetherTests,
].filter(({ name }) => only.split('|').some((part) => name.includes(part)));
if (chosen.length === 0) throw new Error(`ONLY=${only}: no test has this in its name.`);
const browser = await open_browser(pictures !== undefined);
type Test = (typeof chosen)[number];

/** Runs a test with a server of its own; what went wrong, or nothing. */
async function run(test: Test): Promise<string | undefined> {
  const server = new Server(await free_port(), test.options);
  const started = Date.now();
  try {
    await server.start();
    await limited(test.run(browser, server), test.name);
    if (violations.length > 0) throw new Error(violations.join('\n'));
    console.log(`  ok    ${test.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return undefined;
  } catch (error) {
    violations.length = 0;
    return error instanceof Error ? located(error) : String(error);
  } finally {
    const pages = browser.contexts().flatMap((context) => context.pages());
    if (pictures && pages[0])
      await pages[0]
        .screenshot({ path: path.join(pictures, `${test.name.replaceAll(/\W+/g, '-')}.png`) })
        .catch((error: unknown) => console.log(`        no picture: ${String(error)}`));
    for (const context of browser.contexts()) await context.close();
    await server.stop();
  }
}

// Without a graphics card the browser draws with the processor, and a picture may take a second.
// What fails is run once more when the others are done; a mistake of the page fails again.
const again: Test[] = [];
for (const test of chosen) {
  const wrong = await run(test);
  if (wrong === undefined) continue;
  console.log(`  again ${test.name}\n        ${wrong}`);
  again.push(test);
}
let failed = 0;
for (const test of again) {
  const wrong = await run(test);
  if (wrong === undefined) continue;
  ++failed;
  console.log(`  FAIL  ${test.name}\n        ${wrong}`);
}
await browser.close();
console.log(failed === 0 ? 'The page passes.' : `${failed} of the page's tests failed.`);
process.exit(failed === 0 ? 0 : 1);

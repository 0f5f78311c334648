// Runs the page against a real server in a real browser: npm run test:e2e in web/.
//   PROMENADE_BINARY  the server's program (default: build/server/app/promenade)
//   CHROMIUM          the browser (default: /usr/bin/chromium)
//   ONLY              runs the tests whose name has this in it; several are parted by |
//   LEAVE_OUT         leaves out the tests whose name has this in it
//   SHARE         K/N runs every N-th test from the K-th on
//   SCREENSHOTS       a folder for a picture after each test (default: none)
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { type Drawing, open_browser, set_drawing, take_violations } from './page.ts';
import { free_port, Server } from './server.ts';
import { kAccessibilityTests } from './accessibility_tests.ts';
import { kBodyTests } from './body_tests.ts';
import { kBuildTests } from './build_tests.ts';
import { kCameraTests } from './camera_tests.ts';
import { kCodedTests } from './coded_tests.ts';
import { kCreatureTests } from './creature_tests.ts';
import { kCrowdTests } from './crowd_tests.ts';
import { kEditorTests } from './editor_tests.ts';
import { kFirstViewTests } from './first_view_tests.ts';
import { kFlowTests } from './flow_tests.ts';
import { kFramingTests } from './framing_tests.ts';
import { kGaitLabTests } from './gait_lab_tests.ts';
import { kGaitTests } from './gait_tests.ts';
import { kKeysTests } from './keys_tests.ts';
import { kLearnTests } from './learn_tests.ts';
import { kLobbyTests } from './lobby_tests.ts';
import { kLookbackTests } from './lookback_tests.ts';
import { kPeopleTests } from './people_tests.ts';
import { kMakingTests } from './making_tests.ts';
import { kOverlapTests } from './overlap_tests.ts';
import { kPanelsTests } from './panels_tests.ts';
import { kPushTests } from './push_tests.ts';
import { kRoughEdgeTests } from './rough_edge_tests.ts';
import { kSharedViewTests } from './shared_view_tests.ts';
import { kSceneTests } from './scene_tests.ts';
import { kSharingTests } from './sharing_tests.ts';
import { kShowMeTests } from './show_me_tests.ts';
import { kStandingTests } from './standing_tests.ts';
import { kTaskTests } from './task_tests.ts';
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

/** The text of an error, and the line of the test that it comes from. */
function located({ message, stack = '' }: Error): string {
  const line = /\w+_tests?\.ts:\d+/.exec(stack)?.[0];
  return line ? `${message}\n        at ${line}` : message;
}

const only = process.env['ONLY'] ?? '';
const left_out = process.env['LEAVE_OUT'];
const [share_k, share_n] = (process.env['SHARE'] || '1/1').split('/').map(Number) as [
  number,
  number,
];
const pictures = process.env['SCREENSHOTS'];
if (pictures) mkdirSync(pictures, { recursive: true });

// The longest first, so that no processor waits for them at the end.
const chosen = [
  ...kFramingTests,
  ...kCrowdTests,
  ...kAccessibilityTests,
  ...kKeysTests,
  ...kGaitLabTests,
  ...kGaitTests,
  ...kLearnTests,
  ...kTogetherTests,
  ...kShowMeTests,
  ...kTests,
  ...kEditorTests,
  ...kBodyTests,
  ...kBuildTests,
  ...kCreatureTests,
  ...kPeopleTests,
  ...kLobbyTests,
  ...kCameraTests,
  ...kMakingTests,
  ...kOverlapTests,
  ...kPanelsTests,
  ...kPushTests,
  ...kRoughEdgeTests,
  ...kSharedViewTests,
  ...kLookbackTests,
  ...kSceneTests,
  ...kSharingTests,
  ...kFirstViewTests,
  ...kFlowTests,
  ...kTaskTests,
  ...kStandingTests,
  ...kCodedTests,
]
  .filter(({ name }) => only.split('|').some((part) => name.includes(part)))
  .filter(({ name }) => !left_out || !name.includes(left_out))
  .filter((_, index) => index % share_n === share_k - 1);
if (chosen.length === 0)
  throw new Error(`ONLY=${only}: no test that is left has this in its name.`);
type Test = (typeof chosen)[number];

// Without a graphics card the browser paints with the processor, and would do nothing else: most tests do without what
// is painted, or with a picture now and then, and run beside each other. Those that are to be alone draw as often as
// they can.
const kGapUnpainted_ms = 150;
const kGapPainted_ms = 200;
const kPanelsWithoutGpu = '--disable-gpu-compositing'; // what is not WebGL is drawn without the GPU that is not there
const lanes = pictures ? 1 : Math.min(4, availableParallelism());
const browsers = await Promise.all(
  Array.from({ length: lanes }, () => open_browser(pictures !== undefined, [kPanelsWithoutGpu])),
);

function drawing_of(test: Test, often: boolean): Drawing {
  const painted = test.alone === true || test.painted === true || pictures !== undefined;
  return { painted, gap_ms: often ? 0 : painted ? kGapPainted_ms : kGapUnpainted_ms };
}

/**
 * Runs a test with a server of its own.
 * @param often whether its page draws as often as it can
 * @return what went wrong, or nothing
 */
async function run(test: Test, browser: Browser, often: boolean): Promise<string | undefined> {
  set_drawing(browser, drawing_of(test, often));
  const server = new Server(await free_port(), test.options);
  const started = Date.now();
  try {
    await server.start();
    await limited(test.run(browser, server), test.name);
    const violations = take_violations(browser);
    if (violations.length > 0) throw new Error(violations.join('\n'));
    console.log(`  ok    ${test.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return undefined;
  } catch (error) {
    take_violations(browser);
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

/** Runs tests, one at a time in each of these browsers. @param word for those that fail @return these */
async function run_all(
  tests: readonly Test[],
  used: readonly Browser[],
  word: string,
  often: boolean,
): Promise<Test[]> {
  const waiting = [...tests];
  const failed: Test[] = [];
  const lane = async (browser: Browser) => {
    for (let test = waiting.shift(); test; test = waiting.shift()) {
      const wrong = await run(test, browser, often);
      if (wrong === undefined) continue;
      console.log(`  ${word} ${test.name}\n        ${wrong}`);
      failed.push(test);
    }
  };
  await Promise.all(used.map(lane));
  return failed;
}

const first = browsers.slice(0, 1);
const together = chosen.filter(({ alone }) => !alone);
const alone = chosen.filter((test) => test.alone);
const again = await run_all(together, browsers, 'again', false);
again.push(...(await run_all(alone, first, 'again', true)));
// A picture may take a second: what fails is run once more when the others are done, by itself and with as many
// pictures as there can be; a mistake of the page fails again.
const failed = await run_all(again, first, 'FAIL ', true);
for (const browser of browsers) await browser.close();
console.log(
  failed.length === 0 ? 'The page passes.' : `${failed.length} of the page's tests failed.`,
);
process.exit(failed.length === 0 ? 0 : 1);

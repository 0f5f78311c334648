// Brings a room to the moment that an address names: its clock stands, so many seconds after the scene began.
import { kSingleStep_ticks } from '../../gen/commands';
import type { Place } from '../page/address';
import { clock_words } from './clock_bar';
import type { Context } from '../page/context';
import { load_scene } from './load_scene';

const kFurthest_s = 120; // a room is not made to run on for longer than this
const kPatience_ms = 4000; // without a step

/** How an address's moment lies to that of the room. */
export type Moment = 'here' | 'ahead' | 'past' | 'far';

/** @param wanted_s, now_s since the scene began @param tick_s one step of the room */
export function moment_of(wanted_s: number, now_s: number, tick_s: number): Moment {
  const steps = Math.round((wanted_s - now_s) / tick_s);
  if (steps === 0) return 'here';
  if (steps < 0) return 'past';
  return steps * tick_s > kFurthest_s ? 'far' : 'ahead';
}

/**
 * Handles an address that was made while the clock stood. An admin who is alone in the room gets its
 * clock stopped there, as far as that leaves the scene as it is; others are asked.
 */
export function offer_moment(context: Context, place: Place): void {
  const { actions, toasts, world } = context;
  const wanted_s = place.time_s;
  if (!place.paused) return;
  const now_s = () => world.scene_time_s(world.frame.value?.tick ?? 0);
  const tick_s = () => world.hello.value?.tick_s ?? 1 / 60;
  const pause = async () => {
    if (world.frame.value?.paused) return;
    await actions.send({ case: 'pause', value: {} });
    await until(() => world.frame.value?.paused === true); // only then the frame tells where the room stands
  };
  const go_on_to = async (to_s: number) => {
    await pause();
    await step_to(context, to_s);
  };
  const anew = async (to_s: number) => {
    const scene = world.scene.value?.scene?.name ?? '';
    const done = await load_scene(context, scene);
    if (done.kind === 'done') await go_on_to(to_s);
  };
  const handle = (alone: boolean) => {
    const paused = world.frame.value?.paused === true;
    const moment = wanted_s === undefined ? 'here' : moment_of(wanted_s, now_s(), tick_s());
    if (paused && moment === 'here') return;
    const mine = world.can_administer && alone;
    const then = `This link shows the scene paused at ${clock_words(wanted_s ?? 0)}`;
    if (wanted_s === undefined || moment === 'here') return mine ? void pause() : undefined;
    if (moment === 'ahead' && mine) return void go_on_to(wanted_s);
    if (!world.can_administer || moment === 'far')
      return toasts.show(`${then}; the room is at ${clock_words(now_s())}.`);
    const run = () => void (moment === 'past' ? anew(wanted_s) : go_on_to(wanted_s));
    const text = moment === 'past' ? 'Restart the scene and go there' : 'Go there';
    toasts.show(`${then}; the room is at ${clock_words(now_s())}.`, 'info', { text, run });
  };
  let seen = false;
  const stop = world.frame.watch((frame) => {
    const name = world.scene.value?.scene?.name;
    if (seen || !frame || !name || (place.scene !== undefined && name !== place.scene)) return;
    seen = true;
    queueMicrotask(() => stop());
    handle(frame.viewers <= 1);
  });
}

/** Takes the room, whose clock stands, step by step to a time of its scene. */
async function step_to({ actions, world }: Context, to_s: number): Promise<void> {
  for (;;) {
    const tick = world.frame.value?.tick ?? 0;
    const tick_s = world.hello.value?.tick_s ?? 1 / 60;
    const left = Math.round((to_s - world.scene_time_s(tick)) / tick_s);
    if (left <= 0) return;
    const ticks = Math.min(left, kSingleStep_ticks.most);
    const outcome = await actions.send({ case: 'singleStep', value: { ticks } });
    if (outcome.kind !== 'done') return;
    if (!(await arrives(() => world.frame.value?.tick ?? 0, tick + ticks))) return;
  }
}

/** Waits until the room is at a tick. @return false if it stopped before */
async function arrives(now: () => number, tick: number): Promise<boolean> {
  for (let last = now(); last < tick; last = now())
    if (!(await until(() => now() > last))) return false;
  return true;
}

/** Waits until something is so. @return false if it is not so for long */
async function until(is_so: () => boolean): Promise<boolean> {
  const since_ms = performance.now();
  while (!is_so()) {
    if (performance.now() - since_ms > kPatience_ms) return false;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return true;
}

import { create } from '@bufbuild/protobuf';
import { describe, expect, test, vi } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import type { Viewport } from '../src/scene/picture/viewport';
import { Aiming } from '../src/state/hand/aim';
import { Build } from '../src/state/hand/build';
import { make_cast } from '../src/state/room/roster';
import { Selection } from '../src/state/room/selection';
import { World } from '../src/state/room/world';
import { Signal } from '../src/state/values/signal';
import type { Builder } from '../src/ui/hand/builder';
import { aim_keys } from '../src/ui/keys/aim_keys';
import type { Context } from '../src/ui/page/context';
import { numbered, pose_of, small_body } from './body';

/** One walker and one thing, seen from 10 m away along the x axis. */
function page() {
  const world = new World();
  const roster = create(RosterSchema, {
    version: 1n,
    entries: [{ id: 1, body: 0n, dof: 6, controller: 'gbwc' }],
    things: [{ id: 4, body: 0n, dof: 6 }],
  });
  const cast = make_cast(roster, numbered(small_body()));
  world.cast.set(cast);
  Object.assign(world.pose, pose_of(cast));
  const said: string[] = [];
  const done = Promise.resolve([{ kind: 'done' }]);
  const actions = {
    walkers: [1],
    characters: [1],
    most_push_n: Infinity,
    push: vi.fn(() => Promise.resolve({ kind: 'done' })),
    go_to: vi.fn(() => done),
    walk: vi.fn(() => done),
  };
  const context = {
    ...{ world, actions, aiming: new Aiming(), build: new Build(), selection: new Selection() },
    announcer: { answer: (text: string) => said.push(text) },
    settings: { path_tool: new Signal(false) },
    toasts: { show: vi.fn() },
  };
  const viewport = {
    away: [1, 0],
    rig: { view: { from: [-10, 0, 0], at: [0, 0, 0] }, axes: { right: [0, -1, 0], up: [0, 0, 1] } },
    middle: () => ({ point: [0, 0, 0] }),
    ground_below: (x: number, y: number) => ({ point: [x, y, 0] }),
    pixel_of: () => undefined,
    cameraman: { point_of: () => [0, 0, 1] },
  };
  const drag = vi.fn();
  const builder = { drag, on_lost: (_: number) => {} };
  const focus = vi.fn();
  const keys = {
    ...aim_keys(
      context as unknown as Context,
      builder as unknown as Builder,
      viewport as unknown as Viewport,
      focus,
    ),
  };
  return { ...context, actions, builder, drag, focus, keys, said };
}
const kRight = { right: 1, away: 0, shift: false };

describe('what keys aim at', () => {
  test('is nothing before somebody is selected', () => {
    const { keys, toasts } = page();
    keys.aim();
    expect(toasts.show).toHaveBeenCalledTimes(1);
    expect([keys.sketch(), keys.shift(kRight), keys.raise(1), keys.put(), keys.end()]).toEqual([
      ...[undefined, false, false, false, false],
    ]);
  });

  test('is a place to which a walker is sent', async () => {
    const { keys, selection, actions, aiming, focus, said } = page();
    selection.choose(1);
    keys.aim_at_ground();
    expect(focus).toHaveBeenCalledTimes(1);
    expect(keys.shift({ right: 0, away: 1, shift: true })).toBe(true);
    expect(said.at(-1)).toMatch(/^1.0 m from .* 1, away from you$/);
    expect(keys.sketch()).toEqual({ kind: 'spot', point: [1, 0, 0] });
    expect(keys.put()).toBe(true);
    expect(actions.go_to).toHaveBeenCalledWith(1, 0);
    expect(aiming.on).toBe(false);
    await vi.waitFor(() => expect(said.at(-1)).toBe('Sent'));
  });

  test('is a path while that tool is chosen, which is put away with it', () => {
    const { keys, selection, actions, settings, said } = page();
    selection.choose(1);
    settings.path_tool.set(true);
    expect(keys.put()).toBe(true); // begins
    keys.put();
    expect(said.at(-1)).toBe('Point 1');
    keys.shift(kRight);
    keys.put();
    expect(keys.put()).toBe(true);
    expect(actions.walk).toHaveBeenCalledTimes(1);
    expect([settings.path_tool.value, keys.sketch()]).toEqual([false, undefined]);
    settings.path_tool.set(true);
    keys.put();
    settings.path_tool.set(false);
    expect(keys.sketch()).toBeUndefined();
  });

  test('is a thing that is held, lifted, and let go when another is selected', () => {
    const { keys, selection, drag } = page();
    selection.choose(4);
    keys.aim();
    expect(keys.raise(1)).toBe(true);
    expect(drag).toHaveBeenLastCalledWith(expect.anything(), [0, 0, expect.closeTo(0.2)]);
    keys.shift(kRight);
    expect(drag).toHaveBeenLastCalledWith(expect.anything(), [0, expect.closeTo(-0.2), 0.2]);
    selection.choose(1);
    expect(drag).toHaveBeenLastCalledWith(expect.anything(), undefined);
    expect(keys.end()).toBe(false);
  });

  test('is not held any more once that was refused', () => {
    const { keys, selection, builder } = page();
    selection.choose(4);
    keys.aim();
    builder.on_lost(1);
    expect(keys.sketch()?.kind).toBe('drag');
    builder.on_lost(4);
    expect(keys.sketch()).toBeUndefined();
  });

  test('is a push, whose force is told', async () => {
    const { keys, selection, actions, said } = page();
    selection.choose(1);
    keys.aim();
    keys.shift({ right: 0, away: 1, shift: false });
    expect(said.at(-1)).toMatch(/^\d+ N away from you$/);
    expect(keys.sketch()).toMatchObject({ kind: 'push', level: true, from: [0, 0, 1] });
    keys.raise(1);
    expect(keys.sketch()).toMatchObject({ kind: 'push', level: false });
    expect(keys.put()).toBe(true);
    expect(actions.push).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(said.at(-1)).toMatch(/^Pushed with \d+ N/));
    keys.aim();
    expect(keys.sketch()).toBeUndefined();
  });
});

import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import type { Api } from '../src/net/api';
import { make_cast } from '../src/state/room/roster';
import { Selection } from '../src/state/room/selection';
import { World } from '../src/state/room/world';
import { kNoErrands } from '../src/state/tasks/errand_list';
import { Errands } from '../src/state/tasks/errands';
import type { Task } from '../src/state/tasks/task';
import type { Context } from '../src/ui/page/context';
import { Crew } from '../src/ui/tasks/crew';
import { ErrandPoll } from '../src/ui/tasks/errand_poll';
import { numbered, small_body } from './body';

function room() {
  const world = new World();
  const roster = create(RosterSchema, {
    version: 1n,
    entries: [1, 2, 3].map((id) => ({ id, body: 0n, dof: 6, controller: 'gbwc' })),
    things: [{ id: 4, body: 0n, dof: 6 }],
  });
  const cast = make_cast(roster, numbered(small_body()));
  world.cast.set(cast);
  world.pose.cast = cast;
  const errands = new Errands();
  let chosen: number[] = [1];
  const crew = new Crew(world, errands, () => cast.members.filter(({ id }) => chosen.includes(id)));
  const choose = (...ids: number[]) => (chosen = ids);
  return { world, cast, errands, crew, choose };
}

const listed = (tasks: readonly Task[], repeat = false) => ({
  ...kNoErrands,
  errands: tasks.map((task) => ({ task })),
  repeat,
});

describe('people who do errands', () => {
  test('know what is in the hands after all errands, and to whom it can be given', () => {
    const { errands, crew, choose } = room();
    expect(crew.gives_to(2)).toBe(false);
    errands.list.set(listed([{ sit_out: { seconds: 1 } }, { pick_up: { thing: 4 } }]));
    expect(crew.carried()).toEqual([0, 0, 4]);
    expect(crew.carries_then).toBe(4);
    expect([crew.gives_to(2), crew.gives_to(1)]).toEqual([true, false]);
    choose(1, 2);
    expect([crew.several, crew.key, crew.gives_to(3)]).toEqual([true, '1 2', false]);
    choose();
    expect([crew.first, crew.key, crew.carries]).toEqual([undefined, '', 0]);
  });

  test('are named, also when they have left', () => {
    const { crew } = room();
    expect(crew.name(2)).toMatch(/2$/);
    expect(crew.name(77)).toBe('character 77, who is gone');
  });

  test('tell an errand by what is in the hands then', () => {
    const { crew } = room();
    const list = listed([{ pick_up: { thing: 4 } }, { put_down: {} }]);
    expect(crew.words(list, 1)).toMatch(/4/);
    expect(crew.words({ ...list, repeat: true }, 1)).toBe(crew.words(list, 1));
    expect(crew.words(list, 2)).toBe('');
  });
});

describe('the list that the server has', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.clearAllTimers();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function polled() {
    const { world, cast, errands, crew, choose } = room();
    vi.stubGlobal('document', { hidden: false, baseURI: 'http://here/' });
    world.status.set({ kind: 'online' });
    const answer = { tasks: [{ sit_out: { seconds: 2 } }], tick: '5' };
    const request = vi.fn(() => Promise.resolve(new Response(JSON.stringify(answer))));
    vi.stubGlobal('fetch', request);
    const api = { in_room: (what: string) => `/${what}`, headers: () => ({}) } as unknown as Api;
    const context = { world, selection: new Selection() } as unknown as Context;
    const panel = { open: false } as HTMLDetailsElement;
    const other = vi.fn();
    const poll = new ErrandPoll(context, api, errands, crew, panel, other);
    return { world, cast, errands, choose, context, request, panel, other, poll };
  }

  test('is asked for once a second, at once for others, and soon after an event', async () => {
    const { errands, choose, context, request, panel, other, poll } = polled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(request).toHaveBeenCalledTimes(1);
    expect(errands.list.value.errands).toHaveLength(1);
    expect([panel.open, other.mock.calls.length]).toEqual([true, 1]);
    panel.open = false; // closed by the user: it stays so for the same people
    poll.soon();
    await vi.advanceTimersByTimeAsync(200);
    expect([request.mock.calls.length, panel.open]).toEqual([2, false]);
    choose(2);
    context.selection.choose(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(request).toHaveBeenCalledTimes(3);
    expect([panel.open, other.mock.calls.length]).toEqual([true, 2]);
    choose();
    context.selection.clear();
    await vi.advanceTimersByTimeAsync(5000);
    expect(request).toHaveBeenCalledTimes(3);
  });

  test('is not asked for between a new connection and its first roster', async () => {
    const { world, cast, request, poll } = polled();
    await vi.advanceTimersByTimeAsync(10);
    const before = request.mock.calls.length;
    world.hello.set({ epoch: 2 } as NonNullable<typeof world.hello.value>);
    poll.soon();
    await vi.advanceTimersByTimeAsync(2500);
    expect(request).toHaveBeenCalledTimes(before);
    world.cast.set({ ...cast });
    await vi.advanceTimersByTimeAsync(1000);
    expect(request.mock.calls.length).toBeGreaterThan(before);
  });
});

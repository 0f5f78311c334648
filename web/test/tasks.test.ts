import { kEmptyCast } from '../src/state/room/roster';
import { describe, expect, it } from 'vitest';
import {
  changed,
  command_of,
  ended,
  Errands,
  repeated,
  shifted,
  take_over,
  without,
} from '../src/state/tasks/errands';
import { type ErrandList, kNoErrands } from '../src/state/tasks/errand_list';
import { is_shared_by, orders_of, standing } from '../src/state/tasks/sharing';
import {
  carried_along,
  kSomething,
  moved,
  place_of,
  put_on,
  type Task,
  type TaskListJson,
  turned,
} from '../src/state/tasks/task';

const wait = (seconds: number): Task => ({ sit_out: { seconds } });
function list_of(seconds: readonly number[], current: number, repeat = false): ErrandList {
  return { ...kNoErrands, errands: seconds.map((s) => ({ task: wait(s) })), current, repeat };
}
const seconds = ({ errands }: ErrandList) => errands.map(({ task }) => task.sit_out?.seconds);

describe('tasks', () => {
  it('move and turn by their own place only', () => {
    const put: Task = { put_down: { position_m: [1, 2, 0.7] } };
    expect(place_of(moved(put, [3, 4]))).toEqual([3, 4, 0.7]);
    expect(place_of({ reach: { thing: 3, point_m: [0, 0, 0.1] } })).toBeUndefined();
    const touch: Task = { reach: { thing: 3 } };
    expect(moved(touch, [3, 4])).toBe(touch);
    expect(turned(put, 0.5, 0.25).put_down?.heading_rad).toBeCloseTo(0.75);
    expect(turned(touch, 0.5, 0)).toBe(touch);
  });
  it('say what is in the hands along the list', () => {
    const tasks: Task[] = [{ pick_up: { thing: 4 } }, wait(1), { put_down: {} }, wait(2)];
    expect(carried_along(tasks, 0, 0, kEmptyCast)).toEqual([0, 4, 4, 0, 0]);
    expect(carried_along(tasks, 1, 4, kEmptyCast)).toEqual([0, 4, 4, 0, 0]);
    expect(carried_along(tasks.slice(0, 2), 0, 0, kEmptyCast).at(-1)).toBe(4);
    const takes: Task[] = [{ take_over: {} }, { put_down: { position_m: [1, 2] } }];
    expect(carried_along(takes, 0, 0, kEmptyCast)).toEqual([0, kSomething, 0]);
  });
});

describe('a list of errands', () => {
  it('goes on with the one under way in another order', () => {
    const list = list_of([1, 2, 3], 1);
    expect(shifted(list, 1, 2)).toMatchObject({ current: 2 });
    const up = shifted(list, 2, 0);
    expect([seconds(up), up.current]).toEqual([[3, 1, 2], 2]);
    const down = shifted(list, 0, 2);
    expect([seconds(down), down.current]).toEqual([[2, 3, 1], 0]);
    expect(shifted(list, 0, -1)).toBe(list);
    expect(command_of(up)).toEqual({
      tasks: up.errands.map(({ task }) => task),
      begin_at: 2,
      repeat: false,
    });
  });
  it('loses one, and begins the next where that was under way', () => {
    const list = list_of([1, 2, 3], 1);
    expect(without(list, 0).current).toBe(0);
    expect(without(list, 1)).toMatchObject({ current: 1 });
    expect(without(list_of([1, 2], 1, true), 1).current).toBe(0);
  });
  it('begins again where it is over and is to be repeated', () => {
    expect(repeated(list_of([1, 2], 2), true)).toMatchObject({ current: 0, repeat: true });
    expect(repeated(list_of([1, 2], 1), true).current).toBe(1);
  });
  it('remembers how each ended, whether the list or the event comes first', () => {
    const event = { tick: 10, failed: true, text: 'it is too heavy' };
    const early = ended({ ...list_of([1, 2], 0), tick: 5 }, event);
    expect([early.current, early.errands[0]?.outcome?.text]).toEqual([1, 'it is too heavy']);
    const late = ended({ ...list_of([1, 2], 1), tick: 20 }, event);
    expect([late.current, late.errands[0]?.outcome?.failed]).toEqual([1, true]);
    const told = take_over(early, { tick: '30', tasks: [wait(1), wait(2)], current: 1 });
    expect(told.errands[0]?.outcome?.failed).toBe(true);
    expect(changed(told, 0, wait(4)).errands[0]?.outcome).toBeUndefined();
    const round = ended({ ...list_of([1, 2], 1, true), tick: 5 }, event);
    expect(round.current).toBe(0);
  });
  it('shows an edit at once, and not any more where it is refused', async () => {
    const errands = new Errands();
    errands.told({ tasks: [wait(1)], tick: '1' });
    let answer = (_: string | undefined) => {};
    errands.send = () => new Promise((resolve) => (answer = resolve));
    const added = errands.add([wait(2)]);
    expect(seconds(errands.list.value)).toEqual([1, 2]);
    errands.told({ tasks: [wait(1)], tick: '2' }); // from before the edit
    expect(seconds(errands.list.value)).toEqual([1, 2]);
    answer('no');
    expect(await added).toBe('no');
    errands.told({ tasks: [], tick: '3' }, 0); // was asked for before it
    expect(seconds(errands.list.value)).toEqual([1]);
    expect(seconds(errands.list.value)).toEqual([1]);
  });
  it('leaves out what is over when another is added', async () => {
    const errands = new Errands();
    errands.told({ tasks: [wait(1), wait(2)], current: 2 });
    const sent: unknown[] = [];
    errands.send = (command) => Promise.resolve(void sent.push(command));
    await errands.add([wait(3)]);
    expect([seconds(errands.list.value), errands.list.value.current]).toEqual([[3], 0]);
    expect(sent).toEqual([{ tasks: [wait(3)], append: true }]);
  });
});

describe('a list that several share', () => {
  const told: TaskListJson = {
    ...{ tick: '9', tasks: [wait(1), wait(2), wait(3), wait(4)], current: 4, shared_by: [1, 2] },
    progress: [
      {},
      { state: 'TAKEN', character: 2 },
      { state: 'DONE', character: 1 },
      { state: 'FAILED', character: 1 },
    ],
  };
  it('shows which person has which errand, and why one failed', () => {
    const errands = new Errands();
    errands.told({ ...told, progress: [{}, {}, {}, {}] });
    const text = 'Human 1 cannot carry: it is too heavy';
    errands.heard({ tick: 8, failed: true, text });
    errands.told(told);
    const { value: list } = errands.list;
    expect(list.errands.map((_, i) => standing(list, i))).toEqual([
      ...['next', 'now', 'done', 'failed'],
    ]);
    expect(list.errands.map(({ progress }) => progress?.by)).toEqual([0, 2, 1, 1]);
    expect(list.errands.map(({ outcome }) => outcome?.text)).toEqual([
      ...[undefined, undefined, undefined, text],
    ]);
    // Where it is told again, the reason stays.
    expect(take_over(list, told).errands[3]?.outcome?.text).toBe(text);
    // A person's own list afterwards has nothing of that.
    const own = take_over(list, { tasks: [wait(2)], current: 0 });
    expect([own.shared_by, own.errands[0]?.progress]).toEqual([[], undefined]);
  });
  it('is begun, added to, repeated and dropped by commands for all of them', () => {
    const crew = [1, 2];
    const share = (fields: object) => [{ share_tasks: { characters: crew, ...fields } }];
    expect(orders_of(crew, kNoErrands, { tasks: [wait(1)], append: true })).toEqual(
      share({ tasks: [wait(1)], append: false, repeat: false }),
    );
    const list = take_over(kNoErrands, told);
    expect([is_shared_by(list, crew), is_shared_by(list, [1, 3])]).toEqual([true, false]);
    expect(orders_of(crew, list, { tasks: [wait(5)], append: true })).toEqual(
      share({ tasks: [wait(5)], append: true, repeat: false }),
    );
    expect(orders_of(crew, list, command_of(repeated(list, true)))).toEqual(
      share({ tasks: [], append: true, repeat: true }),
    );
    expect(orders_of([1, 3], list, { tasks: [wait(5)], append: true })).toEqual([
      { share_tasks: { characters: [1, 3], tasks: [wait(5)], append: false, repeat: false } },
    ]);
    expect(orders_of(crew, list, { tasks: [] })).toEqual(
      crew.map((character) => ({ set_tasks: { character, tasks: [] } })),
    );
  });
  it('keeps what is under way when something is added', async () => {
    const errands = new Errands();
    errands.told(told);
    await errands.add([wait(5)]);
    expect(seconds(errands.list.value)).toEqual([1, 2, 3, 4, 5]);
  });
  it('carries onto a thing as well as to a place', () => {
    const carry: Task = { carry: { thing: 3, position_m: [1, 2], heading_rad: 0.5 } };
    expect(put_on(carry, 4)).toEqual({ carry: { thing: 3, on: 4, heading_rad: 0.5 } });
    expect(put_on(carry, 3)).toBe(carry);
  });
});

// The errands of one character as the page knows them: what the server last told, what has become of each, and edits.
import { kSetTasks_tasks } from '../../gen/commands';
import { Signal } from '../values/signal';
import { type Errand, type ErrandList, kNoErrands, type SetTasksJson } from './errand_list';
import { progress_of } from './sharing';
import type { Task, TaskListJson } from './task';

const kMost = kSetTasks_tasks.most;

/**
 * The list that the server tells, with what is known of how its errands ended.
 * @param reasons why some that are shared have failed, in the order in which that was told; those used are taken out
 */
export function take_over(
  before: ErrandList,
  told: TaskListJson,
  reasons: string[] = [],
): ErrandList {
  const known = [...before.errands];
  const errands = (told.tasks ?? []).map((task, index): Errand => {
    const text = JSON.stringify(task);
    const i = known.findIndex((one) => JSON.stringify(one.task) === text);
    const [found] = i < 0 ? [] : known.splice(i, 1);
    const progress = told.progress?.[index] && progress_of(told.progress[index]);
    if (!progress) return found?.progress ? { task } : (found ?? { task });
    if (progress.state !== 'failed') return { task, progress };
    const why = found?.outcome?.text || (reasons.shift() ?? '');
    return { task, progress, outcome: { failed: true, text: why } };
  });
  return {
    tick: Number(told.tick ?? 0),
    errands,
    current: told.current ?? 0,
    repeat: told.repeat ?? false,
    shared_by: told.shared_by ?? [],
  };
}

/** After an event: one of them is over. */
export function ended(
  list: ErrandList,
  event: { readonly tick: number; readonly failed: boolean; readonly text: string },
): ErrandList {
  const { length } = list.errands;
  if (length === 0 || list.shared_by.length > 0) return list;
  // The list may be newer than the event, whose tick is the one that was being done.
  const told = event.tick < list.tick;
  const step = (i: number, by: number) => (list.repeat ? (i + by + length) % length : i + by);
  const which = told ? step(list.current, -1) : list.current;
  if (which < 0 || which >= length) return list;
  const { failed, text } = event;
  const errands = list.errands.map((errand, i) =>
    i === which ? { ...errand, outcome: { failed, text } } : errand,
  );
  const current = told ? list.current : step(list.current, 1);
  return { ...list, errands, current };
}

/** Another order: the one under way goes on. */
export function shifted(list: ErrandList, from: number, to: number): ErrandList {
  const errands = [...list.errands];
  const [one] = errands.splice(from, 1);
  if (!one || to < 0 || to > errands.length) return list;
  errands.splice(to, 0, one);
  let { current } = list;
  if (from === current) current = to;
  else if (from < current && to >= current) current -= 1;
  else if (from > current && to <= current) current += 1;
  return { ...list, errands, current };
}

export function without(list: ErrandList, index: number): ErrandList {
  const errands = list.errands.filter((_, i) => i !== index);
  let current = list.current > index ? list.current - 1 : list.current;
  if (list.repeat && current >= errands.length) current = 0;
  return { ...list, errands, current };
}

/** One is done in another way; one that was over already is not begun again by that. */
export function changed(list: ErrandList, index: number, task: Task): ErrandList {
  const errands = list.errands.map((errand, i) => (i === index ? { task } : errand));
  return { ...list, errands };
}

/** Whether the list is begun again after the last; one that is over begins at once. */
export function repeated(list: ErrandList, repeat: boolean): ErrandList {
  const over = list.current >= list.errands.length;
  return { ...list, repeat, current: repeat && over ? 0 : list.current };
}

export function command_of({ errands, current, repeat }: ErrandList): SetTasksJson {
  return { tasks: errands.map(({ task }) => task), begin_at: current, repeat };
}

/** Keeps the list of the selected people, and passes edits on. */
export class Errands {
  readonly list = new Signal<ErrandList>(kNoErrands);
  /** Sends the command. @return why it was refused; undefined: it was not */
  send: (command: SetTasksJson) => Promise<string | undefined> = () => Promise.resolve(undefined);
  private sending_ = 0;
  private edits_ = 0;
  private reasons_: string[] = []; // of shared errands that failed since the server last told the list

  /** How many edits there have been. */
  get edits(): number {
    return this.edits_;
  }

  /**
   * Takes over what the server tells, unless an edit is on its way.
   * @param asked_after edits: an answer from before the last one is old
   */
  told(list: TaskListJson, asked_after = this.edits_): void {
    if (this.sending_ > 0 || asked_after !== this.edits_) return;
    this.list.set(take_over(this.list.value, list, this.reasons_));
    this.reasons_ = [];
  }

  forget(): void {
    this.reasons_ = [];
    this.list.set(kNoErrands);
  }

  heard(event: { readonly tick: number; readonly failed: boolean; readonly text: string }): void {
    if (this.list.value.shared_by.length > 0 && event.failed) this.reasons_.push(event.text);
    this.list.set(ended(this.list.value, event));
  }

  /** Shows the list as edited at once, and as it was again where it is refused. */
  async edit(list: ErrandList): Promise<string | undefined> {
    if (list === this.list.value) return undefined;
    return this.try_out(list, command_of(list));
  }

  async add(tasks: readonly Task[]): Promise<string | undefined> {
    const before = this.list.value;
    if (before.errands.length + tasks.length > kMost)
      return `There are ${kMost} errands already, as many as there may be.`;
    const fresh = tasks.map((task): Errand => ({ task }));
    // Errands that are over go, unless they are begun again.
    const shared = before.shared_by.length > 0;
    const all = before.repeat || shared;
    const kept = all ? before.errands : before.errands.slice(before.current);
    const list: ErrandList = {
      ...before,
      errands: [...kept, ...fresh],
      current: all ? before.current : 0,
    };
    return this.try_out(list, { tasks, append: true });
  }

  private async try_out(list: ErrandList, command: SetTasksJson): Promise<string | undefined> {
    const before = this.list.value;
    this.list.set(list);
    ++this.sending_;
    ++this.edits_;
    const refused = await this.send(command);
    --this.sending_;
    if (refused !== undefined && this.list.value === list) this.list.set(before);
    return refused;
  }
}

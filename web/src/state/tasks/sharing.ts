// Errands that several people share: a person who is free takes the next. The requests for them, and how far they are.
import type { TaskProgress_State } from '../../gen/tasks';
import type { ErrandList, Progress, SetTasksJson } from './errand_list';
import type { ProgressJson, Task } from './task';

const kStates: Readonly<Record<TaskProgress_State, Progress['state']>> = {
  ...({ OPEN: 'open', TAKEN: 'taken', DONE: 'done', FAILED: 'failed' } as const),
};

export function progress_of({ state = 'OPEN', character = 0 }: ProgressJson): Progress {
  return { state: kStates[state] ?? 'open', by: character };
}

/** Whether a list is the one that these share. */
export function is_shared_by({ shared_by }: ErrandList, crew: readonly number[]): boolean {
  return crew.every((id) => shared_by.includes(id));
}

/** Where an errand stands: to come, under way, or how it ended. */
export function standing(list: ErrandList, index: number): 'next' | 'now' | 'done' | 'failed' {
  const { progress, outcome } = list.errands[index] ?? {};
  if (progress)
    return progress.state === 'open' ? 'next' : progress.state === 'taken' ? 'now' : progress.state;
  if (index === list.current) return 'now';
  return outcome?.failed ? 'failed' : outcome ? 'done' : 'next';
}

export type Order =
  | { readonly set_tasks: { readonly character: number; readonly tasks: readonly Task[] } }
  | {
      readonly share_tasks: {
        readonly characters: readonly number[];
        readonly tasks: readonly Task[];
        readonly append: boolean;
        readonly repeat: boolean;
      };
    };

/**
 * The commands by which several people do what `command` would let one do: add errands, repeat them, or drop all.
 * @param list as it is shown now
 */
export function orders_of(
  crew: readonly number[],
  list: ErrandList,
  { tasks, append = false, repeat = list.repeat }: SetTasksJson,
): Order[] {
  if (tasks.length === 0) return crew.map((character) => ({ set_tasks: { character, tasks } }));
  const known = is_shared_by(list, crew);
  // A list that is not added to is the one that they have, as only whether it repeats can be changed.
  const added = append || !known ? tasks : [];
  return [{ share_tasks: { characters: crew, tasks: added, append: known, repeat } }];
}

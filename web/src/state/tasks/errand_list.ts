// The page's knowledge of somebody's errands, as values.
import type { Task } from './task';

/** Of an errand that several share. */
export interface Progress {
  readonly state: 'open' | 'taken' | 'done' | 'failed';
  readonly by: number; // the character that has it, or was the last to have it; 0: none
}

export interface Errand {
  readonly task: Task;
  /** How it ended when it was last done; undefined: it was not, or it is under way. */
  readonly outcome?: { readonly failed: boolean; readonly text: string };
  /** Of one that several share. */
  readonly progress?: Progress;
}

export interface ErrandList {
  readonly tick: number; // at which the server had it so
  readonly errands: readonly Errand[];
  readonly current: number; // their number: all are over
  readonly repeat: boolean;
  readonly shared_by: readonly number[]; // empty: one has it alone
}

export const kNoErrands: ErrandList = {
  ...{ tick: 0, errands: [], current: 0, repeat: false, shared_by: [] },
};
/** The fields of the command set_tasks that make a list so. */
export interface SetTasksJson {
  readonly tasks: readonly Task[];
  readonly begin_at?: number;
  readonly append?: boolean;
  readonly repeat?: boolean;
}

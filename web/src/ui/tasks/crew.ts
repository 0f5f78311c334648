// The people who have the errands: one person who is selected alone, or several who share their errands.
import { name_of } from '../../state/recording/marks';
import type { Member } from '../../state/room/roster';
import type { World } from '../../state/room/world';
import type { ErrandList } from '../../state/tasks/errand_list';
import type { Errands } from '../../state/tasks/errands';
import { carried_along, carried_by } from '../../state/tasks/task';
import { task_words } from '../../state/tasks/task_words';

/** The selected people who can do errands, and the things in their hands before and after each errand. */
export class Crew {
  /** @param chosen_ gives these people now; they change with the selection and with the cast */
  constructor(
    private readonly world_: World,
    private readonly errands_: Errands,
    private readonly chosen_: () => readonly Member[],
  ) {}

  get members(): readonly Member[] {
    return this.chosen_();
  }

  get first(): Member | undefined {
    return this.members[0];
  }

  get several(): boolean {
    return this.members.length > 1;
  }

  get ids(): readonly number[] {
    return this.members.map(({ id }) => id);
  }

  /** The same text for the same people; it is empty while there is nobody. */
  get key(): string {
    return this.ids.join(' ');
  }

  /** The id of what is in the hands now; 0 of nothing, and of several people. */
  get carries(): number {
    const member = this.several ? undefined : this.first;
    return member ? carried_by(member, this.world_.pose.cast) : 0;
  }

  /** The ids of what is in the hands before each errand, and after all of them; 0: nothing. */
  carried(): readonly number[] {
    const { errands: all, current, repeat } = this.errands_.list.value;
    return carried_along(
      all.map(({ task }) => task),
      repeat ? 0 : current,
      repeat ? 0 : this.carries,
      this.world_.cast.value,
    );
  }

  /** The id of what is in the hands once all errands are over; 0: nothing. */
  get carries_then(): number {
    return this.carried().at(-1) ?? 0;
  }

  /** Whether somebody can be asked to take what is in the hands after all errands. */
  gives_to(id: number): boolean {
    return !this.several && id !== this.first?.id && this.carries_then !== 0;
  }

  /** An errand in words. @param index of the errand in the list */
  words(list: ErrandList, index: number): string {
    const { errands: all, current, repeat } = list;
    const task = all[index]?.task;
    if (!task) return '';
    const along = carried_along(
      all.map((one) => one.task),
      repeat ? 0 : Math.min(current, index),
      repeat ? 0 : this.carries,
      this.world_.cast.value,
    );
    return task_words(task, along[index] ?? 0, this.world_.cast.value);
  }

  /** The name of a character, who may have left the room. */
  name(id: number): string {
    const member = this.world_.cast.value.by_id.get(id);
    return member ? name_of(member) : `character ${id}, who is gone`;
  }
}

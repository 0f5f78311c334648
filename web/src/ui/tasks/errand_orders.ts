// Edits of the list of errands on their way to the room.
import type { Api } from '../../net/api';
import { ask_room, type ReplyJson } from '../../net/room_json';
import type { ErrandList, SetTasksJson } from '../../state/tasks/errand_list';
import { changed, type Errands } from '../../state/tasks/errands';
import { orders_of } from '../../state/tasks/sharing';
import type { Task } from '../../state/tasks/task';
import { task_words } from '../../state/tasks/task_words';
import { sentence } from '../../state/values/sentence';
import type { Context } from '../page/context';
import { kLookingBack } from '../room/actions';
import type { Crew } from './crew';

/** Adds and changes errands, sends them to the room, and tells the user what was refused. */
export class ErrandOrders {
  /** @param after_ is called when the room has answered, so that the list is asked for anew */
  constructor(
    private readonly context_: Context,
    private readonly api_: Api,
    private readonly errands_: Errands,
    private readonly crew_: Crew,
    private readonly after_: () => void,
  ) {
    errands_.send = (command) => this.send(command);
  }

  /** Adds an errand after all others. */
  add(task: Task): void {
    this.tell(this.errands_.add([task]));
    const { announcer, world } = this.context_;
    announcer.answer(`${task_words(task, this.crew_.carries_then, world.cast.value)}: added`);
  }

  /** Has the errands done as in this list. */
  edit(list: ErrandList): void {
    this.tell(this.errands_.edit(list));
  }

  /** Has one errand done in another way. @param index of the errand in the list */
  change(index: number, task: Task): void {
    this.edit(changed(this.errands_.list.value, index, task));
  }

  private tell(refused: Promise<string | undefined>): void {
    void refused.then((why) => {
      if (why !== undefined) this.context_.toasts.show(why, 'error');
      this.after_();
    });
  }

  /** @return why it was refused; undefined: it was not */
  private async send(command: SetTasksJson): Promise<string | undefined> {
    const { crew_: crew, errands_: errands } = this;
    const member = crew.first;
    if (!member) return undefined;
    if (this.context_.world.lookback.on.value) return kLookingBack;
    const orders = crew.several
      ? orders_of(crew.ids, errands.list.value, command)
      : [{ set_tasks: { character: member.id, ...command } }];
    for (const order of orders) {
      const reply = await ask_room<ReplyJson>(this.api_, 'POST', 'commands', order);
      if (typeof reply === 'string') return reply;
      if (reply.error) return sentence(reply.error.message ?? 'The server refused this.');
    }
    // An errand that is added before the server tells the list anew is added to this list.
    if (crew.several && command.tasks.length > 0)
      errands.list.set({ ...errands.list.value, shared_by: crew.ids });
    return undefined;
  }
}

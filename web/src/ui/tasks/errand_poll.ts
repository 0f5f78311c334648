// Asks the server for the list of errands of the selected people.
import type { Api } from '../../net/api';
import { ask_room } from '../../net/room_json';
import type { Errands } from '../../state/tasks/errands';
import type { TaskListJson } from '../../state/tasks/task';
import type { Context } from '../page/context';
import type { Crew } from './crew';

const kPollEvery_ms = 1000;
const kAfterEvent_ms = 150;

/** Keeps the list of errands as the server has it: once a second, and shortly after events and edits. */
export class ErrandPoll {
  // After a new start of the server, those selected are known to be there still only once the first roster has come.
  private listed_by_room_ = false;
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private chosen_ = ''; // key of the crew whose list this is
  private opened_for_ = ''; // key of the crew for which the panel was last opened

  /**
   * @param panel_ is opened for people who turn out to have errands
   * @param on_other_ is called when others are selected
   */
  constructor(
    private readonly context_: Context,
    private readonly api_: Api,
    private readonly errands_: Errands,
    private readonly crew_: Crew,
    private readonly panel_: HTMLDetailsElement,
    private readonly on_other_: () => void,
  ) {
    const { selection, world } = context_;
    world.hello.watch(() => (this.listed_by_room_ = false));
    selection.ids.watch(() => this.choose());
    world.cast.watch(({ version }) => {
      this.listed_by_room_ ||= version >= 0;
      this.choose();
    });
  }

  /** Asks in a moment, when the room has done what it was told. */
  soon(): void {
    this.ask_after(kAfterEvent_ms);
  }

  private ask_after(wait_ms: number): void {
    clearTimeout(this.timer_);
    this.timer_ = setTimeout(() => void this.ask(), wait_ms);
  }

  /** Begins anew where others are selected than before. */
  private choose(): void {
    const chosen = this.crew_.key;
    if (chosen === this.chosen_) return;
    this.chosen_ = chosen;
    this.on_other_();
    this.errands_.forget();
    if (chosen) void this.ask();
    else clearTimeout(this.timer_);
  }

  private async ask(): Promise<void> {
    this.ask_after(kPollEvery_ms);
    const { crew_: crew } = this;
    const member = crew.first;
    const here = this.listed_by_room_ && this.context_.world.status.value.kind === 'online';
    if (!member || !here || document.hidden) return;
    const { edits } = this.errands_;
    const asked = crew.key;
    const told = await ask_room<TaskListJson>(this.api_, 'GET', `characters/${member.id}/tasks`);
    if (typeof told === 'string' || 'error' in told || crew.key !== asked) return;
    // Of several, what one has alone is not theirs.
    const theirs = crew.several && !told.shared_by ? {} : told;
    this.errands_.told(theirs, edits);
    if (this.opened_for_ !== asked && theirs.tasks?.length) this.panel_.open = true;
    this.opened_for_ = asked;
  }
}

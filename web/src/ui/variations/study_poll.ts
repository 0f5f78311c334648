// Asks for the study of a gait beside the room while its sheet is open: often while it runs.
import type { GaitStudy } from '../../gen/promenade/v1/gait_study_pb';
import { RoomSearch_State } from '../../gen/promenade/v1/room_search_pb';
import type { Api } from '../../net/api';
import { gait_study } from '../../net/search_api';
import { Signal } from '../../state/values/signal';

const kWhileRunning_ms = 400;
const kElse_ms = 3000;

export class StudyPoll {
  /** undefined: the room has none, or it has not been asked yet, see `asked` */
  readonly study = new Signal<GaitStudy | undefined>(undefined);
  /** Whether an answer has come since it was opened. */
  readonly asked = new Signal(false);
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private number_ = 0;

  constructor(
    private readonly api_: Api,
    private readonly open_: Signal<boolean>,
  ) {
    open_.watch((on) => {
      clearTimeout(this.timer_);
      this.asked.set(false);
      if (on) void this.ask();
    });
  }

  get runs(): boolean {
    return this.study.value?.state === RoomSearch_State.RUNNING;
  }

  /** Takes in what the server has answered to another request. */
  tell(study: GaitStudy): void {
    ++this.number_;
    this.study.set(study);
    this.ask_later();
  }

  async ask(): Promise<void> {
    const number = ++this.number_;
    const answer = await gait_study(this.api_);
    if (number !== this.number_) return;
    if (answer.kind === 'done') this.take(answer.value);
    this.asked.set(true);
    this.ask_later();
  }

  /** One that has ended and is known stays the same object. */
  private take(study: GaitStudy | undefined): void {
    const known = this.study.value;
    const same = known && known.id === study?.id && known.state === study.state && !this.runs;
    if (!same) this.study.set(study);
  }

  private ask_later(): void {
    clearTimeout(this.timer_);
    if (!this.open_.value) return;
    this.timer_ = setTimeout(() => void this.ask(), this.runs ? kWhileRunning_ms : kElse_ms);
  }
}

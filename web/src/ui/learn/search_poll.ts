// Asks for the search beside the room: once a second while it runs or its sheet is open; else now and then, to notice one
// that somebody else begins, and only where somebody plays gaits, as nobody could show one else.
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';
import type { Api } from '../../net/api';
import { is_running } from '../../state/learn/running';
import { Signal } from '../../state/values/signal';
import type { Context } from '../page/context';

const kPollEvery_ms = 1000;
const kNoticeEvery_ms = 5000;

export class SearchPoll {
  /** undefined: the room has none */
  readonly report = new Signal<RoomSearch | undefined>(undefined);
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private asked_ = 0;

  /** @param open_ whether the sheet is */
  constructor(
    private readonly context_: Context,
    private readonly api_: Api,
    private readonly open_: Signal<boolean>,
  ) {
    context_.world.hello.watch(() => {
      this.tell(undefined); // perhaps another room
      this.ask_after(kNoticeEvery_ms);
    });
    open_.watch((on) => on && this.ask_now());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.busy) this.ask_now();
    });
  }

  ask_now(): void {
    void this.ask();
  }

  /** Takes in what the server has answered to another request; answers to earlier ones do not count any more. */
  tell(report: RoomSearch | undefined): void {
    ++this.asked_;
    this.report.set(report);
  }

  private get busy(): boolean {
    return this.open_.value || is_running(this.report.value);
  }

  private ask_after(wait_ms: number): void {
    clearTimeout(this.timer_);
    this.timer_ = setTimeout(() => void this.ask(), wait_ms);
  }

  private async ask(): Promise<void> {
    this.ask_after(this.busy ? kPollEvery_ms : kNoticeEvery_ms);
    const { cast, status } = this.context_.world;
    const wanted = this.busy || cast.value.members.some(({ family }) => family.playsGaits);
    if (!wanted || document.hidden || status.value.kind !== 'online') return;
    const asked = ++this.asked_;
    const { search } = await import('../../net/search_api');
    const answer = await search(this.api_);
    if (asked !== this.asked_) return;
    if (answer.kind === 'done') this.report.set(answer.value);
    if (this.busy) this.ask_after(kPollEvery_ms);
  }
}

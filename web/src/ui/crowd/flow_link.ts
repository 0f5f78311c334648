// Gets the room's flow from the server and sends the edited one, as JSON over HTTP: the newest, one at a time.
import type { Api } from '../../net/api';
import { ask_room, type ReplyJson } from '../../net/room_json';
import { type Flow, item_of_field, type ItemId } from '../../state/flow/flow';
import type { FlowDoc } from '../../state/flow/flow_doc';
import type { FigureJson } from '../../state/flow/flow_rates';
import { sentence } from '../../state/values/sentence';
import { Signal } from '../../state/values/signal';

const kWait_ms = 150; // after a change, for the next one

/** Why the server did not take the flow. */
export interface Refusal {
  readonly item: ItemId | undefined; // undefined: it is about no item
  readonly text: string;
}
interface ReportJson extends FigureJson {
  readonly flow?: Partial<Flow>;
}

export class FlowLink {
  readonly refusal = new Signal<Refusal | undefined>(undefined);
  readonly busy = new Signal(false); // something is still to be sent, or not answered
  /** The origin of the flow in the document: the tick at which it became the room's. */
  private since_ = '0';
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private sending_ = false;
  private again_ = false;

  constructor(
    private readonly api_: Api,
    private readonly doc_: FlowDoc,
    private readonly may_not_: () => string | undefined,
  ) {}

  /** Loads the room's flow into the document. @return why it could not */
  async load(): Promise<string | undefined> {
    this.forget();
    const report = await ask_room<ReportJson>(this.api_, 'GET', 'flow');
    if (typeof report === 'string') return report;
    this.since_ = report.since_tick ?? '0';
    this.refusal.set(undefined);
    this.doc_.load(report.flow);
    return undefined;
  }

  /** How many come and go. Where somebody else has changed the flow it is loaded anew. */
  async figures(): Promise<FigureJson | undefined> {
    const figures = await ask_room<FigureJson>(this.api_, 'GET', 'flow/figures');
    if (typeof figures === 'string') return undefined;
    // An older one is from before what was just answered; a new scene is told in another way.
    const changed = Number(figures.since_tick) > Number(this.since_);
    if (changed && !this.busy.value) await this.load();
    return figures;
  }

  /** To be called after each change of the document. */
  changed(): void {
    this.busy.set(true);
    clearTimeout(this.timer_);
    this.timer_ = setTimeout(() => void this.send(), kWait_ms);
  }

  /** Drops the change that was to be sent. */
  forget(): void {
    clearTimeout(this.timer_);
    this.again_ = false;
    if (!this.sending_) this.busy.set(false);
  }

  private async send(): Promise<void> {
    if (this.sending_) {
      this.again_ = true;
      return;
    }
    const reason = this.may_not_();
    const { value: flow } = this.doc_.flow;
    if (reason || !flow || !this.doc_.complete) {
      this.busy.set(false);
      const text = reason ?? 'People need an entrance and an exit: paint one of each.';
      this.refusal.set(flow ? { item: undefined, text } : undefined);
      return;
    }
    this.sending_ = true;
    const reply = await ask_room<ReplyJson>(this.api_, 'POST', 'commands', {
      set_flow: { flow },
    });
    this.sending_ = false;
    if (this.again_) {
      this.again_ = false;
      return this.send();
    }
    this.busy.set(false);
    if (typeof reply === 'string') return this.refusal.set({ item: undefined, text: reply });
    const { ack, error } = reply;
    if (ack?.tick !== undefined) this.since_ = ack.tick;
    const field = error?.field ?? '';
    this.refusal.set(
      error && { item: item_of_field(field), text: words_of(error.message ?? '', field) },
    );
  }
}

/** A refusal without the path of its field, which the page shows by its place. */
export function words_of(message: string, field: string): string {
  const text = field && message.startsWith(field) ? message.slice(field.length) : message;
  return sentence(text.replace(/^(:| is) /, '').trim());
}

// The page's requests that wait for an answer of the server.
import type { CommandOutcome, FromWorker } from './messages';

/** Knows which request of the page each message to the server was sent for, and tells the page how it ended. */
export class Requests {
  private readonly waiting_ = new Map<bigint, number>(); // by the seq of the message

  constructor(private readonly emit_: (message: FromWorker) => void) {}

  /** Notes that a message was sent for a request. */
  wait(seq: bigint, request: number): void {
    this.waiting_.set(seq, request);
  }

  /** Ends the request that a message was sent for. @return whether there was one */
  answer(seq: bigint, outcome: CommandOutcome): boolean {
    const request = this.waiting_.get(seq);
    if (request === undefined) return false;
    this.waiting_.delete(seq);
    this.emit_({ kind: 'outcome', request, outcome });
    return true;
  }

  /** Ends a request that can not be sent. */
  lose(request: number, reason: string): void {
    this.emit_({ kind: 'outcome', request, outcome: { kind: 'lost', reason } });
  }

  /** Ends all requests: their answers will not come. */
  lose_all(reason: string): void {
    for (const request of this.waiting_.values()) this.lose(request, reason);
    this.waiting_.clear();
  }
}

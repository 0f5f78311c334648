import type { Creature } from '../gen/promenade/v1/creature_pb';

const kAskedAtOnce = 64; // the server takes no more in a message
const kKept = 512; // bodies that are kept though nobody has them any more

/** The bodies that the server has sent, by their ids; asks for those that are needed and not known. */
export class Bodies {
  private readonly known_ = new Map<bigint, Creature>();
  private readonly asked_ = new Set<bigint>();
  private readonly gone_ = new Set<bigint>(); // nobody had them any more when they were asked for
  private needed_: ReadonlySet<bigint> = new Set();

  /** @param ask_ sends a request for up to 64 bodies */
  constructor(private readonly ask_: (ids: bigint[]) => void) {}

  get(id: bigint): Creature | undefined {
    return this.known_.get(id);
  }

  /**
   * Says which bodies are needed from now on, the most urgent first.
   * @return the ids of bodies that are forgotten because there are too many
   */
  need(ids: Iterable<bigint>): bigint[] {
    this.needed_ = new Set(ids);
    for (const id of this.gone_) if (!this.needed_.has(id)) this.gone_.delete(id);
    const forgotten: bigint[] = [];
    if (this.known_.size > kKept + this.needed_.size)
      for (const id of this.known_.keys()) if (!this.needed_.has(id)) forgotten.push(id);
    for (const id of forgotten) this.known_.delete(id);
    this.ask_more();
    return forgotten;
  }

  /** @param body undefined: the server has no such body any more */
  receive(id: bigint, body: Creature | undefined): void {
    this.asked_.delete(id);
    if (body) this.known_.set(id, body);
    else this.gone_.add(id);
    this.ask_more();
  }

  /** To be called for a new connection: what was asked for on the last one will not come. */
  restart(): void {
    this.asked_.clear();
    this.gone_.clear();
    this.needed_ = new Set();
  }

  // One request at a time, so that what becomes urgent meanwhile does not wait behind many others.
  private ask_more(): void {
    if (this.asked_.size > 0) return;
    for (const id of this.needed_) {
      if (this.asked_.size === kAskedAtOnce) break;
      if (!this.known_.has(id) && !this.gone_.has(id)) this.asked_.add(id);
    }
    if (this.asked_.size > 0) this.ask_([...this.asked_]);
  }
}

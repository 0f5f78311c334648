// The other visitors of the room: their names, what they attend to, what they have done.
import type { Act, Attention, Visitors } from '../../gen/promenade/v1/wire_pb';
import type { Push } from '../../gen/promenade/v1/command_pb';
import type { Vec3 } from '../values/quaternion';
import { Signal } from '../values/signal';

export interface Visitor {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly color: string; // "#rrggbb"
}

/** A deed of a visitor. */
export interface Deed {
  readonly id: string; // of the visitor, as the next two
  readonly name: string;
  readonly color: string;
  readonly mine: boolean; // this viewer did it
  readonly command: string; // its name in the protocol
  readonly character: number; // id; 0 for none
  readonly scene: string; // that was loaded
  readonly tick: number;
  readonly push: Push | undefined;
  readonly received_ms: number;
}

export interface Cursor {
  readonly visitor: Visitor;
  readonly point: Vec3; // m, world frame
}

interface Attended {
  readonly selected: readonly number[];
  readonly handles: number; // id; 0: nobody
  readonly pointer: Vec3 | undefined;
  readonly from: Vec3 | undefined; // where it was drawn when the newest message came
  readonly moved_ms: number;
}

const kWay_ms = 120; // between two messages: a pointer takes so long to its next place
const kStill_ms = 20_000; // a pointer that has not moved for so long is not shown
const kJump_m = 8; // further than this it does not glide
const kShown_ms = 2500; // so long a deed is shown in the picture
const kMostDeeds = 12; // in the picture
const kSameTick = 2; // so far apart a deed about the clock and the clock's own tick may be
const kClock: ReadonlySet<string> = new Set(['pause', 'resume']);

export class Company {
  readonly visitors = new Signal<readonly Visitor[]>([]);
  /** Counts the messages about what others attend to. */
  readonly attention = new Signal(0);
  readonly deed = new Signal<Deed | undefined>(undefined); // the newest
  /** The last deed about the room's clock. */
  readonly of_clock = new Signal<Deed | undefined>(undefined);
  private own_id_ = '';
  private attended_ = new Map<number, Attended>(); // by numbers of visitors
  private deeds_: Deed[] = [];

  /** @param id of this viewer, as others see it */
  be(id: string): void {
    this.own_id_ = id;
  }

  get me(): Visitor | undefined {
    return this.visitors.value.find(({ id }) => id === this.own_id_);
  }

  get others(): readonly Visitor[] {
    return this.visitors.value.filter(({ id }) => id !== this.own_id_);
  }

  clear(): void {
    this.attended_.clear();
    this.deeds_ = [];
    this.of_clock.set(undefined);
    this.visitors.set([]);
  }

  receive_visitors({ visitors }: Visitors): void {
    this.visitors.set(
      visitors.map(({ number, visitor: id, name, color }) => ({ number, id, name, color })),
    );
  }

  /** @param unit_m of the pointers' coordinates */
  receive_attention({ visitors }: Attention, unit_m: number, now_ms: number): void {
    const before = this.attended_;
    this.attended_ = new Map(
      visitors.map(({ number, pointer: at, selected, handles }) => {
        const old = before.get(number);
        const pointer: Vec3 | undefined =
          at.length === 3
            ? [unit_m * (at[0] ?? 0), unit_m * (at[1] ?? 0), unit_m * (at[2] ?? 0)]
            : undefined;
        const same = pointer && old?.pointer && pointer.every((x, k) => x === old.pointer?.[k]);
        const way = same
          ? { from: old.from, moved_ms: old.moved_ms }
          : { from: old && point_of(old, now_ms), moved_ms: now_ms };
        return [number, { selected, handles, pointer, ...way }];
      }),
    );
    this.attention.set(this.attention.value + 1);
  }

  receive_act(act: Act, received_ms: number): void {
    const { visitor: id, name, color, command, character, scene, push } = act;
    const mine = id === this.own_id_;
    const tick = Number(act.tick);
    const deed = { id, name, color, mine, command, character, scene, tick, push, received_ms };
    if (kClock.has(command)) this.of_clock.set(deed);
    if (!mine && character !== 0) this.deeds_ = [...this.deeds_, deed].slice(-kMostDeeds);
    this.deed.set(deed);
  }

  /**
   * The visitor who stopped the clock or let it go on.
   * @param tick at which the clock stood
   * @return undefined where it is not known, or not yet: the deed may come after the frame, and the server does not
   *     tell of all of them
   */
  clock_deed(command: 'pause' | 'resume', tick: number): Deed | undefined {
    const deed = this.of_clock.value;
    const fits = deed?.command === command && Math.abs(deed.tick - tick) <= kSameTick;
    return fits ? deed : undefined;
  }

  /** Where the pointers of others are on the ground now. */
  cursors(now_ms: number): readonly Cursor[] {
    return this.others.flatMap((visitor) => {
      const attended = this.attended_.get(visitor.number);
      if (!attended || now_ms - attended.moved_ms > kStill_ms) return [];
      const point = point_of(attended, now_ms);
      return point ? [{ visitor, point }] : [];
    });
  }

  /** The selection of another visitor. */
  selected_by(visitor: Visitor): readonly number[] {
    return this.attended_.get(visitor.number)?.selected ?? [];
  }

  /** Id of the character or thing that another visitor steers or drags; 0: none. */
  handled_by(visitor: Visitor): number {
    return this.attended_.get(visitor.number)?.handles ?? 0;
  }

  /** Recent acts of others on bodies that are here, the newest last; one of each visitor and body. */
  deeds(now_ms: number): readonly Deed[] {
    this.deeds_ = this.deeds_.filter(({ received_ms }) => now_ms - received_ms < kShown_ms);
    const newest = new Map(this.deeds_.map((deed) => [`${deed.id} ${deed.character}`, deed]));
    return [...newest.values()];
  }
}

function point_of({ pointer, from, moved_ms }: Attended, now_ms: number): Vec3 | undefined {
  if (!pointer || !from) return pointer;
  const far = Math.hypot(pointer[0] - from[0], pointer[1] - from[1]);
  const t = far > kJump_m ? 1 : Math.min(1, Math.max(0, (now_ms - moved_ms) / kWay_ms));
  const between = (k: 0 | 1 | 2) => from[k] + t * (pointer[k] - from[k]);
  return [between(0), between(1), between(2)];
}

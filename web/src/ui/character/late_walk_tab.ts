// The tab "Walk" of a selected character, whose code comes when somebody is selected.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import type { Member } from '../../state/room/roster';
import { Signal } from '../../state/values/signal';
import { apply_rights, type Context } from '../page/context';
import { kLater } from '../page/late_parts';
import { h } from '../parts/dom';
import { tell_missing } from '../parts/later';
import type { WalkTab, WalkTabParts } from './walk_tab';

export class LateWalkTab {
  readonly element = h('div', {});
  /** Whether every tick of the room is wanted. */
  readonly every_tick = new Signal(false);
  private made_: WalkTab | undefined;
  private member_: Member | undefined;
  private asked_ = false;

  constructor(
    private readonly context_: Context,
    private readonly parts_: WalkTabParts,
  ) {}

  /** Shows a character, with what was last measured of it; undefined: nobody is selected. */
  show(member: Member | undefined): void {
    this.member_ = member;
    if (member && !this.made_) void this.make();
    if (member) this.made_?.show(member);
    else this.made_?.leave();
  }

  measured(details: CharacterDetails, tick: number, member: Member): void {
    this.made_?.measured(details, tick, member);
  }

  not_measured(): void {
    this.made_?.not_measured();
  }

  draw(): void {
    if (!this.element.hidden) this.made_?.draw();
  }

  private async make(): Promise<void> {
    if (this.asked_) return;
    this.asked_ = true;
    const { context_: context } = this;
    try {
      const { WalkTab } = await kLater.walk.get();
      const made = new WalkTab(context, this.parts_);
      this.made_ = made;
      this.element.append(...made.sections);
      apply_rights(this.element, context.world);
      made.every_tick.watch((on) => this.every_tick.set(on));
      this.show(this.member_);
    } catch (error) {
      this.asked_ = false;
      tell_missing(context.toasts, error);
    }
  }
}

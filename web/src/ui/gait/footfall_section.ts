// The section with the footfalls of the selected character.
import type { Member } from '../../state/room/roster';
import type { World } from '../../state/room/world';
import { Signal } from '../../state/values/signal';
import { section } from '../parts/dom';
import { FootfallPanel } from './footfall_panel';
import '../style/footfalls.css';

export class FootfallSection {
  readonly element: HTMLDetailsElement;
  /** Whether every tick is wanted: strides of toys may be over in a tenth of a second. */
  readonly every_tick = new Signal(false);
  private readonly panel_: FootfallPanel;
  private member_: Member | undefined;
  private chosen_ = false; // by the visitor, whether it is open

  constructor(world: World) {
    this.panel_ = new FootfallPanel(world);
    this.element = section('Footfalls', false, ...this.panel_.elements);
    this.element.querySelector('summary')?.addEventListener('click', () => (this.chosen_ = true));
    this.element.addEventListener('toggle', () => this.set_rate());
  }

  /** undefined: nobody is selected. */
  show(member: Member | undefined): void {
    this.member_ = member;
    this.element.hidden = !member?.skeleton.limbs.some(({ kind }) => kind === 'leg');
    // Of toys it tells what they do; people have other figures first.
    if (member && !this.chosen_) this.element.open = member.family.playsGaits;
    this.panel_.show(member);
    this.set_rate();
  }

  draw(): void {
    if (!this.element.hidden && this.element.open) this.panel_.draw();
  }

  private set_rate(): void {
    const shown = this.member_ !== undefined && this.element.open && !this.element.hidden;
    this.every_tick.set(shown && this.member_?.family.playsGaits === true);
  }
}

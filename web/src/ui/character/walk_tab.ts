// The first tab of a character's panel: what it is, how it walks, commands, and measurements.
import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { has_gait_cycles } from '../../state/figure/legs';
import type { Families } from '../../state/room/families';
import type { Member } from '../../state/room/roster';
import type { World } from '../../state/room/world';
import type { Signal } from '../../state/values/signal';
import type { Editors } from '../editor/editors';
import type { Builder } from '../hand/builder';
import type { Context } from '../page/context';
import { h, section, write } from '../parts/dom';
import { CommandsPanel } from './commands_panel';
import { FootfallSection } from '../gait/footfall_section';
import { GaitPanel } from './gait_panel';
import { held_list } from './held_list';
import { Measurements } from './measurements';

function why_no_gait({ family }: Member, families: Families): string {
  if (family.walks) return '';
  const others = families.titles(({ walks }) => walks);
  return `There is no gait to set: the controller is “${family.title}”. A character takes steps with ${others} only.`;
}

/** What the tab shows and does besides its own. */
export interface WalkTabParts {
  readonly editors: Editors;
  readonly builder: Builder;
  readonly tasks: HTMLElement; // the section with the errands
  /** Opens the gait lab for the selected character. */
  open_lab(): void;
}

/** The tab "Walk" of the first selected character. */
export class WalkTab {
  readonly sections: readonly HTMLElement[];
  private readonly world_: World;
  private readonly about_ = h('p', { class: 'about faint' });
  private readonly no_gait_ = h('p', {
    class: 'editor-note',
    attributes: { 'data-test': 'no-gait' },
  });
  private readonly lab_: HTMLElement;
  private readonly commands_: CommandsPanel;
  private readonly gait_: GaitPanel;
  private readonly played_: HTMLElement; // the gait of a wind-up toy
  private readonly played_panel_: HTMLElement;
  private readonly footfalls_: FootfallSection;
  private readonly measurements_ = new Measurements();

  constructor(context: Context, { editors, builder, tasks, open_lab }: WalkTabParts) {
    this.world_ = context.world;
    this.commands_ = new CommandsPanel(context);
    this.gait_ = new GaitPanel(context.steering, () => editors.style());
    this.played_panel_ = editors.gait_panel;
    this.played_ = section('Gait', true, editors.gait_panel);
    editors.on_style = () => this.gait_.refresh(this.world_.can_command);
    editors.refresh(); // the style may have come before this tab
    this.footfalls_ = new FootfallSection(context.world);
    this.lab_ = h('button', {
      class: 'open-lab',
      text: 'Gait lab …',
      title: 'Joint angles, forces and power over the gait cycle, compared with real people',
      attributes: { 'data-test': 'open-lab' },
      on: { click: () => open_lab() },
    });
    this.sections = [
      this.about_,
      this.lab_,
      tasks, // first: open only where there are errands, and then what somebody is looked at for
      this.gait_.element,
      this.played_,
      this.no_gait_,
      this.commands_.element,
      held_list(context, builder),
      this.footfalls_.element,
      this.measurements_.element,
    ];
  }

  /** Shows a character, with what was last measured of it. */
  show(member: Member): void {
    const { walks, playsGaits } = member.family;
    write(this.about_, this.words_of(member));
    this.measurements_.show(member);
    this.footfalls_.show(member);
    this.show_details(this.world_.details.value.get(member.id)?.details, member);
    this.gait_.element.hidden = !walks || playsGaits;
    this.played_.hidden = this.played_panel_.hidden = !playsGaits;
    this.lab_.hidden = !has_gait_cycles(member);
    this.no_gait_.hidden = walks;
    write(this.no_gait_, why_no_gait(member, this.world_.families));
  }

  /** Nobody is selected any more. */
  leave(): void {
    this.footfalls_.show(undefined);
  }

  /** Whether every tick of the room is wanted. */
  get every_tick(): Signal<boolean> {
    return this.footfalls_.every_tick;
  }

  /** Takes in what was measured of a character at a tick of the server. */
  measured(details: CharacterDetails, tick: number, member: Member): void {
    this.show_details(details, member);
    this.measurements_.add(details, tick * (this.world_.hello.value?.tick_s ?? 1 / 60));
  }

  /** Says that nothing was measured at the time that is shown. */
  not_measured(): void {
    this.measurements_.show_none();
    this.gait_.show(undefined);
  }

  draw(): void {
    this.footfalls_.draw();
    this.measurements_.draw();
  }

  private show_details(details: CharacterDetails | undefined, member: Member): void {
    this.commands_.show(details, member);
    this.gait_.show(details);
  }

  /** Its body, and the style in which it moves. */
  private words_of({ skeleton, style, style_edited, family }: Member): string {
    const named = this.world_.catalogue.value?.styles.find(({ name }) => name === style);
    const of_style = `${named?.title || style}${style_edited ? ', edited' : ''}`;
    const what = skeleton.description || skeleton.name;
    return family.styled && of_style ? `${what} Style: ${of_style}.` : what;
  }
}

// The editors of style, body and gait. Every edited character has one document of each, kept for as long as the character
// exists, so that edits can still be undone after another character has been selected in between.
import type { Style } from '../../gen/promenade/v1/style_pb';
import type { Api } from '../../net/api';
import { kFlag } from '../../net/frame';
import type { CommandOutcome } from '../../net/messages';
import type { Member } from '../../state/room/roster';
import type { Context } from '../page/context';
import { GaitDesk } from '../gait/gait_desk';
import type { OpenSheet } from '../page/open_sheets';
import { type BodyDesk, body_desk } from './body_desk';
import type { CommandKind, LiveDocument } from './live_document';
import { type StyleDesk, style_desk } from './style_desk';
import type { StyleNow } from './style_editor';
import '../style/curve.css';
import '../style/figure.css';
import '../style/gait.css';

export interface Editors {
  readonly style_panel: HTMLElement;
  readonly body_panel: HTMLElement;
  readonly gait_panel: HTMLElement; // of characters that play gaits
  /** The style of the selected character; undefined until the server has sent it. */
  style(): LiveDocument<Style> | undefined;
  /** Called when the style's numbers may have changed. */
  on_style: () => void;
  /** Time at which the room last acknowledged an edit, ms on the clock of net/clock. */
  readonly acknowledged_ms: number;
  /** Updates the visible editor with changes from while it was hidden. */
  refresh(): void;
  /** Moves the phase markers to the moment that the picture shows. */
  draw(): void;
  undo(what: 'style' | 'body'): void; // of one that plays a gait, 'style' is that
  redo(what: 'style' | 'body'): void;
  /** Cancels a drag. @return whether there was one */
  cancel(): boolean;
}

export type EditorPanels = Pick<Editors, 'style_panel' | 'body_panel' | 'gait_panel'>;

/** The editors of the first selected character, in panels that they fill. */
export class LiveEditors implements Editors {
  on_style: () => void = () => {};
  readonly style_panel: HTMLElement;
  readonly body_panel: HTMLElement;
  readonly gait_panel: HTMLElement;
  private readonly styles_: StyleDesk;
  private readonly bodies_: BodyDesk;
  private readonly gaits_: GaitDesk;
  private acknowledged_ms_ = 0;
  private queued_ = false; // a refresh

  constructor(
    private readonly context_: Context,
    api: Api,
    { style_panel, body_panel, gait_panel }: EditorPanels,
    add_sheet: (sheet: OpenSheet) => void,
  ) {
    this.style_panel = style_panel;
    this.body_panel = body_panel;
    this.gait_panel = gait_panel;
    const work = {
      ask: (kind: CommandKind) => this.ask(kind),
      changed: () => this.refresh(),
    };
    this.styles_ = style_desk(context_, api, style_panel, work);
    this.bodies_ = body_desk(context_, api, body_panel, () => this.member, work);
    this.gaits_ = new GaitDesk(context_, api, gait_panel, work, add_sheet);
    this.watch_room();
  }

  get acknowledged_ms(): number {
    return this.acknowledged_ms_;
  }

  style(): LiveDocument<Style> | undefined {
    return this.styles_.current();
  }

  /** Several changes between two pictures lead to one refresh. */
  refresh(): void {
    if (this.queued_) return;
    this.queued_ = true;
    queueMicrotask(() => this.refresh_now());
  }

  draw(): void {
    const { member } = this;
    if (this.styles_.panel.hidden || !member) return;
    this.styles_.editor.set_now(this.shown_walk(member));
  }

  undo(what: 'style' | 'body'): void {
    this.desk_of(what).current()?.undo();
  }

  redo(what: 'style' | 'body'): void {
    this.desk_of(what).current()?.redo();
  }

  cancel(): boolean {
    return this.desks.some(({ editor }) => editor.cancel());
  }

  private watch_room(): void {
    const { selection, world } = this.context_;
    const later = () => this.refresh();
    selection.ids.watch(() => {
      for (const desk of this.desks) desk.selection_changed();
      later();
    });
    world.hello.watch(later);
    world.status.watch(later);
    world.catalogue.watch((catalogue) => {
      this.styles_.set_entries(catalogue?.styles ?? []);
      this.bodies_.set_entries(catalogue?.bodies ?? []);
      later();
    });
    world.shapes.watch(later);
    world.scene.watch(() => {
      for (const desk of this.desks) desk.keep(() => false);
      later();
    });
    world.cast.watch((cast) => {
      for (const desk of this.desks) desk.roster_changed(cast);
      later();
    });
  }

  private get desks(): readonly [StyleDesk, BodyDesk, GaitDesk] {
    return [this.styles_, this.bodies_, this.gaits_];
  }

  private desk_of(what: 'style' | 'body'): StyleDesk | BodyDesk | GaitDesk {
    if (what === 'body') return this.bodies_;
    return this.member?.family.playsGaits ? this.gaits_ : this.styles_;
  }

  /** The first selected character. */
  private get member(): Member | undefined {
    const { selection, world } = this.context_;
    return selection.first === undefined ? undefined : world.cast.value.by_id.get(selection.first);
  }

  private async ask(kind: CommandKind): Promise<CommandOutcome> {
    const outcome = await this.context_.actions.ask(kind);
    if (outcome.kind === 'done') this.acknowledged_ms_ = outcome.received_ms;
    return outcome;
  }

  private refresh_now(): void {
    const { world } = this.context_;
    this.queued_ = false;
    const enabled = world.can_command && world.status.value.kind === 'online';
    for (const desk of this.desks) desk.refresh(enabled);
    this.on_style();
  }

  /** How a character walks at the moment that the picture shows; undefined where that is not known. */
  private shown_walk({ id }: Member): StyleNow | undefined {
    const { glimpses, pose } = this.context_.world;
    const glimpse = glimpses.sample(id, pose.tick);
    const drawn = pose.cast.by_id.get(id);
    const flags = drawn ? (pose.flags[drawn.index] ?? 0) : 0;
    return (
      glimpse && {
        phase: glimpse.phase,
        step: flags & kFlag.left_stance ? 'left' : 'right',
        speed: glimpse.details.speedMps,
        walking: glimpse.details.state === 'walking',
      }
    );
  }
}

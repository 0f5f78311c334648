// The effect of each key in the page, wherever the focus is.
import type { CharacterPanel } from '../character/character_panel';
import type { Editors } from '../editor/editors';
import type { Builder } from '../hand/builder';
import type { LateLobby } from '../lobby/late_lobby';
import type { LastMinute } from '../lookback/last_minute';
import type { Bare } from '../page/bare';
import type { Context } from '../page/context';
import type { OpenSheets } from '../page/open_sheets';
import type { Picture } from '../page/picture';
import type { ClockBar } from '../room/clock_bar';
import type { ShowMe } from '../show/show_me';
import type { LateTasks } from '../tasks/late_tasks';
import { aim_keys } from './aim_keys';
import { build_keys } from './build_keys';
import { camera_keys } from './camera_keys';
import { type KeyActions, listen_to_keys } from './keyboard';
import { region_keys } from './regions';
import { selection_words } from './room_teller';
import { selecting_keys } from './selecting_keys';

/** The parts of the page that keys work on. */
export interface KeyedParts {
  readonly picture: Picture;
  readonly builder: Builder;
  readonly lobby: LateLobby;
  readonly character: CharacterPanel;
  readonly editors: Editors;
  readonly tasks: LateTasks;
  readonly past: LastMinute;
  readonly clock: ClockBar;
  readonly bare: Bare;
  readonly show: ShowMe;
  readonly sheets: OpenSheets;
  readonly regions: readonly HTMLElement[]; // of the page, in the order in which a key goes through them
  readonly help: () => void; // shows it
}

/** The keys of the page: from `listen` on they steer, select, build, look around, and run the clock. */
export class PageKeys {
  private readonly aim_: ReturnType<typeof aim_keys>;

  constructor(
    private readonly context_: Context,
    private readonly parts_: KeyedParts,
  ) {
    const { builder, picture, show } = parts_;
    const { announcer, selection } = context_;
    this.aim_ = aim_keys(context_, builder, picture.viewport, () => picture.focus());
    picture.viewport.key_sketch = this.aim_.sketch;
    selection.ids.watch((ids) => {
      // A demonstration says itself which character it is about.
      if (ids.length > 0 && !show.running.value) announcer.answer(selection_words(context_));
    });
  }

  listen(): void {
    const { aim_: aim, context_: context } = this;
    const { bare, builder, help, lobby, picture, regions, tasks } = this.parts_;
    const { settings, toasts } = context;
    const { viewport } = picture;
    const built = build_keys(context, builder, viewport);
    listen_to_keys({
      covered: () => lobby.open.value,
      lobby: () => lobby.show(),
      ...this.steering(),
      escape: () => this.escape(),
      ...selecting_keys(context, viewport),
      region: region_keys(regions),
      only_in_picture: () => settings.picture_keys.value,
      ...built,
      ...aim,
      put: () => built.put() || aim.put(),
      shift: (press) => built.shift(press) || aim.shift(press),
      ...camera_keys(viewport, toasts),
      errand: () => tasks.offer_list(),
      follow: () => settings.follow.set(!settings.follow.value),
      path: () => settings.path_tool.set(!settings.path_tool.value),
      bare: () => bare.toggle(),
      ...this.time(),
      help,
      undo: () => this.change_edits('undo'),
      redo: () => this.change_edits('redo'),
    });
  }

  private steering(): Pick<KeyActions, 'faster' | 'sideways' | 'turn_begin' | 'turn_end' | 'stop'> {
    const { steering } = this.context_;
    return {
      faster: (direction) => steering.faster(direction),
      sideways: (direction) => steering.sideways(direction),
      turn_begin: (direction) => steering.turn_begin(direction),
      turn_end: () => steering.turn_end(),
      stop: () => steering.stop(),
    };
  }

  /** Keys of the room's clock; while the past is shown they are those of its own clock. */
  private time(): Pick<KeyActions, 'pause' | 'step' | 'look_back' | 'step_back'> {
    const { clock, past } = this.parts_;
    const { lookback } = this.context_.world;
    return {
      pause: () => (lookback.on.value ? past.play() : clock.toggle_pause()),
      step: () => (lookback.on.value ? past.step(1) : clock.step()),
      look_back: () => past.toggle(),
      step_back: () => past.step(-1),
    };
  }

  /** Ends what is under way, else closes what was opened last, else puts the path tool away, else selects nobody. */
  private escape(): void {
    const { build, selection, settings } = this.context_;
    const { editors, picture, sheets } = this.parts_;
    if (picture.viewport.cancel() || this.aim_.end() || build.end() || editors.cancel()) return;
    if (sheets.close_last()) return;
    if (settings.path_tool.value) settings.path_tool.set(false);
    else selection.clear();
  }

  /** Takes back the last edit of the style or the body, or makes it again: of the one whose editor is open. */
  private change_edits(what: 'undo' | 'redo'): void {
    const { character, editors } = this.parts_;
    const tab = character.tab.value;
    if (!this.context_.world.can_command || character.element.hidden) return;
    // The sliders of the tab Walk edit the style, too, or the gait of a wind-up toy.
    editors[what](tab === 'body' ? 'body' : 'style');
  }
}

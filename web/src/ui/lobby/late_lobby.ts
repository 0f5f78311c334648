// The lobby, whose code comes when it is first shown.
import type { Api } from '../../net/api';
import { Signal } from '../../state/values/signal';
import { h } from '../parts/dom';
import { kLater } from '../page/late_parts';
import { tell_missing } from '../parts/later';
import type { Lobby, LobbyActions } from './lobby';
import type { Toasts } from '../parts/toasts';

export class LateLobby {
  readonly element = h('section', {
    class: 'lobby',
    attributes: { 'aria-labelledby': 'lobby-title' },
  });
  readonly open = new Signal(false);
  private lobby_: Lobby | undefined;
  private making_ = false;
  private wanted_ = false;
  private notice_ = '';
  private dark_ = false;

  /** @param without_ called where it was to be shown, and cannot be */
  constructor(
    private readonly api_: Api,
    private readonly toasts_: Toasts,
    private readonly actions_: LobbyActions,
    private readonly without_: () => void,
  ) {
    this.element.hidden = true;
  }

  /** Whether it has ever been shown. */
  get was_open(): boolean {
    return this.lobby_?.was_open ?? false;
  }

  /** Shows it. @param notice why, where that has to be told */
  show(notice = ''): void {
    this.wanted_ = true;
    this.notice_ = notice;
    if (this.lobby_) this.lobby_.show(notice);
    else void this.make();
  }

  hide(): void {
    this.wanted_ = false;
    this.lobby_?.hide();
  }

  set_dark(dark: boolean): void {
    this.dark_ = dark;
    this.lobby_?.set_dark(dark);
  }

  private async make(): Promise<void> {
    if (this.making_) return;
    this.making_ = true;
    try {
      const { Lobby } = await kLater.lobby.get();
      this.lobby_ = new Lobby(this.api_, this.toasts_, this.actions_, this);
      this.lobby_.set_dark(this.dark_);
      if (this.wanted_) this.lobby_.show(this.notice_);
    } catch (error) {
      tell_missing(this.toasts_, error);
      if (this.wanted_) this.without_();
    } finally {
      this.making_ = false;
    }
  }
}

// How a visitor comes into a room: at once, or by the lobby where the rooms can be chosen.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import { LateLobby } from '../lobby/late_lobby';
import type { Context } from '../page/context';
import type { Membership } from './membership';

const kNoRoom =
  'The room of this link is not here: it was closed, or the link is wrong. Choose another one.';

/** The lobby, and what the page does as its visitor leaves the room for it, comes from it, or loses the room. */
export class Entrance {
  readonly lobby: LateLobby;

  /**
   * @param host_ takes the class `in-lobby` while the lobby is shown
   * @param entered_ whether a room, or a view of one, is asked for; before that there is nothing to draw
   */
  constructor(
    private readonly context_: Context,
    private readonly membership_: Membership,
    api: Api,
    private readonly viewport_: Viewport,
    private readonly host_: HTMLElement,
    private entered_: boolean,
  ) {
    const { toasts, world } = context_;
    this.lobby = new LateLobby(
      api,
      toasts,
      { enter: (id) => this.enter(id), here: () => this.here },
      () => this.enter_without_choice(),
    );
    const at_first = world.status.value;
    this.lobby.open.watch((shown) => this.lobby_changed(shown));
    world.on_room_closed = (reason) => this.room_closed(reason);
    world.status.watch((status) => {
      if (status !== at_first && !this.entered_) {
        this.entered_ = true; // there was nothing to choose
        viewport_.set_shown(true);
      }
      if (status.kind === 'refused' && status.missing) this.lobby.show(kNoRoom);
    });
  }

  /** Goes to a room, out of the lobby. @param id empty: the first room */
  enter(id: string): void {
    this.entered_ = true;
    this.lobby.hide();
    if (id !== this.here) this.membership_.go_to(id);
  }

  /** The room that the page is in; undefined: none. */
  private get here(): string | undefined {
    const { hello, status } = this.context_.world;
    return status.value.kind === 'online' ? hello.value?.room : undefined;
  }

  /** The lobby has not loaded, so the visitor cannot choose: a visitor in no room enters the first one. */
  private enter_without_choice(): void {
    const { value: status } = this.context_.world.status;
    if (!this.entered_ || (status.kind === 'refused' && status.missing)) this.enter('');
  }

  private lobby_changed(shown: boolean): void {
    this.host_.classList.toggle('in-lobby', shown);
    this.viewport_.set_shown(!shown && this.entered_);
    // Keys go on from where they were: in the lobby to its cards, afterwards to the room.
    if (!shown && this.lobby.was_open) this.viewport_.stage.renderer.domElement.focus();
  }

  private room_closed(reason: string): void {
    this.membership_.forget_room();
    this.context_.toasts.show(reason, 'error');
    // The connection goes on to the first room; where there are others, people choose.
    void this.membership_.has_choice().then((choice) => choice && this.lobby.show(reason));
  }
}

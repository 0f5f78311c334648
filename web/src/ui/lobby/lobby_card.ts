// A room in the lobby: its small moving picture, what it is, and for admins the way to configure it.
import type { LobbyPicture } from '../../gen/promenade/v1/lobby_pb';
import type { RoomSummary } from '../../gen/promenade/v1/api_pb';
import { draw_lobby_picture } from '../../scene/lobby/lobby_drawing';
import { LobbyTrack } from '../../state/lobby/lobby_track';
import { h, write } from '../parts/dom';
import { people_in, state_of } from '../room/room_words';

const kSway_rad = 0.22; // how far the camera goes to and fro
const kSway_s = 11;
const kMostRatio = 2; // pixels of a canvas to those of the page

const kStates = {
  '': '',
  asleep: 'asleep',
  paused: 'paused',
  full: 'full',
} as const;

/** An angle that differs from room to room and is always the same for one. */
function azimuth_of(id: string): number {
  let sum = 7;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  return -1.1 + (0.9 * sum) / 997;
}

export class LobbyCard {
  readonly element: HTMLLIElement;
  /** Whether it is where it can be seen. */
  in_sight = false;
  private readonly track_ = new LobbyTrack();
  private readonly canvas_ = h('canvas', { attributes: { 'aria-hidden': 'true' } });
  private readonly title_ = h('strong');
  private readonly scene_ = h('span', { class: 'lobby-scene' });
  private readonly people_ = h('span', { class: 'lobby-people' });
  private readonly badge_ = h('span', { class: 'lobby-badge' });
  private readonly enter_: HTMLButtonElement;
  private readonly configure_: HTMLButtonElement;
  private stale_ = true; // what is drawn is not what is known
  private asleep_ = false;

  constructor(
    readonly id: string,
    actions: { enter(id: string): void; configure(id: string): void },
  ) {
    this.enter_ = h(
      'button',
      {
        class: 'lobby-enter',
        attributes: { 'data-lobby-room': id },
        on: { click: () => actions.enter(id) },
      },
      h('span', { class: 'lobby-picture' }, this.canvas_, this.badge_),
      h('span', { class: 'lobby-words' }, this.title_, this.scene_, this.people_),
    );
    this.configure_ = h('button', {
      class: 'lobby-configure',
      text: '⚙',
      on: { click: () => actions.configure(id) },
    });
    this.element = h('li', { class: 'lobby-card' }, this.enter_, this.configure_);
  }

  /** @param scene_title of the room's scene @param here whether the page is in this room */
  show(room: RoomSummary, scene_title: string, can_configure: boolean, here: boolean): void {
    const title = room.title || room.id;
    const state = state_of(room);
    write(this.title_, title);
    write(this.scene_, room.byLink ? `${scene_title} · only by link` : scene_title);
    write(this.people_, people_in(room));
    write(this.badge_, here ? 'you are here' : kStates[state]);
    this.badge_.hidden = !here && state === '';
    this.element.dataset['state'] = state;
    this.enter_.setAttribute('aria-current', String(here));
    this.configure_.hidden = !can_configure;
    this.configure_.title = `Configure or close “${title}”`;
    this.configure_.setAttribute('aria-label', this.configure_.title);
    this.asleep_ = room.asleep;
  }

  focus(): void {
    this.enter_.focus();
  }

  /** Of a room that sleeps, one picture is enough. */
  get wants_picture(): boolean {
    return this.in_sight && !(this.asleep_ && this.track_.picture?.asleep === true);
  }

  receive(picture: LobbyPicture, now_ms: number): void {
    this.track_.push(picture, now_ms);
    this.stale_ = true;
  }

  /** The next picture is drawn even if nobody moves in it. */
  spoil(): void {
    this.stale_ = true;
  }

  /** @param sways whether the camera moves by itself */
  draw(now_ms: number, dark: boolean, sways: boolean): void {
    const { picture } = this.track_;
    if (!picture || !this.in_sight) return;
    const ratio = Math.min(kMostRatio, window.devicePixelRatio || 1);
    const [width, height] = [this.canvas_.clientWidth * ratio, this.canvas_.clientHeight * ratio];
    if (width < 1 || height < 1) return;
    const [w, t] = [Math.round(width), Math.round(height)];
    if (this.canvas_.width !== w || this.canvas_.height !== t) {
      this.canvas_.width = w;
      this.canvas_.height = t;
      this.stale_ = true;
    }
    const still = picture.asleep || picture.paused;
    const sketches = this.track_.at(now_ms);
    if (still && !this.stale_ && !this.track_.moves()) return;
    const pen = this.canvas_.getContext('2d', { alpha: false });
    if (!pen) return;
    const sway = sways && !still ? kSway_rad * Math.sin(now_ms / 1000 / kSway_s) : 0;
    draw_lobby_picture(pen, picture, sketches, azimuth_of(this.id) + sway, dark, ratio);
    this.canvas_.dataset['drawn'] = String(Number(this.canvas_.dataset['drawn'] ?? 0) + 1);
    this.stale_ = false;
  }
}

// The page's entrance: all rooms with live small pictures.
import type { RoomList } from '../../gen/promenade/v1/api_pb';
import type { SceneName } from '../../gen/promenade/v1/wire_pb';
import type { Api } from '../../net/api';
import { now_ms } from '../../net/clock';
import { LobbyFeed } from '../../net/lobby_feed';
import type { Signal } from '../../state/values/signal';
import { h, write } from '../parts/dom';
import type { Sheet } from '../parts/later';
import { LobbyCard } from './lobby_card';
import { room_dialog } from '../room/room_dialog';
import type { Toasts } from '../parts/toasts';
import '../style/lobby.css';

const kRefresh_ms = 3000;
const kFrame_ms = 33;
const kCalmFrame_ms = 1000; // for visitors who want little motion
const kShareOfTime = 0.3; // of the page's thread that drawing may take

export interface LobbyActions {
  /** Goes to a room, and hides the lobby once that is under way: only then is there something to draw. */
  enter(room: string): void;
  /** The room the page is in; undefined: none. */
  here(): string | undefined;
}

export class Lobby {
  private readonly element_: HTMLElement;
  private readonly open_: Signal<boolean>;
  /** Whether it has ever been shown. */
  was_open = false;
  private readonly cards_ = new Map<string, LobbyCard>();
  private readonly list_ = h('ul', { class: 'lobby-cards' });
  private readonly count_ = h('p', { class: 'lobby-count' });
  private readonly notice_ = h('p', { class: 'lobby-notice', attributes: { role: 'alert' } });
  private readonly make_: HTMLButtonElement;
  private readonly back_: HTMLButtonElement;
  private readonly dialog_;
  private readonly feed_: LobbyFeed;
  private readonly sight_: IntersectionObserver;
  private readonly calm_ = matchMedia('(prefers-reduced-motion: reduce)');
  private scenes_: readonly SceneName[] = [];
  private timer_: ReturnType<typeof setInterval> | undefined;
  private frame_ = 0;
  private drawn_ms_ = 0;
  private cost_ms_ = 0; // of a round of drawing, smoothed
  private dark_ = false;
  private role_: string | undefined; // not known yet: undefined

  constructor(
    private readonly api_: Api,
    toasts: Toasts,
    private readonly actions_: LobbyActions,
    { element, open }: Sheet,
  ) {
    this.element_ = element;
    this.open_ = open;
    this.dialog_ = room_dialog(
      api_,
      toasts,
      (id) => this.enter(id),
      () => void this.refresh(),
    );
    this.make_ = h('button', {
      class: 'lobby-make',
      text: 'New room',
      attributes: { 'data-test': 'lobby-new-room' },
      on: { click: () => this.dialog_.make() },
    });
    this.back_ = h('button', {
      text: 'Back to the room',
      attributes: { 'data-test': 'lobby-back' },
      on: { click: () => this.hide() },
    });
    element.append(
      h(
        'header',
        { class: 'lobby-head' },
        h(
          'div',
          {},
          h('h1', { text: 'Promenade', attributes: { id: 'lobby-title' } }),
          this.count_,
        ),
        h('div', { class: 'lobby-buttons' }, this.back_, this.make_),
      ),
      this.notice_,
      this.list_,
      this.dialog_.element,
    );
    this.sight_ = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const card = this.cards_.get((target as HTMLElement).dataset['room'] ?? '');
          if (card) card.in_sight = isIntersecting;
        }
        this.feed_.hurry();
      },
      { root: this.element_, rootMargin: '80px' },
    );
    this.feed_ = new LobbyFeed({
      rooms: () => {
        if (document.hidden) return [];
        const cards = [...this.cards_.values()];
        const wanted = cards.filter((card) => card.wants_picture);
        // The answer also tells what this page may do: that is asked at least once.
        if (wanted.length === 0 && this.role_ === undefined) wanted.push(...cards.slice(0, 1));
        return wanted.map(({ id }) => id);
      },
      role: (name) => {
        if (name === this.role_) return;
        this.role_ = name;
        void this.refresh();
      },
      headers: () => api_.headers(),
      receive: (picture) => this.cards_.get(picture.room)?.receive(picture, now_ms()),
    });
    // Of the whole page: nothing here has the focus after a click beside the cards.
    window.addEventListener('keydown', (event) => this.open_.value && this.key(event));
    document.addEventListener('visibilitychange', () => {
      if (!this.open_.value || document.hidden) return;
      void this.refresh();
      this.feed_.hurry();
    });
  }

  /** Shows it. @param notice why, where that has to be told */
  show(notice = ''): void {
    write(this.notice_, notice);
    this.notice_.hidden = notice === '';
    this.back_.hidden = this.actions_.here() === undefined;
    if (this.open_.value) {
      void this.refresh();
      return;
    }
    this.element_.hidden = false;
    this.was_open = true;
    this.role_ = undefined;
    this.open_.set(true);
    void this.refresh().then(() => this.focus_first());
    this.timer_ = setInterval(() => document.hidden || void this.refresh(), kRefresh_ms);
    this.feed_.start();
    this.frame_ = requestAnimationFrame((now) => this.draw(now));
    void this.load_scenes();
  }

  hide(): void {
    if (!this.open_.value) return;
    clearInterval(this.timer_);
    cancelAnimationFrame(this.frame_);
    this.feed_.stop();
    this.element_.hidden = true;
    this.open_.set(false);
  }

  set_dark(dark: boolean): void {
    this.dark_ = dark;
    for (const card of this.cards_.values()) card.spoil();
  }

  private enter(id: string): void {
    this.actions_.enter(id);
  }

  private focus_first(): void {
    if (this.element_.contains(document.activeElement)) return;
    const here = this.actions_.here();
    (this.cards_.get(here ?? '') ?? [...this.cards_.values()][0])?.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !this.dialog_.element.open && !this.back_.hidden) {
      event.stopPropagation(); // in the room it would select nobody
      this.hide();
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 0, ArrowUp: 0 }[event.key];
    if (step === undefined || this.dialog_.element.open) return;
    const cards = [...this.cards_.values()];
    const now = cards.findIndex(({ element }) => element.contains(document.activeElement));
    if (now < 0) return;
    const columns = getComputedStyle(this.list_).gridTemplateColumns.split(' ').length;
    const by = step || (event.key === 'ArrowDown' ? columns : -columns);
    cards[now + by]?.focus();
    event.preventDefault();
  }

  private async load_scenes(): Promise<void> {
    if (this.scenes_.length > 0) return;
    const answer = await this.api_.scenes();
    if (answer.kind !== 'done') return;
    this.scenes_ = answer.value.scenes;
    this.dialog_.set_scenes(this.scenes_);
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const answer = await this.api_.rooms();
    if (!this.open_.value) return;
    if (answer.kind === 'done') this.list(answer.value);
    else write(this.count_, 'The server cannot be reached. Trying again …');
  }

  private list({ rooms }: RoomList): void {
    const admin = this.role_ === 'admin';
    const here = this.actions_.here();
    const gone = new Set(this.cards_.keys());
    for (const room of rooms) {
      gone.delete(room.id);
      let card = this.cards_.get(room.id);
      if (!card) {
        card = new LobbyCard(room.id, {
          enter: (id) => this.enter(id),
          configure: (id) => void this.dialog_.configure(id),
        });
        card.element.dataset['room'] = room.id;
        this.cards_.set(room.id, card);
        this.list_.append(card.element);
        this.sight_.observe(card.element);
      }
      const title = this.scenes_.find(({ name }) => name === room.scene)?.title;
      card.show(room, title || room.scene, admin, room.id === here);
    }
    for (const id of gone) {
      const card = this.cards_.get(id);
      if (card) this.sight_.unobserve(card.element);
      card?.element.remove();
      this.cards_.delete(id);
    }
    this.make_.hidden = !admin;
    const people = rooms.reduce((sum, { viewers }) => sum + viewers, 0);
    const watching =
      people === 0 ? 'nobody is' : people === 1 ? '1 person is' : `${people} people are`;
    write(
      this.count_,
      rooms.length === 0
        ? 'There are no public rooms. If you have a link to a room, open it.'
        : `${rooms.length} ${rooms.length === 1 ? 'room' : 'rooms'}, ${watching} watching. Choose one to enter.`,
    );
  }

  private draw(now: number): void {
    this.frame_ = requestAnimationFrame((next) => this.draw(next));
    const calm = this.calm_.matches;
    // A slow machine draws less often, and has time for the rest of the page.
    const wait = calm ? kCalmFrame_ms : Math.max(kFrame_ms, this.cost_ms_ / kShareOfTime);
    if (now - this.drawn_ms_ < wait - 4) return;
    this.drawn_ms_ = now;
    const began = performance.now();
    for (const card of this.cards_.values()) card.draw(now_ms(), this.dark_, !calm);
    this.cost_ms_ += 0.2 * (performance.now() - began - this.cost_ms_);
  }
}

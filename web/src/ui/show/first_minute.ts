// The first minute: a hand shows a push, then the visitor pushes, turns the camera and finds the scenes. Once.
import type { Viewport } from '../../scene/picture/viewport';
import { type Deed, FirstMinute, type Lesson } from '../../state/show/first_minute';
import { kFlag } from '../../net/frame';
import { is_present, link_at } from '../../state/frames/interpolate';
import { push_force } from '../../state/hand/push';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { Signal } from '../../state/values/signal';
import { torso_of } from '../../state/figure/skeleton';
import type { World } from '../../state/room/world';
import type { Actions } from '../room/actions';
import type { Context } from '../page/context';
import { words_of } from './first_words';
import { GhostHand } from '../hand/ghost_hand';
import { h, write } from '../parts/dom';
import { kModifiers } from '../keys/keyboard';
import { is_narrow } from '../page/narrow';

const kStorage = 'promenade.first-minute';
const kTurned = 0.06; // rad: less is no turn of the camera
const kPush_px = 84; // the arrow that the hand draws

export interface FirstMinuteTip {
  readonly element: HTMLElement;
  /** Over the picture. */
  readonly hand: SVGElement;
  did(deed: Deed): void;
  /** To be called after every picture. */
  draw(elapsed_s: number): void;
}

/** Facts about the page, besides the room, that the first minute needs. */
export interface Around {
  /** Whether the page is used with fingers. */
  readonly fingers: Signal<boolean>;
  /** Whether something else has the visitor's attention: the lobby, a dialog, a demonstration. */
  readonly busy: () => boolean;
  /** Whether the scene has a demonstration that this visitor may begin. */
  readonly may_show: () => boolean;
}

/** The panel with the sentence of a lesson; it is hidden at first. */
class TipPanel {
  readonly element: HTMLElement;
  private readonly text_ = h('p', {
    attributes: { role: 'status', 'data-test': 'first-minute' },
  });

  /** @param close called by its button */
  constructor(close: () => void) {
    this.element = h(
      'section',
      { class: 'tip panel', attributes: { 'aria-label': 'First steps' } },
      this.text_,
      h('button', {
        class: 'quiet',
        text: '×',
        title: 'No hints, please',
        attributes: { 'aria-label': 'No hints, please' },
        on: { click: close },
      }),
    );
    this.element.hidden = true;
  }

  show(text: string, on: boolean): void {
    write(this.text_, text);
    this.element.hidden = !on;
  }
}

/** Notices when the visitor has turned the camera. */
class TurnWatch {
  private held_ = false;
  private direction_: Vec3 = [0, 0, 0]; // in which the camera looked when it was taken hold of

  constructor(private readonly rig_: Viewport['rig']) {
    rig_.controls.addEventListener('start', () => {
      this.held_ = true;
      this.direction_ = this.look;
    });
    rig_.controls.addEventListener('end', () => (this.held_ = false));
  }

  /** @return true once for each time that the camera is held and turned */
  turned(): boolean {
    if (!this.held_) return false;
    const angle = Math.hypot(...this.look.map((x, i) => x - (this.direction_[i] as number)));
    if (angle <= kTurned) return false;
    this.held_ = false;
    return true;
  }

  /** The direction in which the camera looks: a unit vector, world frame. */
  private get look(): Vec3 {
    const { from, at: target } = this.rig_.view;
    const d: Vec3 = [target[0] - from[0], target[1] - from[1], target[2] - from[2]];
    const length = Math.hypot(...d) || 1;
    return [d[0] / length, d[1] / length, d[2] / length];
  }
}

/** The hand over the picture that pushes a walker, so that one sees how that is done. */
class ShownPush {
  readonly hand = new GhostHand();
  private readonly still_ = matchMedia('(prefers-reduced-motion: reduce)');
  private whom_: number | undefined;
  private pushed_ = false;

  /** @param host the element of the picture */
  constructor(
    private readonly world_: World,
    private readonly actions_: Actions,
    private readonly viewport_: Viewport,
    private readonly host_: HTMLElement,
  ) {}

  /** @param since_s how long it has been shown */
  draw(since_s: number): void {
    const { by_id } = this.world_.pose.cast;
    if (this.whom_ === undefined || !by_id.has(this.whom_)) this.whom_ = this.somebody()?.id;
    const member = this.whom_ === undefined ? undefined : by_id.get(this.whom_);
    const spot = member && this.spot_of(member);
    if (!member || !spot) return this.hand.hide();
    const over = this.hand.draw(spot, kPush_px, since_s, this.still_.matches);
    // Other visitors have not asked for a push, and a still picture shows none.
    const alone = (this.world_.frame.value?.viewers ?? 2) <= 1;
    if (over && !this.pushed_ && alone && !this.still_.matches) this.push(member);
  }

  private push(member: Member): void {
    this.pushed_ = true;
    const { mass, links } = member.skeleton;
    const { axes } = this.viewport_.rig;
    const force = push_force([kPush_px, 0], axes, 'ground', mass, this.actions_.most_push_n);
    const link = links[torso_of(member.skeleton)]?.name ?? '';
    void this.actions_.push(member.id, link, [0, 0, 0], force);
  }

  /** The walker that is seen best: near, in the middle of what is free, on their feet. */
  private somebody(): Member | undefined {
    const { pose } = this.world_;
    const canvas = this.viewport_.stage.renderer.domElement;
    const free = (x: number, y: number) => document.elementFromPoint(x, y) === canvas;
    const seen = pose.cast.members.flatMap((member) => {
      const down = ((pose.flags[member.index] ?? 0) & kFlag.fallen) !== 0;
      if (down || !is_present(pose, member) || !member.family.walks) return [];
      const spot = this.spot_of(member);
      if (!spot || !free(spot.x, spot.y) || !free(spot.x + 1.4 * kPush_px, spot.y)) return [];
      return [{ member, depth: spot.depth }];
    });
    return seen.sort((a, b) => a.depth - b.depth)[0]?.member;
  }

  /** Where the trunk of somebody is on the picture, px. */
  private spot_of(member: Member) {
    const { pose } = this.world_;
    const p = link_at(pose, member, torso_of(member.skeleton));
    const point: Vec3 = [at(pose.poses, p), at(pose.poses, p + 1), at(pose.poses, p + 2)];
    const { clientWidth, clientHeight } = this.host_;
    return this.viewport_.rig.project(point, clientWidth, clientHeight);
  }
}

/** The lessons for a visitor who has the page open for the first time. */
class FirstSteps implements FirstMinuteTip {
  readonly element: HTMLElement;
  readonly hand: SVGElement;
  private readonly push_: ShownPush;
  private readonly tip_ = new TipPanel(() => this.did('other'));
  private readonly course_: FirstMinute;
  private readonly turn_: TurnWatch;
  private readonly listening_ = new AbortController();
  private shown_: Lesson = 'wait';

  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    host: HTMLElement,
    private readonly around_: Around,
  ) {
    const { actions, world } = context_;
    this.push_ = new ShownPush(world, actions, viewport_, host);
    this.hand = this.push_.hand.element;
    this.element = this.tip_.element;
    this.course_ = new FirstMinute(() => world.can_play, around_.may_show);
    this.listen();
    this.turn_ = new TurnWatch(viewport_.rig);
  }

  did(deed: Deed): void {
    this.course_.did(deed);
    this.show();
  }

  draw(elapsed_s: number): void {
    const { build, selection, world } = this.context_;
    if (this.course_.lesson === 'over') return;
    if (this.turn_.turned()) this.did('turn');
    const away =
      this.around_.busy() || world.frame.value?.paused === true || world.lookback.on.value;
    const taken = build.tool.value.kind !== 'none' || selection.ids.value.length > 0;
    if (away || world.pose.cast.members.length === 0) return;
    if (this.course_.lesson === 'wait' && taken) return this.did('other');
    // A machine that draws slowly gets the same time to read.
    this.course_.advance(elapsed_s);
    this.show();
    if (this.course_.lesson === 'watch') this.push_.draw(this.course_.since_s);
  }

  private show(): void {
    const { lesson } = this.course_;
    if (lesson === this.shown_) return;
    this.shown_ = lesson;
    const { world } = this.context_;
    const { fingers } = this.around_;
    const on = lesson !== 'over' && lesson !== 'wait';
    this.tip_.show(words_of(lesson, fingers.value, is_narrow(), world.can_administer), on);
    document.documentElement.classList.toggle('first-minute', on);
    document.documentElement.classList.toggle('shows-scenes', lesson === 'scenes');
    if (lesson !== 'watch') this.push_.hand.hide();
    if (lesson === 'over') {
      window.localStorage.setItem(kStorage, 'done');
      this.listening_.abort();
    }
  }

  /**
   * Anything else than what is told here shows that no help is needed; not what is done in the lobby before a room is
   * there, or to end what else has the attention.
   */
  private listen(): void {
    const { busy } = this.around_;
    const canvas = this.viewport_.stage.renderer.domElement;
    const press = ({ target, isTrusted }: Event) => {
      if (busy() || !isTrusted || !(target instanceof Element) || target === canvas) return;
      if (target.closest('.tip')) return;
      this.did(target.closest('.scenes, .show-me, .only-narrow') ? 'scene' : 'other');
    };
    const key = ({ key: name, isTrusted }: KeyboardEvent) => {
      if (!busy() && isTrusted && !kModifiers.has(name)) this.did('other');
    };
    const { signal } = this.listening_;
    window.addEventListener('pointerdown', press, { capture: true, signal });
    window.addEventListener('keydown', key, { capture: true, signal });
  }
}

/** @param host the element of the picture */
export function first_minute(
  context: Context,
  viewport: Viewport,
  host: HTMLElement,
  around: Around,
): FirstMinuteTip {
  if (!window.localStorage.getItem(kStorage))
    return new FirstSteps(context, viewport, host, around);
  const { element } = new TipPanel(() => {});
  return { element, hand: new GhostHand().element, did: () => {}, draw: () => {} };
}

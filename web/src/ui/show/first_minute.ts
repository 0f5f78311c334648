// The first minute: a hand shows a push, then the visitor pushes, turns the camera and finds the scenes. Once.
import type { Viewport } from '../../scene/picture/viewport';
import { is_walking } from '../../state/room/controllers';
import { type Deed, FirstMinute, type Lesson } from '../../state/show/first_minute';
import { kFlag } from '../../net/frame';
import { is_present, link_at } from '../../state/frames/interpolate';
import { push_force } from '../../state/hand/push';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { Signal } from '../../state/values/signal';
import { torso_of } from '../../state/figure/skeleton';
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

/**
 * @param fingers whether the page is used with fingers
 * @param busy whether something else has the visitor's attention: the lobby, a dialog, a demonstration
 * @param may_show whether the scene has a demonstration that this visitor may begin
 */
export function first_minute(
  { actions, build, selection, world }: Context,
  viewport: Viewport,
  host: HTMLElement,
  fingers: Signal<boolean>,
  busy: () => boolean,
  may_show: () => boolean,
): FirstMinuteTip {
  const storage = window.localStorage;
  const hand = new GhostHand();
  const text = h('p', { attributes: { role: 'status', 'data-test': 'first-minute' } });
  const element = h(
    'section',
    { class: 'tip panel', attributes: { 'aria-label': 'First steps' } },
    text,
    h('button', {
      class: 'quiet',
      text: '×',
      title: 'No hints, please',
      attributes: { 'aria-label': 'No hints, please' },
      on: { click: () => did('other') },
    }),
  );
  element.hidden = true;
  if (storage.getItem(kStorage)) {
    return { element, hand: hand.element, did: () => {}, draw: () => {} };
  }

  const course = new FirstMinute(() => world.can_play, may_show);
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let shown: Lesson = 'wait';
  let pushed = false; // by the hand
  let whom: number | undefined;
  const did = (deed: Deed) => {
    course.did(deed);
    show();
  };
  const show = () => {
    const { lesson } = course;
    if (lesson === shown) return;
    shown = lesson;
    write(text, words_of(lesson, fingers.value, is_narrow(), world.can_administer));
    element.hidden = lesson === 'over' || lesson === 'wait';
    document.documentElement.classList.toggle('first-minute', !element.hidden);
    document.documentElement.classList.toggle('shows-scenes', lesson === 'scenes');
    if (lesson !== 'watch') hand.hide();
    if (lesson === 'over') {
      storage.setItem(kStorage, 'done');
      abort.abort();
    }
  };

  // Anything else than what is told here shows that no help is needed; not what is done in the lobby before a room is
  // there, or to end what else has the attention.
  const abort = new AbortController();
  const { signal } = abort;
  const canvas = viewport.stage.renderer.domElement;
  const press = ({ target, isTrusted }: Event) => {
    if (busy() || !isTrusted || !(target instanceof Element) || target === canvas) return;
    if (target.closest('.tip')) return;
    did(target.closest('.scenes, .show-me, .only-narrow') ? 'scene' : 'other');
  };
  const key = ({ key: name, isTrusted }: KeyboardEvent) => {
    if (!busy() && isTrusted && !kModifiers.has(name)) did('other');
  };
  window.addEventListener('pointerdown', press, { capture: true, signal });
  window.addEventListener('keydown', key, { capture: true, signal });
  let held = false;
  let direction: Vec3 = [0, 0, 0];
  const look = (): Vec3 => {
    const { from, at: target } = viewport.rig.view;
    const d: Vec3 = [target[0] - from[0], target[1] - from[1], target[2] - from[2]];
    const length = Math.hypot(...d) || 1;
    return [d[0] / length, d[1] / length, d[2] / length];
  };
  viewport.rig.controls.addEventListener('start', () => {
    held = true;
    direction = look();
  });
  viewport.rig.controls.addEventListener('end', () => (held = false));

  const spot_of = (member: Member) => {
    const { poses } = world.pose;
    const p = link_at(world.pose, member, torso_of(member.skeleton));
    const { clientWidth, clientHeight } = host;
    const point: Vec3 = [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
    return viewport.rig.project(point, clientWidth, clientHeight);
  };
  /** The walker that is seen best: near, in the middle of what is free, on their feet. */
  const somebody = (): Member | undefined => {
    const { members } = world.pose.cast;
    const free = (x: number, y: number) => document.elementFromPoint(x, y) === canvas;
    const seen = members.flatMap((member) => {
      const down = ((world.pose.flags[member.index] ?? 0) & kFlag.fallen) !== 0;
      if (down || !is_present(world.pose, member) || !is_walking(member.controller)) return [];
      const spot = spot_of(member);
      if (!spot || !free(spot.x, spot.y) || !free(spot.x + 1.4 * kPush_px, spot.y)) return [];
      return [{ member, depth: spot.depth }];
    });
    return seen.sort((a, b) => a.depth - b.depth)[0]?.member;
  };
  const draw_hand = () => {
    if (whom === undefined || !world.pose.cast.by_id.has(whom)) whom = somebody()?.id;
    const member = whom === undefined ? undefined : world.pose.cast.by_id.get(whom);
    const spot = member && spot_of(member);
    if (!member || !spot) return hand.hide();
    const over = hand.draw(spot, kPush_px, course.since_s, still.matches);
    // Whoever else is here has not asked for a push; and a still picture shows none.
    const alone = (world.frame.value?.viewers ?? 2) <= 1;
    if (!over || pushed || !alone || still.matches) return;
    pushed = true;
    const { mass, links } = member.skeleton;
    const { axes } = viewport.rig;
    const force = push_force([kPush_px, 0], axes, 'ground', mass, actions.most_push_n);
    void actions.push(member.id, links[torso_of(member.skeleton)]?.name ?? '', [0, 0, 0], force);
  };

  return {
    element,
    hand: hand.element,
    did,
    draw(elapsed_s) {
      if (course.lesson === 'over') return;
      if (held && Math.hypot(...look().map((x, i) => x - (direction[i] as number))) > kTurned) {
        held = false;
        did('turn');
      }
      const away = busy() || world.frame.value?.paused === true || world.lookback.on.value;
      const taken = build.tool.value.kind !== 'none' || selection.ids.value.length > 0;
      if (away || world.pose.cast.members.length === 0) return;
      if (course.lesson === 'wait' && taken) return did('other');
      // A machine that draws slowly gets the same time to read.
      course.advance(elapsed_s);
      show();
      if (course.lesson === 'watch') draw_hand();
    },
  };
}

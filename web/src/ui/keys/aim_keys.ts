// The pointer's tools by keys: a push, a place to go to, a way, a body that is taken hold of and moved.
import type { CommandOutcome } from '../../net/messages';
import type { ToolSketch } from '../../scene/hand/pointer_tools';
import type { Viewport } from '../../scene/picture/viewport';
import { push_words, type Press } from '../../state/hand/aim';
import { name_of } from '../../state/recording/marks';
import type { Vec3 } from '../../state/values/quaternion';
import { kLookingBack } from '../room/actions';
import type { Builder } from '../hand/builder';
import type { Context } from '../page/context';
import { AimPicture } from './aim_picture';
import type { KeyActions } from './keyboard';

const kRoundFrom = 3; // points of a way that may end where it began

const kPushHelp = 'Arrows turn it and change its force, Page Up and Down tilt it';
const kMoveHelp = 'Arrows move it, with Shift further';

export interface AimKeys extends Pick<
  KeyActions,
  'aim' | 'aim_at_ground' | 'put' | 'shift' | 'raise'
> {
  /** Puts away what is aimed at. @return whether there was something */
  end(): boolean;
  /** Its marks in the picture. */
  sketch(): ToolSketch | undefined;
}

/** The aim and its keys, for the line of hints; undefined: there is none. */
export function aim_hint({ aiming, selection, world }: Context): string | undefined {
  const aim = aiming.aim.value;
  const [first, ...others] = selection.ids.value;
  const member = first === undefined ? undefined : world.cast.value.by_id.get(first);
  const name = member ? name_of(member) : 'nobody';
  const whom = others.length > 0 ? `${name} and ${others.length} more` : name;
  switch (aim.kind) {
    case 'none':
      return undefined;
    case 'push':
      return `Push ${whom}: ${push_words(aim)} · ${kPushHelp} · Enter pushes · Esc ends`;
    case 'spot':
      return `Send ${whom} to the ring · ${kMoveHelp} · Enter sends · Esc ends`;
    case 'path': {
      const { length } = aim.points;
      const points = length === 1 ? '1 point' : `${length} points`;
      return `Path of ${points} · ${kMoveHelp} · Enter adds a point, Enter again sends ${whom} along · Esc ends`;
    }
    case 'hold':
      return `You hold ${name} · ${kMoveHelp} · Page Up and Down lift and lower it · Enter lets go`;
  }
}

/**
 * The keys for what is aimed at, as functions that stand by themselves.
 * @param focus gives the picture the focus, so that arrows get there
 */
export function aim_keys(
  context: Context,
  builder: Builder,
  viewport: Viewport,
  focus: () => void,
): AimKeys {
  const by_keys = new AimByKeys(context, builder, viewport, focus);
  return {
    end: () => by_keys.end(),
    aim: () => by_keys.aim(),
    aim_at_ground: () => by_keys.aim_at_ground(),
    put: () => by_keys.put(),
    shift: (press) => by_keys.shift(press),
    raise: (steps) => by_keys.raise(steps),
    sketch: () => by_keys.sketch(),
  };
}

/** Begins, moves and carries out an aim by keys, and tells each step to visitors who do not see the picture. */
class AimByKeys implements AimKeys {
  private readonly picture_: AimPicture;

  constructor(
    private readonly context_: Context,
    private readonly builder_: Builder,
    viewport: Viewport,
    private readonly focus_: () => void,
  ) {
    const { aiming, build, selection, settings, world } = context_;
    this.picture_ = new AimPicture(context_, viewport);
    settings.path_tool.watch((on) => {
      if (!on && aiming.aim.value.kind === 'path') aiming.end();
    });
    selection.ids.watch(() => aiming.on && this.end());
    build.tool.watch(({ kind }) => kind !== 'none' && aiming.on && this.end());
    world.lookback.on.watch((on) => on && aiming.on && this.end());
    builder_.on_lost = (id) => {
      const aim = aiming.aim.value;
      if (aim.kind === 'hold' && aim.id === id) this.end();
    };
  }

  end(): boolean {
    const { aiming, settings } = this.context_;
    const aim = aiming.aim.value;
    if (aim.kind === 'hold') this.hold(aim.id, undefined);
    if (aim.kind === 'path') settings.path_tool.set(false);
    return aiming.end() || aim.kind !== 'none';
  }

  aim(): void {
    if (this.end() || this.is_past()) return;
    const { actions, aiming, build, toasts } = this.context_;
    const member = this.picture_.first;
    if (!member) {
      toasts.show('Select somebody first: N selects the next one, M the one in the middle.');
    } else if (member.thing || build.mode.value === 'grab') {
      this.begin(() => aiming.hold(member.id, this.picture_.place_of(member)));
      this.hold(member.id, this.picture_.place_of(member));
    } else {
      this.begin(() => aiming.push(member.skeleton.mass, actions.most_push_n));
    }
  }

  aim_at_ground(): void {
    if (this.end() || this.is_past() || !this.need_walkers()) return;
    const point = this.picture_.begin_at();
    if (point) this.begin(() => this.context_.aiming.spot(point));
  }

  put(): boolean {
    const { actions, aiming, announcer } = this.context_;
    const aim = aiming.aim.value;
    switch (aim.kind) {
      case 'none':
        return this.begin_path();
      case 'push': {
        const force = this.picture_.force_of(aim);
        const pushed = actions.characters.map((id) => actions.push(id, '', [0, 0, 0], force));
        this.answer_when(Promise.all(pushed), `Pushed with ${push_words(aim)}`);
        return true;
      }
      case 'spot':
        this.answer_when(actions.go_to(aim.point[0], aim.point[1]), 'Sent');
        this.end();
        return true;
      case 'path': {
        const way = aiming.add_point();
        if (!way) {
          announcer.answer(`Point ${aim.points.length + 1}`);
          return true;
        }
        this.answer_when(actions.walk(way, kRoundFrom), 'Sent along the path');
        this.end();
        return true;
      }
      case 'hold':
        this.end();
        announcer.answer('Let go');
        return true;
    }
  }

  shift(press: Press): boolean {
    this.begin_path();
    const { actions, aiming } = this.context_;
    const aim = aiming.aim.value;
    switch (aim.kind) {
      case 'none':
        return false;
      case 'push':
        aiming.change_push(press, actions.most_push_n);
        this.tell_push();
        return true;
      case 'hold':
        this.move_held(aim.id, this.picture_.moved(aim.target, press));
        return true;
      case 'spot':
      case 'path': {
        const [x, y] = this.picture_.moved(aim.point, press);
        const point = this.picture_.ground_at(x, y);
        if (point) aiming.move_to(point);
        this.tell(this.picture_.spot_words(point ?? aim.point));
        return true;
      }
    }
  }

  raise(steps: number): boolean {
    const { aiming } = this.context_;
    const aim = aiming.aim.value;
    if (aim.kind === 'push') {
      aiming.raise(steps);
      this.tell_push();
      return true;
    }
    if (aim.kind !== 'hold') return false;
    this.move_held(aim.id, this.picture_.lifted(aim.target, steps));
    return true;
  }

  sketch(): ToolSketch | undefined {
    return this.picture_.sketch(this.context_.aiming.aim.value);
  }

  private begin(start: () => void): void {
    this.context_.build.end();
    start();
    this.focus_();
    this.tell(aim_hint(this.context_)?.replaceAll(' · ', '. '));
  }

  /** The first key while the tool for paths is chosen. @return whether it is */
  private begin_path(): boolean {
    const { actions, aiming, settings } = this.context_;
    if (aiming.on || !settings.path_tool.value || actions.walkers.length === 0) return false;
    if (this.is_past()) return false;
    const point = this.picture_.begin_at();
    if (point) this.begin(() => aiming.path(point));
    return point !== undefined;
  }

  /** Moves the body that is held. @param target m, world frame */
  private move_held(id: number, target: Vec3): void {
    this.context_.aiming.move_to(target);
    this.hold(id, target);
  }

  /** Pulls a body to a target, m, world frame; undefined lets it go. */
  private hold(id: number, target: Vec3 | undefined): void {
    const member = this.context_.world.pose.cast.by_id.get(id);
    if (member) this.builder_.drag({ member, link: 0, point: [0, 0, 0], distance: 0 }, target);
  }

  /** Whether a selected character can be sent somewhere; the visitor is told if none can. */
  private need_walkers(): boolean {
    if (this.context_.actions.walkers.length > 0) return true;
    this.context_.toasts.show('Select a character that walks first: N selects the next one.');
    return false;
  }

  /** Whether the past is shown, in which nothing can be aimed at; the user is told so. */
  private is_past(): boolean {
    const { toasts, world } = this.context_;
    if (world.lookback.on.value) toasts.show(kLookingBack, 'error');
    return world.lookback.on.value;
  }

  /** Answers once the room has done it; a refusal is told by a toast. */
  private answer_when(outcomes: Promise<readonly CommandOutcome[]>, text: string): void {
    void outcomes.then((all) => {
      if (all.some(({ kind }) => kind === 'done')) this.tell(text);
    });
  }

  private tell_push(): void {
    const aim = this.context_.aiming.aim.value;
    if (aim.kind === 'push') this.tell(push_words(aim));
  }

  private tell(text: string | undefined): void {
    if (text) this.context_.announcer.answer(text);
  }
}

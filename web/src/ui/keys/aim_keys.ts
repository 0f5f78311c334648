// The pointer's tools by keys: a push, a place to go to, a way, a body that is taken hold of and moved.
import {
  direction_words,
  force_of,
  level_distance,
  push_words,
  type Press,
} from '../../state/hand/aim';
import { name_of } from '../../state/recording/marks';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { ToolSketch } from '../../scene/hand/pointer_tools';
import type { CommandOutcome } from '../../net/messages';
import type { Viewport } from '../../scene/picture/viewport';
import { kLookingBack } from '../room/actions';
import type { Builder } from '../hand/builder';
import type { Context } from '../page/context';
import type { KeyActions } from './keyboard';

const kStep = 0.02; // of the camera's distance: how far an arrow key moves what is aimed at
const kFar = 5; // times that with Shift
const kRoundFrom = 3; // points of a way that may end where it began
const kArrow_m = 0.0025; // length of a push's arrow for each newton

const kPushHelp = 'Arrows turn it and change its force, Page Up and Down tilt it';
const kMoveHelp = 'Arrows move it, with Shift further';

export interface AimKeys extends Pick<
  KeyActions,
  'aim' | 'aim_at_ground' | 'put' | 'shift' | 'raise'
> {
  /** Puts away what is aimed at. @return whether there was something */
  end(): boolean;
  /** What the picture shows of it. */
  sketch(): ToolSketch | undefined;
}

/** What is aimed at and the keys for it, for the line of hints; undefined: nothing is. */
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

/** @param focus gives the picture the focus, so that arrows get there */
export function aim_keys(
  context: Context,
  builder: Builder,
  viewport: Viewport,
  focus: () => void,
): AimKeys {
  const { actions, aiming, announcer, build, selection, settings, toasts, world } = context;

  const first = (): Member | undefined =>
    selection.first === undefined ? undefined : world.pose.cast.by_id.get(selection.first);
  const place_of = ({ pose }: Member): Vec3 => {
    const { poses } = world.pose;
    return [at(poses, pose), at(poses, pose + 1), at(poses, pose + 2)];
  };
  const ground_at = (x: number, y: number) => viewport.ground_below(x, y)?.point;
  const begin_at = (): Vec3 | undefined => {
    const middle = viewport.middle()?.point;
    if (middle) return middle;
    const member = first();
    const [x, y] = member ? place_of(member) : [0, 0];
    return ground_at(x, y);
  };
  const need_walkers = (): boolean => {
    if (actions.walkers.length > 0) return true;
    toasts.show('Select a character that walks first: N selects the next one.');
    return false;
  };
  const is_past = (): boolean => {
    if (world.lookback.on.value) toasts.show(kLookingBack, 'error');
    return world.lookback.on.value;
  };
  /** Answers once the room has done it; a refusal is told by a toast. */
  const answer_when = (outcomes: Promise<readonly CommandOutcome[]>, text: string) =>
    void outcomes.then((all) => {
      if (all.some(({ kind }) => kind === 'done')) announcer.answer(text);
    });
  const tell_all = () => {
    const text = aim_hint(context);
    if (text) announcer.answer(text.replaceAll(' · ', '. '));
  };
  const begin = (start: () => void) => {
    build.end();
    start();
    focus();
    tell_all();
  };
  const move = (from: Vec3, { right, away, shift }: Press): Vec3 => {
    const { from: eye, at: target } = viewport.rig.view;
    const distance = Math.hypot(target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]);
    const step = kStep * distance * (shift ? kFar : 1);
    const [fx, fy] = viewport.away;
    return [
      from[0] + step * (fx * away + fy * right),
      from[1] + step * (fy * away - fx * right),
      from[2],
    ];
  };
  const hold = (id: number, target: Vec3 | undefined) => {
    const member = world.pose.cast.by_id.get(id);
    if (member) builder.drag({ member, link: 0, point: [0, 0, 0], distance: 0 }, target);
  };
  /** Where a spot is from whoever is sent there. */
  const tell_spot = (point: Vec3) => {
    const member = first();
    if (!member) return;
    const [x, y] = place_of(member);
    const [fx, fy] = viewport.away;
    const [dx, dy] = [point[0] - x, point[1] - y];
    const turn = Math.atan2(-dx * fy + dy * fx, dx * fx + dy * fy);
    const far = level_distance(point, [x, y, 0]);
    announcer.answer(`${far.toFixed(1)} m from ${name_of(member)}, ${direction_words(turn)}`);
  };
  settings.path_tool.watch((on) => {
    if (!on && aiming.aim.value.kind === 'path') aiming.end();
  });
  const end = (): boolean => {
    const aim = aiming.aim.value;
    if (aim.kind === 'hold') hold(aim.id, undefined);
    if (aim.kind === 'path') settings.path_tool.set(false);
    return aiming.end() || aim.kind !== 'none';
  };
  selection.ids.watch(() => aiming.on && end());
  build.tool.watch(({ kind }) => kind !== 'none' && aiming.on && end());
  world.lookback.on.watch((on) => on && aiming.on && end());
  builder.on_lost = (id) => {
    const aim = aiming.aim.value;
    if (aim.kind === 'hold' && aim.id === id) end();
  };

  return {
    end,
    aim() {
      if (end() || is_past()) return;
      const member = first();
      if (!member) {
        toasts.show('Select somebody first: N selects the next one, M the one in the middle.');
      } else if (member.thing || build.mode.value === 'grab') {
        begin(() => aiming.hold(member.id, place_of(member)));
        hold(member.id, place_of(member));
      } else {
        begin(() => aiming.push(member.skeleton.mass, actions.most_push_n));
      }
    },
    aim_at_ground() {
      if (end() || is_past() || !need_walkers()) return;
      const point = begin_at();
      if (point) begin(() => aiming.spot(point));
    },
    put() {
      const aim = aiming.aim.value;
      switch (aim.kind) {
        case 'none':
          return begin_path();
        case 'push': {
          const force = force_of(aim, viewport.rig.axes);
          const pushed = actions.characters.map((id) => actions.push(id, '', [0, 0, 0], force));
          answer_when(Promise.all(pushed), `Pushed with ${push_words(aim)}`);
          return true;
        }
        case 'spot':
          answer_when(actions.go_to(aim.point[0], aim.point[1]), 'Sent');
          end();
          return true;
        case 'path': {
          const way = aiming.add_point();
          const { length } = aim.points;
          if (!way) {
            announcer.answer(`Point ${length + 1}`);
            return true;
          }
          answer_when(actions.walk(way, kRoundFrom), 'Sent along the path');
          end();
          return true;
        }
        case 'hold':
          end();
          announcer.answer('Let go');
          return true;
      }
    },
    shift(press) {
      begin_path();
      const aim = aiming.aim.value;
      switch (aim.kind) {
        case 'none':
          return false;
        case 'push':
          aiming.change_push(press, actions.most_push_n);
          tell_push();
          return true;
        case 'hold': {
          const target = move(aim.target, press);
          aiming.move_to(target);
          hold(aim.id, target);
          return true;
        }
        case 'spot':
        case 'path': {
          const [x, y] = move(aim.point, press);
          const point = ground_at(x, y);
          if (point) aiming.move_to(point);
          tell_spot(point ?? aim.point);
          return true;
        }
      }
    },
    raise(steps) {
      const aim = aiming.aim.value;
      if (aim.kind === 'push') {
        aiming.raise(steps);
        tell_push();
        return true;
      }
      if (aim.kind !== 'hold') return false;
      const by = move([0, 0, 0], { right: 0, away: steps, shift: false });
      const target: Vec3 = [
        aim.target[0],
        aim.target[1],
        aim.target[2] + steps * Math.hypot(by[0], by[1]),
      ];
      aiming.move_to(target);
      hold(aim.id, target);
      return true;
    },
    sketch: () => sketch(),
  };

  /** The first key while the tool for paths is chosen. @return whether it is */
  function begin_path(): boolean {
    if (aiming.on || !settings.path_tool.value || actions.walkers.length === 0) return false;
    if (is_past()) return false;
    const point = begin_at();
    if (point) begin(() => aiming.path(point));
    return point !== undefined;
  }

  function tell_push(): void {
    const aim = aiming.aim.value;
    if (aim.kind === 'push') announcer.answer(push_words(aim));
  }

  function sketch(): ToolSketch | undefined {
    const aim = aiming.aim.value;
    const member = first();
    if (aim.kind === 'none' || !member) return undefined;
    switch (aim.kind) {
      case 'push': {
        const from = viewport.cameraman.point_of(member);
        const force = force_of(aim, viewport.rig.axes);
        const to = [0, 1, 2].map(
          (k) => (from[k] as number) + kArrow_m * (force[k] as number),
        ) as unknown as Vec3;
        const label = viewport.pixel_of(to) ?? { x: 0, y: 0 };
        // An arrow that is not level on the ground says all by itself.
        const level = aim.rise_rad === 0;
        return { kind: 'push', from, to, level, drawn: to, force, label };
      }
      case 'spot':
        return { kind: 'spot', point: aim.point };
      case 'path':
        return { kind: 'path', points: [...aim.points, aim.point] };
      case 'hold':
        return { kind: 'drag', from: place_of(member), to: aim.target, level: true };
    }
  }
}

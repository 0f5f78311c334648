// A person's choices with a thing or a place: the entries of the menu, with why some are not possible.
import type { WorldPose } from '../frames/interpolate';
import { name_of } from '../recording/marks';
import type { Vec3 } from '../values/quaternion';
import type { Member } from '../room/roster';
import { why_not_lift, why_not_move, why_not_reach, why_not_take } from './able';
import { origin_of, type Place, type Task } from './task';

export interface Choice {
  readonly key: string;
  readonly text: string;
  readonly why_not: string; // empty: it is offered
  readonly does:
    | { readonly kind: 'add'; readonly task: Task }
    /** The place is chosen next. */
    | { readonly kind: 'aim'; readonly make: (place: Place) => Task; readonly box: number }
    | { readonly kind: 'select'; readonly id: number };
}

const kBeside_m = 0.5; // from a thing that somebody walks to

/** @param held the thing in the hands then; undefined: not known yet */
const words_of = (held: Member | undefined) => (held ? name_of(held) : 'the thing handed over');

const tidy = (value: number) => Math.round(1000 * value) / 1000;

/** @param carried what will be in the hands when all errands before are done; 0: nothing */
export function choices_for_thing(
  who: Member,
  thing: Member,
  carried: number,
  pose: WorldPose,
): Choice[] {
  const { id } = thing;
  const add = (key: string, text: string, why_not: string, task: Task): Choice => ({
    ...{ key, text, why_not },
    does: { kind: 'add', task },
  });
  const aim = (
    key: string,
    text: string,
    why_not: string,
    make: (place: Place) => Task,
  ): Choice => ({
    ...{ key, text, why_not },
    does: { kind: 'aim', make, box: id },
  });
  const not_lift = why_not_lift(who.skeleton, thing, carried);
  const not_move = why_not_move(thing, carried);
  const not_reach = carried ? 'the hands are full' : why_not_reach(who, thing, pose);
  const held = pose.cast.by_id.get(carried);
  return [
    add('reach', 'Touch it', not_reach, { reach: { thing: id } }),
    add('reach_both', 'Touch it with both hands', not_reach, {
      reach: { thing: id, hand: 'BOTH_HANDS' },
    }),
    add('pick_up', 'Pick it up', not_lift, { pick_up: { thing: id } }),
    aim('carry', 'Carry it to …', not_lift, (place) => ({ carry: { thing: id, ...place } })),
    aim('push_to', 'Push it to …', not_move, (place) => ({ push_to: { thing: id, ...place } })),
    aim('pull_to', 'Pull it to …', not_move, (place) => ({ pull_to: { thing: id, ...place } })),
    ...(carried && carried !== id
      ? [add('put_on', `Put ${words_of(held)} on it`, '', { put_down: { on: id } })]
      : []),
    add('go_to', 'Walk to it', '', { go_to: { position_m: beside(who, thing, pose) } }),
    { key: 'select', text: 'Select it instead', why_not: '', does: { kind: 'select', id } },
  ];
}

/** @param other somebody else, to whom the carried thing can be given */
export function choices_for_somebody(other: Member, carried: number, pose: WorldPose): Choice[] {
  const { id } = other;
  const held = pose.cast.by_id.get(carried);
  return [
    {
      key: 'hand_over',
      text: carried ? `Hand ${words_of(held)} over` : 'Hand it over',
      why_not: carried ? why_not_take(other, held) : 'nothing is carried then',
      does: { kind: 'add', task: { hand_over: { to: id } } },
    },
    { key: 'select', text: 'Select them instead', why_not: '', does: { kind: 'select', id } },
  ];
}

export function choices_for_place(point: Vec3, carried: number, pose: WorldPose): Choice[] {
  const [x, y, z] = point;
  const position_m = [tidy(x), tidy(y)];
  const held = pose.cast.by_id.get(carried);
  const add = (key: string, text: string, why_not: string, task: Task): Choice => ({
    ...{ key, text, why_not },
    does: { kind: 'add', task },
  });
  return [
    add('go_to', 'Go here', '', { go_to: { position_m } }),
    add(
      'put_down',
      carried ? `Put ${words_of(held)} down here` : 'Put down here',
      carried ? '' : 'nothing is carried then',
      { put_down: { position_m } },
    ),
    add('reach', 'Reach for a point here, 1 m high', carried ? 'the hands are full' : '', {
      reach: { point_m: [...position_m, tidy(z + 1)], hold_s: 2 },
    }),
  ];
}

/** The choices of people who share their errands: those that one of them can do alone, from empty hands to empty hands. */
export function to_share(choices: readonly Choice[]): Choice[] {
  const alone = ['pick_up', 'put_down', 'put_on'];
  return choices.filter(({ key }) => !alone.includes(key));
}

/** Of the same choices for several people, one each: that of a person who can do it. */
export function of_anybody(choices: readonly (readonly Choice[])[]): Choice[] {
  return (choices[0] ?? []).map(
    (choice, i) => choices.map((own) => own[i]).find((own) => own?.why_not === '') ?? choice,
  );
}

/** Where somebody stands beside a thing, on the side that they come from. */
function beside(who: Member, thing: Member, pose: WorldPose): number[] {
  const [x, y] = origin_of(thing, pose);
  const [from_x, from_y] = origin_of(who, pose);
  const [dx, dy] = [from_x - x, from_y - y];
  const far = Math.hypot(dx, dy) || 1;
  const away = Math.min(far, thing.skeleton.reach + kBeside_m);
  return [tidy(x + (dx / far) * away), tidy(y + (dy / far) * away)];
}

/** The things of a room, those nearest to somebody first. */
export function things_near(who: Member, pose: WorldPose, most: number): Member[] {
  return nearest(who, pose.cast.things, pose, most);
}

/** The other people of a room, those nearest to somebody first. */
export function people_near(who: Member, pose: WorldPose, most: number): Member[] {
  const others = pose.cast.members.filter(({ id }) => id !== who.id);
  return nearest(who, others, pose, most);
}

function nearest(who: Member, all: readonly Member[], pose: WorldPose, most: number): Member[] {
  const [x, y] = origin_of(who, pose);
  const far = (thing: Member) => {
    const [tx, ty] = origin_of(thing, pose);
    return Math.hypot(tx - x, ty - y);
  };
  return [...all].sort((a, b) => far(a) - far(b)).slice(0, most);
}

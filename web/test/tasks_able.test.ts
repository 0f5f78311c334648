import { create, fromJson } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { type Cast, make_cast, type Member } from '../src/state/room/roster';
import { make_skeleton, type Skeleton } from '../src/state/figure/skeleton';
import { why_not_lift, why_not_move } from '../src/state/tasks/able';
import {
  choices_for_place,
  choices_for_somebody,
  choices_for_thing,
} from '../src/state/tasks/choices';
import { task_words } from '../src/state/tasks/task_words';
import { carried_along, type Goal, goal_of, kSomething } from '../src/state/tasks/task';
import { numbered, pose_of } from './body';
import { kFamilies, kPersonsFamilies, kPersonsHands } from './told_families';

function box(name: string, massKg: number, halfM: number[], more: object = {}): Skeleton {
  return make_skeleton(
    fromJson(CreatureSchema, {
      ...{ name, title: name, ...more },
      links: [{ name, massKg, shapes: [{ box: { centerM: [0, 0, 0], halfM } }] }],
    }),
  );
}
const rod = (z: number) => [
  { capsule: { fromM: [0, 0, z / 2], toM: [0, 0, -z / 2], radiusM: 0.04 } },
];
/** A trunk with an arm. */
const person = make_skeleton(
  fromJson(CreatureSchema, {
    ...{ name: 'person', title: 'Person' },
    links: [
      { name: 'trunk', massKg: 60, shapes: rod(1.4) },
      { name: 'upper', massKg: 2, shapes: rod(0.3) },
      { name: 'lower', massKg: 2, shapes: rod(0.3) },
    ],
    joints: [
      {
        name: 'shoulder',
        parent: 'trunk',
        child: 'upper',
        kind: 'BALL',
        atParentM: [0, 0.2, 0.6],
        atChildM: [0, 0, 0.15],
      },
      {
        name: 'elbow',
        parent: 'upper',
        child: 'lower',
        kind: 'HINGE',
        axis: [0, 1, 0],
        atParentM: [0, 0, -0.15],
        atChildM: [0, 0, 0.15],
      },
    ],
    limbs: [{ name: 'arm', kind: 'ARM', links: ['upper', 'lower'] }],
  }),
  { families: kPersonsFamilies, hands: kPersonsHands },
);
const things = [
  box('light', 4, [0.15, 0.15, 0.15]),
  box('heavy', 45, [0.2, 0.2, 0.2]),
  box('wide', 5, [0.7, 0.7, 0.1]),
  box('post', 5, [0.1, 0.1, 0.5], { root: 'FIXED' }),
];

function room(): { cast: Cast; who: Member; of: (name: string) => Member } {
  const known = numbered(person, ...things);
  const roster = create(RosterSchema, {
    version: 1n,
    entries: [{ id: 1, body: 0n, dof: 4, controller: 'gbwc' }],
    things: things.map((_, i) => ({ id: 2 + i, body: BigInt(i + 1), dof: 0 })),
  });
  const cast = make_cast(roster, known);
  const of = (name: string) => cast.things.find(({ skeleton }) => skeleton.name === name) as Member;
  return { cast, who: cast.members[0] as Member, of };
}

describe('what a body cannot do', () => {
  const { who, of } = room();
  it('is known from mass, width and what is held', () => {
    expect(why_not_lift(who.skeleton, of('light'), 0)).toBe('');
    expect(why_not_lift(who.skeleton, of('heavy'), 0)).toBe('too heavy: 45 kg, 38 kg at most');
    expect(why_not_lift(who.skeleton, of('wide'), 0)).toMatch(/^too wide: 1.4 m/);
    expect(why_not_lift(who.skeleton, of('post'), 0)).toBe('it is fixed');
    expect(why_not_lift(who.skeleton, of('light'), of('wide').id)).toBe('the hands are full');
    expect(why_not_lift(who.skeleton, of('light'), of('light').id)).toBe('it is carried already');
    expect(why_not_move(of('heavy'), 0)).toBe('');
    expect(why_not_move(of('post'), 0)).toBe('it is fixed');
    expect(why_not_lift({ ...person, hands: undefined }, of('light'), 0)).toBe(
      'there are no hands',
    );
  });
});

describe('the menu', () => {
  const { cast, who, of } = room();
  const places = [
    [0, 0, 0.7],
    [1, 0, 0.15],
    [1, 0, 3],
    [1, 2, 0.1],
    [0, 2, 0.5],
  ];
  const pose = pose_of(
    cast,
    places.map((place) => [...place, 0, 0, 0, 1]),
  );
  it('says what is not possible, and why', () => {
    const why = (name: string, key: string, carried = 0) =>
      choices_for_thing(who, of(name), carried, pose).find((one) => one.key === key)?.why_not;
    expect(why('light', 'pick_up')).toBe('');
    expect(why('light', 'reach')).toBe('');
    expect(why('heavy', 'reach')).toMatch(/^too high: 2.8 m/);
    expect(why('heavy', 'pick_up')).toMatch(/^too heavy/);
    expect(why('wide', 'put_on')).toBeUndefined();
    expect(why('wide', 'put_on', of('light').id)).toBe('');
    const put = choices_for_place([1, 1, 0], 0, pose).find(({ key }) => key === 'put_down');
    expect(put?.why_not).toBe('nothing is carried then');
  });
  it('offers to put down what is going to be taken over', () => {
    const put = choices_for_place([1, 1, 0], kSomething, pose).find(
      ({ key }) => key === 'put_down',
    );
    expect(put).toMatchObject({ why_not: '', text: 'Put the thing handed over down here' });
    const lift = choices_for_thing(who, of('light'), kSomething, pose);
    expect(lift.find(({ key }) => key === 'pick_up')?.why_not).toBe('the hands are full');
    const task = { put_down: { position_m: [1, 2] } };
    expect(task_words(task, kSomething, cast)).toBe('Put the carried thing down at (1.0, 2.0)');
    expect(goal_of(task, kSomething, pose, () => 0, new Map())?.kind).toBe('spot');
  });
  it('offers to hand over what is carried', () => {
    const give = (carried: number, controller = 'gbwc') =>
      choices_for_somebody(
        { ...who, id: 7, family: kFamilies.get(controller) },
        carried,
        pose,
      ).find(({ key }) => key === 'hand_over');
    expect(give(of('light').id)?.why_not).toBe('');
    expect(give(of('light').id)?.does).toEqual({
      kind: 'add',
      task: { hand_over: { to: 7 } },
    });
    expect(give(0)?.why_not).toBe('nothing is carried then');
    expect(give(of('heavy').id)?.why_not).toMatch(/^too heavy/);
    expect(give(of('light').id, 'pendulum')?.why_not).toBe('they do no tasks');
    const words = task_words({ hand_over: { to: who.id } }, of('light').id, cast);
    expect(words).toBe('Hand light 2 over to Person 1');
    expect(carried_along([{ hand_over: { to: 7 } }], 0, 2, cast)).toEqual([2, 0]);
  });
  it('leads to goals in the picture', () => {
    const flat = () => 0;
    const none = new Map<number, Goal>();
    const task = { push_to: { thing: of('light').id, position_m: [3, 1], heading_rad: 0.5 } };
    expect(goal_of(task, 0, pose, flat, none)).toMatchObject({
      kind: 'box',
      at: [3, 1, 0],
      yaw_rad: 0.5,
    });
    const on = goal_of({ put_down: { on: of('wide').id } }, of('light').id, pose, flat, none);
    expect(on?.kind).toBe('box');
    expect(on?.at[2]).toBeCloseTo(0.2);
    // Over where an earlier task brings it.
    const wide: Goal = { kind: 'box', thing: of('wide'), at: [5, 6, 0], yaw_rad: 0 };
    const later = goal_of(
      { put_down: { on: of('wide').id } },
      ...([of('light').id, pose, flat, new Map([[of('wide').id, wide]])] as const),
    );
    expect(later?.at.slice(0, 2)).toEqual([5, 6]);
    expect(later?.at[2]).toBeCloseTo(0.2);
    expect(goal_of({ put_down: {} }, of('light').id, pose, flat, none)).toBeUndefined();
    expect(goal_of({ reach: { thing: of('post').id } }, 0, pose, flat, none)?.at).toEqual([
      0, 2, 0.5,
    ]);
    expect(task_words(task, 0, cast)).toBe('Push light 2 to (3.0, 1.0)');
    expect(task_words({ put_down: { on: 99 } }, 2, cast)).toBe(
      'Put light 2 on thing 99, which is gone',
    );
  });
});

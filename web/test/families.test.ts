import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { has_gait_cycles } from '../src/state/figure/legs';
import { make_skeleton } from '../src/state/figure/skeleton';
import { Families, type Family } from '../src/state/room/families';
import { does_tasks, type Member } from '../src/state/room/roster';
import { Room } from './room';
import { body_of, kAnybodysFamilies, kFamilies, kPersonsFamilies } from './told_families';

const folder = path.resolve(import.meta.dirname, '../../server/data/creatures');

/** Those of the server's creatures that are whole, not edits of another. */
const kWhole = readdirSync(folder)
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as JsonValue)
  .map((json) => fromJson(CreatureSchema, json))
  .filter(({ base }) => base === '');
const named = (name: string, families: readonly string[]) => {
  const creature = kWhole.find((one) => one.name === name);
  return creature && make_skeleton(creature, { families, hands: undefined });
};
const names = (families: readonly Family[]) => families.map(({ name }) => name);

describe('families of controllers', () => {
  test('are offered to the bodies that they can drive, and all to one that is not known', () => {
    const cat = named('cat', kAnybodysFamilies);
    const human = named('human', kPersonsFamilies);
    expect(names(kFamilies.that_drive(human))).toEqual(kPersonsFamilies);
    expect(names(kFamilies.that_drive(cat))).toEqual(['hold', 'limp']);
    expect(names(kFamilies.that_drive(undefined))).toEqual(kPersonsFamilies);
    expect(kFamilies.own_of(cat).name).toBe('hold');
    expect(kFamilies.own_of(human).name).toBe('gbwc');
    expect(kFamilies.own_of(undefined).name).toBe('gbwc');
    // The first of a body is its own, wherever the room offers that.
    expect(kFamilies.own_of(named('cat', ['limp', 'hold'])).name).toBe('limp');
    expect(new Families([]).own_of(undefined).walks).toBe(false);
  });

  test('have the titles that the room tells; one that it does not tell is the same each time and can do nothing', () => {
    expect(kFamilies.get('limp').title).toBe('Limp');
    const swim = kFamilies.get('swim');
    expect(swim).toMatchObject({ title: 'swim', walks: false, styled: false, tasks: false });
    expect(kFamilies.get('swim')).toBe(swim);
    expect(kFamilies.titles(({ walks }) => walks)).toBe('“Walk” or “Pendulum”');
    expect(kFamilies.titles(({ light }) => light)).toBe('“Pendulum”');
  });

  test('are known of every member of a room, with what hands can do of its body', () => {
    const room = new Room();
    const hands = { liftKg: 42, widthM: 0.9, reachUpM: 2.1 };
    const body = kWhole.find(({ name }) => name === 'human');
    if (body) room.world.receive(body_of(5n, body, { families: kPersonsFamilies, hands }));
    const first = (controller: string): Member => {
      room.roster([1], { controller }, [2]);
      return room.world.cast.value.members[0] as Member;
    };
    const walker = first('gbwc');
    expect(walker.family).toMatchObject({ styled: true, walks: true, tasks: true, light: false });
    expect(walker.skeleton.families).toEqual(kPersonsFamilies);
    expect(walker.skeleton.hands).toEqual({ lift_kg: 42, width_m: 0.9, reach_up_m: 2.1 });
    expect([has_gait_cycles(walker), does_tasks(walker)]).toEqual([true, true]);
    const pendulum = first('pendulum');
    expect([has_gait_cycles(pendulum), does_tasks(pendulum)]).toEqual([true, false]);
    expect(has_gait_cycles(first('hold'))).toBe(false);
    const [thing] = room.world.cast.value.things;
    expect(thing?.family.walks).toBe(false);
    expect(thing && has_gait_cycles(thing)).toBe(false);
    // A body that is changed is taken for able to do the same until the server has told of it.
    room.roster([1], { controller: 'gbwc', body: 77n });
    const [changed] = room.world.cast.value.members;
    expect(changed).toMatchObject({ complete: false });
    expect(changed && does_tasks(changed)).toBe(true);
  });
});

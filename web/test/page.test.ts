import { describe, expect, test } from 'vitest';
import { FootprintFinder, type Footprint } from '../src/state/gait/footprints';
import { kFlag } from '../src/net/frame';
import { make_world_pose } from '../src/state/frames/interpolate';
import { DetailsBuffer } from '../src/state/frames/details_buffer';
import { Selection } from '../src/state/room/selection';
import { Settings } from '../src/state/room/settings';
import { next_side, next_speed, wrapped } from '../src/state/hand/steering';
import { names_a_view, read_place, write_place } from '../src/ui/page/address';
import { moment_of } from '../src/ui/room/moment';
import { create, fromJson } from '@bufbuild/protobuf';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { CharacterDetailsSchema, RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { type Cast, make_cast } from '../src/state/room/roster';
import { those_meant } from '../src/ui/page/shared_view';
import { make_skeleton } from '../src/state/figure/skeleton';
import { numbered } from './body';

describe('address', () => {
  test('comes back as it was written', () => {
    const place = {
      scene: 'push-lab',
      view: { from: [-7, -5.25, 3], at: [0, 1, 0.8] },
      follow: true,
      selected: [3, 12],
      room: 'main',
    } as const;
    expect(read_place(write_place(place))).toEqual(place);
    const still = { ...place, follow: false };
    expect(read_place(write_place(still))).toEqual(still);
  });

  test('keeps the followed body and from where, overlays, and the moment at which the clock stands', () => {
    const place = {
      scene: 'one',
      view: { from: [4, 0, 1], at: [6, 0, 0.2] },
      follow: true,
      about: [6.1, 0, 1],
      selected: [],
      room: '',
      overlays: ['com', 'forces'],
      paused: true,
      time_s: 12.35,
    } as const;
    expect(read_place(write_place(place))).toEqual(place);
    const none = { ...place, overlays: [], paused: undefined, time_s: undefined };
    expect(read_place(write_place(none))).toEqual(none);
    expect(read_place('?follow=1&show=com,nonsense').overlays).toEqual(['com']);
    expect(names_a_view(read_place('?follow=1'))).toBe(true);
  });

  test('overlays of an address are not taken for the wishes of the visitor', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    } as unknown as Storage;
    const given = new Settings(storage, ['com']);
    expect(given.overlays.value).toMatchObject({ com: true, footprints: false });
    given.theme.set('dark');
    expect(new Settings(storage).overlays.value).toMatchObject({ com: false, footprints: true });
    given.set_overlay('names', true);
    expect(new Settings(storage).overlays.value).toMatchObject({ com: true, names: true });
  });

  test('means the place in the scene where ids have gone on', () => {
    const members = [31, 30, 32].map((id) => ({ id }));
    const cast = { members, by_id: new Map(members.map((one) => [one.id, one])) };
    const meant = (ids: number[]) => those_meant(ids, cast as unknown as Cast);
    expect(meant([31])).toEqual([31]);
    expect(meant([2, 9])).toEqual([31]);
    expect(meant([9])).toEqual([]);
  });

  test('says how its moment lies to that of the room', () => {
    const tick_s = 1 / 60;
    expect(moment_of(2, 2 + 0.4 * tick_s, tick_s)).toBe('here');
    expect(moment_of(2, 1, tick_s)).toBe('ahead');
    expect(moment_of(2, 3, tick_s)).toBe('past');
    expect(moment_of(900, 1, tick_s)).toBe('far');
  });

  test('leaves out what makes no sense', () => {
    expect(read_place('?camera=1,2,x,4&select=-1,2.5,abc,7')).toEqual({
      scene: undefined,
      view: undefined,
      follow: false,
      selected: [7],
      room: '',
    });
  });
});

describe('steering', () => {
  test('the first step is a comfortable walk, then it goes up by 0.2 m/s to a limit', () => {
    expect(next_speed(0, 1)).toBe(0.6);
    expect(next_speed(0.6, 1)).toBe(0.8);
    expect(next_speed(1.4, 1)).toBe(1.4);
  });

  test('slower leads to standing and then backward', () => {
    expect(next_speed(0.6, -1)).toBe(0);
    expect(next_speed(0, -1)).toBe(-0.4);
    expect(next_speed(-0.6, -1)).toBe(-0.6);
  });

  test('a sidestep against the other one ends it', () => {
    expect(next_side(0, 1)).toBeGreaterThan(0);
    expect(next_side(0.3, -1)).toBe(0);
  });

  test('angles are wrapped', () => {
    expect(wrapped(1.5 * Math.PI)).toBeCloseTo(-0.5 * Math.PI);
  });
});

describe('selection', () => {
  test('toggles, and lets go of characters that have left', () => {
    const selection = new Selection();
    selection.choose(1);
    selection.toggle(2);
    selection.toggle(3);
    selection.toggle(2);
    expect(selection.ids.value).toEqual([1, 3]);
    selection.keep((id) => id !== 1);
    expect(selection.first).toBe(3);
  });
});

describe('settings', () => {
  test('survive a reload, and a broken entry', () => {
    const entries = new Map<string, string>();
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => entries.set(key, value),
    } as unknown as Storage;
    new Settings(storage).set_overlay('com', true);
    expect(new Settings(storage).overlays.value.com).toBe(true);
    for (const key of entries.keys()) entries.set(key, '{broken');
    expect(new Settings(storage).overlays.value.com).toBe(false);
  });
});

describe('details', () => {
  test('are taken for the tick that is drawn, between two messages', () => {
    const buffer = new DetailsBuffer();
    const at = (tick: number, x: number, target: number) =>
      buffer.push(tick, [
        create(CharacterDetailsSchema, { id: 1, comM: [x, 0, 1], footTargetM: [target, 0, 0] }),
      ]);
    at(10, 1, 0);
    at(12, 1.1, 0.8);
    expect(buffer.sample(1, 11)?.com[0]).toBeCloseTo(1.05, 5);
    expect(buffer.sample(1, 10.5)?.foot_target[0]).toBe(0); // another target, not one that moves
    expect(buffer.sample(1, 99)?.com[0]).toBeCloseTo(1.1, 5);
    expect(buffer.sample(2, 11)).toBeUndefined();
  });
});

describe('footprints', () => {
  const skeleton = make_skeleton(
    fromJson(CreatureSchema, {
      name: 'b',
      links: [
        { name: 'pelvis' },
        {
          name: 'left_foot',
          shapes: [{ box: { centerM: [0, 0, -0.02], halfM: [0.1, 0.05, 0.02] } }],
        },
        { name: 'left_toes', shapes: [{ box: { centerM: [0, 0, 0], halfM: [0.03, 0.03, 0.01] } }] },
      ],
      limbs: [
        { name: 'trunk', kind: 'TRUNK', links: ['pelvis'] },
        { name: 'leg', kind: 'LEG', links: ['left_foot', 'left_toes'], soleLinks: 2 },
      ],
      joints: [
        { name: 'hip', parent: 'pelvis', child: 'left_foot', kind: 'BALL', atParentM: [0, 0.1, 0] },
        {
          name: 'toe',
          parent: 'left_foot',
          child: 'left_toes',
          kind: 'HINGE',
          axis: [0, 1, 0],
          atParentM: [0.1, 0, -0.02],
          atChildM: [-0.03, 0, 0],
        },
      ],
    }),
  );
  const cast = make_cast(
    create(RosterSchema, { version: 1n, entries: [{ id: 4 }] }),
    numbered(skeleton),
  );
  const poses = Float32Array.from([
    1, 1.9, 0.04, 0, 0, 0, 1, 1, 2, 0.04, 0, 0, 0, 1, 1.13, 2, 0.02, 0, 0, 0, 1,
  ]);

  test('are left by limbs that come to press on something, if the server tells of limbs', () => {
    const finder = new FootprintFinder();
    const prints: Footprint[] = [];
    for (const limbs of [0, 2, 2, 1, 3]) {
      const limb_contacts = Uint32Array.from([limbs]);
      finder.find({ ...make_world_pose(cast), poses, limb_contacts }, cast.members, (print) =>
        prints.push(print),
      );
    }
    expect(prints).toHaveLength(2);
    expect(prints[1]).toMatchObject({ left: true, character: 4 });
  });

  test('are left once, where the foot comes down', () => {
    const finder = new FootprintFinder();
    const prints: Footprint[] = [];
    for (const flags of [0, kFlag.left_contact, kFlag.left_contact, 0, kFlag.left_contact]) {
      const pose = { ...make_world_pose(cast), poses, flags: Uint32Array.from([flags]) };
      finder.find(pose, cast.members, (print) => prints.push(print));
    }
    expect(prints).toHaveLength(2);
    expect(prints[0]).toMatchObject({ left: true, character: 4 });
    expect(prints[0]?.length).toBeCloseTo(0.26, 5);
    expect(prints[0]?.x).toBeCloseTo(1.03, 5);
    expect(prints[0]?.z).toBeCloseTo(0, 5);
  });
});

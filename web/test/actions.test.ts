import { create } from '@bufbuild/protobuf';
import { expect, test, vi } from 'vitest';
import { RightsSchema } from '../src/gen/promenade/v1/people_pb';
import { Role } from '../src/gen/promenade/v1/wire_pb';
import type { Client } from '../src/net/client';
import { Selection } from '../src/state/room/selection';
import { World } from '../src/state/room/world';
import { Actions, type CommandKind, kLookingBack } from '../src/ui/room/actions';
import type { Toasts } from '../src/ui/parts/toasts';
import { Room } from './room';

test('an operator resets one character, an admin all of them', async () => {
  const world = new World();
  const command = vi.fn(() => Promise.resolve({ kind: 'done' }));
  const client = { command } as unknown as Client;
  const actions = new Actions(client, world, new Selection(), {} as Toasts);
  world.status.set({ kind: 'online' });
  const reset = async (role: Role, character: number) => {
    world.hello.set({ role } as NonNullable<typeof world.hello.value>);
    return (await actions.ask({ case: 'reset', value: { character } })).kind;
  };
  expect(await reset(Role.OPERATOR, 3)).toBe('done');
  expect(await reset(Role.OPERATOR, 0)).toBe('lost');
  expect(command).toHaveBeenCalledTimes(1);
  expect(await reset(Role.ADMIN, 0)).toBe('done');
});

test('what an operator may do is what the server says', async () => {
  const world = new World();
  const command = vi.fn(() => Promise.resolve({ kind: 'done' }));
  const client = { command } as unknown as Client;
  const actions = new Actions(client, world, new Selection(), {} as Toasts);
  world.status.set({ kind: 'online' });
  world.rights.set(create(RightsSchema, { role: 'operator', commands: ['remove', 'stop'] }));
  expect((await actions.ask({ case: 'remove', value: { character: 7 } })).kind).toBe('done');
  expect(await actions.ask({ case: 'pause', value: {} })).toMatchObject({
    kind: 'lost',
    reason: expect.stringMatching(/needs the admin role/) as string,
  });
  expect(command).toHaveBeenCalledTimes(1);
});

test('a player steers the own character, pushes everybody as hard as allowed, and is told the rest', async () => {
  const world = new World();
  const sent: unknown[] = [];
  const command = vi.fn((what: unknown) => {
    sent.push(what);
    return Promise.resolve({ kind: 'done' });
  });
  const client = { command } as unknown as Client;
  const actions = new Actions(client, world, new Selection(), {} as Toasts);
  world.status.set({ kind: 'online' });
  world.hello.set({ role: Role.PLAYER } as NonNullable<typeof world.hello.value>);
  const own = (ownCharacter: number, muted = false) =>
    world.rights.set(
      create(RightsSchema, {
        ...{ role: 'player', ownCharacter, muted, pushForceN: 400 },
        commands: ['push', 'spawn', 'stop', 'set_velocity'],
      }),
    );
  const stop = (character: number) => actions.ask({ case: 'stop', value: { character } });
  own(0);
  expect(await stop(1)).toMatchObject({
    kind: 'lost',
    reason: expect.stringMatching(/of your own\. Add one/) as string,
  });
  own(7);
  expect((await stop(7)).kind).toBe('done');
  expect(await stop(1)).toMatchObject({
    kind: 'lost',
    reason: expect.stringMatching(/only your own/) as string,
  });
  expect((await actions.ask({ case: 'remove', value: { character: 7 } })).kind).toBe('lost');
  expect(world.can_play).toBe(true);
  expect(world.can_command).toBe(false);
  actions.push(1, '', [0, 0, 0], [3000, 4000, 0]);
  const { value } = (sent.at(-1) as { kind: { value: { forceN: number[] } } }).kind;
  expect(Math.hypot(...value.forceN)).toBeLessThanOrEqual(400);
  expect(Math.hypot(...value.forceN)).toBeGreaterThan(390);
  own(7, true);
  expect((await stop(7)).kind).toBe('lost');
  expect(world.can_play).toBe(false);
});

test('while looking back nothing is dragged, but what is held can be let go; outcomes are given back', async () => {
  const world = new World();
  const selection = new Selection();
  const command = vi.fn(() => Promise.resolve({ kind: 'done' }));
  const client = { command } as unknown as Client;
  const show = vi.fn();
  const actions = new Actions(client, world, selection, { show } as unknown as Toasts);
  const drag = async (...targetM: number[]) =>
    (await actions.ask({ case: 'drag', value: { character: 3, targetM } })).kind;
  expect((await actions.push(3, '', [0, 0, 0], [1, 0, 0])).kind).toBe('done');
  world.lookback.on.set(true);
  expect(await drag(0, 0, 1)).toBe('lost');
  expect(await drag()).toBe('done');
  expect((await actions.push(3, '', [0, 0, 0], [1, 0, 0])).kind).toBe('lost');
  expect(show).toHaveBeenCalledWith(kLookingBack, 'error');
});

test('while looking back what does not go by the picture is sent', async () => {
  const world = new World();
  const command = vi.fn(() => Promise.resolve({ kind: 'done' }));
  const client = { command } as unknown as Client;
  const actions = new Actions(client, world, new Selection(), {} as Toasts);
  world.lookback.on.set(true);
  const ends = async (kind: CommandKind) => (await actions.ask(kind)).kind;
  expect(await ends({ case: 'setStyle', value: { character: 1, style: 'march' } })).toBe('done');
  expect(await ends({ case: 'loadScene', value: { scene: 'ice' } })).toBe('done');
  expect(await ends({ case: 'place', value: { character: 1, positionM: [0, 0] } })).toBe('lost');
  expect(await ends({ case: 'spawnThing', value: { thing: 'ball' } })).toBe('lost');
  expect(command).toHaveBeenCalledTimes(2);
});

test('a role is told the least one that may send the command about anybody, or add a character', async () => {
  const world = new World();
  const client = { command: vi.fn() } as unknown as Client;
  const actions = new Actions(client, world, new Selection(), {} as Toasts);
  world.status.set({ kind: 'online' });
  world.hello.set({ role: Role.VIEWER } as NonNullable<typeof world.hello.value>);
  world.rights.set(create(RightsSchema, { role: 'viewer' }));
  const needed = async (kind: CommandKind) => {
    const outcome = await actions.ask(kind);
    return outcome.kind === 'lost' && /needs the (\w+) role/.exec(outcome.reason)?.[1];
  };
  expect(await needed({ case: 'stop', value: { character: 1 } })).toBe('operator');
  expect(await needed({ case: 'spawn', value: { body: 'human' } })).toBe('player');
  expect(await needed({ case: 'push', value: { character: 1 } })).toBe('player');
  expect(await needed({ case: 'place', value: { character: 1 } })).toBe('operator');
  expect(await needed({ case: 'reset', value: { character: 1 } })).toBe('operator');
  expect(await needed({ case: 'reset', value: {} })).toBe('admin');
  expect(await needed({ case: 'loadScene', value: { scene: 'ice' } })).toBe('admin');
});

test('characters that can be sent somewhere and characters with a style are told apart by their controllers', () => {
  const room = new Room();
  const selection = new Selection();
  const actions = new Actions({} as Client, room.world, selection, {} as Toasts);
  room.roster([1], { controller: 'pendulum' }, [2]);
  selection.ids.set([1, 2]);
  expect([actions.characters, actions.walkers, actions.styled]).toEqual([[1], [1], [1]]);
  room.roster([1], { controller: 'limp' }, [2]);
  expect([actions.characters, actions.walkers, actions.styled]).toEqual([[1], [], []]);
});

import { expect, test, vi } from 'vitest';
import { Role } from '../src/gen/promenade/v1/wire_pb';
import type { Client } from '../src/net/client';
import { Selection } from '../src/state/selection';
import { World } from '../src/state/world';
import { Actions } from '../src/ui/actions';
import type { Toasts } from '../src/ui/toasts';

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

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ActSchema } from '../src/gen/promenade/v1/wire_pb';
import { Selection } from '../src/state/room/selection';
import type { Context } from '../src/ui/page/context';
import { tell_of_deeds } from '../src/ui/visitors/told_deeds';
import { Room } from './room';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A room of two characters, the toasts that came, and what others do in it. */
function company() {
  const room = new Room();
  const told: string[] = [];
  const toasts = {
    tell: (text: string) => told.push(text),
    show: (text: string) => told.push(text),
  };
  const { world } = room;
  room.roster([1, 2]);
  tell_of_deeds({ world, toasts, selection: new Selection() } as unknown as Context, () => false);
  const act = (more: MessageInitShape<typeof ActSchema>) =>
    world.receive({
      kind: 'act',
      act: create(ActSchema, { visitor: 'fox', name: 'Amber Fox', ...more }),
      received_ms: 0,
    });
  return { room, told, act };
}

test('characters that one visitor changes in one way are told of together, whatever the command', () => {
  const { told, act } = company();
  act({ command: 'set_style', character: 1 });
  act({ command: 'set_body', character: 2 });
  act({ command: 'set_tasks', character: 1 });
  expect(told).toEqual([
    'Amber Fox changed Human 1',
    'Amber Fox changed Human 1 and Human 2',
    'Amber Fox gave tasks to Human 1',
  ]);
});

test('somebody who was added is told of once the roster has the name', () => {
  const { room, told, act } = company();
  act({ command: 'spawn', character: 3 });
  expect(told).toEqual([]);
  room.roster([1, 2, 3]);
  vi.runAllTimers();
  expect(told).toEqual(['Amber Fox added Human 3']);
  act({ command: 'remove', character: 3 });
  room.roster([1, 2]);
  expect(told[1]).toBe('Amber Fox removed Human 3');
});

test('ties and alarms are told of as they are, steering and pushes are seen, and a scene is told with its title', () => {
  const { told, act } = company();
  act({ command: 'grip' });
  act({ command: 'push', character: 1 });
  act({ command: 'pause' });
  act({ command: 'load_scene', scene: 'ice' });
  expect(told).toEqual(['Amber Fox tied something']);
  vi.runAllTimers();
  expect(told[1]).toBe('Amber Fox loaded the scene “ice”');
});

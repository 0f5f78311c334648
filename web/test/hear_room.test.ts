import { create } from '@bufbuild/protobuf';
import { expect, test, vi } from 'vitest';
import { ErrorSchema, Event_Kind, EventSchema } from '../src/gen/promenade/v1/wire_pb';
import { World } from '../src/state/room/world';
import type { Context } from '../src/ui/page/context';
import { hear_room } from '../src/ui/room/hear_room';

function heard() {
  const world = new World();
  const show = vi.fn<(text: string, tone?: string) => void>();
  const event = vi.fn();
  const host = { querySelectorAll: () => [] } as unknown as HTMLElement;
  hear_room({ world, toasts: { show } } as unknown as Context, host, event);
  return { world, show, event };
}

test('notices are shown; other events only go on', () => {
  const { world, show, event } = heard();
  const notice = create(EventSchema, { kind: Event_Kind.NOTICE, text: 'the room closes soon' });
  world.on_event(notice);
  world.on_event(create(EventSchema, { kind: Event_Kind.TASK_DONE, text: 'sits' }));
  world.on_event(create(EventSchema, { kind: Event_Kind.NOTICE }));
  expect(event).toHaveBeenCalledTimes(3);
  expect(show.mock.calls).toEqual([['The room closes soon.']]);
});

test('faults are shown, but not of what the page asks by itself', () => {
  const { world, show } = heard();
  world.on_error(create(ErrorSchema, { field: 'watch.characters', message: 'nobody is 7' }));
  expect(show).not.toHaveBeenCalled();
  world.on_error(create(ErrorSchema, { field: 'join.token', message: 'it is not known' }));
  expect(show.mock.calls).toEqual([['It is not known.', 'error']]);
});

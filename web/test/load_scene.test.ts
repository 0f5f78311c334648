import { create } from '@bufbuild/protobuf';
import { expect, test, vi } from 'vitest';
import { ErrorCode, ErrorSchema } from '../src/gen/promenade/v1/wire_pb';
import type { CommandOutcome } from '../src/net/messages';
import type { CommandKind } from '../src/ui/room/actions';
import { load_scene } from '../src/ui/room/load_scene';
import type { Toasts } from '../src/ui/parts/toasts';

type Shown = [text: string, tone: string, action?: { text: string; run: () => void }];

const done = { kind: 'done' } as CommandOutcome;
const refused = (code: ErrorCode, field: string): CommandOutcome => ({
  kind: 'refused',
  error: create(ErrorSchema, { code, field, message: 'this machine is busy: wait' }),
});
const too_much = refused(ErrorCode.BUSY, 'load_scene.scene');

/** A room that answers so, one after the other; and what it was asked and the user was shown. */
function room(...answers: CommandOutcome[]) {
  const asked: unknown[] = [];
  const show = vi.fn<(...shown: Shown) => void>();
  const ask = ({ value }: CommandKind) => {
    asked.push(value);
    return Promise.resolve(answers.shift() ?? done);
  };
  return { asked, show, context: { actions: { ask }, toasts: { show } as unknown as Toasts } };
}

test('a scene that is too much is offered with half of its people, then with a quarter', async () => {
  const { asked, show, context } = room(too_much, too_much, too_much);
  expect((await load_scene(context, 'plaza')).kind).toBe('refused');
  expect(show).toHaveBeenCalledTimes(1);
  const [text, tone, half] = show.mock.calls[0] as Shown;
  expect([text, tone]).toEqual(['This machine is busy: wait.', 'error']);
  expect(half?.text).toBe('Load with half the people');
  half?.run();
  await vi.waitFor(() => expect(show).toHaveBeenCalledTimes(2));
  const [, , quarter] = show.mock.calls[1] as Shown;
  expect(quarter?.text).toBe('Load with a quarter of the people');
  quarter?.run();
  await vi.waitFor(() => expect(show).toHaveBeenCalledTimes(3));
  expect(show.mock.calls[2]?.[2]).toBeUndefined(); // fewer are not worth it
  expect(asked).toEqual([
    { scene: 'plaza', people: 0 },
    { scene: 'plaza', people: 0.5 },
    { scene: 'plaza', people: 0.25 },
  ]);
});

test('what has another reason is told without that offer', async () => {
  for (const answer of [
    refused(ErrorCode.BUSY, 'command'), // too many commands wait
    refused(ErrorCode.FORBIDDEN, 'load_scene'),
    { kind: 'lost', reason: 'no connection' } as const,
  ]) {
    const { show, context } = room(answer);
    await load_scene(context, 'plaza');
    expect(show).toHaveBeenCalledTimes(1);
    expect(show.mock.calls[0]?.[2]).toBeUndefined();
  }
  const { show, context } = room(done);
  await load_scene(context, 'plaza');
  expect(show).not.toHaveBeenCalled();
});

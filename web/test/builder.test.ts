import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Build } from '../src/state/hand/build';
import type { Hit } from '../src/state/hand/picking';
import { Selection } from '../src/state/room/selection';
import { World } from '../src/state/room/world';
import type { Actions, CommandKind } from '../src/ui/room/actions';
import { Builder } from '../src/ui/hand/builder';
import type { Toasts } from '../src/ui/parts/toasts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hit = (id: number): Hit =>
  ({
    member: { id, skeleton: { links: [{ name: 'torso' }] } },
    ...{ link: 0, point: [0, 0, 0], distance: 0 },
  }) as unknown as Hit;

/** A builder, its commands as "body: height of the target", and the bodies whose drags it has lost. */
function make(outcome: object) {
  const sent: string[] = [];
  const ask = (kind: CommandKind) => {
    if (kind.case === 'drag') sent.push(`${kind.value.character}: ${kind.value.targetM?.[2]}`);
    return Promise.resolve(outcome);
  };
  const toasts = { show: vi.fn() };
  const builder = new Builder(
    new World(),
    new Selection(),
    new Build(),
    { ask } as unknown as Actions,
    toasts as unknown as Toasts,
  );
  const lost: number[] = [];
  builder.on_lost = (id) => {
    lost.push(id);
    builder.drag(hit(id), undefined); // as the keys do
  };
  const drag = async (id: number, z: number | undefined) => {
    builder.drag(hit(id), z === undefined ? undefined : [0, 0, z]);
    await vi.advanceTimersByTimeAsync(50);
  };
  return { drag, sent, lost, toasts };
}

test('a hand that takes hold of another body lets the first one go', async () => {
  const { drag, sent, lost } = make({ kind: 'done' });
  await drag(1, 5);
  await drag(2, 6);
  expect(sent).toEqual(['1: 5', '1: undefined', '2: 6']);
  expect(lost).toEqual([1]);
  await drag(1, undefined); // not held any more
  await drag(2, 7);
  await drag(2, undefined);
  expect(sent.slice(3)).toEqual(['2: 7', '2: undefined']);
});

test('a drag that is refused is lost, and told once', async () => {
  const { drag, sent, lost, toasts } = make({ kind: 'lost', reason: 'No.' });
  await drag(1, 5);
  expect(lost).toEqual([1]);
  expect(toasts.show).toHaveBeenCalledTimes(1);
  expect(sent).toEqual(['1: 5']);
});

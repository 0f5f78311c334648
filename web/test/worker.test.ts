import { afterEach, expect, test, vi } from 'vitest';
import type { FromWorker, ToWorker } from '../src/net/messages';

afterEach(() => vi.unstubAllGlobals());

test('what is asked of the worker before it has a session ends at once', async () => {
  const told: FromWorker[] = [];
  const scope = {
    postMessage: (message: FromWorker) => told.push(message),
    onmessage: (_event: { data: ToWorker }) => {},
  };
  vi.stubGlobal('self', scope);
  await import('../src/net/worker');
  scope.onmessage({ data: { kind: 'command', request: 1, command: {} } });
  scope.onmessage({ data: { kind: 'introduce', request: 2, name: 'Anna' } });
  expect(told).toMatchObject([1, 2].map((request) => ({ request, outcome: { kind: 'lost' } })));
});

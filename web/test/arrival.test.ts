import { afterEach, expect, test, vi } from 'vitest';
import { has_choice } from '../src/net/arrival';

const kMe = { base_path: '/sim/a', token: 'secret', visitor_key: 'me' };

afterEach(() => vi.unstubAllGlobals());

function answer(body: unknown, ok = true) {
  const fetch = vi.fn(async (_url: string, _options: { headers: Record<string, string> }) => ({
    ok,
    json: async () => body,
  }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

test('there is a choice where the server lists several rooms for this visitor', async () => {
  const fetch = answer({ rooms: [{}, {}] });
  expect(await has_choice(kMe)).toBe(true);
  expect(fetch.mock.calls[0]?.[0]).toBe('/sim/a/api/v1/rooms');
  expect(fetch.mock.calls[0]?.[1].headers).toEqual({
    authorization: 'Bearer secret',
    'promenade-visitor': 'me',
  });
  answer({ rooms: [{}] });
  expect(await has_choice(kMe)).toBe(false);
});

test('there is none where the server does not say', async () => {
  answer({});
  expect(await has_choice(kMe)).toBe(false);
  answer({ rooms: [{}, {}] }, false);
  expect(await has_choice(kMe)).toBe(false);
  const signal = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  vi.stubGlobal('fetch', async (_url: string, options: RequestInit) =>
    options.signal?.throwIfAborted(),
  );
  expect(await has_choice(kMe)).toBe(false); // in time
  expect(signal).toHaveBeenCalledWith(3000);
  signal.mockRestore();
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  expect(await has_choice(kMe)).toBe(false);
});

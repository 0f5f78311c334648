import { beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../src/net/client';
import type { OpenOptions } from '../src/net/messages';
import { accept_invitation, Membership } from '../src/ui/room/membership';

/** A storage of the browser. */
function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** A connection that notes how it was opened, and the rates that it was asked for. */
function connection() {
  const opened: OpenOptions[] = [];
  const rates: number[] = [];
  const client = {
    open: (options: OpenOptions) => opened.push(options),
    set_rate: (rate_hz: number) => rates.push(rate_hz),
  } as unknown as Client;
  return { client, opened, rates };
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', storage());
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('location', {
    ...{ protocol: 'https:', host: 'example.org', pathname: '/', search: '?room=a' },
    hash: '#invite=4f2a',
  });
  vi.stubGlobal('history', { replaceState: vi.fn() });
});

test('joins a room, and the next one as the same visitor at the same rate', () => {
  const { client, opened, rates } = connection();
  const membership = new Membership(client, 'a');
  membership.join(true);
  membership.set_rate(60);
  membership.go_to('b');
  expect(opened.map(({ room, rate_hz, choose }) => ({ room, rate_hz, choose }))).toEqual([
    { room: 'a', rate_hz: 30, choose: true },
    { room: 'b', rate_hz: 60, choose: false },
  ]);
  expect(opened[0]?.url).toBe('wss://example.org/ws');
  expect(opened[0]?.visitor_key).toMatch(/^[0-9a-f]{32}$/);
  expect(opened[1]?.visitor_key).toBe(opened[0]?.visitor_key);
  expect(new Membership(client, '').visitor_key).toBe(membership.visitor_key); // after a reload
  membership.set_rate();
  expect(rates).toEqual([60, 30]);
});

test('comes to the first room where its own was closed', () => {
  const { client, opened } = connection();
  const membership = new Membership(client, 'a');
  membership.forget_room();
  membership.join();
  expect(membership.room).toBe('');
  expect(opened[0]?.room).toBe('');
});

test('takes a token over from an invitation, which leaves the address, or from the visitor', () => {
  accept_invitation();
  expect(history.replaceState).toHaveBeenCalledWith(null, '', '/?room=a');
  const { client, opened } = connection();
  const membership = new Membership(client, 'a');
  membership.join();
  membership.use_token('77');
  expect(opened.map(({ token }) => token)).toEqual(['4f2a', '77']);
});

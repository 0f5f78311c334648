import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ClientMessageSchema,
  ErrorCode,
  Role,
  ServerMessageSchema,
  type ClientMessage,
} from '../src/gen/promenade/v1/wire_pb';
import type { FromWorker } from '../src/net/messages';
import { Session } from '../src/net/session';

/** Stands for the browser's socket; the tests play the server. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  binaryType = '';
  onopen: (() => void) | undefined;
  onmessage: ((event: { data: ArrayBuffer }) => void) | undefined;
  onclose: ((event: { reason: string; code: number }) => void) | undefined;
  readonly sent: ClientMessage[] = [];

  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {
    FakeSocket.all.push(this);
  }

  send(bytes: Uint8Array): void {
    this.sent.push(fromBinary(ClientMessageSchema, bytes));
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  reply(kind: NonNullable<MessageInitShape<typeof ServerMessageSchema>['kind']>): void {
    const bytes = toBinary(ServerMessageSchema, create(ServerMessageSchema, { kind }));
    this.onmessage?.({ data: bytes.slice().buffer });
  }

  lose(reason = '', code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ reason, code });
  }

  last(kind: ClientMessage['kind']['case']): ClientMessage | undefined {
    return this.sent.filter((message) => message.kind.case === kind).at(-1);
  }
}

const kHello = {
  case: 'hello',
  value: { version: '1', role: Role.ADMIN, room: 'main', epoch: 1n, tickS: 1 / 60, rateHz: 30 },
} as const;

describe('a session', () => {
  let heard: FromWorker[];
  let session: Session;
  const socket = () => FakeSocket.all.at(-1) as FakeSocket;
  const status = () => heard.filter((message) => message.kind === 'status').at(-1)?.status;
  const outcome = () => heard.filter((message) => message.kind === 'outcome').at(-1)?.outcome;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', FakeSocket);
    FakeSocket.all = [];
    heard = [];
    const options = {
      url: 'ws://here/ws',
      base_path: '',
      room: 'main',
      token: 'secret',
      visitor_key: 'a-key-of-this-tab',
      name: 'Anna',
      client: 'test',
      rate_hz: 30,
    };
    session = new Session(options, (message) => heard.push(message));
  });
  afterEach(() => {
    session.close();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test('joins first, with the token in the message and not in the address', () => {
    socket().open();
    expect(socket().protocol).toBe('promenade.v1');
    expect(socket().url).not.toContain('secret');
    expect(socket().sent[0]?.kind).toMatchObject({
      case: 'join',
      value: { room: 'main', token: 'secret', visitorKey: 'a-key-of-this-tab', rateHz: 30 },
    });
    expect(socket().sent[0]?.kind).toMatchObject({ value: { name: 'Anna' } });
    socket().reply(kHello);
    expect(status()).toEqual({ kind: 'online' });
  });

  test('waits while the scene of the room is being made, and tells it', () => {
    socket().open();
    const making = { scene: 'plaza', share: 0.4, doing: 'measuring', first: true };
    socket().reply({ case: 'making', value: making });
    const told = () => heard.filter((message) => message.kind === 'making').at(-1)?.making;
    expect(told()).toMatchObject(making);
    vi.advanceTimersByTime(4000);
    expect(FakeSocket.all.length).toBe(1); // no other try
    expect(status()?.kind).toBe('connecting');
    socket().reply(kHello);
    expect(status()?.kind).toBe('online');
    socket().reply({ case: 'making', value: { ...making, first: false } });
    expect(told()?.first).toBe(false);
    socket().reply({ case: 'making', value: { scene: 'plaza', over: true } });
    expect(heard.filter((message) => message.kind === 'making').length).toBe(3);
    expect(told()).toBeUndefined();
  });

  test('joins without its name where that is not taken', () => {
    socket().open();
    const wrong = { seq: 1n, code: ErrorCode.INVALID, field: 'join.name', message: 'no' };
    socket().reply({ case: 'error', value: wrong });
    socket().lose('no', 1008);
    expect(status()?.kind).toBe('waiting');
    vi.advanceTimersByTime(310);
    socket().open();
    expect(socket().last('join')?.kind).toMatchObject({ value: { name: '' } });
  });

  test('hands each answer to its asker', () => {
    socket().open();
    socket().reply(kHello);
    session.command(7, { kind: { case: 'pause', value: {} } });
    session.command(8, { kind: { case: 'resume', value: {} } });
    const seq = socket().last('command')?.seq ?? 0n;
    socket().reply({
      case: 'error',
      value: { seq, code: ErrorCode.INVALID, field: 'x', message: 'no' },
    });
    socket().reply({ case: 'ack', value: { seq: seq - 1n, tick: 5n } });
    const outcomes = heard.filter((message) => message.kind === 'outcome');
    expect(outcomes[0]).toMatchObject({ request: 8, outcome: { kind: 'refused' } });
    expect(outcomes[1]).toMatchObject({ request: 7, outcome: { kind: 'done', tick: 5 } });
  });

  test('does not come back by itself when it was sent out', () => {
    socket().open();
    socket().reply(kHello);
    socket().lose('an admin has sent you out: bye', 4003);
    expect(status()).toEqual({
      kind: 'refused',
      reason: 'an admin has sent you out: bye',
      missing: false,
    });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test('enters the default room when its own has been closed', () => {
    socket().open();
    socket().reply(kHello);
    socket().lose('the room main has been closed', 4004);
    expect(heard).toContainEqual({
      kind: 'room_closed',
      reason: 'the room main has been closed',
    });
    vi.advanceTimersByTime(310);
    socket().open();
    expect(socket().last('join')?.kind).toMatchObject({ value: { room: '' } });
  });

  test('passes on what this visitor may do, at first and when it changes', () => {
    socket().open();
    socket().reply({ ...kHello, value: { ...kHello.value, rights: { role: 'player' } } });
    socket().reply({ case: 'rights', value: { role: 'viewer', text: 'muted' } });
    const rights = heard.filter((message) => message.kind === 'rights');
    expect(rights.map((message) => message.rights.role)).toEqual(['player', 'viewer']);
  });

  test('introduces itself where the server tells visitors of each other, and only there', () => {
    session.attend({ selected: [3], pointer: [] });
    socket().open();
    socket().reply(kHello);
    expect(socket().last('introduce')).toBeUndefined();
    socket().lose();
    vi.advanceTimersByTime(310);
    socket().open();
    socket().reply({ ...kHello, value: { ...kHello.value, capabilities: ['company'] } });
    expect(socket().last('introduce')?.kind).toMatchObject({ value: { name: 'Anna' } });
    expect(socket().last('attend')?.kind).toMatchObject({ value: { selected: [3] } });
    // A name that is not taken any more is given up.
    const seq = socket().last('introduce')?.seq ?? 0n;
    const wrong = { seq, code: ErrorCode.INVALID, field: 'introduce.name', message: 'no' };
    socket().reply({ case: 'error', value: wrong });
    expect(socket().last('introduce')?.kind).toMatchObject({ value: { name: '' } });
    // Of a new name the page is told.
    session.introduce(9, 'Berta');
    const next = socket().last('introduce')?.seq ?? 0n;
    socket().reply({ case: 'error', value: { ...wrong, seq: next } });
    expect(outcome()).toMatchObject({ kind: 'refused', error: { field: 'introduce.name' } });
  });

  test('asks for frames coded for its camera where the server has them, on every connection', async () => {
    const viewpoint = { eye_m: [1, 2, 3], forward: [0, 1, 0], height_rad: 0.5, aspect: 2 };
    session.look(viewpoint);
    socket().open();
    socket().reply({ ...kHello, value: { ...kHello.value, capabilities: ['coded-2'] } });
    expect(socket().last('viewpoint')).toBeUndefined(); // nobody could read such frames yet
    await vi.dynamicImportSettled();
    expect(socket().last('viewpoint')).toBeDefined();
    socket().lose();
    vi.advanceTimersByTime(310);
    socket().open();
    socket().reply(kHello);
    session.look(viewpoint);
    expect(socket().last('viewpoint')).toBeUndefined();
    socket().lose();
    vi.advanceTimersByTime(310);
    socket().open();
    socket().reply({ ...kHello, value: { ...kHello.value, capabilities: ['coded-2'] } });
    expect(socket().last('viewpoint')?.kind).toMatchObject({
      value: { eyeM: [1, 2, 3], forward: [0, 1, 0], heightRad: 0.5, aspect: 2, key: false },
    });
    session.look({ ...viewpoint, eye_m: [4, 5, 6] });
    expect(socket().last('viewpoint')?.kind).toMatchObject({ value: { eyeM: [4, 5, 6] } });
  });

  test('asks anew where a coded frame cannot be read, and shows nothing of it', async () => {
    session.look({ eye_m: [1, 2, 3], forward: [0, 1, 0], height_rad: 0.5, aspect: 2 });
    await vi.dynamicImportSettled();
    socket().open();
    socket().reply({ ...kHello, value: { ...kHello.value, capabilities: ['coded-2'] } });
    socket().reply({ case: 'scene', value: {} });
    socket().reply({ case: 'roster', value: { version: 1n, entries: [{ id: 1, dof: 0 }] } });
    const coded = new Uint8Array([0, 7, 1, 2, 3]); // one that needs an earlier one
    socket().reply({ case: 'frame', value: { tick: 5n, rosterVersion: 1n, coded } });
    expect(heard.filter(({ kind }) => kind === 'frame')).toEqual([]);
    expect(socket().last('viewpoint')?.kind).toMatchObject({ value: { key: true } });
  });

  test('comes back by itself, later each time, and watches again', () => {
    socket().open();
    socket().reply(kHello);
    session.watch([3]);
    session.command(1, { kind: { case: 'pause', value: {} } });
    socket().lose('shutting down');
    expect(outcome()).toMatchObject({ kind: 'lost' });
    expect(status()).toMatchObject({ kind: 'waiting', reason: 'shutting down' });
    vi.advanceTimersByTime(310);
    expect(FakeSocket.all).toHaveLength(2);
    socket().lose();
    vi.advanceTimersByTime(310);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(310);
    expect(FakeSocket.all).toHaveLength(3);
    socket().open();
    socket().reply(kHello);
    expect(socket().last('watch')?.kind).toMatchObject({ value: { characters: [3] } });
    expect(status()).toEqual({ kind: 'online' });
  });

  test('does not try again when it is refused', () => {
    socket().open();
    socket().reply({
      case: 'error',
      value: { seq: 1n, code: ErrorCode.FORBIDDEN, message: 'This token is not known.' },
    });
    socket().lose();
    expect(status()).toEqual({
      kind: 'refused',
      reason: 'This token is not known.',
      missing: false,
    });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    session.retry();
    expect(FakeSocket.all).toHaveLength(2);
  });

  test('gives up on a line that has fallen silent', () => {
    socket().open();
    socket().reply(kHello);
    vi.advanceTimersByTime(9000);
    expect(
      heard.some((message) => message.kind === 'status' && message.status.kind === 'waiting'),
    ).toBe(true);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  test('answers a command at once when there is no line', () => {
    session.command(4, { kind: { case: 'pause', value: {} } });
    expect(outcome()).toMatchObject({ kind: 'lost' });
    expect(socket().sent).toHaveLength(0);
  });
});

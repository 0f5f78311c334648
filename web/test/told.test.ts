import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JointKind } from '../src/gen/promenade/v1/creature_pb';
import { ClientMessageSchema, ServerMessageSchema } from '../src/gen/promenade/v1/wire_pb';
import type { FromWorker } from '../src/net/messages';
import { Session } from '../src/net/session';

type Kind = NonNullable<MessageInitShape<typeof ServerMessageSchema>['kind']>;

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readonly readyState = 1;
  readonly sent: Uint8Array[] = [];
  onmessage: (event: { data: ArrayBuffer }) => void = () => {};
  onclose: (event: { reason: string }) => void = () => {};
  onopen: () => void = () => {};

  constructor() {
    FakeSocket.all.push(this);
  }
  send(data: Uint8Array): void {
    this.sent.push(data);
  }
  close(): void {}

  bytes(kind: Kind): Uint8Array {
    return toBinary(ServerMessageSchema, create(ServerMessageSchema, { kind }));
  }
  tell(...kinds: readonly Kind[]): void {
    for (const kind of kinds) this.onmessage({ data: this.bytes(kind).slice().buffer });
  }
  /** Ids that the page has asked for, request by request. */
  get asked(): bigint[][] {
    return this.sent.flatMap((data) => {
      const { kind } = fromBinary(ClientMessageSchema, data);
      return kind.case === 'getBodies' ? [kind.value.body] : [];
    });
  }
}

const told: FromWorker[] = [];
let session: Session;

function socket(): FakeSocket {
  return FakeSocket.all[FakeSocket.all.length - 1] as FakeSocket;
}
function last<K extends FromWorker['kind']>(kind: K): Extract<FromWorker, { kind: K }> | undefined {
  return [...told].reverse().find((message) => message.kind === kind) as
    Extract<FromWorker, { kind: K }> | undefined;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  told.length = 0;
  const options = {
    url: 'ws://x',
    base_path: '',
    room: '',
    token: '',
    visitor_key: 'key',
    name: '',
    client: 'test',
    rate_hz: 30,
  };
  session = new Session(options, (message) => told.push(message));
  socket().onopen();
});
afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const kScene: Kind = { case: 'scene', value: { positionUnitM: 0.001, angleUnitRad: 0.003 } };
const kRoster: Kind = {
  case: 'roster',
  value: {
    version: 4n,
    entries: [
      { id: 1, body: 10n, dof: 1 },
      { id: 2, body: 11n, dof: 1 },
    ],
  },
};
const kIdentity = ((3 << 30) | (511 << 20) | (511 << 10) | 511) >>> 0;
const frame = (version: bigint, count: number): Kind => ({
  case: 'frame',
  value: {
    rosterVersion: version,
    rootPosition: new Array<number>(3 * count).fill(0),
    rootRotation: new Array<number>(count).fill(kIdentity),
    flags: new Array<number>(count).fill(0),
    joint: new Array<number>(count).fill(100),
  },
});

test('a message in parts is one message, whatever comes between them', () => {
  const whole = socket().bytes(kRoster);
  const part = (from: number, to: number, left: number): Kind => ({
    case: 'part',
    value: { data: whole.slice(from, to), left },
  });
  socket().tell(kScene, part(0, 7, 2), { case: 'event', value: {} }, part(7, 8, 1));
  expect(last('event')).toBeDefined();
  expect(last('roster')).toBeUndefined();
  socket().tell(part(8, whole.length, 0));
  expect(last('roster')?.roster.entries.map(({ id }) => id)).toEqual([1, 2]);
});

test('frames are read before bodies have come; a slider counts as one once it is known', () => {
  socket().tell(kScene, kRoster, frame(4n, 2));
  const read = last('frame')?.frame.joints ?? [];
  expect([...read].map((value) => Math.round(value * 1000))).toEqual([300, 300]);
  expect(socket().asked).toEqual([[10n, 11n]]);
  const creature = { joints: [{ name: 'a', kind: JointKind.SLIDER }] };
  socket().tell({ case: 'body', value: { id: 10n, creature } }, frame(4n, 2));
  expect(last('body')?.id).toBe(10n);
  expect([...(last('frame')?.frame.joints ?? [])].map((x) => Math.round(x * 1000))).toEqual([
    100, 300,
  ]);
});

test('what has changed is taken into the roster, and only new bodies are asked for', () => {
  socket().tell(kScene, kRoster);
  for (const id of [10n, 11n])
    socket().tell({
      case: 'body',
      value: { id, creature: { joints: [{ name: 'a', kind: JointKind.HINGE }] } },
    });
  socket().tell({
    case: 'rosterChange',
    value: {
      fromVersion: 4n,
      version: 6n,
      removed: [2],
      entries: [
        { id: 1, body: 11n, dof: 1 },
        { id: 3, body: 12n, dof: 1 },
      ],
    },
  });
  expect(last('roster')?.roster.entries.map(({ id, body }) => [id, body])).toEqual([
    [1, 11n],
    [3, 12n],
  ]);
  expect(socket().asked).toEqual([[10n, 11n], [12n]]);
  told.length = 0;
  socket().tell(frame(4n, 2));
  expect(last('frame')).toBeUndefined();
  socket().tell(frame(6n, 2));
  expect(last('frame')).toBeDefined();
});

test('a new connection asks again only for what has not come', () => {
  socket().tell(kScene, kRoster, {
    case: 'body',
    value: { id: 10n, creature: { joints: [{ name: 'a', kind: JointKind.HINGE }] } },
  });
  socket().onclose({ reason: 'gone' });
  vi.advanceTimersByTime(60_000);
  socket().onopen();
  const before = told.length;
  socket().tell(kScene, {
    ...kRoster,
    value: { version: 9n, entries: [{ id: 1, body: 11n, dof: 1 }] },
  });
  expect(socket().asked).toEqual([[11n]]);
  expect(told.slice(before).map(({ kind }) => kind)).toContain('roster');
});

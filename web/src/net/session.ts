// One viewer's connection to a server, in the worker.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ClientMessageSchema,
  ErrorCode,
  ServerMessageSchema,
  type Ack,
  type Error as WireError,
  type Hello,
  type Part,
  type Pong,
  type ServerMessage,
} from '../gen/promenade/v1/wire_pb';
import { backoff_ms } from './backoff';
import { ClockOffset, now_ms } from './clock';
import type { FrameNumbers } from './decode';
import { read_frame } from './frame_reader';
import type { Attending, CommandInit, OpenOptions, Viewpoint } from './messages';
import { Requests } from './requests';
import { type ClientKind, type Emit, RoomFeed } from './room_feed';
import { Traffic } from './traffic';

const kSubprotocol = 'promenade.v1';
const kPing_ms = 1000;
const kFirstPings = 5; // sent quickly, so that the clock is known soon
const kCompany = 'company'; // capability: visitors are told of each other
const kCoded = 'coded-2'; // capability: frames can be coded for a camera
const kSentOut = 4003; // close codes of the server: by an admin; do not come back by yourself
const kRoomClosed = 4004;
const kSilence_ms = 6000; // without any message for so long the connection counts as lost

/** Codes of errors that end an attempt to join for good: another try would end in the same way. */
const kFinal: ReadonlySet<ErrorCode> = new Set([
  ErrorCode.FORBIDDEN,
  ErrorCode.INVALID,
  ErrorCode.NOT_FOUND,
]);

/** One viewer's connection to a server: joins, pings, decodes, and connects again when it is lost. */
export class Session {
  private socket_: WebSocket | undefined;
  private seq_ = 0n;
  private attempt_ = 0;
  private joined_ = false;
  private parts_: Uint8Array[] = []; // of a message that has not come whole
  private readonly room_feed_: RoomFeed;
  private name_: string;
  private asked_name_: { readonly seq: bigint; readonly name: string } | undefined;
  private attending_: Attending = { selected: [], pointer: [] };
  private sociable_ = false; // whether the server tells visitors of each other
  private readonly clock_ = new ClockOffset();
  private readonly requests_: Requests;
  private watched_: readonly number[] = [];
  private rate_hz_: number;
  private readonly traffic_ = new Traffic();
  private last_heard_ms_ = 0;
  private pings_ = 0;
  private refused_ = '';
  private missing_ = false; // because there is no such room
  private room_: string;
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private readonly heartbeat_: ReturnType<typeof setInterval>;

  constructor(
    private readonly options_: OpenOptions,
    private readonly emit_: Emit,
  ) {
    this.room_feed_ = new RoomFeed((kind) => this.send(kind), emit_);
    this.requests_ = new Requests(emit_);
    this.rate_hz_ = options_.rate_hz;
    this.room_ = options_.room;
    this.name_ = options_.name;
    this.heartbeat_ = setInterval(() => this.beat(), kPing_ms);
    this.connect();
  }

  close(): void {
    clearInterval(this.heartbeat_);
    clearTimeout(this.timer_);
    this.drop_socket();
  }

  retry(): void {
    clearTimeout(this.timer_);
    this.attempt_ = 0;
    this.connect();
  }

  command(request: number, command: CommandInit): void {
    if (!this.joined_) {
      const reason = 'There is no connection to the server. Try again when it is back.';
      this.requests_.lose(request, reason);
      return;
    }
    const seq = this.send({ case: 'command', value: command });
    this.requests_.wait(seq, request);
  }

  watch(characters: readonly number[]): void {
    this.watched_ = characters;
    if (this.joined_) this.send({ case: 'watch', value: { characters: [...characters] } });
  }

  set_rate(rate_hz: number): void {
    this.rate_hz_ = rate_hz;
    if (this.joined_) this.send({ case: 'setRate', value: { rateHz: rate_hz } });
  }

  /** Takes another name. */
  introduce(request: number, name: string): void {
    if (!this.joined_ || !this.sociable_) {
      const reason = 'There is no connection to the server just now; try again when it is back.';
      this.requests_.lose(request, reason);
      return;
    }
    const seq = this.send({ case: 'introduce', value: { name } });
    this.asked_name_ = { seq, name };
    this.requests_.wait(seq, request);
  }

  attend(attending: Attending): void {
    this.attending_ = attending;
    if (!this.joined_ || !this.sociable_) return;
    const { selected, pointer } = attending;
    const value = { selected: [...selected], pointerM: [...pointer] };
    this.send({ case: 'attend', value });
  }

  /** Has frames coded for this camera, where the server can. */
  look(viewpoint: Viewpoint): void {
    this.room_feed_.look(viewpoint);
  }

  private connect(): void {
    this.drop_socket();
    this.refused_ = '';
    this.missing_ = false;
    this.emit_({ kind: 'status', status: { kind: 'connecting' } });
    const socket = new WebSocket(this.options_.url, kSubprotocol);
    socket.binaryType = 'arraybuffer';
    this.socket_ = socket;
    this.last_heard_ms_ = now_ms();
    this.parts_ = [];
    this.sociable_ = false;
    this.room_feed_.restart();

    socket.onopen = () => {
      const { token, client, visitor_key: visitorKey } = this.options_;
      const join = { room: this.room_, token, client, visitorKey, rateHz: this.rate_hz_ };
      // The name, too: others would see a made-up one first.
      this.send({ case: 'join', value: { ...join, name: this.name_ } });
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (socket === this.socket_ && typeof event.data !== 'string') this.receive(event.data);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket_) return;
      if (event.code === kSentOut)
        this.refused_ ||= event.reason || 'An admin removed you from this room.';
      if (event.code === kRoomClosed) {
        this.room_ = '';
        this.emit_({ kind: 'room_closed', reason: event.reason });
      }
      this.lost(event.reason);
    };
  }

  private drop_socket(): void {
    const socket = this.socket_;
    this.socket_ = undefined;
    this.joined_ = false;
    socket?.close();
    this.requests_.lose_all('The connection was lost before the server answered.');
  }

  private lost(reason: string): void {
    this.drop_socket();
    if (this.refused_) {
      this.emit_({
        kind: 'status',
        status: { kind: 'refused', reason: this.refused_, missing: this.missing_ },
      });
      return;
    }
    const wait_ms = backoff_ms(this.attempt_++, Math.random());
    this.emit_({
      kind: 'status',
      status: {
        kind: 'waiting',
        reason: reason || 'The server cannot be reached.',
        retry_at_ms: now_ms() + wait_ms,
      },
    });
    this.timer_ = setTimeout(() => this.connect(), wait_ms);
  }

  private send(kind: ClientKind): bigint {
    const seq = ++this.seq_;
    const message = create(ClientMessageSchema, { seq, kind });
    if (this.socket_?.readyState === WebSocket.OPEN) {
      this.socket_.send(toBinary(ClientMessageSchema, message) as Uint8Array<ArrayBuffer>);
    }
    return seq;
  }

  private ping(): void {
    ++this.pings_;
    this.send({ case: 'ping', value: { clientTimeUs: BigInt(Math.round(now_ms() * 1000)) } });
  }

  private beat(): void {
    const now = now_ms();
    this.emit_({
      kind: 'stats',
      stats: {
        ...this.traffic_.take(now),
        latency_ms: this.clock_.latency_ms(),
        offset_ms: this.clock_.offset_ms(),
      },
    });
    if (!this.socket_) return;
    if (now - this.last_heard_ms_ > kSilence_ms) this.lost('The server has stopped answering.');
    else if (this.joined_) this.ping();
  }

  private receive(data: ArrayBuffer): void {
    const received_ms = now_ms();
    this.last_heard_ms_ = received_ms;
    this.traffic_.add_bytes(data.byteLength);
    this.read(new Uint8Array(data), received_ms);
  }

  private read(data: Uint8Array, received_ms: number): void {
    let frame: FrameNumbers | undefined;
    let message: ServerMessage | undefined;
    try {
      frame = read_frame(data);
      if (!frame) message = fromBinary(ServerMessageSchema, data);
    } catch {
      this.lost('The server sent something that this page does not understand. Reload the page.');
      return;
    }
    if (frame) this.receive_frame(frame, received_ms, data);
    else if (message) this.handle(message, received_ms, data);
  }

  private receive_part({ data, left }: Part, received_ms: number): void {
    this.parts_.push(data);
    if (left > 0) return;
    const whole = new Uint8Array(this.parts_.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.parts_) {
      whole.set(part, at);
      at += part.length;
    }
    this.parts_ = [];
    this.read(whole, received_ms);
  }

  private receive_frame(numbers: FrameNumbers, received_ms: number, bytes: Uint8Array): void {
    this.traffic_.add_frame();
    this.room_feed_.receive_frame(numbers, received_ms, bytes);
  }

  /** @param bytes of the message, which are handed on with frames and details */
  private handle({ kind }: ServerMessage, received_ms: number, bytes: Uint8Array): void {
    switch (kind.case) {
      case 'hello':
        this.receive_hello(kind.value);
        return;
      case 'making': {
        const { over, ...making } = kind.value;
        this.attempt_ = 0; // the server is there
        this.emit_({ kind: 'making', making: over ? undefined : making });
        return;
      }
      case 'rights':
        this.emit_({ kind: 'rights', rights: kind.value });
        return;
      case 'part':
        this.receive_part(kind.value, received_ms);
        return;
      case 'frame':
        this.receive_frame(kind.value, received_ms, bytes);
        return;
      case 'ack':
        this.receive_ack(kind.value, received_ms);
        return;
      case 'error':
        this.receive_error(kind.value);
        return;
      case 'pong':
        this.receive_pong(kind.value, received_ms);
        return;
      default:
        this.room_feed_.receive(kind, received_ms, bytes);
    }
  }

  private receive_hello(hello: Hello): void {
    const { version, role, room, epoch, tickS, rateHz, rights, capabilities } = hello;
    this.joined_ = true;
    this.attempt_ = 0;
    this.pings_ = 0;
    this.clock_.reset();
    this.ping();
    this.emit_({ kind: 'status', status: { kind: 'online' } });
    this.emit_({
      kind: 'hello',
      hello: { version, role, room, epoch: Number(epoch), tick_s: tickS, rate_hz: rateHz },
    });
    if (rights) this.emit_({ kind: 'rights', rights });
    if (this.watched_.length > 0) this.watch(this.watched_);
    if (capabilities.includes(kCoded)) this.room_feed_.begin_coding();
    this.sociable_ = capabilities.includes(kCompany);
    if (!this.sociable_) return;
    this.send({ case: 'introduce', value: { name: this.name_ } });
    if (this.attending_.selected.length > 0) this.attend(this.attending_);
  }

  private receive_ack(ack: Ack, received_ms: number): void {
    const { seq, tick, character, tie, before, after } = ack;
    if (seq === this.asked_name_?.seq) this.name_ = this.asked_name_.name;
    const outcome = { tick: Number(tick), character, tie, before, after, received_ms };
    this.requests_.answer(seq, { kind: 'done', ...outcome });
  }

  private receive_error(error: WireError): void {
    if (this.requests_.answer(error.seq, { kind: 'refused', error })) return;
    // A name that was kept from earlier and is not taken any more: one that the server makes up.
    if ((error.field === 'introduce.name' || error.field === 'join.name') && this.name_) {
      this.name_ = '';
      if (this.joined_) this.send({ case: 'introduce', value: { name: '' } });
      return; // before Hello the server ends the connection, and the next Join has no name
    }
    // Before Hello an error is the answer to Join.
    if (!this.joined_ && kFinal.has(error.code)) {
      this.refused_ = error.message || 'The server refused the connection and gave no reason.';
      this.missing_ = error.code === ErrorCode.NOT_FOUND;
    } else {
      this.emit_({ kind: 'error', error });
    }
  }

  private receive_pong({ clientTimeUs, serverTimeUs }: Pong, received_ms: number): void {
    this.clock_.add(Number(clientTimeUs) / 1000, received_ms, Number(serverTimeUs) / 1000);
    if (this.pings_ < kFirstPings) this.ping();
  }
}

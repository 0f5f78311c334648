import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientMessageSchema,
  ErrorCode,
  ServerMessageSchema,
  type Catalogue,
  type Part,
  type Roster,
  type SceneInfo,
  type ServerMessage,
  type Visitors,
} from '../gen/promenade/v1/wire_pb';
import { backoff_ms } from './backoff';
import { Bodies } from './bodies';
import { changed_catalogue, changed_roster, changed_visitors } from './changes';
import { ClockOffset, now_ms } from './clock';
import { CodedStream } from './coded/stream';
import { decode_frame, decode_rest, type FrameNumbers } from './decode';
import type { FrameData, ThingsData } from './frame';
import { read_frame } from './frame_reader';
import { kNoLayout, make_layout, type Units } from './layout';
import type { Attending, CommandInit, FromWorker, OpenOptions, Viewpoint } from './messages';

const kSubprotocol = 'promenade.v1';
const kPing_ms = 1000;
const kFirstPings = 5; // sent quickly, so that the clock is known soon
const kCompany = 'company'; // capability: visitors are told of each other
const kCoded = 'coded-2'; // likewise: frames can be coded for a camera
const kSentOut = 4003; // close codes of the server: by an admin; do not come back by yourself
const kRoomClosed = 4004;
const kSilence_ms = 6000; // without any message for so long the connection counts as lost

type ClientKind = NonNullable<MessageInitShape<typeof ClientMessageSchema>['kind']>;

/** One viewer's connection to a server: joins, pings, decodes, and connects again when it is lost. */
export class Session {
  private socket_: WebSocket | undefined;
  private seq_ = 0n;
  private attempt_ = 0;
  private joined_ = false;
  private units_: Units = { position_m: 0.001, angle_rad: 0.001 };
  private readonly bodies_ = new Bodies((body) =>
    this.send({ case: 'getBodies', value: { body } }),
  );
  private parts_: Uint8Array[] = []; // of a message that has not come whole
  private scene_: SceneInfo | undefined;
  private roster_: Roster | undefined;
  private catalogue_: Catalogue | undefined;
  private visitors_: Visitors | undefined;
  private name_: string;
  private asked_name_: { readonly seq: bigint; readonly name: string } | undefined;
  private attending_: Attending = { selected: [], pointer: [] };
  private sociable_ = false; // whether the server tells visitors of each other
  private layout_ = kNoLayout;
  private readonly coded_ = new CodedStream((value) => this.send({ case: 'viewpoint', value }));
  private readonly clock_ = new ClockOffset();
  private readonly waiting_ = new Map<bigint, number>(); // seq of a command to the page's request
  private watched_: readonly number[] = [];
  private rate_hz_: number;
  private bytes_ = 0;
  private frames_ = 0;
  private counted_since_ms_ = now_ms();
  private last_heard_ms_ = 0;
  private pings_ = 0;
  private refused_ = '';
  private missing_ = false; // because there is no such room
  private room_: string;
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private readonly heartbeat_: ReturnType<typeof setInterval>;

  constructor(
    private readonly options_: OpenOptions,
    private readonly emit_: (message: FromWorker, transfer?: Transferable[]) => void,
  ) {
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
      this.emit_({ kind: 'outcome', request, outcome: { kind: 'lost', reason } });
      return;
    }
    const seq = this.send({ case: 'command', value: command });
    this.waiting_.set(seq, request);
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
      this.emit_({ kind: 'outcome', request, outcome: { kind: 'lost', reason } });
      return;
    }
    const seq = this.send({ case: 'introduce', value: { name } });
    this.asked_name_ = { seq, name };
    this.waiting_.set(seq, request);
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
    this.coded_.look(viewpoint);
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
    this.scene_ = this.roster_ = this.catalogue_ = this.visitors_ = undefined;
    this.sociable_ = false;
    this.layout_ = kNoLayout;
    this.coded_.restart();
    this.bodies_.restart();

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
    for (const request of this.waiting_.values()) {
      const reason = 'The connection was lost before the server answered.';
      this.emit_({ kind: 'outcome', request, outcome: { kind: 'lost', reason } });
    }
    this.waiting_.clear();
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
    const seconds = (now - this.counted_since_ms_) / 1000;
    this.emit_({
      kind: 'stats',
      stats: {
        bytes_per_s: this.bytes_ / seconds,
        frames_per_s: this.frames_ / seconds,
        latency_ms: this.clock_.latency_ms(),
        offset_ms: this.clock_.offset_ms(),
      },
    });
    this.bytes_ = 0;
    this.frames_ = 0;
    this.counted_since_ms_ = now;
    if (!this.socket_) return;
    if (now - this.last_heard_ms_ > kSilence_ms) this.lost('The server has stopped answering.');
    else if (this.joined_) this.ping();
  }

  private receive(data: ArrayBuffer): void {
    const received_ms = now_ms();
    this.last_heard_ms_ = received_ms;
    this.bytes_ += data.byteLength;
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

  private receive_roster(roster: Roster): void {
    this.roster_ = roster;
    this.look_for_bodies();
    this.layout_ = make_layout(roster, (id) => this.bodies_.get(id), this.units_);
    this.coded_.follow(roster.entries);
    this.emit_({ kind: 'roster', roster });
  }

  private receive_visitors(visitors: Visitors): void {
    this.visitors_ = visitors;
    this.emit_({ kind: 'visitors', visitors });
  }

  private receive_catalogue(catalogue: Catalogue): void {
    this.catalogue_ = catalogue;
    this.look_for_bodies();
    this.emit_({ kind: 'catalogue', catalogue });
  }

  /** Those who are here first, then what can be put down. */
  private look_for_bodies(): void {
    const lists = [
      this.roster_?.entries,
      this.roster_?.things,
      this.scene_?.things,
      this.catalogue_?.bodies,
    ];
    const ids = lists.flatMap((list) => list?.map(({ body }) => body) ?? []);
    const gone = this.bodies_.need(ids.filter((id) => id !== 0n));
    if (gone.length > 0) this.emit_({ kind: 'bodies_gone', ids: gone });
  }

  private receive_frame(numbers: FrameNumbers, received_ms: number, bytes: Uint8Array): void {
    ++this.frames_;
    if (!this.fits(numbers)) return;
    if (numbers.coded.length === 0) {
      this.emit_frame(decode_frame(numbers, this.units_, this.layout_, received_ms), bytes);
      return;
    }
    const read = this.coded_.read(numbers, received_ms);
    if (!read) return;
    const frame = decode_frame(read.numbers, this.units_, this.layout_, received_ms);
    const { tiers, phases, bytes: whole } = read;
    this.emit_frame({ ...frame, tiers, phases }, whole);
  }

  private emit_frame(frame: FrameData, bytes: Uint8Array): void {
    this.emit_({ kind: 'frame', frame, bytes }, [
      bytes.buffer as ArrayBuffer,
      frame.roots.buffer,
      frame.joints.buffer,
      frame.flags.buffer,
      frame.limb_contacts.buffer,
      ...(frame.tiers && frame.phases ? [frame.tiers.buffer, frame.phases.buffer] : []),
      ...buffers_of(frame.things),
    ]);
  }

  /** @param bytes of the message, which are handed on with frames and details */
  private handle({ kind }: ServerMessage, received_ms: number, bytes: Uint8Array): void {
    switch (kind.case) {
      case 'hello': {
        const { version, role, room, epoch, tickS, rateHz, rights } = kind.value;
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
        if (kind.value.capabilities.includes(kCoded)) this.coded_.begin();
        this.sociable_ = kind.value.capabilities.includes(kCompany);
        if (!this.sociable_) return;
        this.send({ case: 'introduce', value: { name: this.name_ } });
        if (this.attending_.selected.length > 0) this.attend(this.attending_);
        return;
      }
      case 'making': {
        const { over, ...making } = kind.value;
        this.attempt_ = 0; // the server is there
        this.emit_({ kind: 'making', making: over ? undefined : making });
        return;
      }
      case 'rights':
        this.emit_({ kind: 'rights', rights: kind.value });
        return;
      case 'scene':
        this.units_ = { position_m: kind.value.positionUnitM, angle_rad: kind.value.angleUnitRad };
        this.scene_ = kind.value;
        this.roster_ = undefined;
        this.layout_ = kNoLayout;
        this.emit_({ kind: 'scene', scene: kind.value });
        return;
      case 'part':
        this.receive_part(kind.value, received_ms);
        return;
      case 'catalogue':
        this.receive_catalogue(kind.value);
        return;
      case 'catalogueChange':
        if (this.catalogue_) this.receive_catalogue(changed_catalogue(this.catalogue_, kind.value));
        return;
      case 'roster':
        this.receive_roster(kind.value);
        return;
      case 'rosterChange':
        if (this.roster_) this.receive_roster(changed_roster(this.roster_, kind.value));
        return;
      case 'body': {
        const { id, creature } = kind.value;
        this.bodies_.receive(id, creature);
        if (!creature) return;
        this.emit_({ kind: 'body', id, body: creature });
        if (this.roster_)
          this.layout_ = make_layout(this.roster_, (at) => this.bodies_.get(at), this.units_);
        return;
      }
      case 'frame':
        this.receive_frame(kind.value, received_ms, bytes);
        return;
      case 'rest': {
        if (!this.fits(kind.value)) return;
        const rest = decode_rest(kind.value, this.units_, this.layout_);
        this.emit_({ kind: 'rest', rest }, buffers_of(rest.things));
        return;
      }
      case 'details': {
        const { tick, characters } = kind.value;
        this.emit_({ kind: 'details', characters, tick: Number(tick), received_ms, bytes }, [
          bytes.buffer as ArrayBuffer,
        ]);
        return;
      }
      case 'ack': {
        const { seq, tick, character, tie, before, after } = kind.value;
        if (seq === this.asked_name_?.seq) this.name_ = this.asked_name_.name;
        this.answer(seq, (request) => ({
          kind: 'outcome',
          request,
          outcome: { kind: 'done', tick: Number(tick), character, tie, before, after, received_ms },
        }));
        return;
      }
      case 'error': {
        const error = kind.value;
        const answered = this.answer(error.seq, (request) => ({
          kind: 'outcome',
          request,
          outcome: { kind: 'refused', error },
        }));
        if (answered) return;
        // A name that was kept from earlier and is not taken any more: one that the server makes up.
        if ((error.field === 'introduce.name' || error.field === 'join.name') && this.name_) {
          this.name_ = '';
          if (this.joined_) this.send({ case: 'introduce', value: { name: '' } });
          return; // before Hello the server ends the connection, and the next Join has no name
        }
        // Before Hello an error is the answer to Join: another try would end the same way.
        if (
          !this.joined_ &&
          (error.code === ErrorCode.FORBIDDEN ||
            error.code === ErrorCode.INVALID ||
            error.code === ErrorCode.NOT_FOUND)
        ) {
          this.refused_ = error.message || 'The server refused the connection and gave no reason.';
          this.missing_ = error.code === ErrorCode.NOT_FOUND;
        } else {
          this.emit_({ kind: 'error', error });
        }
        return;
      }
      case 'pong': {
        const { clientTimeUs, serverTimeUs } = kind.value;
        this.clock_.add(Number(clientTimeUs) / 1000, received_ms, Number(serverTimeUs) / 1000);
        if (this.pings_ < kFirstPings) this.ping();
        return;
      }
      case 'event':
        this.emit_({ kind: 'event', event: kind.value });
        return;
      case 'visitors':
        this.receive_visitors(kind.value);
        return;
      case 'visitorsChange':
        if (this.visitors_) this.receive_visitors(changed_visitors(this.visitors_, kind.value));
        return;
      case 'attention':
        this.emit_({ kind: 'attention', attention: kind.value, received_ms });
        return;
      case 'act':
        this.emit_({ kind: 'act', act: kind.value, received_ms });
        return;
      case undefined:
        return; // a kind of message that only a newer server knows
    }
  }

  /** A frame of another version of the roster can not be read. */
  private fits({ rosterVersion }: { rosterVersion: bigint | number }): boolean {
    return Number(rosterVersion) === this.layout_.roster_version;
  }

  private answer(seq: bigint, make: (request: number) => FromWorker): boolean {
    const request = this.waiting_.get(seq);
    if (request === undefined) return false;
    this.waiting_.delete(seq);
    this.emit_(make(request));
    return true;
  }
}

function buffers_of({ index, roots, joints, first }: ThingsData): Transferable[] {
  return [index.buffer, roots.buffer, joints.buffer, first.buffer];
}

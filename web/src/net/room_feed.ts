// The server's messages about a room: its scene, the characters and things in it, and where they are.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  Body,
  Catalogue,
  ClientMessageSchema,
  Details,
  Rest,
  Roster,
  SceneInfo,
  ServerMessage,
  Visitors,
} from '../gen/promenade/v1/wire_pb';
import { Bodies } from './bodies';
import { changed_catalogue, changed_roster, changed_visitors } from './changes';
import { CodedStream } from './coded/stream';
import { decode_frame, decode_rest, type FrameNumbers } from './decode';
import type { FrameData, ThingsData } from './frame';
import { kNoLayout, make_layout, type Units } from './layout';
import type { FromWorker, Viewpoint } from './messages';

export type ClientKind = NonNullable<MessageInitShape<typeof ClientMessageSchema>['kind']>;

/** Tells the page something. @param transfer buffers that become the page's own */
export type Emit = (message: FromWorker, transfer?: Transferable[]) => void;

/**
 * Keeps what the server has told of the room as far as later messages build on it, decodes frames by it, and hands all of
 * it to the page.
 */
export class RoomFeed {
  private units_: Units = { position_m: 0.001, angle_rad: 0.001 };
  private layout_ = kNoLayout;
  private scene_: SceneInfo | undefined;
  private roster_: Roster | undefined;
  private catalogue_: Catalogue | undefined;
  private visitors_: Visitors | undefined;
  private readonly bodies_: Bodies;
  private readonly coded_: CodedStream;

  /** @param send sends a message to the server */
  constructor(
    send: (kind: ClientKind) => void,
    private readonly emit_: Emit,
  ) {
    this.bodies_ = new Bodies((body) => send({ case: 'getBodies', value: { body } }));
    this.coded_ = new CodedStream((value) => send({ case: 'viewpoint', value }));
  }

  /** To be called for a new connection: the server tells everything anew. */
  restart(): void {
    this.scene_ = this.roster_ = this.catalogue_ = this.visitors_ = undefined;
    this.layout_ = kNoLayout;
    this.coded_.restart();
    this.bodies_.restart();
  }

  /** Has frames coded for this camera, where the server can. */
  look(viewpoint: Viewpoint): void {
    this.coded_.look(viewpoint);
  }

  /** The server can code frames for a camera. */
  begin_coding(): void {
    this.coded_.begin();
  }

  /** @param bytes of the message, which are handed on with details */
  receive(kind: ServerMessage['kind'], received_ms: number, bytes: Uint8Array): void {
    switch (kind.case) {
      case 'scene':
        this.receive_scene(kind.value);
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
      case 'body':
        this.receive_body(kind.value);
        return;
      case 'rest':
        this.receive_rest(kind.value);
        return;
      case 'details':
        this.receive_details(kind.value, received_ms, bytes);
        return;
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
      default:
        return; // a kind of message that only a newer server knows
    }
  }

  /** @param bytes of the message, which are handed on */
  receive_frame(numbers: FrameNumbers, received_ms: number, bytes: Uint8Array): void {
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

  private receive_scene(scene: SceneInfo): void {
    this.units_ = { position_m: scene.positionUnitM, angle_rad: scene.angleUnitRad };
    this.scene_ = scene;
    this.roster_ = undefined;
    this.layout_ = kNoLayout;
    this.emit_({ kind: 'scene', scene });
  }

  private receive_roster(roster: Roster): void {
    this.roster_ = roster;
    this.look_for_bodies();
    this.lay_out(roster);
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

  private receive_body({ id, creature, families, hands }: Body): void {
    this.bodies_.receive(id, creature);
    if (!creature) return;
    this.emit_({ kind: 'body', id, body: creature, families, hands });
    if (this.roster_) this.lay_out(this.roster_);
  }

  private receive_rest(message: Rest): void {
    if (!this.fits(message)) return;
    const rest = decode_rest(message, this.units_, this.layout_);
    this.emit_({ kind: 'rest', rest }, buffers_of(rest.things));
  }

  private receive_details(
    { tick, characters }: Details,
    received_ms: number,
    bytes: Uint8Array,
  ): void {
    this.emit_({ kind: 'details', characters, tick: Number(tick), received_ms, bytes }, [
      bytes.buffer as ArrayBuffer,
    ]);
  }

  /** Asks for the shapes of the bodies that are here first, then of those that can be placed. */
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

  private lay_out(roster: Roster): void {
    this.layout_ = make_layout(roster, (id) => this.bodies_.get(id), this.units_);
  }

  /** A frame of another version of the roster can not be read. */
  private fits({ rosterVersion }: { rosterVersion: bigint | number }): boolean {
    return Number(rosterVersion) === this.layout_.roster_version;
  }
}

function buffers_of({ index, roots, joints, first }: ThingsData): Transferable[] {
  return [index.buffer, roots.buffer, joints.buffer, first.buffer];
}

import { equals } from '@bufbuild/protobuf';
import { type Creature, CreatureSchema } from '../gen/promenade/v1/creature_pb';
import {
  Role,
  type Catalogue,
  type CatalogueEntry,
  type CharacterDetails,
  type Event as WireEvent,
  type Roster,
  type SceneInfo,
  type Error as WireError,
} from '../gen/promenade/v1/wire_pb';
import type { ConnectionStatus, FromWorker, HelloInfo, LinkStats } from '../net/messages';
import type { Kit } from './build';
import { DetailsBuffer } from './details_buffer';
import type { FrameData, RestData } from '../net/frame';
import { FrameBuffer } from './frame_buffer';
import { make_world_pose, Sampler, type WorldPose } from './interpolate';
import { Playback } from './playback';
import { type Cast, kEmptyCast, make_cast } from './roster';
import { Signal } from './signal';
import { make_skeleton, type Skeleton } from './skeleton';
import { ThingTracks } from './thing_tracks';

export interface LiveDetails {
  readonly details: CharacterDetails;
  readonly tick: number;
  readonly received_ms: number;
}

/** All that the page knows of the room, from the worker's messages. Free of three.js and of the DOM. */
export class World {
  readonly status = new Signal<ConnectionStatus>({ kind: 'connecting' });
  readonly hello = new Signal<HelloInfo | undefined>(undefined);
  readonly scene = new Signal<SceneInfo | undefined>(undefined);
  readonly catalogue = new Signal<Catalogue | undefined>(undefined);
  readonly cast = new Signal<Cast>(kEmptyCast);
  readonly frame = new Signal<FrameData | undefined>(undefined);
  readonly stats = new Signal<LinkStats | undefined>(undefined);
  readonly details = new Signal<ReadonlyMap<number, LiveDetails>>(new Map());
  readonly pose: WorldPose = make_world_pose();
  readonly glimpses = new DetailsBuffer();
  skeletons: readonly Skeleton[] = [];
  /** Skeletons of the things that can be spawned, by name. */
  thing_skeletons: ReadonlyMap<string, Skeleton> = new Map();
  on_event: (event: WireEvent) => void = () => {};
  on_error: (error: WireError) => void = () => {};

  private edited_: readonly { body: Creature; skeleton: Skeleton }[] = [];
  private readonly buffer_ = new FrameBuffer();
  private readonly tracks_ = new ThingTracks();
  private readonly sampler_ = new Sampler(this.buffer_, this.tracks_);
  private readonly playback_ = new Playback();
  private offset_ms_: number | undefined;
  private delay_ms_ = 90;

  receive(message: FromWorker): void {
    switch (message.kind) {
      case 'status':
        this.status.set(message.status);
        return;
      case 'hello':
        // A new connection: the server's time may have started again. The last picture stays until frames come.
        this.forget_frames();
        this.offset_ms_ = undefined;
        this.hello.set(message.hello);
        return;
      case 'scene':
        this.forget_frames();
        this.tracks_.clear();
        this.skeletons = message.scene.bodies.map((body) => make_skeleton(body));
        this.edited_ = [];
        this.thing_skeletons = new Map(
          message.scene.thingBodies.map((body) => [body.name, make_skeleton(body)]),
        );
        this.cast.set(kEmptyCast);
        this.details.set(new Map());
        this.scene.set(message.scene);
        return;
      case 'roster':
        this.receive_roster(message.roster);
        return;
      case 'catalogue':
        this.catalogue.set(message.catalogue);
        return;
      case 'frame':
        this.receive_frame(message.frame);
        return;
      case 'rest':
        this.receive_rest(message.rest);
        return;
      case 'details':
        this.glimpses.push(message.tick, message.characters);
        this.details.set(
          new Map(
            message.characters.map((details) => [
              details.id,
              { details, tick: message.tick, received_ms: message.received_ms },
            ]),
          ),
        );
        return;
      case 'event':
        this.on_event(message.event);
        return;
      case 'error':
        this.on_error(message.error);
        return;
      case 'stats':
        this.offset_ms_ = message.stats.offset_ms ?? this.offset_ms_;
        this.stats.set(message.stats);
        return;
      case 'outcome':
        return; // net/client.ts hands the outcome to the caller of the command
    }
  }

  /** Brings `pose` to what is to be drawn now. @return false before the first frame */
  sample(now_ms: number, elapsed_ms: number): boolean {
    this.delay_ms_ = this.playback_.delay_ms(elapsed_ms);
    if (this.offset_ms_ === undefined) return false;
    return this.sampler_.sample(now_ms + this.offset_ms_ - this.delay_ms_, this.pose);
  }

  /** How far behind the server the page plays. */
  get delay_ms(): number {
    return this.delay_ms_;
  }

  /** Drops frames that are waiting, so that a page that was hidden does not play what it missed. */
  forget_frames(): void {
    this.buffer_.clear();
    this.tracks_.forget_ways();
    this.playback_.reset();
    this.glimpses.clear();
  }

  get can_command(): boolean {
    const role = this.hello.value?.role;
    return role === Role.OPERATOR || role === Role.ADMIN;
  }

  /** What can be put down: things, then creatures. */
  get kits(): readonly Kit[] {
    const entries = (list: readonly CatalogueEntry[] | undefined, thing: boolean): Kit[] =>
      (list ?? []).map(({ name, title }) => {
        const skeleton = thing ? this.thing_skeletons.get(name) : this.skeleton_of(name);
        return { name, title: title || name, thing, skeleton };
      });
    return [
      ...entries(this.scene.value?.things, true),
      ...entries(this.catalogue.value?.bodies, false),
    ];
  }

  /** Names of the controllers that this room offers. */
  get controllers(): readonly string[] {
    return this.scene.value?.controllers ?? [];
  }

  /** The skeleton of a creature in the catalogue; undefined if the page does not know its shape. */
  skeleton_of(body: string): Skeleton | undefined {
    const edited = this.edited_.find(({ body: { name } }) => name === body);
    return this.skeletons.find(({ name }) => name === body) ?? edited?.skeleton;
  }

  get can_administer(): boolean {
    return this.hello.value?.role === Role.ADMIN;
  }

  private receive_roster(roster: Roster): void {
    // A body that was there before keeps its skeleton, and with it the figure and picture made for that skeleton.
    const known = this.edited_;
    this.edited_ = roster.bodies.map((body, i) => {
      const is_it = (entry: { body: Creature } | undefined) =>
        entry !== undefined && equals(CreatureSchema, entry.body, body);
      const old = is_it(known[i]) ? known[i] : known.find(is_it);
      return old ?? { body, skeleton: make_skeleton(body) };
    });
    const skeletons = [...this.skeletons, ...this.edited_.map(({ skeleton }) => skeleton)];
    const cast = make_cast(roster, skeletons, this.cast.value);
    this.tracks_.keep((id) => cast.by_id.get(id)?.thing === true);
    this.cast.set(cast);
  }

  private receive_rest({ tick, roster_version, things }: RestData): void {
    const cast = this.cast.value;
    if (roster_version === cast.version) this.tracks_.push(tick, things, cast.thing_ids);
  }

  private receive_frame(frame: FrameData): void {
    const cast = this.cast.value;
    if (frame.roster_version !== cast.version || frame.flags.length !== cast.members.length) return;
    if (this.offset_ms_ === undefined) this.offset_ms_ = frame.server_time_ms - frame.received_ms;
    this.playback_.on_frame(
      frame.server_time_ms,
      frame.received_ms + this.offset_ms_ - frame.server_time_ms,
    );
    this.buffer_.push({ frame, cast });
    this.tracks_.push(frame.tick, frame.things, cast.thing_ids);
    this.frame.set(frame);
  }
}

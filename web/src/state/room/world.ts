import type { Creature } from '../../gen/promenade/v1/creature_pb';
import {
  Role,
  type Act,
  type Catalogue,
  type CatalogueEntry,
  type CharacterDetails,
  type Event as WireEvent,
  type Roster,
  type SceneInfo,
  type Error as WireError,
} from '../../gen/promenade/v1/wire_pb';
import type { Rights } from '../../gen/promenade/v1/people_pb';
import type {
  ConnectionStatus,
  FromWorker,
  HelloInfo,
  LinkStats,
  SceneMaking,
} from '../../net/messages';
import { mark_of } from '../visitors/act_words';
import type { Kit } from '../hand/build';
import { Company } from '../visitors/company';
import { DetailsBuffer, type DetailsEntry, type Glimpses } from '../frames/details_buffer';
import type { FrameData, RestData } from '../../net/frame';
import { FrameBuffer } from '../frames/frame_buffer';
import { make_world_pose, Sampler, type WorldPose } from '../frames/interpolate';
import { Lookback } from '../recording/lookback';
import { Playback } from '../frames/playback';
import { Recording } from '../recording/recording';
import { type Cast, kEmptyCast, make_cast } from './roster';
import { Signal } from '../values/signal';
import { make_skeleton, type Skeleton } from '../figure/skeleton';
import { ThingTracks } from './thing_tracks';

export interface LiveDetails {
  readonly details: CharacterDetails;
  readonly tick: number;
  readonly received_ms: number;
}

const kRoles: Readonly<Record<string, Role>> = {
  viewer: Role.VIEWER,
  player: Role.PLAYER,
  operator: Role.OPERATOR,
  admin: Role.ADMIN,
};

/** All that the page knows of the room, from the worker's messages. Free of three.js and of the DOM. */
export class World {
  readonly status = new Signal<ConnectionStatus>({ kind: 'connecting' });
  readonly hello = new Signal<HelloInfo | undefined>(undefined);
  readonly rights = new Signal<Rights | undefined>(undefined);
  readonly scene = new Signal<SceneInfo | undefined>(undefined);
  /** The scene that the server is making; undefined: none. */
  readonly making = new Signal<SceneMaking | undefined>(undefined);
  readonly catalogue = new Signal<Catalogue | undefined>(undefined);
  readonly cast = new Signal<Cast>(kEmptyCast);
  readonly frame = new Signal<FrameData | undefined>(undefined);
  readonly stats = new Signal<LinkStats | undefined>(undefined);
  readonly details = new Signal<ReadonlyMap<number, LiveDetails>>(new Map());
  readonly pose: WorldPose = make_world_pose();
  /** The scene that the picture is of: an earlier one while the time before it is looked at. */
  readonly shown_scene = new Signal<SceneInfo | undefined>(undefined);
  readonly recording = new Recording();
  readonly lookback = new Lookback(this.recording);
  readonly company = new Company();
  /** Counts the bodies whose shapes have come. */
  readonly shapes = new Signal(0);
  on_event: (event: WireEvent) => void = () => {};
  on_error: (error: WireError) => void = () => {};
  on_room_closed: (reason: string) => void = () => {};
  /** Called where there are several rooms, and none was asked for. */
  on_choice: () => void = () => {};

  // By their ids, from any scene and connection: an id always means the same body.
  private readonly bodies_ = new Map<bigint, Creature>();
  private readonly skeletons_ = new Map<bigint, Skeleton>();
  private roster_: Roster | undefined;
  private readonly glimpses_ = new DetailsBuffer();
  private readonly buffer_ = new FrameBuffer();
  private readonly tracks_ = new ThingTracks();
  private readonly sampler_ = new Sampler(this.buffer_, this.tracks_);
  private readonly playback_ = new Playback();
  private offset_ms_: number | undefined;
  private delay_ms_ = 90;
  private shown_details_: DetailsEntry | undefined;

  constructor() {
    this.lookback.on.watch((on) => {
      this.sampler_.forget_drawn();
      if (!on) this.shown_scene.set(this.scene.value);
    });
  }

  receive(message: FromWorker): void {
    switch (message.kind) {
      case 'status':
        if (message.status.kind !== 'online') {
          this.company.clear();
          this.making.set(undefined);
        }
        this.status.set(message.status);
        return;
      case 'hello':
        // A new connection: the server's time may have started again. The last picture stays until frames come.
        this.forget_frames();
        this.offset_ms_ = undefined;
        this.making.set(undefined);
        this.rights.set(undefined);
        this.hello.set(message.hello);
        return;
      case 'rights':
        this.company.be(message.rights.visitor);
        this.rights.set(message.rights);
        return;
      case 'choice':
        this.on_choice();
        return;
      case 'room_closed':
        this.on_room_closed(message.reason);
        return;
      case 'scene':
        this.forget_frames();
        this.tracks_.clear();
        this.roster_ = undefined;
        this.cast.set(kEmptyCast);
        this.details.set(new Map());
        this.recording.begin(message.scene, this.hello.value?.tick_s ?? 0);
        this.scene.set(message.scene);
        if (!this.lookback.on.value) this.shown_scene.set(message.scene);
        return;
      case 'roster':
        this.receive_roster(message.roster);
        return;
      case 'body':
        this.receive_body(message.id, message.body);
        return;
      case 'bodies_gone':
        for (const id of message.ids) {
          this.bodies_.delete(id);
          this.skeletons_.delete(id);
        }
        return;
      case 'making':
        this.making.set(message.making);
        return;
      case 'catalogue':
        this.catalogue.set(message.catalogue);
        return;
      case 'frame':
        this.receive_frame(message.frame, message.bytes);
        return;
      case 'rest':
        this.receive_rest(message.rest);
        return;
      case 'details':
        this.recording.add_details(message.tick, message.bytes);
        this.glimpses_.push(message.tick, message.characters);
        if (!this.lookback.on.value)
          this.show_details(message.tick, message.characters, message.received_ms);
        return;
      case 'event':
        this.on_event(message.event);
        return;
      case 'visitors':
        this.company.receive_visitors(message.visitors);
        return;
      case 'attention': {
        const unit_m = this.scene.value?.positionUnitM ?? 0;
        this.company.receive_attention(message.attention, unit_m, message.received_ms);
        return;
      }
      case 'act':
        this.receive_act(message.act, message.received_ms);
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
    if (this.lookback.on.value) return this.sample_past(elapsed_ms);
    if (this.offset_ms_ === undefined) return false;
    return this.sampler_.sample(now_ms + this.offset_ms_ - this.delay_ms_, this.pose);
  }

  private sample_past(elapsed_ms: number): boolean {
    const { lookback } = this;
    lookback.advance(elapsed_ms);
    if (!lookback.sample(this.pose)) return false;
    this.shown_scene.set(lookback.take?.chapter.info);
    const details = lookback.frames.now;
    if (details && details !== this.shown_details_)
      this.show_details(details.tick, [...details.by_id.values()], 0);
    this.shown_details_ = details;
    return true;
  }

  /** What the overlays draw, at the tick of the pose. */
  get glimpses(): Glimpses {
    return this.lookback.on.value ? this.lookback.frames : this.glimpses_;
  }

  /** The moment that is drawn, on the clock of the recording. */
  get shown_ms(): number {
    const { lookback, recording } = this;
    if (lookback.on.value) return lookback.t_ms;
    return recording.time_of(this.pose.tick);
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
    this.glimpses_.clear();
  }

  /** May command every character and thing. */
  get can_command(): boolean {
    return this.holds('operator') || this.holds('admin');
  }

  /** May push, and steer and dress at least one character. */
  get can_play(): boolean {
    return this.holds('player') || this.can_command;
  }

  /** The only character that may be steered and dressed; 0 of a player who has none, undefined: any. */
  get own_character(): number | undefined {
    return this.role === Role.PLAYER ? (this.rights.value?.ownCharacter ?? 0) : undefined;
  }

  /** The role now: that of Hello, unless it has changed since. */
  get role(): Role {
    const name = this.rights.value?.role;
    const named = name ? kRoles[name] : undefined;
    return named ?? this.hello.value?.role ?? Role.ROLE_UNSPECIFIED;
  }

  /** Time since the scene began of a tick of the server, s. */
  scene_time_s(tick: number, info = this.scene.value): number {
    const since = tick - Number(info?.sceneTick ?? 0n);
    return Math.max(0, since) * (this.hello.value?.tick_s ?? 0);
  }

  private holds(name: string): boolean {
    return kRoles[name] === this.role && this.rights.value?.muted !== true;
  }

  /** What can be put down: things, then creatures. */
  get kits(): readonly Kit[] {
    const entries = (list: readonly CatalogueEntry[] | undefined, thing: boolean): Kit[] =>
      (list ?? []).map(({ name, title, body }) => {
        const skeleton = this.skeletons_.get(body);
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

  /** A creature in the catalogue; undefined if there is none of that name, or its shape has not come yet. */
  body_of(name: string): Creature | undefined {
    const entry = this.entry_of(name);
    return entry && this.bodies_.get(entry.body);
  }

  /** Its skeleton, likewise. */
  skeleton_of(name: string): Skeleton | undefined {
    const entry = this.entry_of(name);
    return entry && this.skeletons_.get(entry.body);
  }

  /** Those of the creatures that are built in, as far as they have come. */
  get built_in_skeletons(): readonly Skeleton[] {
    const built_in = this.catalogue.value?.bodies.filter(({ builtIn }) => builtIn) ?? [];
    return built_in.flatMap(({ body }) => this.skeletons_.get(body) ?? []);
  }

  private entry_of(body: string): CatalogueEntry | undefined {
    return this.catalogue.value?.bodies.find(({ name }) => name === body);
  }

  get can_administer(): boolean {
    return this.holds('admin');
  }

  private receive_act(act: Act, received_ms: number): void {
    this.company.receive_act(act, received_ms);
    const deed = this.company.deed.value;
    const mark = mark_of(act.command);
    if (mark && deed && !deed.mine) this.recording.credit(mark, deed.character, deed.tick, deed);
  }

  private receive_roster(roster: Roster): void {
    this.roster_ = roster;
    const cast = make_cast(roster, this.skeletons_, this.cast.value);
    this.tracks_.keep((id) => cast.by_id.get(id)?.thing === true);
    this.cast.set(cast);
  }

  private receive_body(id: bigint, body: Creature): void {
    this.bodies_.set(id, body);
    this.skeletons_.set(id, make_skeleton(body));
    const has_it = (entry: { readonly body: bigint }) => entry.body === id;
    if (this.roster_?.entries.some(has_it) || this.roster_?.things.some(has_it))
      this.receive_roster(this.roster_);
    this.shapes.set(this.shapes.value + 1);
  }

  private receive_rest(rest: RestData): void {
    const { tick, roster_version, things } = rest;
    const cast = this.cast.value;
    if (roster_version !== cast.version) return;
    this.tracks_.push(tick, things, cast.thing_ids);
    this.recording.add_rest(rest, cast);
  }

  private receive_frame(frame: FrameData, bytes: Uint8Array): void {
    const cast = this.cast.value;
    if (frame.roster_version !== cast.version || frame.flags.length !== cast.members.length) return;
    if (this.offset_ms_ === undefined) this.offset_ms_ = frame.server_time_ms - frame.received_ms;
    this.playback_.on_frame(
      frame.server_time_ms,
      frame.received_ms + this.offset_ms_ - frame.server_time_ms,
    );
    this.buffer_.push({ frame, cast });
    this.tracks_.push(frame.tick, frame.things, cast.thing_ids);
    this.recording.add_frame(frame, cast, bytes);
    this.frame.set(frame);
  }

  private show_details(
    tick: number,
    characters: readonly CharacterDetails[],
    received_ms: number,
  ): void {
    this.details.set(
      new Map(characters.map((details) => [details.id, { details, tick, received_ms }])),
    );
  }
}

import type { Creature } from '../../gen/promenade/v1/creature_pb';
import {
  Role,
  type Act,
  type Attention,
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
import { mark_of, type NeededRole } from './command_rules';
import type { Kit } from '../hand/build';
import { Company } from '../visitors/company';
import { DetailsBuffer, type DetailsEntry, type Glimpses } from '../frames/details_buffer';
import type { FrameData, RestData } from '../../net/frame';
import { make_world_pose, type WorldPose } from '../frames/interpolate';
import { Lookback } from '../recording/lookback';
import { Recording } from '../recording/recording';
import { Families } from './families';
import { KnownBodies } from './known_bodies';
import { LiveFrames } from './live_frames';
import { role_of } from './roles';
import { type Cast, kEmptyCast, make_cast } from './roster';
import { Signal } from '../values/signal';
import type { Skeleton } from '../figure/skeleton';

export interface LiveDetails {
  readonly details: CharacterDetails;
  readonly tick: number;
  readonly received_ms: number;
}

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
  /** Id of the character for which a search for a gait runs, as far as this page knows. */
  readonly learner = new Signal<number | undefined>(undefined);
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

  private readonly bodies_ = new KnownBodies();
  private families_ = new Families([]);
  private roster_: Roster | undefined;
  private readonly glimpses_ = new DetailsBuffer();
  private readonly live_ = new LiveFrames();
  private shown_details_: DetailsEntry | undefined;

  constructor() {
    this.lookback.on.watch((on) => {
      this.live_.forget_drawn();
      if (!on) this.shown_scene.set(this.scene.value);
    });
  }

  receive(message: FromWorker): void {
    switch (message.kind) {
      case 'status':
        this.receive_status(message.status);
        return;
      case 'hello':
        this.receive_hello(message.hello);
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
        this.receive_scene(message.scene);
        return;
      case 'roster':
        this.receive_roster(message.roster);
        return;
      case 'body':
        this.receive_body(message);
        return;
      case 'bodies_gone':
        this.bodies_.forget(message.ids);
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
        this.receive_details(message);
        return;
      case 'event':
        this.on_event(message.event);
        return;
      case 'visitors':
        this.company.receive_visitors(message.visitors);
        return;
      case 'attention':
        this.receive_attention(message.attention, message.received_ms);
        return;
      case 'act':
        this.receive_act(message.act, message.received_ms);
        return;
      case 'error':
        this.on_error(message.error);
        return;
      case 'stats':
        this.receive_stats(message.stats);
        return;
      case 'outcome':
        return; // net/client.ts hands the outcome to the caller of the command
    }
  }

  /** Brings `pose` to what is to be drawn now. @return false before the first frame */
  sample(now_ms: number, elapsed_ms: number): boolean {
    this.live_.advance(elapsed_ms);
    if (this.lookback.on.value) return this.sample_past(elapsed_ms);
    return this.live_.sample(now_ms, this.pose);
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

  /** The details that the overlays draw, at the tick of the pose. */
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
    return this.live_.delay_ms;
  }

  /** Drops frames that are waiting, so that a page that was hidden does not play what it missed. */
  forget_frames(): void {
    this.live_.forget();
    this.glimpses_.clear();
  }

  /** May command every character and thing. */
  get can_command(): boolean {
    return this.holds(Role.OPERATOR) || this.holds(Role.ADMIN);
  }

  /** May push, and steer and dress at least one character. */
  get can_play(): boolean {
    return this.holds(Role.PLAYER) || this.can_command;
  }

  /** The only character that may be steered and edited; 0 for a player who has none, undefined: any. */
  get own_character(): number | undefined {
    return this.role === Role.PLAYER ? (this.rights.value?.ownCharacter ?? 0) : undefined;
  }

  /** The role now: that of Hello, unless it has changed since. */
  get role(): Role {
    const named = role_of(this.rights.value?.role);
    return named ?? this.hello.value?.role ?? Role.ROLE_UNSPECIFIED;
  }

  /** Time since the scene began of a tick of the server, s. */
  scene_time_s(tick: number, info = this.scene.value): number {
    const since = tick - Number(info?.sceneTick ?? 0n);
    return Math.max(0, since) * (this.hello.value?.tick_s ?? 0);
  }

  private holds(role: Role): boolean {
    return role === this.role && this.rights.value?.muted !== true;
  }

  /** The bodies that can be placed: things, then creatures. */
  get kits(): readonly Kit[] {
    return [
      ...this.bodies_.kits(this.scene.value?.things, true),
      ...this.bodies_.kits(this.catalogue.value?.bodies, false),
    ];
  }

  /** The families of controllers that this room offers. */
  get families(): Families {
    return this.families_;
  }

  /** A creature in the catalogue; undefined if there is none of that name, or its shape has not come yet. */
  body_of(name: string): Creature | undefined {
    const entry = this.entry_of(name);
    return entry && this.bodies_.creature(entry.body);
  }

  /** The skeleton of a creature in the catalogue; undefined in the same cases. */
  skeleton_of(name: string): Skeleton | undefined {
    const entry = this.entry_of(name);
    return entry && this.bodies_.skeleton(entry.body);
  }

  /** Those of the creatures that are built in, as far as they have come. */
  get built_in_skeletons(): readonly Skeleton[] {
    const built_in = this.catalogue.value?.bodies.filter(({ builtIn }) => builtIn) ?? [];
    return built_in.flatMap(({ body }) => this.bodies_.skeleton(body) ?? []);
  }

  private entry_of(body: string): CatalogueEntry | undefined {
    return this.catalogue.value?.bodies.find(({ name }) => name === body);
  }

  /** Whether this viewer's role lets them do what needs a role. */
  may(role: NeededRole): boolean {
    if (role === 'admin') return this.can_administer;
    return role === 'player' ? this.can_play : this.can_command;
  }

  get can_administer(): boolean {
    return this.holds(Role.ADMIN);
  }

  private receive_status(status: ConnectionStatus): void {
    if (status.kind !== 'online') {
      this.company.clear();
      this.making.set(undefined);
    }
    this.status.set(status);
  }

  /** A new connection: the server's time may have started again. The last picture stays until frames come. */
  private receive_hello(hello: HelloInfo): void {
    this.forget_frames();
    this.live_.forget_clock();
    this.making.set(undefined);
    this.rights.set(undefined);
    this.hello.set(hello);
  }

  private receive_stats(stats: LinkStats): void {
    if (stats.offset_ms !== undefined) this.live_.set_clock(stats.offset_ms);
    this.stats.set(stats);
  }

  private receive_scene(scene: SceneInfo): void {
    this.forget_frames();
    this.live_.forget_things();
    this.roster_ = undefined;
    this.families_ = new Families(scene.families);
    this.cast.set(kEmptyCast);
    this.details.set(new Map());
    this.recording.begin(scene, this.hello.value?.tick_s ?? 0);
    this.scene.set(scene);
    if (!this.lookback.on.value) this.shown_scene.set(scene);
  }

  private receive_attention(attention: Attention, received_ms: number): void {
    const unit_m = this.scene.value?.positionUnitM ?? 0;
    this.company.receive_attention(attention, unit_m, received_ms);
  }

  private receive_act(act: Act, received_ms: number): void {
    this.company.receive_act(act, received_ms);
    const deed = this.company.deed.value;
    const mark = mark_of(act.command);
    if (mark && deed && !deed.mine) this.recording.credit(mark, deed.character, deed.tick, deed);
  }

  private receive_roster(roster: Roster): void {
    this.roster_ = roster;
    const { skeletons } = this.bodies_;
    const cast = make_cast(roster, { skeletons, families: this.families_ }, this.cast.value);
    this.live_.keep_things_of(cast);
    this.cast.set(cast);
  }

  private receive_body(message: Extract<FromWorker, { kind: 'body' }>): void {
    this.bodies_.add(message);
    const has_it = (entry: { readonly body: bigint }) => entry.body === message.id;
    if (this.roster_?.entries.some(has_it) || this.roster_?.things.some(has_it))
      this.receive_roster(this.roster_);
    this.shapes.set(this.shapes.value + 1);
  }

  private receive_rest(rest: RestData): void {
    const cast = this.cast.value;
    if (rest.roster_version !== cast.version) return;
    this.live_.push_rest(rest, cast);
    this.recording.add_rest(rest, cast);
  }

  private receive_frame(frame: FrameData, bytes: Uint8Array): void {
    const cast = this.cast.value;
    if (frame.roster_version !== cast.version || frame.flags.length !== cast.members.length) return;
    this.live_.push(frame, cast);
    this.recording.add_frame(frame, cast, bytes);
    this.frame.set(frame);
  }

  private receive_details(message: Extract<FromWorker, { kind: 'details' }>): void {
    const { tick, characters, received_ms, bytes } = message;
    this.recording.add_details(tick, bytes);
    this.glimpses_.push(tick, characters);
    if (!this.lookback.on.value) this.show_details(tick, characters, received_ms);
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

// A page without a browser: it joins a room of a real server by the page's own net code, and the page's own camera
// follows the scene in it. Nothing is drawn.
import type { CommandInit, CommandOutcome, FromWorker } from '../../src/net/messages';
import { Session } from '../../src/net/session';
import { CameraRig, floor_of } from '../../src/scene/camera/camera_rig';
import { Cameraman } from '../../src/scene/camera/cameraman';
import { PictureFrame } from '../../src/scene/picture/picture_frame';
import type { Rect } from '../../src/state/picture/free_part';
import { GroundPicker } from '../../src/state/ground/ground_pick';
import { Selection } from '../../src/state/room/selection';
import { Settings } from '../../src/state/room/settings';
import { World } from '../../src/state/room/world';
import { type Framing, framing_of } from '../../src/ui/page/framing';
import { layout_of, type Screen } from './layouts';

const kRate_hz = 60; // the most that the server sends
const kGap_ms = 20; // a state that comes sooner after the last one is left out for this viewer
const kLate_ms = 60_000;
const kPicture_s = 1 / 30;
const kRest_pictures = 150; // a cut takes less than a second, and springs a few
const kLook_ms = 1000; // pauses of the page's look at messages that do not come: it tells what it waits for

/** The effect of a page's panels on its picture. */
export interface Layout {
  readonly free: Rect; // px from the upper left corner
  readonly shift: { readonly x: number; readonly y: number; readonly shrink: number };
}

/** The calls of the camera's controls to the element that they listen to. Nobody touches this one. */
function nobodys_element(): HTMLElement {
  const element = new EventTarget();
  return Object.assign(element, {
    style: {},
    ownerDocument: new EventTarget(),
    getRootNode: () => new EventTarget(),
  }) as unknown as HTMLElement;
}

export class UnseenPage {
  readonly world = new World();
  private readonly frame_ = new PictureFrame();
  private readonly rig_ = new CameraRig(this.frame_.camera, nobodys_element(), () => false);
  private readonly cameraman_: Cameraman;
  private readonly session_: Session;
  private readonly answers_ = new Map<number, (outcome: CommandOutcome) => void>();
  private layout_: Layout;
  private requests_ = 0;
  private seen_s_ = 0; // since the scene began, of the last picture
  private heard_: () => void = () => {};

  /** @param url of the server, http: */
  constructor(
    url: string,
    readonly screen: Screen,
  ) {
    this.layout_ = screen.plain;
    this.frame_.set_size(screen.width, screen.height);
    const { world } = this;
    this.cameraman_ = new Cameraman(
      this.rig_,
      world,
      new Selection(),
      new Settings(undefined),
      undefined,
    );
    world.shown_scene.watch((info) => {
      const scene = info?.scene;
      this.rig_.set_floor(floor_of(scene));
      if (scene) this.cameraman_.enter(scene);
    });
    this.session_ = new Session(
      {
        ...{ url: `${url.replace('http', 'ws')}/ws`, base_path: '', room: 'main', token: '' },
        ...{ visitor_key: '', name: '', client: 'test', rate_hz: kRate_hz },
      },
      (message) => this.receive(message),
    );
  }

  close(): void {
    this.session_.close();
    this.rig_.dispose();
  }

  async command(kind: NonNullable<CommandInit['kind']>): Promise<number> {
    const request = ++this.requests_;
    const outcome = await new Promise<CommandOutcome>((resolve) => {
      this.answers_.set(request, resolve);
      this.session_.command(request, { kind });
    });
    if (outcome.kind !== 'done') throw new Error(`${kind.case}: ${JSON.stringify(outcome)}`);
    return outcome.tick;
  }

  /** Waits for what the server tells. */
  async until(what: string, fits: () => boolean): Promise<void> {
    const deadline = Date.now() + kLate_ms;
    while (!fits()) {
      if (Date.now() > deadline) throw new Error(`not within ${kLate_ms} ms: ${what}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, kLook_ms);
        this.heard_ = () => (clearTimeout(timer), resolve());
      });
    }
  }

  /** Loads a scene into the room, whose clock stands from then on. */
  async load(scene: string): Promise<void> {
    await this.until('a connection', () => this.world.status.value.kind === 'online');
    await this.command({ case: 'pause', value: {} });
    await this.command({ case: 'loadScene', value: { scene } });
    await this.command({ case: 'setTimeScale', value: { scale: 0 } }); // steps as fast as they go
  }

  /** Waits until the room shows a scene, and takes a first picture. */
  async enter(scene: string): Promise<void> {
    await this.until(`${scene} and its bodies`, () => {
      const { cast, scene: info } = this.world;
      const { members, things } = cast.value;
      const whole = [...members, ...things].every(({ complete }) => complete);
      return info.value?.scene?.name === scene && whole && this.has_frame(0);
    });
    this.layout_ = layout_of(this.screen, scene);
    const { x, y, shrink } = this.layout_.shift;
    this.frame_.set_shift(x, y, shrink);
    this.picture(0);
  }

  /** Seconds since the scene began, of the last frame. */
  get time_s(): number {
    return this.world.scene_time_s(this.world.frame.value?.tick ?? 0);
  }

  /** Lets the paused room go on. @return the tick to which it goes */
  async ask_for(seconds: number): Promise<number> {
    const ticks = Math.max(1, Math.round(seconds / (this.world.hello.value?.tick_s ?? 1)));
    return ticks + (await this.command({ case: 'singleStep', value: { ticks } }));
  }

  /** Has the paused room send its state again: that of its last tick was left out where it came too soon. */
  async ask_again(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, kGap_ms));
    await this.command({ case: 'setTimeScale', value: { scale: 0 } });
  }

  /** Takes a picture of the last frame. */
  see(): void {
    this.picture(Math.max(0, this.time_s - this.seen_s_));
  }

  /** Takes pictures of the paused room until the camera has come to rest. */
  settle(): void {
    for (let i = 0; i < kRest_pictures; ++i) this.picture(kPicture_s);
  }

  /** How those of the scene's shot stand in the last picture. */
  get framing(): Framing {
    const { layout_: layout, world } = this;
    const { width: right, height: bottom } = this.screen;
    const ground = new GroundPicker(world.shown_scene.value?.scene, world.pose.cast.course);
    const shooting = {
      ...{ cameraman: this.cameraman_, rig: this.rig_, frame: this.frame_, free: layout.free },
      ground_at: (ray: Parameters<GroundPicker['meet']>[0]) => ground.meet(ray, this.time_s),
    };
    return framing_of(world.pose, shooting, { left: 0, top: 0, right, bottom });
  }

  /** One picture, as the page's Viewport does it, without drawing. @param elapsed_s since the one before */
  private picture(elapsed_s: number): void {
    const { world } = this;
    const { frame } = world;
    // Of the newest frame: the page is behind by what it has measured, which here is nothing.
    world.sample((frame.value?.server_time_ms ?? 0) + world.delay_ms, 0);
    this.seen_s_ = this.time_s;
    this.cameraman_.follow(elapsed_s, this.frame_.lens(this.layout_.free), false);
    this.rig_.update(elapsed_s);
    const { from, at } = this.rig_.view;
    this.frame_.look_from(Math.hypot(...from.map((x, k) => x - (at[k] ?? 0))));
    this.session_.look(this.frame_.viewpoint);
  }

  has_frame(tick: number): boolean {
    const { cast, frame } = this.world;
    const { value } = frame;
    return value !== undefined && value.tick >= tick && value.roster_version === cast.value.version;
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'outcome':
        this.answers_.get(message.request)?.(message.outcome);
        this.answers_.delete(message.request);
        break;
      case 'stats':
        return; // the clock here is the server's
      case 'frame': {
        const { frame } = message;
        this.world.receive({ ...message, frame: { ...frame, received_ms: frame.server_time_ms } });
        break;
      }
      default:
        this.world.receive(message);
    }
    this.heard_();
  }
}

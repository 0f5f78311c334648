// The state of the page as plain data, for browser tests. Nothing here but `show_sheet` changes the page.
import { now_ms } from '../../net/clock';
import { is_present, link_at } from '../../state/frames/interpolate';
import { mark_text } from '../../state/recording/marks';
import type { Ray } from '../../state/hand/picking';
import type { Vec3 } from '../../state/values/quaternion';
import { role_name } from '../../state/room/roles';
import { kOverlays } from '../../state/room/settings';
import { torso_of } from '../../state/figure/skeleton';
import { kTier } from '../../net/frame';
import type { World } from '../../state/room/world';
import type { Viewport } from '../../scene/picture/viewport';
import type { Context } from './context';
import type { Editors } from '../editor/editors';
import type { FirstView } from './first_view';
import { type Framing, framing_of } from './framing';
import type { OpenSheets } from './open_sheets';

export interface PageState {
  readonly connection: string;
  readonly role: string;
  readonly scene: string | undefined;
  readonly tick: number;
  readonly drawn_tick: number; // of the picture, which is behind
  readonly paused: boolean;
  readonly time_scale: number;
  readonly time_s: number; // since the scene began
  readonly overlays: readonly string[]; // those shown
  readonly camera: { readonly from: readonly number[]; readonly at: readonly number[] };
  readonly directed: boolean; // whether the scene directs the camera
  readonly characters: number;
  readonly tiers: readonly number[]; // how many characters have each of net/frame's tiers; none in whole frames
  readonly fps: number;
  readonly whole_picture: boolean; // with what comes after a first sight: houses, trees, prints
  readonly draw_calls: number;
  readonly triangles: number;
  readonly drawn_characters: { readonly by_parts: number; readonly as_one: number };
  readonly pictures: number; // drawn so far
  readonly programs: number; // shaders that had to be compiled
  readonly selected: readonly number[];
  readonly positions: readonly {
    readonly id: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly presence: number; // 0 to 1, how much of it is drawn
  }[];
  readonly things: readonly {
    readonly id: number;
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }[];
  readonly ties: number;
  /** The other visitors as the page shows them. */
  readonly others: readonly {
    readonly name: string;
    readonly color: string;
    readonly selected: readonly number[];
    readonly handles: number;
    readonly pointer: readonly number[] | undefined; // m
  }[];
  readonly own_name: string | undefined;
  readonly veiled: readonly { readonly id: number; readonly amount: number }[]; // left out of the picture, 0 to 1
  readonly followed_part: string;
  readonly footprints: readonly number[]; // how much of each is left, 0 to 1
  /** Places of the hips of the body that is drawn for a comparison. */
  readonly guest: readonly number[] | undefined;
  readonly tool: string;
  readonly sheets: readonly string[]; // all that can be opened over the picture
  readonly open_sheets: readonly string[]; // in the order in which they were opened
  readonly mode: string;
  readonly latency_ms: number | undefined;
  readonly delay_ms: number;
  /** ms of script for a picture, half of the last ones took less. */
  readonly script_ms: number;
  readonly last_script_ms: number; // the same of the last picture
  /** When parts of the first view were there, ms from the beginning of the navigation. */
  readonly first_view_ms: FirstView['times_ms'];
  readonly past: {
    readonly on: boolean;
    readonly t_ms: number;
    readonly from_ms: number;
    readonly to_ms: number;
    readonly tick: number; // that is drawn
    readonly bytes: number;
    readonly frames: number;
    readonly marks: readonly string[];
  };
  readonly details: readonly {
    readonly id: number;
    readonly desired_velocity: readonly number[];
    readonly com_velocity: readonly number[];
    readonly pushed: boolean;
    readonly received_ms: number;
    readonly path: number;
    readonly state: string;
    readonly asked_step_time: number;
    readonly phase: number;
    readonly com: readonly number[]; // m
  }[];
}

export interface Hook {
  state(): PageState;
  /** Where a character or thing is in the picture, in page pixels: the last link of its trunk, or its first link. */
  locate(id: number): { x: number; y: number } | undefined;
  /** Where a point, m, world frame, is on the picture, in page pixels. */
  locate_point(x: number, y: number, z: number): { x: number; y: number } | undefined;
  /** Colours of the picture as it is now at these page pixels: red, green and blue, 0 to 255. */
  colors_at(points: readonly { readonly x: number; readonly y: number }[]): number[][];
  /** Opens one of `sheets`. */
  show_sheet(name: string): void;
  /** How the subjects of the scene's shot stand in the picture. */
  framing(): Framing;
  /**
   * When the last message came that changed the desired velocity of a watched character, ms on the clock of
   * net/clock.
   */
  intent_changed_ms(): number;
  /** When the room last acknowledged an edit of a style or a body, ms on the clock of net/clock. */
  edit_acknowledged_ms(): number;
}

declare global {
  interface Window {
    __promenade?: Hook;
  }
}

function tiers_of({ frame }: World): number[] {
  const { tiers } = frame.value ?? {};
  return tiers
    ? Object.values(kTier).map((tier) => tiers.filter((one) => one === tier).length)
    : [];
}

function others_of({ company }: World): PageState['others'] {
  const cursors = company.cursors(now_ms());
  return company.others.map((visitor) => ({
    name: visitor.name,
    color: visitor.color,
    selected: company.selected_by(visitor),
    handles: company.handled_by(visitor),
    pointer: cursors.find((cursor) => cursor.visitor === visitor)?.point,
  }));
}

function positions_of({ pose }: World): PageState['positions'] {
  return pose.cast.members.map(({ id, index, pose: p }) => {
    const [x = 0, y = 0, z = 0] = pose.poses.subarray(p, p + 3);
    return { id, x, y, z, presence: pose.presence[index] ?? 1 };
  });
}

function things_of({ pose }: World): PageState['things'] {
  return pose.cast.things.flatMap((thing) => {
    if (!is_present(pose, thing)) return [];
    const [x = 0, y = 0, z = 0] = pose.poses.subarray(thing.pose, thing.pose + 3);
    return [{ id: thing.id, name: thing.skeleton.name, x, y, z }];
  });
}

function past_of({ lookback, pose, recording, shown_ms }: World): PageState['past'] {
  return {
    on: lookback.on.value,
    t_ms: shown_ms,
    from_ms: recording.from_ms,
    to_ms: recording.to_ms,
    tick: pose.tick,
    bytes: recording.bytes,
    frames: recording.end - recording.first,
    marks: recording.marks.map(mark_text),
  };
}

function details_of({ details: all }: World): PageState['details'] {
  return [...all.value.values()].map(({ details, received_ms }) => ({
    id: details.id,
    desired_velocity: details.desiredVelocityMps,
    com_velocity: details.comVelocityMps,
    pushed: details.pushN.length > 0,
    received_ms,
    path: details.path.length,
    state: details.state,
    asked_step_time: details.askedStepTimeS,
    phase: details.phase,
    com: details.comM,
  }));
}

/** The room as the page shows it: its clock, characters and things, the deeds of others, the known past. */
function state_of_room(world: World) {
  const frame = world.frame.value;
  return {
    connection: world.status.value.kind,
    role: role_name(world.role),
    scene: world.scene.value?.scene?.name,
    tick: frame?.tick ?? 0,
    drawn_tick: world.pose.tick,
    paused: frame?.paused ?? false,
    time_scale: frame?.time_scale ?? 1,
    time_s: world.scene_time_s(frame?.tick ?? 0),
    characters: world.pose.cast.members.length,
    tiers: tiers_of(world),
    positions: positions_of(world),
    things: things_of(world),
    ties: world.cast.value.ties.length,
    others: others_of(world),
    own_name: world.company.me?.name,
    latency_ms: world.stats.value?.latency_ms,
    delay_ms: world.delay_ms,
    past: past_of(world),
    details: details_of(world),
  };
}

/** The content of the picture, how it is seen, and the cost of drawing it. */
function state_of_picture(viewport: Viewport) {
  const hips = viewport.guest()?.poses.subarray(0, 3);
  return {
    camera: viewport.rig.view,
    directed: viewport.cameraman.directed,
    fps: viewport.fps,
    whole_picture: viewport.whole,
    draw_calls: viewport.stage.drawn.calls,
    triangles: viewport.stage.drawn.triangles,
    drawn_characters: viewport.drawn_characters,
    pictures: viewport.pictures,
    programs: viewport.stage.renderer.info.programs?.length ?? 0,
    veiled: [...viewport.veiled].map(([id, amount]) => ({ id, amount })),
    footprints: viewport.footprints,
    guest: hips?.reduce<number[]>((a, v) => [...a, v], []),
    script_ms: viewport.script_ms,
    last_script_ms: viewport.last_script_ms,
  };
}

/** The visitor's choices in the page: the selection, overlays and tool. */
function state_of_choices({ build, selection, settings }: Context) {
  const { value: shown } = settings.overlays;
  return {
    overlays: kOverlays.flatMap(({ key }) => (shown[key] ? [key] : [])),
    selected: selection.ids.value,
    followed_part: settings.followed_part.value,
    tool: build.tool.value.kind,
    mode: build.mode.value,
  };
}

/** The parts of the page that tests ask about. */
interface Asked {
  readonly context: Context;
  readonly viewport: Viewport;
  readonly picture: HTMLElement; // the element that `viewport` is in
  readonly editors: Editors;
  readonly first_view: FirstView;
  readonly sheets: OpenSheets;
}

/** Questions that browser tests ask the page by `window.__promenade`. */
class PageHook implements Hook {
  private intent_ = '';
  private intent_changed_ms_ = 0;

  constructor(private readonly asked_: Asked) {
    asked_.context.world.details.watch((all) => this.note_intent(all));
  }

  state(): PageState {
    const { context, first_view, sheets, viewport } = this.asked_;
    return {
      ...state_of_room(context.world),
      ...state_of_picture(viewport),
      ...state_of_choices(context),
      sheets: sheets.names,
      open_sheets: sheets.open_names,
      first_view_ms: first_view.times_ms,
    };
  }

  locate(id: number) {
    const { pose } = this.asked_.context.world;
    const member = pose.cast.by_id.get(id);
    if (!member) return undefined;
    const p = link_at(pose, member, torso_of(member.skeleton));
    const [x = 0, y = 0, z = 0] = pose.poses.subarray(p, p + 3);
    return this.on_page([x, y, z]);
  }

  locate_point(x: number, y: number, z: number) {
    return this.on_page([x, y, z]);
  }

  colors_at(points: readonly { readonly x: number; readonly y: number }[]): number[][] {
    const { picture, viewport } = this.asked_;
    const box = picture.getBoundingClientRect();
    return viewport.stage.colors_at(points.map((p) => ({ x: p.x - box.left, y: p.y - box.top })));
  }

  show_sheet(name: string): void {
    this.asked_.sheets.show(name);
  }

  framing(): Framing {
    const { context, picture, viewport } = this.asked_;
    const { left, top, right, bottom } = picture.getBoundingClientRect();
    const { cameraman, rig, stage, under_panels } = viewport;
    const shooting = {
      ...{ cameraman, rig, frame: stage.frame, free: under_panels.free },
      ground_at: (ray: Ray) => viewport.ground_at(ray),
    };
    return framing_of(context.world.pose, shooting, { left, top, right, bottom });
  }

  intent_changed_ms(): number {
    return this.intent_changed_ms_;
  }

  edit_acknowledged_ms(): number {
    return this.asked_.editors.acknowledged_ms;
  }

  private note_intent(all: World['details']['value']): void {
    const now = [...all.values()]
      .map(({ details }) => Math.hypot(...details.desiredVelocityMps).toFixed(2))
      .join();
    if (now === this.intent_) return;
    this.intent_ = now;
    this.intent_changed_ms_ = [...all.values()][0]?.received_ms ?? 0;
  }

  /** Where a point, m, world frame, is in the page, px. */
  private on_page(point: Vec3): { x: number; y: number } | undefined {
    const { picture, viewport } = this.asked_;
    const spot = viewport.rig.project(point, picture.clientWidth, picture.clientHeight);
    if (!spot) return undefined;
    const box = picture.getBoundingClientRect();
    return { x: box.left + spot.x, y: box.top + spot.y };
  }
}

export function install_hook(asked: Asked): void {
  window.__promenade = new PageHook(asked);
}

import * as THREE from 'three';
import { now_ms } from '../../net/clock';
import type { Guest } from '../../state/recording/compare';
import { FootprintFinder } from '../../state/gait/footprints';
import { at, type Vec3 } from '../../state/values/quaternion';
import { is_present, is_whole } from '../../state/frames/interpolate';
import type { Cast, Member } from '../../state/room/roster';
import type { Build, Spot } from '../../state/hand/build';
import { GroundPicker } from '../../state/ground/ground_pick';
import type { Ray } from '../../state/hand/picking';
import type { Selection } from '../../state/room/selection';
import { Durations, PictureRate } from '../../state/picture/picture_rate';
import type { Settings } from '../../state/room/settings';
import type { Skeleton } from '../../state/figure/skeleton';
import { SwingPaths } from '../../state/gait/swing_paths';
import { Veil } from '../../state/picture/veil';
import type { World } from '../../state/room/world';
import { BuildGhost } from '../hand/build_ghost';
import { CameraRig, floor_of } from '../camera/camera_rig';
import { Cameraman, type GivenView } from '../camera/cameraman';
import { CollisionShapes } from '../crowd/collision_shapes';
import { ContactShadows } from '../crowd/contact_shadows';
import { Crowd } from '../crowd/crowd';
import { Footprints } from '../overlays/footprints';
import { Terrain } from '../ground/terrain';
import { GuestFigure } from '../figure/guest_figure';
import { type Label, Labels } from '../overlays/labels';
import { name_labels } from '../overlays/name_labels';
import { Marks } from '../overlays/marks';
import { draw_others, outlined_by_others } from '../overlays/others';
import { Outline, type Outlined } from './outline';
import {
  draw_details,
  kColors,
  label_of_note,
  type Note,
  type OverlayTools,
} from '../overlays/overlays';
import { kDay, kDusk } from './palette';
import { DetailChooser, kFullDetail } from './detail';
import { draw_push_arrow } from '../hand/push_arrow';
import { type PointerActions, PointerTools, type ToolSketch } from '../hand/pointer_tools';
import { draw_sketch } from '../hand/sketch_marks';
import { Stage } from './stage';
import { Portraits } from '../figure/portraits';
import { CameraSight } from './sight';
import { StillFigure } from '../figure/still_figure';
import { SupportAreas } from '../overlays/support_areas';
import { Ties } from '../overlays/ties';
import { UnderPanels } from './under_panels';

const kSky_m = 100; // no ground is higher
const kMostPrinted = 300;
const kMostOutlined = 300; // each costs as much as a body that is near

/** The state of the picture, from a page that has just been opened on. */
type Progress = 'nothing' | 'compiling' | 'bare' | 'furnishing' | 'whole';

/** The picture: the stage, the characters and things on it, and the overlays. */
export class Viewport {
  readonly stage: Stage;
  readonly under_panels: UnderPanels;
  readonly rig: CameraRig;
  readonly cameraman: Cameraman;
  on_picture: (elapsed_s: number) => void = () => {};
  /** Called with the place of the push label, px, and the force, N, world frame; with undefined when no push is being drawn. */
  on_push: (label: { x: number; y: number; force: Vec3 } | undefined) => void = () => {};

  private readonly crowd_: Crowd;
  private readonly marks_ = new Marks();
  private readonly areas_ = new SupportAreas();
  private readonly swings_ = new SwingPaths();
  private readonly footprints_ = new Footprints();
  private readonly contacts_ = new ContactShadows();
  private readonly prints_ = new THREE.Group(); // of feet and their contacts
  private readonly finder_ = new FootprintFinder();
  private readonly shapes_: CollisionShapes;
  private readonly outline_: Outline;
  private readonly labels_: Labels;
  private readonly ties_: Ties;
  private readonly portraits_: Portraits;
  /** A body that is drawn beside those of the room: asked for before every picture. */
  guest: () => (Guest & { readonly opacity: number }) | undefined = () => undefined;
  private readonly guest_: GuestFigure;
  /** The aim of the keys: asked for in every picture. */
  key_sketch: () => ToolSketch | undefined = () => undefined;
  private readonly ghost_: BuildGhost;
  private picker_ = new GroundPicker(undefined);
  private readonly tools_: PointerTools;
  private terrain_ = new Terrain(undefined);
  private course_: Cast['course'] = [];
  private last_ms_ = now_ms();
  private readonly still_: () => boolean; // whether the system asks for reduced motion
  private readonly rate_ = new PictureRate();
  private readonly durations_ = new Durations();
  private readonly detail_ = new DetailChooser(() => window.devicePixelRatio);
  private readonly veil_ = new Veil();
  private readonly sight_ = new CameraSight();
  private readonly wanted_ = new Set<number>(); // ids of bodies that are drawn in full
  private progress_: Progress = 'nothing';

  constructor(
    host: HTMLElement,
    private readonly world_: World,
    private readonly selection_: Selection,
    private readonly settings_: Settings,
    private readonly build_: Build,
    actions: Omit<PointerActions, 'ground'>,
    given: GivenView | undefined,
  ) {
    this.stage = new Stage(host, this.detail_.detail);
    this.under_panels = new UnderPanels(this.stage.frame);
    if (this.stage.by_software) this.detail_.begin_low();
    const canvas = this.stage.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application'); // the keys are the page's
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    this.rig = new CameraRig(this.stage.frame.camera, canvas, () => still.matches);
    this.still_ = () => still.matches;
    this.cameraman = new Cameraman(this.rig, world_, selection_, settings_, given);
    this.crowd_ = new Crowd(this.stage.root);
    this.shapes_ = new CollisionShapes(this.stage.root, this.crowd_.rows);
    this.outline_ = new Outline(this.stage.root, this.crowd_.rows);
    this.guest_ = new GuestFigure(this.stage.root);
    this.labels_ = new Labels(host);
    this.ties_ = new Ties(this.stage.root);
    this.ghost_ = new BuildGhost(this.stage.root, build_, this.marks_);
    this.portraits_ = new Portraits(this.stage.renderer, () => this.stage.scene.environment);
    this.stage.root.add(this.marks_.object, this.areas_.mesh, this.prints_, this.terrain_.object);
    this.prints_.add(this.footprints_.mesh, this.contacts_.mesh);
    this.prints_.visible = false;
    this.tools_ = new PointerTools(canvas, this.rig, world_.pose, {
      ...actions,
      ground: (ray) => this.ground_at(ray),
    });
    world_.shown_scene.watch(() => this.change_scene());
    world_.lookback.jumps.watch(() => this.forget_footprints());
    settings_.full_detail.watch(() => this.set_detail());
    document.addEventListener('visibilitychange', this.visibility_changed);
    this.stage.renderer.setAnimationLoop(() => this.picture());
  }

  set_dark(dark: boolean): void {
    this.stage.apply(dark ? kDusk : kDay);
    if (this.progress_ === 'nothing') void this.begin();
  }

  /** The first picture waits for its shaders; meanwhile the page does the rest, and the room can let it in. */
  private async begin(): Promise<void> {
    this.progress_ = 'compiling';
    this.stage.clear();
    await this.stage.compile([this.crowd_.sample]);
    this.progress_ = 'bare';
  }

  /** After a first picture of the room comes what takes its time, and is less looked at than people. */
  private async furnish(): Promise<void> {
    this.progress_ = 'furnishing';
    await new Promise(requestAnimationFrame); // the browser has shown that picture
    await this.stage.furnish(this.prints_.children);
    this.prints_.visible = true;
    this.progress_ = 'whole';
  }

  /** Whether all of the scene is in the picture. */
  get whole(): boolean {
    return this.progress_ === 'whole';
  }

  /** While it is not shown nothing is drawn. */
  set_shown(shown: boolean): void {
    if (shown) this.world_.forget_frames();
    this.rate_.clear();
    this.stage.renderer.setAnimationLoop(shown ? () => this.picture() : null);
  }

  get fps(): number {
    return this.rate_.at(now_ms());
  }

  /** How many characters are in the picture by their parts, and how many as one. */
  get drawn_characters(): { readonly by_parts: number; readonly as_one: number } {
    const { by_parts, as_one } = this.crowd_.detail;
    return { by_parts: by_parts.length, as_one: as_one.length };
  }

  /** Pictures drawn so far. */
  get pictures(): number {
    return this.durations_.count;
  }

  /** ms of script for a picture: half of the last ones took less. */
  get script_ms(): number {
    return this.durations_.median_ms;
  }

  /** The same of the last picture. */
  get last_script_ms(): number {
    return this.durations_.last_ms;
  }

  /** Whether the level of detail was lowered because pictures came slowly. */
  get coarse(): boolean {
    return !this.settings_.full_detail.value && this.detail_.coarse;
  }

  /** The direction in which the camera looks, along the ground: a level unit vector, world frame. */
  get away(): readonly [number, number] {
    const { from, at: target } = this.rig.view;
    const [x, y] = [target[0] - from[0], target[1] - from[1]];
    const level = Math.hypot(x, y);
    return level > 0 ? [x / level, y / level] : [1, 0];
  }

  /** Cancels a push, a drag or a path. @return whether there was one */
  cancel(): boolean {
    return this.tools_.cancel();
  }

  /** The ground under the pointer, m, world frame; undefined where there is none. */
  get pointed(): Vec3 | undefined {
    return this.tools_.pointed;
  }

  /** The share of each body that is left out of the picture, 0 to 1, by id. */
  get veiled(): ReadonlyMap<number, number> {
    return this.veil_.amounts;
  }

  /** How much of each footprint is left, 0 to 1. */
  get footprints(): readonly number[] {
    return this.footprints_.strengths;
  }

  /** Moves the camera to a character or thing. */
  show(id: number): void {
    this.cameraman.show(id);
  }

  /** Where a point, m, world frame, is on the picture, px. */
  pixel_of(point: Vec3): { readonly x: number; readonly y: number } | undefined {
    const { width, height } = this.stage.frame.size;
    return this.rig.project(point, width, height);
  }

  /** Ids of the characters in the picture, those nearest to where the camera looks at first. */
  outward(): number[] {
    const middle = this.pixel_of(this.rig.view.at);
    const { width, height } = this.stage.frame.size;
    if (!middle) return [];
    return this.world_.pose.cast.members
      .flatMap((member) => {
        const spot = this.pixel_of(this.root_of(member));
        const seen = spot && spot.x >= 0 && spot.x < width && spot.y >= 0 && spot.y < height;
        return seen && is_present(this.world_.pose, member)
          ? [{ id: member.id, far: Math.hypot(spot.x - middle.x, spot.y - middle.y) }]
          : [];
      })
      .sort((a, b) => a.far - b.far)
      .map(({ id }) => id);
  }

  /** Ids of the characters nearest to the point that the camera looks at. */
  nearest(count: number): number[] {
    const { at: target } = this.rig.view;
    const far = (member: Member) => {
      const [x, y] = this.root_of(member);
      return Math.hypot(x - target[0], y - target[1]);
    };
    return [...this.world_.pose.cast.members]
      .sort((a, b) => far(a) - far(b))
      .slice(0, count)
      .map(({ id }) => id);
  }

  dispose(): void {
    document.removeEventListener('visibilitychange', this.visibility_changed);
    this.stage.renderer.setAnimationLoop(null);
    this.tools_.dispose();
    this.rig.dispose();
    this.guest_.dispose();
    this.labels_.dispose();
    this.ties_.dispose();
    this.portraits_.dispose();
    this.ghost_.dispose();
    this.shapes_.dispose();
    this.outline_.dispose();
    this.crowd_.dispose();
    this.marks_.dispose();
    this.areas_.dispose();
    this.footprints_.dispose();
    this.contacts_.dispose();
    this.terrain_.dispose();
    this.stage.dispose();
  }

  private readonly visibility_changed = () => {
    this.rate_.clear();
    if (!document.hidden) this.world_.forget_frames();
  };

  private set_detail(): void {
    this.stage.set_detail(this.settings_.full_detail.value ? kFullDetail : this.detail_.detail);
  }

  private change_scene(): void {
    const scene = this.world_.shown_scene.value?.scene;
    this.terrain_.dispose();
    this.terrain_ = new Terrain(scene);
    this.change_course();
    this.stage.root.add(this.terrain_.object);
    this.stage.set_scene(scene);
    this.rig.set_floor(floor_of(scene));
    this.crowd_.clear();
    this.forget_footprints();
    this.contacts_.clear();
    if (scene) this.cameraman.enter(scene);
  }

  private change_course(): void {
    this.course_ = this.world_.pose.cast.course;
    this.terrain_.set_course(this.course_);
    this.picker_ = new GroundPicker(this.world_.shown_scene.value?.scene, this.course_);
  }

  private forget_footprints(): void {
    this.finder_.clear();
    this.footprints_.clear();
  }

  private picture(): void {
    if (this.progress_ === 'nothing' || this.progress_ === 'compiling') return;
    const now = now_ms();
    const picture_s = (now - this.last_ms_) / 1000;
    const elapsed_s = Math.min(0.25, picture_s);
    this.last_ms_ = now;
    if (!this.settings_.full_detail.value && this.detail_.see(picture_s)) this.set_detail();
    this.rate_.add(now);
    this.draw(now, elapsed_s);
    this.durations_.add(now_ms() - now);
    if (this.progress_ === 'bare' && this.world_.frame.value) void this.furnish();
  }

  /**
   * Stills and clips are drawn picture by picture and in full detail, however long that takes.
   * @param centred whether the picture has its middle in the middle, as panels cover nothing of it
   * @return a function that draws a picture, of so many seconds after the one before; and one that ends it
   */
  draw_apart(centred: boolean): {
    readonly draw: (elapsed_s: number) => HTMLCanvasElement;
    end(): void;
  } {
    this.stage.renderer.setAnimationLoop(null);
    this.stage.set_detail(kFullDetail);
    this.under_panels.set_centred(centred);
    return {
      draw: (elapsed_s) => {
        this.draw(now_ms(), elapsed_s);
        return this.stage.renderer.domElement;
      },
      end: () => {
        this.under_panels.set_centred(false);
        this.set_detail();
        this.last_ms_ = now_ms();
        this.rate_.clear();
        this.stage.renderer.setAnimationLoop(() => this.picture());
      },
    };
  }

  private draw(now: number, elapsed_s: number): void {
    const { pose } = this.world_;
    const moving = this.world_.sample(now, elapsed_s * 1000);
    this.follow(elapsed_s);
    this.rig.update(elapsed_s);
    const { from, at: target } = this.rig.view;
    const { frame, root } = this.stage;
    const { camera, pixel_m } = frame;
    this.stage.look_at(new THREE.Vector3(...target), distance(from, target));
    if (this.course_ !== this.world_.pose.cast.course) this.change_course();
    this.terrain_.update(this.scene_time_s);
    this.ties_.update(pose);
    const { outlined } = this;
    this.crowd_.update(pose, this.sight_.update(camera, root, from, pixel_m), {
      elapsed_s,
      veils: this.unveil(elapsed_s),
      wanted: this.wanted(outlined),
      sun: this.stage.sunlight,
    });
    this.outline_.update(outlined, pixel_m, this.crowd_);
    if (this.whole) this.crowd_.prepare(this.stage);
    this.contacts_.update(pose, this.crowd_.detail.by_parts, from);
    if (moving)
      this.finder_.find(pose, this.printed, (print) => {
        const color = pose.cast.by_id.get(print.character)?.color ?? '#555555';
        this.footprints_.add(print, this.scene_time_s, color);
      });
    this.guest_.show(this.guest());
    this.draw_overlays(now);
    this.stage.render();
    this.portraits_.draw_next();
    this.on_picture(elapsed_s);
  }

  private get scene_time_s(): number {
    const { shown_scene, pose } = this.world_;
    return this.world_.scene_time_s(pose.tick, shown_scene.value);
  }

  /** Where a ray meets the ground. */
  ground_at(ray: Ray) {
    return this.picker_.meet(ray, this.scene_time_s);
  }

  /** The ground in the middle of the picture, where the keyboard puts things. */
  middle(): Spot | undefined {
    const ground = this.ground_at(this.rig.ray(0, 0));
    return ground && { point: ground.point, on_ground: true };
  }

  /** The ground over or under a place, m, world frame. */
  ground_below(x: number, y: number): Spot | undefined {
    const ray: Ray = { origin: [x, y, kSky_m], direction: [0, 0, -1] };
    const ground = this.ground_at(ray);
    return ground && { point: ground.point, on_ground: true };
  }

  /**
   * Marks for a part of the page that comes later. Made here: a part that imported their code would split the first view
   * into more files.
   */
  more_marks(): Marks {
    const marks = new Marks();
    this.stage.root.add(marks.object);
    return marks;
  }

  /** A body in the picture that is not there, see-through. */
  still_figure(skeleton: Skeleton, color: string, opacity: number): StillFigure {
    return new StillFigure(this.stage.root, skeleton, color, opacity);
  }

  /** Calls `told` with the address of a small picture of a body, once that is drawn. */
  portrait(skeleton: Skeleton, told: (url: string) => void): void {
    this.portraits_.ask(skeleton, told);
  }

  private draw_overlays(now: number): void {
    const { pose } = this.world_;
    const shown = this.settings_.overlays.value;
    this.footprints_.mesh.visible = shown.footprints;
    this.footprints_.update(this.scene_time_s); // they stay while the clock stands
    this.shapes_.update(pose.cast, shown.shapes);
    this.marks_.begin(this.rig.view.from, this.stage.frame.pixel_m);
    this.areas_.begin();
    const notes: Note[] = [];
    const tools: OverlayTools = {
      ...{ pose, shown, notes, marks: this.marks_, areas: this.areas_, swings: this.swings_ },
      tick_s: this.world_.hello.value?.tick_s ?? 0,
    };
    this.swings_.keep(new Set(this.world_.details.value.keys()));
    const { glimpses } = this.world_;
    for (const id of glimpses.watched(pose.tick)) {
      const member = pose.cast.by_id.get(id);
      const glimpse = glimpses.sample(id, pose.tick);
      if (member && glimpse) draw_details(glimpse, member, tools);
    }
    const pointed = this.tools_.update();
    this.draw_tool(this.key_sketch() ?? pointed);
    const others = this.draw_others(now);
    this.marks_.end();
    this.areas_.end();
    const labels = [...this.names, ...notes.map(label_of_note), ...others];
    this.labels_.update(labels, this.rig, this.stage.frame.size);
  }

  /** Where the other visitors point and what they do: not while the past is shown. */
  private draw_others(now: number): readonly Label[] {
    const { company, lookback, pose } = this.world_;
    if (lookback.on.value) return [];
    const top = ({ skeleton }: Member) => this.crowd_.figure_of(skeleton).height;
    return draw_others(company, pose, this.marks_, now, top);
  }

  private get names(): readonly Label[] {
    if (!this.settings_.overlays.value.names) return [];
    return name_labels(
      this.world_.pose,
      this.rig.view.from,
      this.world_.shown_scene.value?.scene,
      this.world_.catalogue.value?.styles ?? [],
      ({ skeleton }) => this.crowd_.figure_of(skeleton).height,
      (id) => this.selection_.has(id),
    );
  }

  private draw_tool(sketch: ToolSketch | undefined): void {
    const keyboard = this.build_.keyboard_spot.value;
    this.ghost_.draw(keyboard ?? (sketch?.kind === 'place' ? sketch.spot : undefined));
    if (sketch?.kind !== 'push') this.on_push(undefined);
    switch (sketch?.kind) {
      case undefined:
      case 'place':
        return;
      case 'push': {
        const ground = this.ground_below(sketch.from[0], sketch.from[1])?.point[2];
        draw_push_arrow(sketch, ground, this.marks_);
        this.on_push({ ...sketch.label, force: sketch.force });
        return;
      }
      case 'drag':
      case 'tie':
      case 'spot':
      case 'path':
        draw_sketch(sketch, this.marks_);
        return;
    }
  }

  /**
   * The camera stands still while a tool is used: a body would be put down beside the point that is aimed at, and a
   * dragged body would run away from the camera that follows it.
   */
  private follow(elapsed_s: number): void {
    const aimed = this.key_sketch();
    const busy = this.tools_.busy || (aimed !== undefined && aimed.kind !== 'push');
    if (busy || this.build_.tool.value.kind !== 'none') return;
    this.cameraman.follow(elapsed_s, this.stage.frame.lens(this.under_panels.free), this.still_());
  }

  /** Bodies between the camera and the one that is watched are drawn see-through. */
  private unveil(elapsed_s: number): ReadonlyMap<number, number> {
    const { focus: watched } = this.cameraman;
    const focus = watched && {
      id: watched.id,
      point: this.cameraman.point_of(watched),
      reach: watched.skeleton.reach,
    };
    this.veil_.update(
      this.world_.pose,
      this.rig.view.from,
      focus,
      (id) => this.selection_.has(id) || this.selection_.hovered.value === id,
      this.still_() ? Infinity : elapsed_s,
    );
    return this.veil_.amounts;
  }

  /** The bodies that are drawn in full, however small: those with a line around, and those that are watched closely. */
  private wanted(outlined: readonly Outlined[]): ReadonlySet<number> {
    this.wanted_.clear();
    for (const { member } of outlined) this.wanted_.add(member.id);
    for (const id of this.world_.details.value.keys()) this.wanted_.add(id);
    return this.wanted_;
  }

  /** The bodies whose footprints are kept: of a great crowd the near ones, as there is no room for all. */
  private get printed(): readonly Member[] {
    const { members } = this.world_.pose.cast;
    return members.length > kMostPrinted ? this.crowd_.detail.by_parts : members;
  }

  private root_of({ pose: p }: Member): Vec3 {
    const { poses } = this.world_.pose;
    return [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
  }

  /** The bodies with a line around: the selected ones, the one under the pointer, and those that others have selected. */
  private get outlined(): readonly Outlined[] {
    const hovered = this.selection_.hovered.value;
    const ids = new Set([
      ...this.selection_.ids.value,
      ...(hovered === undefined ? [] : [hovered]),
    ]);
    const { company, lookback, pose } = this.world_;
    const own = [...ids].flatMap((id) => {
      const member = pose.cast.by_id.get(id);
      const color = this.selection_.has(id) ? kColors.selected : kColors.hovered;
      return member && is_whole(pose, member) ? [{ member, color }] : [];
    });
    const others = lookback.on.value ? [] : outlined_by_others(company, pose, (id) => ids.has(id));
    return [...own, ...others].slice(0, kMostOutlined);
  }
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

import * as THREE from 'three';
import type { Scene } from '../gen/promenade/v1/scene_pb';
import { now_ms } from '../net/clock';
import { FootprintFinder } from '../state/footprints';
import { at, type Vec3 } from '../state/quaternion';
import type { Member } from '../state/roster';
import type { Build, Spot } from '../state/build';
import { GroundPicker } from '../state/ground_pick';
import { label_of, lineup_of } from '../state/lineup';
import { origin_on, rest_pose } from '../state/rest_pose';
import type { Ray } from '../state/picking';
import type { Selection } from '../state/selection';
import type { Settings } from '../state/settings';
import type { Skeleton } from '../state/skeleton';
import type { World } from '../state/world';
import { CameraRig, type View } from './camera_rig';
import { CollisionShapes } from './collision_shapes';
import { Crowd } from './crowd';
import { Footprints } from './footprints';
import { Terrain } from './ground/terrain';
import { Labels } from './labels';
import { Marks } from './marks';
import { draw_details, draw_ring, draw_way, kColors } from './overlays';
import { kDay, kDusk } from './palette';
import { DetailChooser, kFullDetail } from './detail';
import { type PointerActions, PointerTools, type ToolSketch } from './pointer_tools';
import { Stage } from './stage';
import { Portraits } from './portraits';
import { StillFigure } from './still_figure';
import { SupportAreas } from './support_areas';
import { Ties } from './ties';

const kFirstView: View = { from: [-7.5, -6, 3.4], at: [0, 0, 0.7] };
const kFollowHeight = 0.06; // of the body's reach: the camera looks this much above the root
const kSky_m = 100; // no ground is higher
const kDeep_m = 3; // how deep a pit without a floor counts for the camera
const kShown = 3.5; // times the body's reach: the camera's distance from a body that it shows

/** A view that the page's address gives. */
export interface GivenView extends View {
  readonly scene: string | undefined; // the scene that it shows; undefined: the one that the room shows at first
  readonly follow: boolean; // whether the camera goes along with the selected character, or with the only one
}

/** The picture: the stage, the characters and things on it, and the overlays. */
export class Viewport {
  readonly stage: Stage;
  readonly rig: CameraRig;
  on_picture: (elapsed_s: number) => void = () => {};
  /** Called with the place of the push label, px, and the force; with undefined when no push is being drawn. */
  on_push: (label: { x: number; y: number; force_n: number } | undefined) => void = () => {};

  private readonly crowd_: Crowd;
  private readonly marks_ = new Marks();
  private readonly areas_ = new SupportAreas();
  private readonly footprints_ = new Footprints();
  private readonly finder_ = new FootprintFinder();
  private readonly shapes_: CollisionShapes;
  private readonly labels_: Labels;
  private readonly ties_: Ties;
  private readonly portraits_: Portraits;
  private ghost_: { skeleton: Skeleton; figure: StillFigure } | undefined;
  private picker_ = new GroundPicker(undefined);
  private readonly tools_: PointerTools;
  private terrain_ = new Terrain(undefined);
  private last_ms_ = now_ms();
  // Ages of footprints count from here: the shader's floats are too coarse for seconds since 1970.
  private readonly started_s_ = now_ms() / 1000;
  private fps_ = 0;
  private readonly detail_ = new DetailChooser(() => window.devicePixelRatio);
  private scene_name_: string | undefined;

  constructor(
    private readonly host_: HTMLElement,
    private readonly world_: World,
    private readonly selection_: Selection,
    private readonly settings_: Settings,
    private readonly build_: Build,
    actions: Omit<PointerActions, 'ground'>,
    private given_: GivenView | undefined,
  ) {
    this.stage = new Stage(host_, this.detail_.detail);
    const canvas = this.stage.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute(
      'aria-label',
      'The square. Brackets select a character, W A S D steer it, space stops it.',
    );
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    this.rig = new CameraRig(this.stage.camera, canvas, () => still.matches);
    this.rig.go(given_ ?? kFirstView, true);
    this.crowd_ = new Crowd(this.stage.root);
    this.shapes_ = new CollisionShapes(this.stage.root);
    this.labels_ = new Labels(host_);
    this.ties_ = new Ties(this.stage.root);
    this.portraits_ = new Portraits(this.stage.renderer, () => this.stage.scene.environment);
    this.stage.root.add(
      this.marks_.object,
      this.areas_.mesh,
      this.footprints_.mesh,
      this.terrain_.object,
    );
    this.tools_ = new PointerTools(canvas, this.rig, world_.pose, {
      ...actions,
      ground: (ray) => this.ground_at(ray),
    });
    world_.scene.watch(() => this.change_scene());
    world_.cast.watch(({ by_id }) => {
      const sizes = [...by_id.values()].map(({ skeleton }) => 1.5 * skeleton.reach);
      this.rig.set_least_size(Math.min(Infinity, ...sizes));
    });
    settings_.full_detail.watch(() => this.set_detail());
    document.addEventListener('visibilitychange', this.visibility_changed);
    this.stage.renderer.setAnimationLoop(() => this.picture());
  }

  set_dark(dark: boolean): void {
    this.stage.apply(dark ? kDusk : kDay);
  }

  /** While it is not shown nothing is drawn. */
  set_shown(shown: boolean): void {
    if (shown) this.world_.forget_frames();
    this.stage.renderer.setAnimationLoop(shown ? () => this.picture() : null);
  }

  get fps(): number {
    return this.fps_;
  }

  /** Whether the level of detail was lowered because pictures came slowly. */
  get coarse(): boolean {
    return !this.settings_.full_detail.value && this.detail_.coarse;
  }

  /**
   * Shifts the picture's centre to the middle of the part that panels leave free.
   * @param x, y px to the right and down
   */
  set_shift(x: number, y: number, shrink = 1): void {
    this.stage.set_shift(x, y, shrink);
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

  /** Moves the camera to a character or thing. */
  show(id: number): void {
    const member = this.world_.pose.cast.by_id.get(id);
    if (member) this.rig.look_at(this.root_of(member), kShown * member.skeleton.reach);
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
    this.labels_.dispose();
    this.ties_.dispose();
    this.portraits_.dispose();
    this.ghost_?.figure.dispose();
    this.shapes_.dispose();
    this.crowd_.dispose();
    this.marks_.dispose();
    this.areas_.dispose();
    this.footprints_.dispose();
    this.terrain_.dispose();
    this.stage.dispose();
  }

  private readonly visibility_changed = () => {
    if (!document.hidden) this.world_.forget_frames();
  };

  private set_detail(): void {
    this.stage.set_detail(this.settings_.full_detail.value ? kFullDetail : this.detail_.detail);
  }

  private change_scene(): void {
    const scene = this.world_.scene.value?.scene;
    this.terrain_.dispose();
    this.terrain_ = new Terrain(scene);
    this.picker_ = new GroundPicker(scene);
    this.stage.root.add(this.terrain_.object);
    this.stage.set_scene(scene);
    this.rig.set_floor(floor_of(scene));
    this.crowd_.clear();
    this.finder_.clear();
    this.footprints_.clear();
    if (!scene || scene.name === this.scene_name_) return;
    const first = this.scene_name_ === undefined;
    this.scene_name_ = scene.name;
    const { given_: given } = this;
    if (given && (given.scene === scene.name || (first && !given.scene))) {
      this.given_ = undefined;
      this.rig.go(given, true);
      this.settings_.follow.set(given.follow);
      return;
    }
    // A single character would walk out of the picture, so the camera follows it; but where there are things or
    // pits the picture shows these.
    const alone = scene.characters.length === 1 && scene.crowds.length === 0;
    const meets = scene.things.length + scene.heaps.length + scene.pits.length > 0;
    this.settings_.follow.set(alone && !meets);
    const { fromM = [], atM = [] } = scene.camera ?? {};
    const view =
      fromM.length === 3 && atM.length === 3 ? { from: vec(fromM), at: vec(atM) } : kFirstView;
    this.rig.go(view, first);
  }

  private picture(): void {
    const now = now_ms();
    const picture_s = (now - this.last_ms_) / 1000;
    const elapsed_s = Math.min(0.25, picture_s);
    this.last_ms_ = now;
    if (!this.settings_.full_detail.value && this.detail_.see(picture_s)) this.set_detail();
    if (elapsed_s > 0) this.fps_ += 0.1 * (1 / elapsed_s - this.fps_);
    const { pose } = this.world_;
    const moving = this.world_.sample(now, elapsed_s * 1000);
    this.follow(elapsed_s);
    this.rig.update(elapsed_s);
    const { from, at: target } = this.rig.view;
    this.stage.look_at(new THREE.Vector3(...target), distance(from, target));
    this.terrain_.update(this.scene_time_s);
    this.ties_.update(pose);
    this.crowd_.update(pose, new THREE.Vector3(...from), this.glow);
    if (moving)
      this.finder_.find(pose, (print) => {
        const color = pose.cast.by_id.get(print.character)?.color ?? '#555555';
        this.footprints_.add(print, now / 1000 - this.started_s_, color);
      });
    this.draw_overlays(now);
    this.stage.render();
    this.portraits_.draw_next();
    this.on_picture(elapsed_s);
  }

  private get scene_time_s(): number {
    const { scene, hello, pose } = this.world_;
    const since = pose.tick - Number(scene.value?.sceneTick ?? 0n);
    return Math.max(0, since) * (hello.value?.tick_s ?? 0);
  }

  private ground_at(ray: Ray) {
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

  /** Calls `told` with the address of a small picture of a body, once that is drawn. */
  portrait(skeleton: Skeleton, told: (url: string) => void): void {
    this.portraits_.ask(skeleton, told);
  }

  private draw_overlays(now: number): void {
    const { pose } = this.world_;
    const shown = this.settings_.overlays.value;
    this.footprints_.mesh.visible = shown.footprints;
    this.footprints_.update(now / 1000 - this.started_s_);
    this.shapes_.update(pose, shown.shapes);
    this.marks_.begin();
    this.areas_.begin();
    for (const member of pose.cast.by_id.values()) {
      if (this.selection_.has(member.id)) draw_ring(pose, member, kColors.selected, this.marks_);
      else if (this.selection_.hovered.value === member.id)
        draw_ring(pose, member, kColors.hovered, this.marks_);
      const glimpse = this.world_.glimpses.sample(member.id, pose.tick);
      if (glimpse) draw_details(glimpse, this.root_of(member), shown, this.marks_, this.areas_);
    }
    this.draw_tool(this.tools_.update());
    this.marks_.end();
    this.areas_.end();
    const lineup = lineup_of(this.world_.scene.value?.scene);
    const styles = this.world_.catalogue.value?.styles ?? [];
    this.labels_.update(
      pose,
      this.rig,
      shown.names,
      (member) => label_of(member, lineup, styles),
      (member) => this.crowd_.figure_of(member.skeleton).height,
    );
  }

  /** Draws the body that is about to be put down, see-through. */
  private draw_ghost(spot: Spot | undefined): void {
    const tool = this.build_.tool.value;
    const skeleton = tool.kind === 'place' ? tool.kit.skeleton : undefined;
    if (this.ghost_?.skeleton !== skeleton) {
      this.ghost_?.figure.dispose();
      this.ghost_ = skeleton && {
        skeleton,
        figure: new StillFigure(this.stage.root, skeleton, skeleton.color, 0.55),
      };
    }
    if (tool.kind === 'place' && spot) {
      const radius = skeleton ? 0.5 * skeleton.reach : 0.3;
      this.marks_.ring(spot.point, radius, kColors.selected);
      const [x, y, z] = spot.point;
      const [c, s] = [Math.cos(this.build_.yaw_rad), Math.sin(this.build_.yaw_rad)];
      const front: Vec3 = [x + c * radius * 1.5, y + s * radius * 1.5, z + 0.01];
      this.marks_.arrow(
        [x + c * radius, y + s * radius, z + 0.01],
        front,
        0.02 * radius,
        kColors.selected,
      );
    }
    const ghost = this.ghost_;
    if (!ghost) return;
    ghost.figure.shown = spot !== undefined;
    if (spot)
      ghost.figure.place(
        rest_pose(ghost.skeleton, origin_on(ghost.skeleton, spot.point), this.build_.yaw_rad),
      );
  }

  private draw_tool(sketch: ToolSketch | undefined): void {
    const keyboard = this.build_.keyboard_spot.value;
    this.draw_ghost(keyboard ?? (sketch?.kind === 'place' ? sketch.spot : undefined));
    if (sketch?.kind !== 'push') this.on_push(undefined);
    switch (sketch?.kind) {
      case undefined:
      case 'place':
        return;
      case 'drag':
        this.marks_.sphere(sketch.from, 0.025, kColors.hand);
        this.marks_.rod(sketch.from, sketch.to, 0.006, kColors.hand);
        this.marks_.sphere(sketch.to, 0.035, kColors.hand);
        this.marks_.disc([sketch.to[0], sketch.to[1], 0], 0.08, kColors.hand);
        return;
      case 'tie':
        for (const end of [sketch.from, sketch.to])
          if (end) this.marks_.sphere(end, 0.03, kColors.hand);
        if (sketch.from && sketch.to) this.marks_.rod(sketch.from, sketch.to, 0.006, kColors.hand);
        return;
      case 'push': {
        this.marks_.sphere(sketch.from, 0.04, kColors.push);
        this.marks_.arrow(sketch.from, sketch.to, 0.03, kColors.push);
        const spot = this.rig.project(sketch.to, this.host_.clientWidth, this.host_.clientHeight);
        this.on_push(spot && { ...spot, force_n: sketch.force_n });
        return;
      }
      case 'path': {
        const [first, ...rest] = sketch.points;
        if (first) draw_way(first, rest, this.marks_);
        return;
      }
    }
  }

  private follow(elapsed_s: number): void {
    const { members, by_id } = this.world_.pose.cast;
    const id = this.selection_.first;
    const member =
      id === undefined ? (members.length === 1 ? members[0] : undefined) : by_id.get(id);
    if (!this.settings_.follow.value || !member) return;
    // The camera stands still while a tool is used: a body would be put down beside the point that is aimed at, and
    // a dragged body would run away from the camera that follows it.
    if (this.tools_.busy || this.build_.tool.value.kind !== 'none') return;
    const [x, y, z] = this.root_of(member);
    this.rig.follow([x, y, z + kFollowHeight * member.skeleton.reach], elapsed_s);
  }

  private root_of({ pose: p }: Member): Vec3 {
    const { poses } = this.world_.pose;
    return [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
  }

  private readonly glow = (id: number) =>
    this.selection_.has(id) ? 0.55 : this.selection_.hovered.value === id ? 0.4 : 0;
}

function vec(values: readonly number[]): Vec3 {
  return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function floor_of(scene: Scene | undefined): number {
  if (scene?.noPlane) return -Infinity;
  const depths = (scene?.pits ?? []).map(({ depthM }) => depthM || kDeep_m);
  return -Math.max(0, ...depths);
}

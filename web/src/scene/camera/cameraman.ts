// Where the camera is, and its subject: the view of the address or of the scene, a body, a part of it.
import type { Scene } from '../../gen/promenade/v1/scene_pb';
import {
  type Part,
  parts_of,
  type Side,
  type View,
  view_of_side,
} from '../../state/picture/camera_views';
import { link_at } from '../../state/frames/interpolate';
import { at, heading_of, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { Selection } from '../../state/room/selection';
import type { Settings } from '../../state/room/settings';
import type { World } from '../../state/room/world';
import type { Bounds } from '../../state/figure/shapes';
import type { Lens } from '../../state/picture/lens';
import { CameraOperator } from './camera_operator';
import type { CameraRig } from './camera_rig';

const kFirstView: View = { from: [-10, -8, 2.6], at: [0, 0, 1.1] };
const kFollowHeight = 0.06; // of the body's reach: the camera looks this much above the root
const kNearBy = 2; // times the body's reach: a view of a point this near shows the body
const kShown = 4.4; // times the body's reach: the camera's distance from a body that it shows
const kPartShown = 1.7; // times the body's reach: the camera's distance from a part of a body
// Times the body's reach: nearer and further than this, following brings the camera to where the body is well seen.
const kNearest = 2.2;
const kNearestPart = 0.5; // times the body's reach, of a part of it
const kFurthest = 7;
const kOtherSize = 1.1; // a body that has become so much larger is seen from further away
const kTurn_rad = Math.PI / 12; // of one press of a key
const kNearer = 0.86;

/** A view of somebody that the camera keeps while they go on. */
export interface Look {
  readonly side: Side | undefined; // undefined: from where the camera is
  readonly part: string; // name of a limb; '' the whole body
  readonly distance_m: number;
}

/** The view of the camera, and the subject that it went along with. */
export interface Kept {
  readonly view: View;
  readonly follow: boolean;
  readonly about: Vec3 | undefined; // the followed point then, m, world frame
  readonly part: string;
  readonly directed: boolean; // whether the scene directed the camera
}

/** A view that the page's address gives. */
export interface GivenView {
  readonly scene: string | undefined; // the scene that it shows; undefined: the one that the room shows at first
  readonly view: View | undefined;
  readonly follow: boolean; // whether the camera goes along with the selected character, or with the only one
  readonly about?: Vec3 | undefined; // the followed point when `view` was noted, m, world frame
}

export class Cameraman {
  private shows_given_ = false;
  private joining_: { readonly about: Vec3 | undefined } | undefined; // a given view of somebody who is followed
  private scene_name_: string | undefined;
  private scene_view_: View = kFirstView;
  private scene_: Scene | undefined;
  private directed_ = false; // the scene's shots are shown, until somebody takes the camera
  private size_: { readonly id: number; readonly reach: number } | undefined; // of the body that the camera's distance fits
  private readonly operator_: CameraOperator;

  constructor(
    private readonly rig_: CameraRig,
    private readonly world_: World,
    private readonly selection_: Selection,
    private readonly settings_: Settings,
    private given_: GivenView | undefined,
  ) {
    this.operator_ = new CameraOperator(world_);
    rig_.go(given_?.view ?? kFirstView, true);
    rig_.on_taken = () => (this.directed_ = false);
    world_.cast.watch(({ by_id }) => {
      const sizes = [...by_id.values()].map(({ skeleton }) => 1.5 * skeleton.reach);
      rig_.set_least_size(Math.min(Infinity, ...sizes));
    });
  }

  /** Whether the scene directs the camera: nobody has taken it since the scene came. */
  get directed(): boolean {
    return this.directed_;
  }

  /** The body that the picture is of: the one that is watched, or the one of the scene's shot. */
  get focus(): Member | undefined {
    return this.watched ?? (this.directed_ ? this.operator_.focus : undefined);
  }

  /** The bodies that the scene's shot is of; none where the scene does not direct. */
  get people(): readonly Member[] {
    return this.directed_ ? this.operator_.people : [];
  }

  /** The box around what the scene's shot is of, m; undefined: the scene does not direct. */
  get shown(): Bounds | undefined {
    return this.directed_ ? this.operator_.shown : undefined;
  }

  /** Whether the picture shows the view of the address, until another scene comes. */
  get shows_given(): boolean {
    return this.shows_given_;
  }

  /** The body that the camera watches: the first that is selected, or the only one. */
  get watched(): Member | undefined {
    const { members, by_id } = this.world_.pose.cast;
    const id = this.selection_.first;
    if (id !== undefined) return by_id.get(id);
    return members.length === 1 ? members[0] : undefined;
  }

  /** The point of a body that the camera looks at, m, world frame: of the part that is followed, or of the whole. */
  point_of(member: Member): Vec3 {
    const part = this.part_of(member);
    if (part.key !== '') return this.place(link_at(this.world_.pose, member, part.link));
    const [x, y, z] = this.place(member.pose);
    return [x, y, z + kFollowHeight * member.skeleton.reach];
  }

  /** Chooses the view of a scene that has come: that of the address, or its own. */
  enter(scene: Scene): void {
    if (scene.name === this.scene_name_) return;
    const first = this.scene_name_ === undefined;
    this.scene_name_ = scene.name;
    const { given_: given } = this;
    const is_given = given && (given.scene === scene.name || (first && !given.scene));
    this.shows_given_ = is_given === true && given?.view !== undefined;
    this.joining_ = undefined;
    this.scene_ = scene;
    this.scene_view_ = view_of_scene(scene);
    this.directed_ = false;
    this.size_ = undefined;
    if (is_given) this.given_ = undefined;
    if (is_given && given.view) {
      this.rig_.go(given.view, true);
      this.settings_.follow.set(given.follow);
      if (given.follow) this.joining_ = { about: given.about };
      return;
    }
    // In a scene without shots a single character would walk out of the picture, so the camera follows it; but where
    // there are things or pits the picture shows these.
    const alone = scene.characters.length === 1 && scene.crowds.length === 0;
    const meets = scene.things.length + scene.heaps.length + scene.pits.length > 0;
    const follows = is_given && given.follow;
    this.settings_.follow.set(follows || (!has_shots(scene) && alone && !meets));
    this.rig_.go(this.scene_view_, first);
    if (!follows) this.direct(first ? 'at once' : 'eased');
  }

  /** Goes along with the followed body, or as the scene directs; called once a picture. */
  follow(elapsed_s: number, lens: Lens, still: boolean): void {
    if (!this.settings_.follow.value) {
      this.size_ = undefined;
      this.rig_.unfollow();
      const view = this.directed_ && this.operator_.view(this.rig_.view, lens, elapsed_s, still);
      if (view) this.rig_.steer(view);
      return;
    }
    this.directed_ = false;
    const member = this.watched;
    if (!member?.complete) return; // how large it is decides where the camera looks
    const point = this.point_of(member);
    if (this.joining_) {
      this.rig_.follow_from(point, this.joining_.about ?? this.about_where(member, point));
      this.joining_ = undefined;
      this.note_size(member);
    }
    this.keep_distance(member, point);
    this.rig_.follow(point, elapsed_s);
  }

  /** Moves the camera to a character or thing. */
  show(id: number): void {
    const member = this.world_.pose.cast.by_id.get(id);
    if (!member) return;
    this.directed_ = false;
    if (this.settings_.follow.value && this.size_ && this.watched?.id === id) return; // by its size, as it is followed
    this.note_size(member);
    this.rig_.look_at(this.place(member.pose), kShown * member.skeleton.reach);
  }

  /** Looks at a side of the watched body, or of the scene. */
  look_from(side: Side): void {
    this.directed_ = false;
    const member = this.watched;
    const { from, at: target } = this.rig_.view;
    const distance = apart(from, target);
    if (!member) {
      const { from: first, at: middle } = this.scene_view_;
      return this.rig_.go(view_of_side(side, middle, 0, apart(first, middle)));
    }
    const whole = this.part_of(member).key === '';
    const far = (whole ? kShown : kPartShown) * member.skeleton.reach;
    const heading = heading_of(this.world_.pose.poses, member.pose + 3);
    const away = Math.min(far, Math.max(0.4 * far, distance));
    this.rig_.go(view_of_side(side, this.point_of(member), heading, away));
  }

  /** Flies to a view of a character or thing that is selected, and goes along with it. */
  look(member: Member, { side, part, distance_m }: Look): void {
    this.settings_.followed_part.set(part);
    this.settings_.follow.set(true);
    this.joining_ = undefined;
    this.directed_ = false;
    this.note_size(member);
    const point = this.point_of(member);
    if (!side) return this.rig_.look_at(point, distance_m, true);
    const heading = heading_of(this.world_.pose.poses, member.pose + 3);
    this.rig_.go(view_of_side(side, point, heading, distance_m));
  }

  /** Flies to a view of the world, and follows nobody. */
  stand(view: View): void {
    this.settings_.follow.set(false);
    this.directed_ = false;
    this.rig_.go(view);
  }

  /** The present view, to come back to. */
  get kept(): Kept {
    const follow = this.settings_.follow.value;
    const about = follow ? this.rig_.followed : undefined;
    const part = this.settings_.followed_part.value;
    return { view: this.rig_.view, follow, about, part, directed: this.directed_ };
  }

  /** Flies back; the body that was followed then, and is selected again, may have gone on meanwhile. */
  come_back({ view, follow, about, part, directed }: Kept): void {
    this.settings_.followed_part.set(part);
    this.settings_.follow.set(follow);
    if (directed) return this.direct('eased');
    const member = about && this.watched;
    const point = member && this.point_of(member);
    if (!about || !point) return this.rig_.go(view);
    const shift = (from: Vec3): Vec3 => [
      from[0] + point[0] - about[0],
      from[1] + point[1] - about[1],
      from[2] + point[2] - about[2],
    ];
    this.rig_.go({ from: shift(view.from), at: shift(view.at) });
  }

  /** Lets the scene direct the camera again; where it has no shots, goes back to the view with which it began. */
  look_at_scene(): void {
    this.settings_.follow.set(false);
    this.rig_.go(this.scene_view_);
    this.direct('eased');
  }

  /** The parts of the watched body. */
  get parts(): readonly Part[] {
    const member = this.watched;
    return member ? parts_of(member.skeleton) : [];
  }

  /** Follows a part of the watched body, from near; '' the whole of it. @return the part; undefined: none is watched */
  follow_part(key: string): Part | undefined {
    const member = this.watched;
    if (!member) return undefined;
    this.settings_.followed_part.set(key);
    const part = this.part_of(member);
    this.joining_ = undefined;
    this.directed_ = false;
    this.note_size(member);
    const distance = (part.key === '' ? kShown : kPartShown) * member.skeleton.reach;
    this.rig_.look_at(this.point_of(member), distance, true);
    this.settings_.follow.set(true);
    return part;
  }

  /** Goes on to the next part of the watched body. @return that part; undefined: none is watched */
  follow_next_part(direction: 1 | -1): Part | undefined {
    const { parts } = this;
    const now = parts.findIndex(({ key }) => key === this.settings_.followed_part.value);
    const next = parts[(Math.max(0, now) + direction + parts.length) % parts.length];
    return next && this.follow_part(next.key);
  }

  /** Turns the camera about what it looks at by steps: right on the screen and up. */
  turn(right: number, up: number): void {
    this.rig_.turn({ around_rad: right * kTurn_rad, up_rad: up * kTurn_rad, nearer: 1 });
  }

  /** Moves the camera nearer by steps; further where these are negative. */
  zoom(steps: number): void {
    this.rig_.turn({ around_rad: 0, up_rad: 0, nearer: kNearer ** steps });
  }

  private direct(way: 'at once' | 'eased'): void {
    this.directed_ = this.scene_ !== undefined && has_shots(this.scene_);
    if (this.directed_) this.operator_.begin(way);
  }

  private note_size({ id, skeleton }: Member): void {
    this.size_ = { id, reach: skeleton.reach };
  }

  /** Of somebody else, or of a body that has become larger, the camera sees as much as before: it is as far by its size. */
  private keep_distance(member: Member, point: Vec3): void {
    const { size_: before } = this;
    const { id, skeleton } = member;
    const grown = skeleton.reach / (before?.reach ?? skeleton.reach);
    const same = before?.id === id && Math.max(grown, 1 / grown) < kOtherSize;
    if (same) return;
    this.note_size(member);
    const { from, at: target } = this.rig_.view;
    const distance = apart(from, target);
    const part = this.part_of(member).key !== '';
    const least = (part ? kNearestPart : kNearest) * skeleton.reach;
    const wanted = Math.min(kFurthest * skeleton.reach, Math.max(least, distance * grown));
    if (before || Math.abs(wanted - distance) > 1e-3) this.rig_.look_at(point, wanted, true);
  }

  private part_of({ skeleton }: Member): Part {
    const key = this.settings_.followed_part.value;
    const parts = parts_of(skeleton);
    return parts.find((part) => part.key === key) ?? (parts[0] as Part);
  }

  /**
   * Where the followed body was when an address was made that does not tell: here if the address shows a point near
   * to it; otherwise at that point, at the body's height, so that feet stay in the picture where feet were.
   */
  private about_where({ skeleton }: Member, point: Vec3): Vec3 {
    const { at: target } = this.rig_.view;
    const near = kNearBy * skeleton.reach;
    if (apart(point, target) < near) return point;
    return [target[0], target[1], Math.abs(point[2] - target[2]) < near ? point[2] : target[2]];
  }

  private place(p: number): Vec3 {
    const { poses } = this.world_.pose;
    return [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
  }
}

function has_shots({ camera }: Scene): boolean {
  return (camera?.shots.length ?? 0) > 0;
}

function view_of_scene({ camera }: Scene): View {
  const { fromM = [], atM = [] } = camera ?? {};
  return fromM.length === 3 && atM.length === 3 ? { from: vec(fromM), at: vec(atM) } : kFirstView;
}

function vec(values: readonly number[]): Vec3 {
  return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
}

function apart(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

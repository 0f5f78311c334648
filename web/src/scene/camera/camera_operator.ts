// The camera as the scene directs it: shot by shot, along with their subjects, until somebody takes it.
import type { Scene, Shot } from '../../gen/promenade/v1/scene_pb';
import type { SceneInfo } from '../../gen/promenade/v1/wire_pb';
import { type View, view_between } from '../../state/picture/camera_views';
import { is_present, link_at } from '../../state/frames/interpolate';
import type { Lens } from '../../state/picture/lens';
import { at, type Vec3 } from '../../state/values/quaternion';
import { box_of, rest_size } from '../../state/figure/rest_pose';
import type { Member } from '../../state/room/roster';
import { type Bounds, bounds_of_all } from '../../state/figure/shapes';
import { framing_of, raised, shot_at, view_of_box } from '../../state/picture/shots';
import { Spring } from '../../state/values/smooth';
import { first_id } from '../../state/show/subjects';
import type { World } from '../../state/room/world';

const kAfter_hz = 3.5; // how fast the camera follows its subjects; the lower, the less steps are felt in the picture
const kLens_hz = 5; // how fast it gives way to a panel
const kCut_s = 0.9; // from one shot to the next, and after a subject that was put elsewhere
const kJump_m = 1.5; // further than a body gets from one picture to the next, besides
const kJump_mps = 12; // its own speed
const kFallen_m = 0.6;
const kLeastWidth = 1; // of its height: a fallen body lies as long as that

/** One body in a shot, as large as it is upright: a fall does not bring the camera near. */
interface Shown {
  readonly middle: Vec3;
  readonly half: Vec3;
}

export class CameraOperator {
  private info_: SceneInfo | undefined;
  private first_: number | undefined; // id of the scene's first body
  private shot_: Shot | undefined;
  private spring_: Spring | undefined; // of the middle and the half sizes of what is shown
  private lens_: Spring | undefined;
  private cut_: { readonly from: View; t_s: number } | undefined;
  private readonly places_ = new Map<number, Vec3>(); // where those shown were in the last picture
  private tick_ = 0;
  private lowest_ = -Infinity; // m: a body below it falls out of the world, and the camera waits
  private begins_: 'at once' | 'eased' | undefined;

  constructor(private readonly world_: World) {}

  /** Takes the camera: the next picture is the scene's, or the first on the way to it. */
  begin(way: 'at once' | 'eased'): void {
    this.begins_ = way;
  }

  /** The body that the shot is of, where it is of one. */
  get focus(): Member | undefined {
    const { subjects = [] } = this.shot_ ?? {};
    return subjects.length === 1 ? this.member(subjects[0] as number) : undefined;
  }

  /** The bodies that the shot is of: its subjects, or everybody in its part of the room. */
  get people(): readonly Member[] {
    const { subjects = [], boxM: box = [] } = this.shot_ ?? {};
    if (subjects.length > 0) return subjects.flatMap((number) => this.member(number) ?? []);
    const { pose } = this.world_;
    const within = ({ pose: p }: Member) =>
      [0, 1].every(
        (k) => at(pose.poses, p + k) >= at(box, k) && at(pose.poses, p + k) <= at(box, 3 + k),
      );
    return pose.cast.members.filter((member) => is_present(pose, member) && within(member));
  }

  /** The box around what the shot is of, as the camera takes it, m; undefined: nothing is shown yet. */
  get shown(): Bounds | undefined {
    return this.spring_ && bounds_from(this.spring_.value);
  }

  /**
   * The view of a picture.
   * @param now what the camera shows now, which it leaves in an eased cut
   * @param still without one: the system asks for reduced motion
   * @return undefined: the scene has no shots, or nobody of this one is there
   */
  view(now: View, lens: Lens, elapsed_s: number, still: boolean): View | undefined {
    const info = this.world_.shown_scene.value;
    const { scene } = info ?? {};
    if (info !== this.info_) {
      this.first_ = undefined;
      this.lowest_ = lowest_of(scene);
    }
    this.info_ = info;
    const { cast } = this.world_.pose;
    if (!scene?.camera) return undefined;
    // Until its first frame the picture still has the cast of the scene before.
    if (this.world_.pose.tick >= Number(info?.sceneTick ?? 0n))
      this.first_ ??= first_id(scene, cast);
    const shot = shot_at(scene, this.world_.scene_time_s(this.world_.pose.tick, info));
    if (!shot) return undefined;
    const members = shot.subjects.flatMap((number) => this.member(number) ?? []);
    const shown = this.shown_of(shot, members);
    if (!shown) return undefined;
    const step_s = Math.max(elapsed_s, this.room_s());
    const jumped = this.has_jumped(members, step_s);
    const { begins_: begins } = this;
    const cut = begins !== undefined || shot !== this.shot_ || jumped;
    const at_once = still || begins === 'at once';
    if (cut) this.cut_ = at_once ? undefined : { from: now, t_s: 0 };
    this.begins_ = undefined;
    this.shot_ = shot;
    const goal = [...shown.middle, ...shown.half];
    if (cut || !this.spring_) this.spring_ = new Spring([...goal], kAfter_hz);
    else this.spring_.step(goal, step_s);
    const free = [lens.left, lens.right, lens.bottom, lens.top];
    if (still || begins || !this.lens_) this.lens_ = new Spring([...free], kLens_hz);
    else this.lens_.step(free, elapsed_s);
    const seen = lens_from(this.lens_.value);
    const asked = framing_of(shot, scene.camera);
    const framing = members.length > 0 ? asked : raised(asked, seen);
    const height_m = Math.max(0, ...members.map(({ skeleton }) => rest_size(skeleton)[2]));
    const box = bounds_from(this.spring_.value, this.spring_.speed, this.lead_s(framing.lead_s));
    const to = view_of_box(box, framing, seen, height_m);
    return this.eased(to, step_s);
  }

  /** Seconds that the room went on since the last picture: where it runs fast the camera keeps up. */
  private room_s(): number {
    const { pose, hello } = this.world_;
    const ticks = pose.tick - this.tick_;
    this.tick_ = pose.tick;
    return Math.max(0, ticks) * (hello.value?.tick_s ?? 0);
  }

  private lead_s(asked_s: number): number {
    return asked_s + (this.spring_?.lag_s ?? 0);
  }

  private eased(to: View, elapsed_s: number): View {
    const { cut_: cut } = this;
    if (!cut) return to;
    cut.t_s += elapsed_s;
    const t = Math.min(1, cut.t_s / kCut_s);
    if (t >= 1) this.cut_ = undefined;
    return view_between(cut.from, to, t * t * t * (t * (6 * t - 15) + 10));
  }

  private member(number: number): Member | undefined {
    if (this.first_ === undefined) return undefined;
    const { pose } = this.world_;
    const member = pose.cast.by_id.get(this.first_ + number - 1);
    if (!member?.complete || !is_present(pose, member)) return undefined;
    return at(pose.poses, member.pose + 2) > this.lowest_ ? member : undefined;
  }

  private shown_of(shot: Shot, members: readonly Member[]): Shown | undefined {
    if (shot.subjects.length > 0 && members.length === 0) return undefined;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = shot.boxM;
    const place: readonly Bounds[] =
      shot.boxM.length === 6
        ? [
            [
              [a, b, c],
              [d, e, f],
            ],
          ]
        : [];
    const all = bounds_of_all([...place, ...members.map((member) => this.box(member))]);
    if (!all) return undefined;
    const [low, high] = all;
    const mean = (k: 0 | 1 | 2) => (low[k] + high[k]) / 2;
    const half = (k: 0 | 1 | 2) => (high[k] - low[k]) / 2;
    return { middle: [mean(0), mean(1), mean(2)], half: [half(0), half(1), half(2)] };
  }

  private box(member: Member): Bounds {
    const { pose } = this.world_;
    const p = link_at(pose, member, 0);
    const [low, high] = box_of(member.skeleton, pose.poses, member.pose);
    if (member.thing) return [low, high];
    const [x, y, z] = [at(pose.poses, p), at(pose.poses, p + 1), (low[2] + high[2]) / 2];
    const [deep, wide, tall] = rest_size(member.skeleton);
    const across = Math.max(deep, wide, kLeastWidth * tall) / 2;
    return [
      [x - across, y - across, z - tall / 2],
      [x + across, y + across, z + tall / 2],
    ];
  }

  /** Whether one of them was put elsewhere since the last picture. */
  private has_jumped(members: readonly Member[], elapsed_s: number): boolean {
    const { poses } = this.world_.pose;
    let jumped = false;
    const before = new Map(this.places_);
    this.places_.clear();
    for (const { id, pose: p } of members) {
      const place: Vec3 = [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
      const was = before.get(id);
      this.places_.set(id, place);
      if (!was) continue;
      const far = Math.hypot(place[0] - was[0], place[1] - was[1], place[2] - was[2]);
      if (far > kJump_m + kJump_mps * elapsed_s) jumped = true;
    }
    return jumped;
  }
}

/** The lowest ground that has a floor, and some way below. */
function lowest_of(scene: Scene | undefined): number {
  if (scene?.noPlane) return -Infinity;
  return -Math.max(0, ...(scene?.pits ?? []).map(({ depthM }) => depthM)) - kFallen_m;
}

function bounds_from(value: readonly number[], speed: readonly number[] = [], ahead_s = 0): Bounds {
  const middle = (k: number) => at(value, k) + (k < 2 ? ahead_s * (speed[k] ?? 0) : 0);
  const half = (k: number) => at(value, 3 + k);
  return [
    [middle(0) - half(0), middle(1) - half(1), middle(2) - half(2)],
    [middle(0) + half(0), middle(1) + half(1), middle(2) + half(2)],
  ];
}

function lens_from([left = 0, right = 0, bottom = 0, top = 0]: readonly number[]): Lens {
  return { left, right, bottom, top };
}

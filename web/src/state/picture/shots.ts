// The shots of a scene's camera: which one is on, and from where all of its subjects fit into the picture.
import type { Camera, Scene, Shot } from '../../gen/promenade/v1/scene_pb';
import type { View } from './camera_views';
import type { Lens } from './lens';
import type { Vec3 } from '../values/quaternion';
import { type Bounds, corners } from '../figure/shapes';

const kFill = 0.55; // of the free height, where a shot names no share
const kLeast = 0.12; // of the free height: the body in the middle is at least this tall
const kAcross = 0.92; // of the free width: nobody touches the edge
const kPerson_m = 1.7;
const kNearest = 1.1; // times from the middle to the nearest corner: there is no picture from within

/** How a shot is to be seen. */
export interface Framing {
  readonly around_rad: number; // where the camera stands, about z from x
  readonly up_rad: number; // and how far above the level
  readonly fill: number; // at most this share of the free height
  readonly least: number; // least share for a person in the middle
  readonly lead_s: number;
  readonly low: number; // how far below the middle, 0 to 1 of the room that `fill` leaves
}

const kWide = 1; // width over height from which on nothing is raised
const kUpright = 0.55; // as of a phone: all of the rise
const kRise_rad = 0.26;
const kHighest_rad = 0.6; // further up, the horizon is out of the picture

const rad = (deg: number) => (deg * Math.PI) / 180;

/**
 * A part of the room as it is best seen in the free part of the picture: where that is higher than wide, from further up,
 * so that what lies behind fills the height that sides cannot.
 */
export function raised(framing: Framing, lens: Lens): Framing {
  const aspect = (lens.right - lens.left) / (lens.top - lens.bottom);
  const narrow = Math.min(1, Math.max(0, (kWide - aspect) / (kWide - kUpright)));
  const up_rad = Math.max(
    framing.up_rad,
    Math.min(kHighest_rad, framing.up_rad + narrow * kRise_rad),
  );
  return { ...framing, up_rad };
}

/** The shot that is on. @param time_s since the scene began @return undefined: the scene has none */
export function shot_at(
  { camera, scriptPeriodS: period_s }: Scene,
  time_s: number,
): Shot | undefined {
  const { shots = [], periodS = 0 } = camera ?? {};
  const since_s = period_s > 0 ? time_s % period_s : time_s;
  const phase_s = periodS > 0 ? since_s % periodS : since_s;
  return shots.filter(({ atS }) => atS <= phase_s).at(-1) ?? shots[0];
}

/** How a shot is to be seen: what it leaves out is as the scene's first view has it. */
export function framing_of(shot: Shot, camera: Camera): Framing {
  const part = (k: number) => (camera.fromM[k] ?? 0) - (camera.atM[k] ?? 0);
  const [x, y, z] = [part(0), part(1), part(2)];
  const { aroundDeg, upDeg } = shot;
  return {
    around_rad: aroundDeg === undefined ? Math.atan2(y, x) : rad(aroundDeg),
    up_rad: upDeg === undefined ? Math.max(0, Math.atan2(z, Math.hypot(x, y))) : rad(upDeg),
    fill: shot.fill || kFill,
    least: shot.least || kLeast,
    lead_s: shot.leadS,
    low: shot.subjects.length > 0 ? 0 : 1, // above a place there is the horizon, and sky
  };
}

interface Axes {
  readonly back: Vec3; // from what is looked at to the camera
  readonly right: Vec3;
  readonly up: Vec3;
}

function axes_of(around_rad: number, up_rad: number): Axes {
  const [c, s] = [Math.cos(around_rad), Math.sin(around_rad)];
  const [k, h] = [Math.cos(up_rad), Math.sin(up_rad)];
  return { back: [k * c, k * s, h], right: [-s, c, 0], up: [-h * c, -h * s, k] };
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/**
 * Law: a point that lies X to the right of the box's middle and z towards the camera is seen at (X - a) / (D - z) from a
 * distance D of a camera that is moved by a to the right. It is within [low, high] for all points where
 * max(X + high z) - high D <= a <= min(X + low z) - low D.
 */
class Span {
  private readonly least_: number; // of a, without its share of the distance
  private readonly most_: number;

  constructor(
    private readonly low_: number,
    private readonly high_: number,
    points: readonly { readonly across: number; readonly near: number }[],
  ) {
    this.least_ = Math.max(...points.map(({ across, near }) => across + high_ * near));
    this.most_ = Math.min(...points.map(({ across, near }) => across + low_ * near));
  }

  /** The least distance from which all points are within, m. */
  get distance(): number {
    return (this.least_ - this.most_) / (this.high_ - this.low_);
  }

  /** How far the camera is moved, m: as much is free on either side. */
  shift(distance: number): number {
    return (this.least_ - this.high_ * distance + this.most_ - this.low_ * distance) / 2;
  }
}

/**
 * The nearest place from which a box is whole in the free part of the picture, in its middle or lower, and fills no more
 * of its height than it should.
 * @param height_m of the body in the middle; 0: that of a person
 */
export function view_of_box(
  box: Bounds,
  { around_rad, up_rad, fill, least, low: lower }: Framing,
  lens: Lens,
  height_m = 0,
): View {
  const [low, top] = box;
  const middle: Vec3 = [(low[0] + top[0]) / 2, (low[1] + top[1]) / 2, (low[2] + top[2]) / 2];
  const tall = lens.top - lens.bottom;
  const [wide, high] = [(kAcross * (lens.right - lens.left)) / 2, (fill * tall) / 2];
  const x = (lens.left + lens.right) / 2;
  const y = (lens.bottom + lens.top) / 2 - (lower * (1 - fill) * tall) / 2;
  // A body away from the middle of the picture is seen from another angle than the camera's own.
  const { back, right, up } = axes_of(around_rad, up_rad + Math.atan(y));
  const points = corners(box).map((corner) => {
    const from: Vec3 = [corner[0] - middle[0], corner[1] - middle[1], corner[2] - middle[2]];
    return { right: dot(from, right), up: dot(from, up), near: dot(from, back) };
  });
  const level = points.map(({ right: across, near }) => ({ across, near }));
  const upright = points.map(({ up: across, near }) => ({ across, near }));
  const [across, along] = [
    new Span(x - wide, x + wide, level),
    new Span(y - high, y + high, upright),
  ];
  const nearest = Math.max(...points.map(({ near }) => near)) * kNearest;
  const furthest = (height_m || kPerson_m) / (least * tall);
  const distance = Math.max(nearest, Math.min(furthest, Math.max(across.distance, along.distance)));
  const [a, b] = [across.shift(distance), along.shift(distance)];
  const at: Vec3 = [
    middle[0] + a * right[0] + b * up[0],
    middle[1] + a * right[1] + b * up[1],
    middle[2] + a * right[2] + b * up[2],
  ];
  return {
    at,
    from: [at[0] + distance * back[0], at[1] + distance * back[1], at[2] + distance * back[2]],
  };
}

// How people stand in the picture: where, how large, and whether anything hides them. For tests of scenes.
import type { CameraRig } from '../../scene/camera/camera_rig';
import type { Cameraman } from '../../scene/camera/cameraman';
import type { PictureFrame } from '../../scene/picture/picture_frame';
import type { Rect } from '../../state/picture/free_part';
import { link_at, type WorldPose } from '../../state/frames/interpolate';
import { pick, type Ray } from '../../state/hand/picking';
import { at, type Vec3 } from '../../state/values/quaternion';
import { box_of, rest_size } from '../../state/figure/rest_pose';
import type { Member } from '../../state/room/roster';
import { corners } from '../../state/figure/shapes';
import { torso_of } from '../../state/figure/skeleton';

const kMost = 60; // people that are looked at: those nearest to the camera
const kTouch_m = 0.35; // what a ray meets so much before a point is the body itself, or lies on it

export interface InPicture {
  readonly id: number;
  readonly thing: boolean;
  readonly box: Rect; // page px, around all of the body
  readonly high: number; // px: how high a body of that size is there that stands
  readonly seen: number; // share of head, chest, hips and feet that nothing hides
  readonly points: readonly Vec3[]; // m, these
}

/** The camera of a picture, and what it is asked about: that of the page, or one that nobody draws. */
export interface Shooting {
  readonly cameraman: Pick<Cameraman, 'directed' | 'people' | 'shown'>;
  readonly rig: Pick<CameraRig, 'view' | 'project'>;
  readonly frame: Pick<PictureFrame, 'pixel_m' | 'shift'>;
  readonly free: Rect; // px from the picture's upper left corner, without panels
  /** Where a ray meets the ground, m, world frame. */
  ground_at(ray: Ray): { readonly point: Vec3 } | undefined;
}

export interface Framing {
  readonly directed: boolean;
  readonly whole: Rect; // page px
  readonly free: Rect; // of that, without panels
  readonly shift: PictureFrame['shift']; // of the picture's middle
  readonly people: readonly InPicture[]; // the subjects of the scene's shot, and the people before the camera
  readonly shown: readonly [low: Vec3, high: Vec3] | undefined; // m
}

/** @param whole the picture, page px */
export function framing_of(pose: WorldPose, shooting: Shooting, whole: Rect): Framing {
  const { cameraman, frame, free, rig } = shooting;
  const { left, top } = whole;
  const { from } = rig.view;
  const far = ({ pose: p }: Member) => Math.hypot(...from.map((x, k) => x - at(pose.poses, p + k)));
  const people = [...cameraman.people]
    .sort((a, b) => far(a) - far(b))
    .slice(0, kMost)
    .flatMap((member) => in_picture(pose, shooting, member, whole) ?? []);
  return {
    directed: cameraman.directed,
    whole,
    free: {
      left: left + free.left,
      top: top + free.top,
      right: left + free.right,
      bottom: top + free.bottom,
    },
    shift: frame.shift,
    people,
    shown: cameraman.shown,
  };
}

function in_picture(
  pose: WorldPose,
  shooting: Shooting,
  member: Member,
  whole: Rect,
): InPicture | undefined {
  const points = points_of(pose, member);
  const [width, height] = [whole.right - whole.left, whole.bottom - whole.top];
  const spots = corners(box_of(member.skeleton, pose.poses, member.pose)).map((corner) =>
    shooting.rig.project(corner, width, height),
  );
  const [xs, ys, deep]: [number[], number[], number[]] = [[], [], []];
  for (const spot of spots) {
    if (!spot) return undefined;
    xs.push(whole.left + spot.x);
    ys.push(whole.top + spot.y);
    deep.push(spot.depth);
  }
  const depth = deep.reduce((sum, one) => sum + one, 0) / deep.length;
  const seen = points.filter((point) => is_seen(pose, shooting, member, point)).length;
  return {
    id: member.id,
    thing: member.thing,
    box: {
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    },
    high: rest_size(member.skeleton)[2] / (shooting.frame.pixel_m * depth),
    seen: seen / points.length,
    points,
  };
}

function points_of(pose: WorldPose, member: Member): readonly Vec3[] {
  const { limbs } = member.skeleton;
  const last = (kind: string) => limbs.find((limb) => limb.kind === kind)?.links.at(-1);
  const feet = limbs.flatMap(({ soles }) => soles[0] ?? []);
  const links = new Set([0, torso_of(member.skeleton), last('head') ?? 0, ...feet]);
  return [...links].map((link): Vec3 => {
    const p = link_at(pose, member, link);
    return [at(pose.poses, p), at(pose.poses, p + 1), at(pose.poses, p + 2)];
  });
}

function is_seen(pose: WorldPose, shooting: Shooting, member: Member, point: Vec3): boolean {
  const { from } = shooting.rig.view;
  const way: Vec3 = [point[0] - from[0], point[1] - from[1], point[2] - from[2]];
  const far = Math.hypot(...way);
  const ray: Ray = { origin: from, direction: [way[0] / far, way[1] / far, way[2] / far] };
  const body = pick(pose, ray, 0, ({ id }) => id !== member.id);
  const ground = shooting.ground_at(ray)?.point;
  const nearest = Math.min(
    body?.distance ?? Infinity,
    ground ? Math.hypot(...ground.map((x, k) => x - (from[k] ?? 0))) : Infinity,
  );
  return nearest > far - kTouch_m;
}

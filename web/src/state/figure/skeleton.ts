import {
  type Creature,
  Creature_Look,
  Limb_Kind,
  RootKind,
  type Joint,
  type Limb,
  type Shape,
} from '../../gen/promenade/v1/creature_pb';
import { joint_name, kJoints } from '../../net/joint_table';
import { coats_of, type LinkCoat, ornaments_of, type SkeletonOrnament } from './dress';
import type { Vec3 } from '../values/quaternion';

export type LinkShape =
  | { readonly kind: 'capsule'; readonly from: Vec3; readonly to: Vec3; readonly radius: number }
  | { readonly kind: 'box'; readonly center: Vec3; readonly half: Vec3 }
  | { readonly kind: 'sphere'; readonly center: Vec3; readonly radius: number }
  | { readonly kind: 'cylinder'; readonly from: Vec3; readonly to: Vec3; readonly radius: number };

export type LinkJoint =
  | { readonly kind: 'root' }
  | { readonly kind: 'hinge'; readonly axis: Vec3 }
  | { readonly kind: 'universal' }
  | { readonly kind: 'ball' }
  | { readonly kind: 'slider'; readonly axis: Vec3 };

export interface SkeletonLink {
  readonly name: string;
  readonly parent: number; // index into Skeleton.links, -1 for the root
  readonly joint: LinkJoint;
  readonly coordinate: number; // first of the joint's, within the character's coordinates
  readonly at_parent: Vec3; // joint centre in the parent's frame, m
  readonly at_child: Vec3; // joint centre in this link's frame, m
  readonly shapes: readonly LinkShape[];
  readonly mass: number; // kg
  readonly inertia: Vec3; // kg m2, principal moments about the centre of mass along the link's axes
}

export type LimbKind = 'leg' | 'arm' | 'trunk' | 'head' | 'tail';

export interface SkeletonLimb {
  readonly index: number; // in the file: bit of FrameData.limb_contacts
  readonly name: string;
  readonly kind: LimbKind;
  readonly links: readonly number[]; // indices, from the body outwards
  readonly soles: readonly number[]; // the links of the limb that press on the ground
}

/** How a creature is dressed: with clothes, a shell, fur, or not at all. */
export type Look = 'plain' | 'person' | 'machine' | 'beast' | 'insect';

/** Abilities of a body's hands when nothing is in the way: see Hands in wire.proto. */
export interface HandLimits {
  readonly lift_kg: number;
  readonly width_m: number;
  readonly reach_up_m: number;
}

/** The server's facts about a body besides its shape. */
export interface Abilities {
  readonly families: readonly string[] | undefined; // names of those that can drive it, its own first; undefined: not known
  readonly hands: HandLimits | undefined; // undefined: it has none, or is a thing, or it is not known
}

/** A body as the page needs it: where its links hang, and how many coordinates each joint has. */
export interface Skeleton extends Abilities {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly color: string;
  readonly look: Look;
  readonly root: 'free' | 'planar' | 'fixed';
  readonly links: readonly SkeletonLink[];
  readonly limbs: readonly SkeletonLimb[];
  readonly coats: readonly (LinkCoat | undefined)[]; // [links] undefined: as the look has it
  readonly ornaments: readonly SkeletonOrnament[];
  readonly order: readonly number[]; // of links, parents before children
  readonly coordinates: number;
  readonly rest: readonly number[]; // [coordinates] the pose in which it is put down
  readonly mass: number; // kg
  readonly reach: number; // m: no point of the body is ever further from the root link's origin
}

/** The link at the upper end of the trunk; the first where there is none. */
export function torso_of({ limbs }: Skeleton): number {
  const trunk = limbs.find(({ kind }) => kind === 'trunk')?.links ?? [];
  return trunk[trunk.length - 1] ?? 0;
}

function link_joint(joint: Joint | undefined): LinkJoint {
  if (!joint) return { kind: 'root' };
  const kind = joint_name(joint.kind, joint.name);
  return kind === 'hinge' || kind === 'slider' ? { kind, axis: vec3(joint.axis) } : { kind };
}

/** Coordinates of a joint in the pose in which the body is put down, in a frame's order. */
function rest_of(joint: Joint): number[] {
  const [x = 0, y = 0, z = 0] = joint.restRad;
  switch (joint_name(joint.kind, joint.name)) {
    case 'hinge':
      return [x];
    case 'universal':
      return [y, x]; // the file has roll before pitch
    case 'ball':
      return [x, y, z];
    case 'slider':
      return [joint.restM[0] ?? 0];
  }
}

function link_shape({ kind }: Shape): LinkShape[] {
  switch (kind.case) {
    case 'capsule': {
      const { fromM, toM, radiusM } = kind.value;
      return [{ kind: 'capsule', from: vec3(fromM), to: vec3(toM), radius: radiusM }];
    }
    case 'cylinder': {
      const { fromM, toM, radiusM } = kind.value;
      return [{ kind: 'cylinder', from: vec3(fromM), to: vec3(toM), radius: radiusM }];
    }
    case 'sphere':
      return [{ kind: 'sphere', center: vec3(kind.value.centerM), radius: kind.value.radiusM }];
    case 'box':
      return [{ kind: 'box', center: vec3(kind.value.centerM), half: vec3(kind.value.halfM) }];
    case undefined:
      return []; // a kind of joint that only a newer server knows: it cannot be drawn
  }
}

function limb_kind(kind: Limb_Kind): LimbKind | undefined {
  switch (kind) {
    case Limb_Kind.LEG:
      return 'leg';
    case Limb_Kind.ARM:
      return 'arm';
    case Limb_Kind.TRUNK:
      return 'trunk';
    case Limb_Kind.HEAD:
      return 'head';
    case Limb_Kind.TAIL:
      return 'tail';
    case Limb_Kind.KIND_UNSPECIFIED:
      return undefined;
  }
}

function skeleton_limb(
  limb: Limb,
  i: number,
  links_by_name: ReadonlyMap<string, number>,
): SkeletonLimb | undefined {
  const kind = limb_kind(limb.kind);
  const links = limb.links.flatMap((name) => links_by_name.get(name) ?? []);
  if (!kind || links.length === 0) return undefined;
  const soles = limb.soleLinks || (kind === 'leg' ? 1 : 0);
  return { index: i, name: limb.name, kind, links, soles: soles > 0 ? links.slice(-soles) : [] };
}

function look_of(look: Creature_Look): Look {
  switch (look) {
    case Creature_Look.PLAIN:
      return 'plain';
    case Creature_Look.PERSON:
      return 'person';
    case Creature_Look.MACHINE:
      return 'machine';
    case Creature_Look.BEAST:
      return 'beast';
    case Creature_Look.INSECT:
      return 'insect';
  }
}

function root_of(root: RootKind): 'free' | 'planar' | 'fixed' {
  switch (root) {
    case RootKind.FREE:
      return 'free';
    case RootKind.PLANAR:
      return 'planar';
    case RootKind.FIXED:
      return 'fixed';
  }
}

function vec3(values: readonly number[]): Vec3 {
  return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
}

const kNotTold: Abilities = { families: undefined, hands: undefined };

/** Builds the skeleton of a resolved body. Throws if a joint names a link that is not there. */
export function make_skeleton(body: Creature, { families, hands } = kNotTold): Skeleton {
  const index = new Map(body.links.map((link, i) => [link.name, i]));
  const joint_of = new Map(body.joints.map((joint) => [joint.child, joint]));
  // Coordinates run over the joints in the body's order.
  let coordinates = 0;
  const first_of = new Map<string, number>();
  for (const joint of body.joints) {
    first_of.set(joint.child, coordinates);
    coordinates += kJoints[joint_name(joint.kind, joint.name)].size;
  }
  const links = body.links.map((link, i): SkeletonLink => {
    const joint = joint_of.get(link.name);
    if (!joint && i > 0) throw new Error(`body ${body.name}: link ${link.name} has no joint`);
    const parent = joint ? index.get(joint.parent) : -1;
    if (parent === undefined) {
      throw new Error(
        `body ${body.name}: joint ${joint?.name} has an unknown parent ${joint?.parent}`,
      );
    }
    return {
      name: link.name,
      parent,
      joint: link_joint(joint),
      coordinate: first_of.get(link.name) ?? 0,
      at_parent: vec3(joint?.atParentM ?? []),
      at_child: vec3(joint?.atChildM ?? []),
      shapes: link.shapes.flatMap(link_shape),
      mass: link.massKg,
      inertia: vec3(link.inertiaKgm2),
    };
  });
  const order = parents_first(links, body.name);
  return {
    name: body.name,
    title: body.title || body.name,
    description: body.description,
    color: body.color,
    look: look_of(body.look),
    root: root_of(body.root),
    links,
    limbs: body.limbs.flatMap((limb, i) => skeleton_limb(limb, i, index) ?? []),
    coats: coats_of(body),
    ornaments: ornaments_of(body),
    order,
    coordinates,
    rest: body.joints.flatMap(rest_of),
    mass: links.reduce((sum, link) => sum + link.mass, 0),
    reach: reach_of(body, links, order),
    families,
    hands,
  };
}

const unknown = new Map<number, Skeleton>();

/**
 * Stands in for a body whose shape has not come yet: one grey capsule.
 * @param coordinates how many joint coordinates the body has in frames
 */
export function unknown_skeleton(coordinates: number): Skeleton {
  let skeleton = unknown.get(coordinates);
  if (!skeleton) {
    const capsule = {
      kind: 'capsule',
      from: [0, 0, -0.2],
      to: [0, 0, 0.2],
      radius: 0.12,
    } as const;
    skeleton = {
      name: '',
      title: '…',
      description: '',
      color: '#8a8f98',
      look: 'plain',
      root: 'free',
      links: [
        {
          name: '',
          parent: -1,
          joint: { kind: 'root' },
          coordinate: 0,
          at_parent: [0, 0, 0],
          at_child: [0, 0, 0],
          shapes: [capsule],
          mass: 1,
          inertia: [0, 0, 0],
        },
      ],
      limbs: [],
      coats: [],
      ornaments: [],
      order: [0],
      coordinates,
      rest: new Array<number>(coordinates).fill(0),
      mass: 1,
      reach: 0.32,
      ...kNotTold,
    };
    unknown.set(coordinates, skeleton);
  }
  return skeleton;
}

function parents_first(links: readonly SkeletonLink[], body: string): number[] {
  const order: number[] = [];
  const placed = new Set([-1]);
  while (order.length < links.length) {
    const before = order.length;
    links.forEach((link, i) => {
      if (!placed.has(i) && placed.has(link.parent)) {
        placed.add(i);
        order.push(i);
      }
    });
    if (order.length === before) throw new Error(`body ${body}: its joints form a cycle`);
  }
  return order;
}

function furthest(shape: LinkShape): number {
  switch (shape.kind) {
    case 'capsule':
    case 'cylinder':
      return Math.max(Math.hypot(...shape.from), Math.hypot(...shape.to)) + shape.radius;
    case 'sphere':
      return Math.hypot(...shape.center) + shape.radius;
    case 'box':
      return Math.hypot(...shape.center.map((c, k) => Math.abs(c) + (shape.half[k] as number)));
  }
}

function reach_of(
  body: Creature,
  links: readonly SkeletonLink[],
  order: readonly number[],
): number {
  const slide = new Map(
    body.joints.map((joint) => [
      joint.child,
      Math.max(0, ...joint.lowerM.map(Math.abs), ...joint.upperM.map(Math.abs)),
    ]),
  );
  const origin = links.map(() => 0); // how far from the root's origin each link's may come
  let reach = 0;
  for (const i of order) {
    const link = links[i] as SkeletonLink;
    if (link.parent >= 0) {
      origin[i] =
        (origin[link.parent] as number) +
        Math.hypot(...link.at_parent) +
        Math.hypot(...link.at_child) +
        (slide.get(link.name) ?? 0);
    }
    for (const shape of link.shapes)
      reach = Math.max(reach, (origin[i] as number) + furthest(shape));
  }
  return reach;
}

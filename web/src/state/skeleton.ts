import { type Creature, type Joint, JointKind } from '../gen/promenade/v1/creature_pb';
import type { Vec3 } from './quaternion';

export type LinkShape =
  | { readonly kind: 'capsule'; readonly from: Vec3; readonly to: Vec3; readonly radius: number }
  | { readonly kind: 'box'; readonly center: Vec3; readonly half: Vec3 };

export type LinkJoint =
  | { readonly kind: 'root' }
  | { readonly kind: 'hinge'; readonly axis: Vec3 }
  | { readonly kind: 'universal' }
  | { readonly kind: 'ball' };

export interface SkeletonLink {
  readonly name: string;
  readonly parent: number; // index into Skeleton.links, -1 for the root
  readonly joint: LinkJoint;
  readonly coordinate: number; // first of the joint's, within the character's coordinates
  readonly at_parent: Vec3; // joint centre in the parent's frame, m
  readonly at_child: Vec3; // joint centre in this link's frame, m
  readonly shapes: readonly LinkShape[];
  readonly mass: number; // kg
}

/** A body as the page needs it: where its links hang, and how many coordinates each joint has. */
export interface Skeleton {
  readonly name: string;
  readonly kin: string; // the built-in body that it descends from, or its own name
  readonly title: string;
  readonly description: string;
  readonly color: string;
  readonly links: readonly SkeletonLink[];
  readonly order: readonly number[]; // of links, parents before children
  readonly coordinates: number;
  readonly mass: number; // kg
}

const kKindSize = { hinge: 1, universal: 2, ball: 3 } as const;

function joint_kind(joint: Joint): 'hinge' | 'universal' | 'ball' {
  switch (joint.kind) {
    case JointKind.HINGE:
      return 'hinge';
    case JointKind.UNIVERSAL:
      return 'universal';
    case JointKind.BALL:
      return 'ball';
    case JointKind.JOINT_KIND_UNSPECIFIED:
      throw new Error(`joint ${joint.name} has no kind`);
  }
}

function link_joint(joint: Joint | undefined): LinkJoint {
  if (!joint) return { kind: 'root' };
  const kind = joint_kind(joint);
  return kind === 'hinge' ? { kind, axis: vec3(joint.axis) } : { kind };
}

function vec3(values: readonly number[]): Vec3 {
  return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
}

/**
 * Builds the skeleton of a resolved body. Throws if a joint names a link that is not there.
 * @param kin the built-in body that it descends from, if that is known
 */
export function make_skeleton(body: Creature, kin = body.name): Skeleton {
  const index = new Map(body.links.map((link, i) => [link.name, i]));
  const joint_of = new Map(body.joints.map((joint) => [joint.child, joint]));
  // Coordinates run over the joints in the body's order.
  let coordinates = 0;
  const first_of = new Map<string, number>();
  for (const joint of body.joints) {
    first_of.set(joint.child, coordinates);
    coordinates += kKindSize[joint_kind(joint)];
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
      shapes: link.shapes.flatMap((shape): LinkShape[] => {
        switch (shape.kind.case) {
          case 'capsule': {
            const { fromM, toM, radiusM } = shape.kind.value;
            return [{ kind: 'capsule', from: vec3(fromM), to: vec3(toM), radius: radiusM }];
          }
          case 'box':
            return [
              {
                kind: 'box',
                center: vec3(shape.kind.value.centerM),
                half: vec3(shape.kind.value.halfM),
              },
            ];
          case undefined:
            return [];
        }
      }),
      mass: link.massKg,
    };
  });
  return {
    name: body.name,
    kin,
    title: body.title || body.name,
    description: body.description,
    color: body.color,
    links,
    order: parents_first(links, body.name),
    coordinates,
    mass: links.reduce((sum, link) => sum + link.mass, 0),
  };
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

// Makes the visible parts of a body, in the frames of its links.
import * as THREE from 'three';
import type { Vec3 } from '../../state/values/quaternion';
import type { LinkShape, Skeleton, SkeletonLimb, SkeletonLink } from '../../state/figure/skeleton';
import type { Looks, Tint } from './looks';
import type { RoundedShape } from './rounded';
import type { Surface } from './surfaces';

/** From where a part is seen: small ones are left out further away. */
export type Seen = 'far' | 'near' | 'close';

export interface FigurePart {
  readonly link: number;
  readonly position: Vec3; // m, in the link's frame
  readonly rotation: readonly [number, number, number, number] | undefined; // undefined: none
  readonly scale: Vec3;
  readonly shape: RoundedShape;
  readonly tint: Tint;
  readonly paint: THREE.Color | undefined; // instead of the tint's colour
  readonly surface: Surface;
  readonly seen: Seen;
}

export interface PartOptions {
  readonly taper?: number;
  readonly bottom?: number;
  readonly scale?: Vec3;
  readonly surface?: Surface;
  readonly paint?: string; // "#rrggbb", instead of the tint's colour
  readonly seen?: Seen;
}

/** Either end of a stretch; z of the part points from `to` to `from`. */
export interface Stretch {
  readonly from: Vec3;
  readonly to: Vec3;
}

/** The colour of a part of a character. */
export function color_of({ paint, tint }: FigurePart, looks: Looks): THREE.Color {
  return paint ?? looks[tint];
}

const kOne: Vec3 = [1, 1, 1];
/** Edges of boxes and cylinders are rounded by this share of their thickness. */
const kEdge = 0.04;

export class Tailor {
  readonly parts: FigurePart[] = [];

  /** @param surface of parts that name none */
  constructor(
    readonly skeleton: Skeleton,
    private readonly surface_: Surface = 'cloth',
  ) {}

  link(i: number): SkeletonLink {
    return this.skeleton.links[i] as SkeletonLink;
  }

  limbs(kind: SkeletonLimb['kind']): readonly SkeletonLimb[] {
    return this.skeleton.limbs.filter((limb) => limb.kind === kind);
  }

  /** A box with round edges: `half` is what is inside of the rounding. */
  box(
    link: number,
    tint: Tint,
    position: Vec3,
    half: Vec3,
    radius: number,
    options: PartOptions = {},
  ): void {
    this.add(link, tint, position, undefined, options, {
      half,
      top: radius,
      bottom: options.bottom ?? radius,
      taper: options.taper ?? 1,
    });
  }

  ball(link: number, tint: Tint, position: Vec3, radii: Vec3, options: PartOptions = {}): void {
    this.box(link, tint, position, [0, 0, 0], 1, { ...options, scale: radii });
  }

  /** A limb that is `top` thick at `from` and `bottom` thick at `to`. */
  limb(
    link: number,
    tint: Tint,
    stretch: Stretch,
    top: number,
    bottom: number,
    options: PartOptions = {},
  ): void {
    const { middle, rotation, length } = lie(stretch);
    const shape = { half: [0, 0, length / 2], top, bottom, taper: 1 } as const;
    this.add(link, tint, middle, rotation, options, shape);
  }

  /** A cylinder with flat ends, or, where `bottom` differs, a cone cut off. */
  disc(
    link: number,
    tint: Tint,
    stretch: Stretch,
    radius: number,
    options: PartOptions = {},
  ): void {
    const { middle, rotation, length } = lie(stretch);
    const edge = Math.min(kEdge * radius, length * 0.2);
    this.add(link, tint, middle, rotation, options, {
      half: [0, 0, length / 2 - edge],
      top: edge,
      bottom: edge,
      taper: options.bottom === undefined ? 1 : (options.bottom - edge) / (radius - edge),
      disc: radius - edge,
    });
  }

  /** A collision shape as it is. */
  shape(link: number, tint: Tint, shape: LinkShape, options: PartOptions = {}): void {
    switch (shape.kind) {
      case 'capsule':
        this.limb(link, tint, shape, shape.radius, shape.radius, options);
        return;
      case 'cylinder':
        this.disc(link, tint, shape, shape.radius, options);
        return;
      case 'sphere': {
        const { radius: r } = shape;
        this.ball(link, tint, shape.center, [r, r, r], options);
        return;
      }
      case 'box': {
        const r = Math.min(...shape.half) * kEdge * 2;
        const [x, y, z] = shape.half;
        this.box(link, tint, shape.center, [x - r, y - r, z - r], r, options);
        return;
      }
    }
  }

  private add(
    link: number,
    tint: Tint,
    position: Vec3,
    rotation: FigurePart['rotation'],
    options: PartOptions,
    shape: RoundedShape,
  ): void {
    this.parts.push({
      link,
      position,
      rotation,
      scale: options.scale ?? kOne,
      tint,
      paint: options.paint === undefined ? undefined : new THREE.Color(options.paint),
      surface: options.surface ?? this.surface_,
      seen: options.seen ?? 'far',
      shape,
    });
  }
}

function lie({ from, to }: Stretch) {
  const axis = new THREE.Vector3(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
  const length = axis.length();
  const up = new THREE.Vector3(0, 0, 1);
  const q = new THREE.Quaternion().setFromUnitVectors(up, length > 0 ? axis.normalize() : up);
  return {
    middle: between(from, to, 0.5),
    rotation: [q.x, q.y, q.z, q.w] as const,
    length,
  };
}

/** A part of the way from one point to another. */
export function between(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

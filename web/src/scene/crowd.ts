// All bodies. Each is drawn by one of a few tiers, by how large it is in the picture; where its links are is in a
// texture, so that a picture costs the processor nothing for each part.
import * as THREE from 'three';
import { is_present, type WorldPose } from '../state/interpolate';
import { kPoseSize } from '../state/kinematics';
import { at } from '../state/quaternion';
import type { Member } from '../state/roster';
import type { Skeleton } from '../state/skeleton';
import { type Figure, make_figure, part_count } from './figure/figure';
import { type Looks, looks_of } from './figure/looks';
import { PoseTexture } from './figure/pose_texture';
import { make_rounded } from './figure/rounded';
import {
  block_primitive,
  plain_primitive,
  type Primitive,
  sharp_primitive,
  soft_primitive,
} from './figure/rounded_geometry';
import type { Seen } from './figure/tailor';
import { Layer, type Dress } from './layer';

const kHysteresis = 1.15;
const kNoVeils: ReadonlyMap<number, number> = new Map();

/** Bodies up to a distance, in times their reach, with the parts that are seen from there. */
interface Tier {
  readonly up_to: number;
  readonly seen: Seen;
  readonly primitive: () => Primitive;
  readonly shadow: number; // index of the layer of shadows
}

interface Sorted {
  readonly tiers: readonly Tier[];
  readonly shadows: readonly { readonly seen: Seen; readonly primitive: () => Primitive }[];
}

const kCreatures: Sorted = {
  tiers: [
    { up_to: 4.5, seen: 'close', primitive: () => soft_primitive(5), shadow: 0 },
    { up_to: 11, seen: 'close', primitive: () => soft_primitive(3), shadow: 0 },
    { up_to: 24, seen: 'far', primitive: () => soft_primitive(2), shadow: 1 },
    { up_to: Infinity, seen: 'far', primitive: plain_primitive, shadow: 1 },
  ],
  shadows: [
    { seen: 'near', primitive: () => soft_primitive(2) },
    { seen: 'far', primitive: block_primitive },
  ],
};
// Wheels and barrels show their corners sooner.
const kThings: Sorted = {
  tiers: [
    { up_to: 12, seen: 'close', primitive: () => sharp_primitive(8), shadow: 0 },
    { up_to: Infinity, seen: 'near', primitive: () => sharp_primitive(3), shadow: 0 },
  ],
  shadows: [{ seen: 'near', primitive: () => sharp_primitive(3) }],
};

/** Bodies of one sort: a draw call for each tier and each layer of shadows, however many they are. */
class Sort {
  private readonly layers_: readonly Layer[];
  private readonly shadows_: readonly Layer[];
  private tier_of_ = new Map<number, number>();

  constructor(
    parent: THREE.Object3D,
    private readonly sorted_: Sorted,
    poses: PoseTexture,
  ) {
    this.layers_ = sorted_.tiers.map(({ primitive, seen }) => {
      const shape = primitive();
      const material = make_rounded(new THREE.MeshStandardMaterial(), 'coated', shape, poses);
      return new Layer(parent, shape, material, (figure) => part_count(figure, seen), false);
    });
    this.shadows_ = sorted_.shadows.map(({ primitive, seen }) => {
      const shape = primitive();
      const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
      const material = make_rounded(depth, 'depth', shape, poses);
      return new Layer(parent, shape, material, (figure) => part_count(figure, seen), true);
    });
  }

  /** One of the meshes that bodies are drawn with: all have the same shaders. */
  get sample(): THREE.Object3D {
    return (this.layers_[0] as Layer).mesh;
  }

  draw(members: readonly Member[], pose: WorldPose, eye: THREE.Vector3, dress: Dress): void {
    const drawn = this.layers_.map((): Member[] => []);
    const shaded = this.shadows_.map((): Member[] => []);
    const before = this.tier_of_;
    this.tier_of_ = new Map();
    for (const member of members) {
      if (!is_present(pose, member)) continue;
      const tier = this.tier(member, pose, eye, before.get(member.id));
      this.tier_of_.set(member.id, tier);
      drawn[tier]?.push(member);
      shaded[this.sorted_.tiers[tier]?.shadow ?? 0]?.push(member);
    }
    this.layers_.forEach((layer, i) => layer.draw(drawn[i] as Member[], dress));
    this.shadows_.forEach((layer, i) => layer.draw(shaded[i] as Member[], dress));
  }

  dispose(): void {
    for (const layer of [...this.layers_, ...this.shadows_]) layer.dispose();
  }

  private tier(
    { pose: p, skeleton }: Member,
    { poses }: WorldPose,
    eye: THREE.Vector3,
    before: number | undefined,
  ): number {
    const distance = Math.hypot(
      at(poses, p) - eye.x,
      at(poses, p + 1) - eye.y,
      at(poses, p + 2) - eye.z,
    );
    const away = distance / Math.max(0.5, skeleton.reach);
    return this.sorted_.tiers.findIndex(
      ({ up_to }, i) => away < up_to * (before !== undefined && before <= i ? kHysteresis : 1),
    );
  }
}

/** All characters and things, in nine draw calls at most, with their shadows. */
export class Crowd {
  readonly poses = new PoseTexture();
  private readonly creatures_: Sort;
  private readonly things_: Sort;
  private figures_ = new WeakMap<Skeleton, Figure>(); // weak: every edit of a body makes a new skeleton
  private readonly looks_ = new Map<number, { key: string; looks: Looks }>();

  constructor(parent: THREE.Object3D) {
    this.creatures_ = new Sort(parent, kCreatures, this.poses);
    this.things_ = new Sort(parent, kThings, this.poses);
  }

  /** A mesh with the shaders of all bodies. */
  get sample(): THREE.Object3D {
    return this.creatures_.sample;
  }

  figure_of = (skeleton: Skeleton): Figure => {
    let figure = this.figures_.get(skeleton);
    if (!figure) this.figures_.set(skeleton, (figure = make_figure(skeleton)));
    return figure;
  };

  /** Forgets figures and colours of a scene that is gone. */
  clear(): void {
    this.figures_ = new WeakMap();
    this.looks_.clear();
  }

  /**
   * @param eye camera position, world frame
   * @param veils how much of a body is left out, 0 to 1, by id
   */
  update(pose: WorldPose, eye: THREE.Vector3, veils: ReadonlyMap<number, number> = kNoVeils): void {
    this.poses.update(pose.poses);
    this.poses.unveil();
    const { members, things } = pose.cast;
    // Who is set upright again fades out and in.
    for (const member of members) {
      const gone = 1 - (pose.presence[member.index] ?? 1);
      const amount = Math.max(gone, veils.get(member.id) ?? 0);
      if (amount > 0)
        this.poses.veil(member.pose / kPoseSize, member.skeleton.links.length, amount);
    }
    this.creatures_.draw(members, pose, eye, this.dress);
    this.things_.draw(things, pose, eye, this.dress);
  }

  dispose(): void {
    this.creatures_.dispose();
    this.things_.dispose();
    this.poses.dispose();
  }

  private looks_of = (member: Member): Looks => {
    const { look } = member.skeleton;
    const key = `${look}${member.color}`;
    let entry = this.looks_.get(member.id);
    if (entry?.key !== key) {
      entry = { key, looks: looks_of(member.color, member.id, look) };
      this.looks_.set(member.id, entry);
    }
    return entry.looks;
  };

  private readonly dress: Dress = { figure_of: this.figure_of, looks_of: this.looks_of };
}

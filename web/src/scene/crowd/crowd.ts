// All bodies. Those that are large in the picture are drawn by their parts, in one of a few tiers; where their links are is
// in a texture, so that a picture costs the processor nothing for each part. Smaller ones are one instance each.
import * as THREE from 'three';
import { CrowdDetail, type Sight } from '../../state/picture/crowd_detail';
import { complete, is_present, type WorldPose } from '../../state/frames/interpolate';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import type { Skeleton } from '../../state/figure/skeleton';
import { type Figure, make_figure, part_count } from '../figure/figure';
import { type Looks, looks_of } from '../figure/looks';
import { PoseRows } from '../figure/pose_rows';
import type { PoseTexture } from '../figure/pose_texture';
import { make_rounded } from '../figure/rounded';
import {
  block_primitive,
  plain_primitive,
  type Primitive,
  sharp_primitive,
  soft_primitive,
} from '../figure/rounded_geometry';
import type { Seen } from '../figure/tailor';
import { Layer, type Dress } from '../picture/layer';
import type { Stage } from '../picture/stage';
import type { Sunlight } from '../picture/sunlight';
import type { WholeCrowd } from './whole_crowd';

const kHysteresis = 1.15;
const kNoVeils: ReadonlyMap<number, number> = new Map();
const kNobody: ReadonlySet<number> = new Set();

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
  private readonly drawn_: readonly Member[][];
  private readonly shaded_: readonly Member[][];
  private tier_of_ = new Map<number, number>();
  private before_ = new Map<number, number>();

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
    this.drawn_ = this.layers_.map(() => []);
    this.shaded_ = this.shadows_.map(() => []);
  }

  /** One of the meshes that bodies are drawn with: all have the same shaders. */
  get sample(): THREE.Object3D {
    return (this.layers_[0] as Layer).mesh;
  }

  draw(members: readonly Member[], pose: WorldPose, eye: Vec3, dress: Dress): void {
    for (const list of [...this.drawn_, ...this.shaded_]) list.length = 0;
    [this.before_, this.tier_of_] = [this.tier_of_, this.before_];
    this.tier_of_.clear();
    for (const member of members) {
      if (!is_present(pose, member)) continue;
      const tier = this.tier(member, pose, eye, this.before_.get(member.id));
      this.tier_of_.set(member.id, tier);
      this.drawn_[tier]?.push(member);
      this.shaded_[this.sorted_.tiers[tier]?.shadow ?? 0]?.push(member);
    }
    this.layers_.forEach((layer, i) => layer.draw(this.drawn_[i] as Member[], dress));
    this.shadows_.forEach((layer, i) => layer.draw(this.shaded_[i] as Member[], dress));
  }

  dispose(): void {
    for (const layer of [...this.layers_, ...this.shadows_]) layer.dispose();
  }

  private tier(
    { pose: p, skeleton }: Member,
    { poses }: WorldPose,
    eye: Vec3,
    before: number | undefined,
  ): number {
    const [dx, dy, dz] = [
      at(poses, p) - eye[0],
      at(poses, p + 1) - eye[1],
      at(poses, p + 2) - eye[2],
    ];
    const away = Math.sqrt(dx * dx + dy * dy + dz * dz) / Math.max(0.5, skeleton.reach);
    const { tiers } = this.sorted_;
    for (let i = 0; i < tiers.length; ++i) {
      const held = before !== undefined && before <= i ? kHysteresis : 1;
      if (away < (tiers[i] as Tier).up_to * held) return i;
    }
    return tiers.length - 1;
  }
}

/** How a picture is taken, besides from where. */
export interface Shot {
  readonly elapsed_s: number; // since the last picture
  /** How much of a body is left out, 0 to 1, by id. */
  readonly veils?: ReadonlyMap<number, number>;
  /** Ids of the characters that are drawn in full however small they are. */
  readonly wanted?: ReadonlySet<number>;
  /** Left out: nobody throws a shadow. */
  readonly sun?: Sunlight;
}

/** All characters and things, in as many draw calls however many they are, with their shadows. */
export class Crowd {
  /** The rows of the characters that are drawn by parts. */
  readonly rows = new PoseRows();
  /** How finely each is drawn. */
  readonly detail = new CrowdDetail();
  private whole_: WholeCrowd | undefined;
  private asked_ = false;
  private readonly creatures_: Sort;
  private readonly things_: Sort;
  private figures_ = new WeakMap<Skeleton, Figure>(); // weak: every edit of a body makes a new skeleton
  private readonly looks_ = new Map<number, { key: string; looks: Looks }>();

  constructor(private readonly parent_: THREE.Object3D) {
    this.creatures_ = new Sort(parent_, kCreatures, this.rows.texture);
    this.things_ = new Sort(parent_, kThings, this.rows.texture);
  }

  /** A mesh with the shaders of all bodies that are drawn by parts. */
  get sample(): THREE.Object3D {
    return this.creatures_.sample;
  }

  /** Gets what a great crowd is drawn with, where there is one. Until it has come, and without it, only the nearest are drawn. */
  prepare(stage: Pick<Stage, 'fog' | 'compile'>): void {
    if (!this.detail.crowded || this.asked_) return;
    this.asked_ = true;
    // Code that does not load is most often that of a server that has been updated since.
    this.gather(stage).catch((error: unknown) => console.error(error));
  }

  /** Draws each small character as one instance, once that is ready. @param fog of the scene */
  add_whole(Whole: typeof WholeCrowd, fog: THREE.Fog): WholeCrowd {
    const looks_of = (member: Member) => this.looks_of(member);
    return (this.whole_ = new Whole(this.parent_, this.rows, this.figure_of, looks_of, fog));
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
    this.whole_?.clear();
  }

  update(pose: WorldPose, sight: Sight, shot: Shot): void {
    const { elapsed_s, veils = kNoVeils, wanted = kNobody, sun } = shot;
    this.detail.choose(pose, sight, wanted, elapsed_s, this.whole_?.ready === true);
    this.rows.begin();
    const { by_parts } = this.detail;
    for (const member of by_parts) {
      complete(pose, member);
      // A body that is set upright again fades out and in.
      const gone = 1 - (pose.presence[member.index] ?? 1);
      this.write(pose, member, Math.max(gone, veils.get(member.id) ?? 0));
    }
    const { things } = pose.cast;
    for (const thing of things) if (is_present(pose, thing)) this.write(pose, thing, 0);
    this.creatures_.draw(by_parts, pose, sight.eye, this.dress);
    this.things_.draw(things, pose, sight.eye, this.dress);
    if (this.whole_?.ready) this.whole_.draw(pose, this.detail, veils, sun);
    this.rows.end();
  }

  dispose(): void {
    this.creatures_.dispose();
    this.things_.dispose();
    this.whole_?.dispose();
    this.rows.dispose();
  }

  private async gather({ fog, compile }: Pick<Stage, 'fog' | 'compile'>): Promise<void> {
    const { WholeCrowd } = await import('./whole_crowd');
    const whole = this.add_whole(WholeCrowd, fog);
    await compile(whole.samples);
    whole.ready = true;
  }

  private write({ poses }: WorldPose, { id, skeleton, pose: p }: Member, veil: number): void {
    const { length } = skeleton.links;
    const row = this.rows.take(id, length);
    this.rows.texture.write(row, poses, p, length, veil);
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

  private readonly dress: Dress = {
    figure_of: this.figure_of,
    looks_of: this.looks_of,
    row_of: ({ id }) => this.rows.row_of(id) ?? 0,
  };
}

import * as THREE from 'three';
import { is_present, type WorldPose } from '../state/interpolate';
import { kPoseSize } from '../state/kinematics';
import { at } from '../state/quaternion';
import type { Member } from '../state/roster';
import type { Skeleton } from '../state/skeleton';
import { type Figure, type FigurePart, make_figure } from './figure/figure';
import { type Looks, hash, looks_of } from './figure/looks';
import { write_matrix } from './figure/part_matrix';
import { make_rounded, RoundedMesh } from './figure/rounded';

const kNear_m = 10; // nearer than this every detail is drawn of a body of a metre
const kHysteresis = 1.15;
const kFirstCapacity = 2048;

interface Drawn {
  member: Member;
  glow: number;
  parts: number;
  presence: number; // as it was written last
  stale: boolean; // shapes and colours have to be written again
}

/** The part of the crowd that is drawn at one level of detail. */
class Tier {
  private batch_: RoundedMesh;
  private drawn_: Drawn[] = [];
  private readonly material_: THREE.MeshStandardMaterial;

  constructor(
    private readonly parent_: THREE.Object3D,
    private readonly detail_: number,
    private readonly part_count_: (figure: Figure) => number,
  ) {
    this.material_ = make_rounded(new THREE.MeshStandardMaterial(), true, detail_);
    this.batch_ = this.make(kFirstCapacity);
  }

  dispose(): void {
    this.batch_.dispose();
    this.material_.dispose();
  }

  draw(
    members: readonly Member[],
    pose: WorldPose,
    figure_of: (skeleton: Skeleton) => Figure,
    looks: (member: Member) => Looks,
    glow: (id: number) => number,
  ): void {
    const needed = members.reduce(
      (sum, member) => sum + this.part_count_(figure_of(member.skeleton)),
      0,
    );
    if (needed > this.batch_.capacity) {
      this.batch_.dispose();
      this.batch_ = this.make(2 ** Math.ceil(Math.log2(needed)));
    }
    this.note(members, figure_of, glow);
    const matrices = this.batch_.matrices;
    let instance = 0;
    let changed = false;
    let faded = false;
    for (const entry of this.drawn_) {
      const { member, glow: light } = entry;
      const figure = figure_of(member.skeleton);
      const colors = entry.stale ? looks(member) : undefined;
      const presence = member.thing ? 1 : (pose.presence[member.index] ?? 1);
      const fades = entry.stale || presence !== entry.presence;
      entry.presence = presence;
      faded ||= fades;
      changed ||= entry.stale;
      entry.stale = false;
      for (let k = 0; k < entry.parts; ++k, ++instance) {
        const part = figure.parts[k] as FigurePart;
        write_matrix(
          matrices,
          16 * instance,
          pose.poses,
          member.pose + part.link * kPoseSize,
          part,
        );
        if (fades) this.batch_.set_presence(instance, presence);
        if (!colors) continue;
        const coat = {
          color: colors[part.tint],
          surface: part.surface,
          seed: hash(member.id, k) / 4294967296,
        };
        this.batch_.set_shape(instance, part.shape, coat, light);
      }
    }
    this.batch_.matrices_changed(instance);
    if (changed) this.batch_.shapes_changed();
    if (faded) this.batch_.presence_changed();
  }

  /**
   * Shapes and colours are written again only for bodies that have changed, as long as every body keeps its place
   * among the instances.
   */
  private note(
    members: readonly Member[],
    figure_of: (skeleton: Skeleton) => Figure,
    glow: (id: number) => number,
  ): void {
    let moved = members.length !== this.drawn_.length;
    this.drawn_ = members.map((member, i) => {
      const light = glow(member.id);
      const old = this.drawn_[i];
      if (!moved && old && old.member === member && old.glow === light) return old;
      const parts = this.part_count_(figure_of(member.skeleton));
      moved ||= old?.parts !== parts;
      return { member, glow: light, parts, presence: 1, stale: true };
    });
    if (moved) for (const entry of this.drawn_) entry.stale = true;
  }

  private make(capacity: number): RoundedMesh {
    const batch = new RoundedMesh(this.detail_, this.material_, capacity, true);
    this.parent_.add(batch.mesh);
    this.drawn_ = [];
    return batch;
  }
}

/** Bodies of one sort, near ones in detail: two draw calls and two more for their shadows. */
class Sort {
  private readonly near_: Tier;
  private readonly far_: Tier;
  private near_ids_ = new Set<number>();

  constructor(parent: THREE.Object3D, near_detail: number, far_detail: number) {
    this.near_ = new Tier(parent, near_detail, (figure) => figure.parts.length);
    this.far_ = new Tier(parent, far_detail, (figure) => figure.coarse);
  }

  draw(
    members: readonly Member[],
    pose: WorldPose,
    eye: THREE.Vector3,
    figure_of: (skeleton: Skeleton) => Figure,
    looks_of_: (member: Member) => Looks,
    glow: (id: number) => number,
  ): void {
    const near: Member[] = [];
    const far: Member[] = [];
    for (const member of members) {
      if (!is_present(pose, member)) continue;
      const p = member.pose;
      const distance = Math.hypot(
        at(pose.poses, p) - eye.x,
        at(pose.poses, p + 1) - eye.y,
        at(pose.poses, p + 2) - eye.z,
      );
      const limit = kNear_m * Math.max(0.5, member.skeleton.reach);
      const held = this.near_ids_.has(member.id) ? kHysteresis : 1;
      (distance < limit * held ? near : far).push(member);
    }
    this.near_ids_ = new Set(near.map((member) => member.id));
    this.near_.draw(near, pose, figure_of, looks_of_, glow);
    this.far_.draw(far, pose, figure_of, looks_of_, glow);
  }

  dispose(): void {
    this.near_.dispose();
    this.far_.dispose();
  }
}

/** All characters and things, however many, in four draw calls and four more for the shadows. */
export class Crowd {
  private readonly creatures_: Sort;
  private readonly things_: Sort;
  private figures_ = new WeakMap<Skeleton, Figure>(); // weak: every edit of a body makes a new skeleton
  private readonly looks_ = new Map<number, { key: string; looks: Looks }>();

  constructor(parent: THREE.Object3D) {
    this.creatures_ = new Sort(parent, 4, 2);
    this.things_ = new Sort(parent, 8, 4); // wheels and barrels show their corners sooner
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
   * @param glow 0 to 1, how much a character or thing is lit up
   */
  update(pose: WorldPose, eye: THREE.Vector3, glow: (id: number) => number): void {
    const { members, things } = pose.cast;
    this.creatures_.draw(members, pose, eye, this.figure_of, this.looks_of, glow);
    this.things_.draw(things, pose, eye, this.figure_of, this.looks_of, glow);
  }

  dispose(): void {
    this.creatures_.dispose();
    this.things_.dispose();
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
}

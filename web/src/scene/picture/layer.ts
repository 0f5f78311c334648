import * as THREE from 'three';
import type { Member } from '../../state/room/roster';
import type { Skeleton } from '../../state/figure/skeleton';
import type { Figure, FigurePart } from '../figure/figure';
import { hash, type Looks } from '../figure/looks';
import { type Coat, RoundedMesh } from '../figure/rounded';
import type { Primitive } from '../figure/rounded_geometry';
import { color_of } from '../figure/tailor';
import { kOrder } from './draw_order';

const kFirstCapacity = 1024;
const kMostHoles = 0.3; // of all instances, before they are put together again

/** Gives bodies their shapes and colours. */
export interface Dress {
  figure_of(skeleton: Skeleton): Figure;
  looks_of(member: Member): Looks;
  /** The first row of its poses. */
  row_of(member: Member): number;
}

interface Slot {
  member: Member;
  readonly start: number; // first instance
  readonly parts: number;
  stamp: number; // of the last picture with this body
}

/**
 * Bodies that are drawn by one mesh. Each keeps its place among the instances while it is there, so that bodies that come,
 * go or change cost no more than their own parts.
 */
export class Layer {
  private batch_: RoundedMesh;
  private slots_ = new Map<number, Slot>();
  private holes_ = new Map<number, number[]>(); // by their length: first instances
  private empty_ = 0; // instances in holes
  private end_ = 0;
  private stamp_ = 0;

  /** @param shadows whether the material is one of depths, and nothing but shadows is drawn */
  constructor(
    private readonly parent_: THREE.Object3D,
    private readonly primitive_: Primitive,
    private readonly material_: THREE.Material,
    private readonly count_: (figure: Figure) => number,
    private readonly shadows_: boolean,
  ) {
    this.batch_ = this.make(kFirstCapacity);
  }

  get mesh(): THREE.Mesh {
    return this.batch_.mesh;
  }

  draw(members: readonly Member[], dress: Dress): void {
    this.reserve(members, dress);
    ++this.stamp_;
    for (const member of members) {
      const old = this.slots_.get(member.id);
      if (old) old.stamp = this.stamp_;
      if (old?.member === member) continue;
      const parts = this.count_(dress.figure_of(member.skeleton));
      if (old && old.parts !== parts) this.free(old);
      const start = old?.parts === parts ? old.start : this.take(parts);
      const slot: Slot = { member, start, parts, stamp: this.stamp_ };
      this.slots_.set(member.id, slot);
      this.write(slot, dress);
    }
    if (this.slots_.size > members.length)
      for (const [id, slot] of this.slots_) {
        if (slot.stamp === this.stamp_) continue;
        this.free(slot);
        this.slots_.delete(id);
      }
    this.batch_.commit(this.end_);
  }

  dispose(): void {
    this.batch_.dispose();
    this.primitive_.geometry.dispose();
    this.material_.dispose();
  }

  /** Makes room, and forgets all places where too many have become empty. */
  private reserve(members: readonly Member[], dress: Dress): void {
    let more = 0;
    for (const member of members)
      if (this.slots_.get(member.id)?.member !== member)
        more += this.count_(dress.figure_of(member.skeleton));
    const needed = this.end_ + more;
    const wasteful = this.empty_ > kFirstCapacity / 4 && this.empty_ > kMostHoles * this.end_;
    if (needed <= this.batch_.capacity && !wasteful) return;
    const all = members.reduce(
      (sum, { skeleton }) => sum + this.count_(dress.figure_of(skeleton)),
      0,
    );
    if (all > 0.75 * this.batch_.capacity) {
      this.batch_.dispose();
      this.batch_ = this.make(2 ** Math.ceil(Math.log2(1.5 * all)));
    }
    this.slots_.clear();
    this.holes_.clear();
    this.empty_ = this.end_ = 0;
  }

  private take(parts: number): number {
    const hole = this.holes_.get(parts)?.pop();
    if (hole !== undefined) {
      this.empty_ -= parts;
      return hole;
    }
    this.end_ += parts;
    return this.end_ - parts;
  }

  private free({ start, parts }: Slot): void {
    for (let k = 0; k < parts; ++k) this.batch_.hide_part(start + k);
    const holes = this.holes_.get(parts) ?? [];
    holes.push(start);
    this.holes_.set(parts, holes);
    this.empty_ += parts;
  }

  private write({ member, start, parts }: Slot, dress: Dress): void {
    const figure = dress.figure_of(member.skeleton);
    const looks = dress.looks_of(member);
    const row = dress.row_of(member);
    for (let k = 0; k < parts; ++k) {
      const part = figure.parts[k] as FigurePart;
      const coat: Coat = {
        color: color_of(part, looks),
        surface: part.surface,
        seed: hash(member.id, k) / 4294967296,
      };
      this.batch_.set_part(start + k, row + part.link, part, part.shape, coat);
    }
  }

  private make(capacity: number): RoundedMesh {
    const batch = new RoundedMesh(this.primitive_, this.material_, capacity);
    if (this.shadows_) batch.cast_shadows_only(this.material_ as THREE.MeshDepthMaterial);
    else batch.mesh.receiveShadow = true;
    batch.mesh.renderOrder = kOrder.bodies;
    this.parent_.add(batch.mesh);
    return batch;
  }
}

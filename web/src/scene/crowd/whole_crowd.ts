// People of a crowd who are too small in the picture for parts of their own: each is one instance. Its code and shaders come
// when a crowd does.
import * as THREE from 'three';
import { kFlag } from '../../net/frame';
import { type CrowdDetail, kDrawn } from '../../state/picture/crowd_detail';
import type { Gait } from '../../state/gait/gait_phase';
import { type GaitTable, GaitTables, phase_at } from '../../state/gait/gait_table';
import type { WorldPose } from '../../state/frames/interpolate';
import { forward_kinematics } from '../../state/figure/kinematics';
import { at } from '../../state/values/quaternion';
import { type Cast, kEmptyCast, type Member } from '../../state/room/roster';
import type { Skeleton } from '../../state/figure/skeleton';
import { FarShadows } from './far_shadows';
import { BodyTexture, kWholeParts } from '../figure/body_texture';
import type { Figure } from '../figure/figure';
import { GaitTexture } from '../figure/gait_texture';
import { hash, type Looks } from '../figure/looks';
import { PaletteTexture } from '../figure/palette_texture';
import type { PoseRows } from '../figure/pose_rows';
import { kRowLayout, kRowSize } from '../figure/pose_texture';
import { block_primitive, plain_primitive } from '../figure/rounded_geometry';
import type { Sunlight } from '../picture/sunlight';
import { whole_primitive, type WholeTextures } from '../figure/whole';
import { kWholeSize, WholeMesh } from '../figure/whole_mesh';

const kTinyParts = 11;
const kShadowParts = 14;
const kThrows = 1.1; // of the map's half: people a little outside throw shadows into it
const kMostExtent = 1.25; // of that of the table: beyond, poses would be made up
const kMostTables = 64; // that nobody uses, before all are forgotten
const kIdentity = Float64Array.of(0, 0, 0, 0, 0, 0, 1);

/** The data that a character is drawn with: kept while the cast stays. */
interface Kit {
  readonly table: GaitTable;
  readonly body: number;
  readonly palette: number;
  readonly seed: number; // 0 to 1
}

export class WholeCrowd {
  /** Whether its shaders are compiled; before, nobody is drawn as one. */
  ready = false;
  private readonly tables_ = new GaitTables();
  private readonly textures_: WholeTextures;
  private readonly meshes_: readonly WholeMesh[]; // by tier, without that of parts
  private readonly shadows_: WholeMesh;
  private readonly far_shadows_: FarShadows;
  private cast_: Cast = kEmptyCast;
  private kits_: (Kit | undefined)[] = []; // [characters]
  private readonly numbers_ = new Float32Array(kWholeSize);
  private readonly gait_: Gait = { phase: 0, extent: 0, told: false };

  constructor(
    parent: THREE.Object3D,
    private readonly rows_: PoseRows,
    figure_of: (skeleton: Skeleton) => Figure,
    private readonly looks_of_: (member: Member) => Looks,
    fog: THREE.Fog,
  ) {
    this.textures_ = {
      poses: rows_.texture,
      gaits: new GaitTexture(),
      bodies: new BodyTexture(figure_of),
      palettes: new PaletteTexture(),
    };
    const mesh = (primitive: ReturnType<typeof plain_primitive>, parts: number, shadows = false) =>
      new WholeMesh(parent, whole_primitive(primitive, parts), this.textures_, shadows);
    this.meshes_ = [
      mesh(plain_primitive(), kWholeParts),
      mesh(block_primitive(), kWholeParts),
      mesh(block_primitive(), kTinyParts),
    ];
    this.shadows_ = mesh(block_primitive(), kShadowParts, true);
    this.far_shadows_ = new FarShadows(fog);
    parent.add(this.far_shadows_.mesh);
  }

  /** Meshes with all of its shaders. */
  get samples(): readonly THREE.Object3D[] {
    return [(this.meshes_[0] as WholeMesh).mesh, this.far_shadows_.mesh];
  }

  /** Forgets the bodies of a scene that is gone. */
  clear(): void {
    this.tables_.clear();
    this.textures_.bodies.clear();
    this.textures_.palettes.keep(() => false);
    this.cast_ = kEmptyCast;
    this.kits_ = [];
  }

  /**
   * Draws the people whom `detail` has chosen.
   * @param veils how much of a body is left out, 0 to 1, by id
   * @param sun whose map shadows are thrown into; undefined: none
   */
  draw(
    pose: WorldPose,
    detail: CrowdDetail,
    veils: ReadonlyMap<number, number>,
    sun: Sunlight | undefined,
  ): void {
    if (pose.cast !== this.cast_) this.take_over(pose.cast);
    if (pose.joints?.frame) this.tables_.learn(pose.joints.frame);
    for (const mesh of this.meshes_) mesh.begin();
    this.shadows_.begin();
    for (const member of detail.as_one) {
      const kit = this.kit_of(member);
      if (!kit) continue;
      const gone = 1 - (pose.presence[member.index] ?? 1);
      const veil = veils.size > 0 ? Math.max(gone, veils.get(member.id) ?? 0) : gone;
      if (veil >= 1) continue;
      this.write(pose, member, kit, detail.own_share(member), veil);
      this.meshes_[detail.tier(member) - kDrawn.round]?.add(this.numbers_);
      if (sun && sun.off(at(this.numbers_, 0), at(this.numbers_, 1)) < kThrows)
        this.shadows_.add(this.numbers_);
    }
    this.textures_.gaits.update(this.tables_);
    for (const mesh of this.meshes_) mesh.end();
    this.shadows_.end();
    if (sun) this.far_shadows_.update(pose, [detail.by_parts, detail.as_one], sun, this.low_of);
  }

  dispose(): void {
    for (const mesh of [...this.meshes_, this.shadows_]) mesh.dispose();
    this.far_shadows_.dispose();
    this.textures_.gaits.dispose();
    this.textures_.bodies.dispose();
    this.textures_.palettes.dispose();
  }

  /** Fills the numbers of an instance. */
  private write(pose: WorldPose, member: Member, kit: Kit, share: number, veil: number): void {
    const { poses, flags } = pose;
    const { index, pose: p } = member;
    const out = this.numbers_;
    for (let k = 0; k < 3; ++k) out[k] = at(poses, p + k);
    out[3] = veil;
    for (let k = 0; k < 4; ++k) out[4 + k] = at(poses, p + 3 + k);
    const row = share > 0 ? this.own_row(pose, member) : -1;
    const { gait_: gait } = this;
    gait.extent = 0;
    gait.told = false;
    const fallen = (at(flags, index) & kFlag.fallen) !== 0;
    if ((share < 1 || row < 0) && !fallen) pose.joints?.gait(member, gait);
    out[8] = kit.table.first;
    out[9] = gait.told ? phase_at(kit.table, gait.phase) : gait.phase;
    out[10] = Math.min(kMostExtent, gait.extent / kit.table.extent);
    out[11] = row;
    out[12] = kit.body;
    out[13] = kit.palette;
    out[14] = share;
    out[15] = kit.seed;
  }

  /** Writes a body's own poses, relative to its root. @return their first row, -1 where its joints are not known */
  private own_row({ joints }: WorldPose, member: Member): number {
    const coordinates = joints?.coordinates(member);
    if (!coordinates) return -1;
    const { id, skeleton } = member;
    const row = this.rows_.take(id, skeleton.links.length);
    const { numbers } = this.rows_.texture;
    forward_kinematics(
      ...([skeleton, kIdentity, 0, coordinates, 0] as const),
      ...([numbers, kRowSize * row, kRowLayout] as const),
    );
    return row;
  }

  /** m, from the root of a body that walks on two legs down to the ground. */
  private readonly low_of = (member: Member): number | undefined =>
    this.tables_.table_of(member)?.low;

  private kit_of(member: Member): Kit | undefined {
    const kit = this.kits_[member.index];
    if (kit) return kit;
    const table = this.tables_.table_of(member);
    if (!table) return undefined;
    const made: Kit = {
      table,
      body: this.textures_.bodies.index_of(member.skeleton),
      palette: this.textures_.palettes.slot_of(member.id, this.looks_of_(member)),
      seed: hash(member.id, 0) / 4294967296,
    };
    this.kits_[member.index] = made;
    return made;
  }

  /** Goes on with what is still there; forgets bodies and styles that have been edited away. */
  private take_over(cast: Cast): void {
    const { by_id } = this.cast_;
    const old = this.kits_;
    const used = new Set<string>();
    const numbers = new Map<Skeleton, number>();
    for (const { skeleton, style_id } of cast.members) {
      if (!numbers.has(skeleton)) numbers.set(skeleton, numbers.size);
      used.add(`${numbers.get(skeleton)} ${style_id}`);
    }
    const stale = this.tables_.count > 2 * used.size + kMostTables;
    if (stale) this.clear();
    this.textures_.palettes.keep((id) => cast.by_id.has(id));
    this.kits_ = cast.members.map((member) => {
      const before = by_id.get(member.id);
      const same =
        !stale &&
        before?.skeleton === member.skeleton &&
        before.style_id === member.style_id &&
        before.color === member.color;
      return same ? old[before.index] : undefined;
    });
    this.cast_ = cast;
  }
}

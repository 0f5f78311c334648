// How finely each character of a crowd is drawn, by its size in the picture. Runs over everybody in every picture, so it
// keeps to arrays of numbers and allocates nothing.
import { kFlag } from '../../net/frame';
import { sagittal_of } from '../gait/gait_phase';
import type { WorldPose } from '../frames/interpolate';
import { at, type Vec3 } from '../values/quaternion';
import { type Cast, kEmptyCast, type Member } from '../room/roster';

/** From the finest to the coarsest; what is not in the picture is not drawn. */
export const kDrawn = {
  parts: 0, // each part of the body by itself, in full
  round: 1, // the body as one, with round limbs
  plain: 2, // with limbs of four sides
  tiny: 3, // of its largest parts only
  away: 4, // out of the picture
} as const;
export type Tier = (typeof kDrawn)[keyof typeof kDrawn];

/** Where the picture is taken from. World frame. */
export interface Sight {
  readonly eye: Vec3; // m
  readonly pixel_m: number; // size of a pixel at a metre from the eye
  /** Planes around what is seen: normals that point inwards and their distances, four numbers each. */
  readonly planes: Float64Array;
}

/** Sizes, pixels of a body's reach, down to which a tier goes. A person is about one and a half times as tall as they reach. */
const kLeast_px = [52, 18, 8] as const;
/** The size down to which a character moves by its own joints, not by the strides of people who walk like it. */
const kOwnJoints_px = 26;
/** So many may be small, and be drawn by parts all the same: to draw as one takes shaders that few pages need. */
const kMostSmall = 48;
const kOdd = 2.5; // times as far a character that was pushed, or lies, moves by its own joints: it looks unlike walkers
const kHysteresis = 1.15;
/** So many at most are drawn by parts, and so many move by their own joints: in a dense crowd the sizes go up. */
const kMostParts = 360;
const kMostOwn = 900;
const kMostAlone = 1000; // drawn by parts at most, as long as nobody can be drawn as one
const kBlend_s = 0.45; // from a body's own pose to that of its stride
const kAround = 1.25; // of the reach: nothing of a body is drawn beyond
const kShadow = 3; // of the reach: nothing of a body that is near and of its shadow is drawn beyond
const kBins = 96;
const kPerOctave = 8;

function bin_of(size_px: number): number {
  const bin = Math.floor(kPerOctave * Math.log2(Math.max(1, size_px)));
  return bin < kBins ? bin : kBins - 1;
}

/** The least size at which no more than `most` are at least as large. */
function size_for(counts: Uint32Array, most: number): number {
  let sum = 0;
  for (let bin = kBins - 1; bin >= 0; --bin) {
    sum += counts[bin] as number;
    if (sum > most) return 2 ** ((bin + 1) / kPerOctave);
  }
  return 0;
}

export class CrowdDetail {
  /** The characters in the picture that are drawn by parts, and those that are drawn as one. */
  readonly by_parts: Member[] = [];
  readonly as_one: Member[] = [];
  private cast_: Cast = kEmptyCast;
  private picture_ = 1;
  private tiers_ = new Uint8Array(0); // [characters]
  private sizes_ = new Float32Array(0); // px
  private shares_ = new Float32Array(0); // 1: moves by its own joints
  private seen_ = new Uint32Array(0); // picture in which it was last seen
  private walks_ = new Uint8Array(0); // 1: can be drawn by its stride
  private readonly counts_ = new Uint32Array(kBins);
  private readonly least_ = [0, 0, 0];
  private small_ = 0; // number of characters that could be drawn as one
  private seen_count_ = 0;

  /** Whether so many are in the picture that small ones should be drawn as one. */
  get crowded(): boolean {
    return this.small_ > kMostSmall || this.seen_count_ > kMostParts;
  }

  tier({ index }: Member): Tier {
    return (this.tiers_[index] ?? kDrawn.away) as Tier;
  }

  /** Pixels of its reach. */
  size_px({ index }: Member): number {
    return this.sizes_[index] ?? 0;
  }

  /** How far a body that is drawn as one is in its own pose: 1 all, 0 by its stride. */
  own_share({ index }: Member): number {
    return this.shares_[index] ?? 1;
  }

  /**
   * Chooses for the picture that is drawn next.
   * @param wanted ids of the characters that are drawn by parts however small they are
   * @param elapsed_s since the last picture
   * @param as_one whether characters can be drawn as one; if not, those beyond the limit are left out
   */
  choose(
    pose: WorldPose,
    sight: Sight,
    wanted: ReadonlySet<number>,
    elapsed_s: number,
    as_one: boolean,
  ): void {
    if (pose.cast !== this.cast_) this.take_over(pose.cast);
    ++this.picture_;
    this.by_parts.length = this.as_one.length = 0;
    this.measure(pose, sight);
    this.least_[0] = as_one
      ? Math.max(kLeast_px[0], size_for(this.counts_, kMostParts))
      : size_for(this.counts_, kMostAlone);
    this.least_[1] = kLeast_px[1];
    this.least_[2] = kLeast_px[2];
    const own_px = Math.max(kOwnJoints_px, size_for(this.counts_, kMostParts + kMostOwn));
    const step = elapsed_s / kBlend_s;
    const { members } = pose.cast;
    for (let i = 0; i < members.length; ++i) {
      const size = this.sizes_[i] as number;
      if (size <= 0) {
        this.tiers_[i] = kDrawn.away;
        continue;
      }
      const member = members[i] as Member;
      const fresh = this.seen_[i] !== this.picture_ - 1;
      this.seen_[i] = this.picture_;
      const parts = this.walks_[i] === 0 || (wanted.size > 0 && wanted.has(member.id));
      const tier = parts ? kDrawn.parts : this.tier_of(size, fresh ? undefined : this.tiers_[i]);
      this.tiers_[i] = tier;
      if (!as_one && tier !== kDrawn.parts) {
        this.tiers_[i] = kDrawn.away;
        continue;
      }
      if (tier === kDrawn.parts) {
        this.shares_[i] = 1;
        this.by_parts.push(member);
        continue;
      }
      this.as_one.push(member);
      const odd = (at(pose.flags, i) & (kFlag.fallen | kFlag.pushed)) !== 0;
      const share = this.shares_[i] as number;
      const held = share > 0.5 && !fresh ? kHysteresis : 1;
      const own = size * held * (odd ? kOdd : 1) >= own_px ? 1 : 0;
      if (fresh) this.shares_[i] = own;
      else this.shares_[i] = own > share ? Math.min(1, share + step) : Math.max(own, share - step);
    }
  }

  /** Sizes of all characters in the picture, 0 for others; and how many there are of each size. */
  private measure({ cast, poses }: WorldPose, { eye, pixel_m, planes }: Sight): void {
    const { members } = cast;
    const [ex, ey, ez] = eye;
    this.counts_.fill(0);
    this.small_ = this.seen_count_ = 0;
    const near_px = kOwnJoints_px;
    for (let i = 0; i < members.length; ++i) {
      const { pose: p, skeleton } = members[i] as Member;
      const x = poses[p] as number;
      const y = poses[p + 1] as number;
      const z = poses[p + 2] as number;
      const [dx, dy, dz] = [x - ex, y - ey, z - ez];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const { reach } = skeleton;
      const size = reach / (Math.max(distance - reach, 0.25 * reach) * pixel_m);
      const around = reach * (size > near_px ? kShadow : kAround);
      let seen = true;
      for (let k = 0; k + 3 < planes.length && seen; k += 4)
        seen =
          (planes[k] as number) * x +
            (planes[k + 1] as number) * y +
            (planes[k + 2] as number) * z +
            (planes[k + 3] as number) >
          -around;
      this.sizes_[i] = seen ? size : 0;
      if (seen) {
        ++this.seen_count_;
        if (size < kLeast_px[0] && this.walks_[i] === 1) ++this.small_;
        const bin = bin_of(size);
        this.counts_[bin] = (this.counts_[bin] as number) + 1;
      }
    }
  }

  private tier_of(size: number, before: number | undefined): Tier {
    for (let tier = 0; tier < kLeast_px.length; ++tier) {
      const stays = before !== undefined && before <= tier;
      if (size * (stays ? kHysteresis : 1) >= (this.least_[tier] as number)) return tier as Tier;
    }
    return kDrawn.tiny;
  }

  /** Goes on with the characters that are still there. */
  private take_over(cast: Cast): void {
    const { by_id } = this.cast_;
    const [tiers, shares, seen] = [this.tiers_, this.shares_, this.seen_];
    const count = cast.members.length;
    this.tiers_ = new Uint8Array(count).fill(kDrawn.away);
    this.sizes_ = new Float32Array(count);
    this.shares_ = new Float32Array(count).fill(1);
    this.seen_ = new Uint32Array(count);
    this.walks_ = new Uint8Array(count);
    for (const { id, index, complete, skeleton } of cast.members) {
      this.walks_[index] = complete && sagittal_of(skeleton) ? 1 : 0;
      const old = by_id.get(id);
      if (!old || old.thing) continue;
      this.tiers_[index] = tiers[old.index] as number;
      this.shares_[index] = shares[old.index] as number;
      this.seen_[index] = seen[old.index] as number;
    }
    this.cast_ = cast;
  }
}

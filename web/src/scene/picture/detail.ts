/** How finely pictures are drawn. */
export interface Detail {
  readonly pixel_ratio: number; // pixels a CSS pixel, along a side, at most
  readonly shadows: boolean;
}

export const kFullDetail: Detail = { pixel_ratio: 2, shadows: true };

const kDetails: readonly Detail[] = [
  kFullDetail,
  { pixel_ratio: 1, shadows: true },
  { pixel_ratio: 0.75, shadows: false },
  { pixel_ratio: 0.5, shadows: false },
];

const kWindow_s = 1.5; // and
const kPictures = 5; // at least, before a judgement
const kSlow_s = 1 / 18; // a picture; slower, and less is drawn
const kFast_s = 1 / 45; // a picture; as fast as this for long, and more is tried
const kPatience_s = 30;
const kTries = 2; // of a level that was too much

/**
 * Chooses a lower level of detail where pictures come slowly, as on a machine without a graphics card. A level that
 * was too slow twice is not tried again, or the picture would change for ever.
 */
export class DetailChooser {
  private level_ = 0;
  private readonly failures_ = kDetails.map(() => 0);
  private window_: number[] = []; // s, of pictures
  private fast_s_ = 0;

  /** @param screen_ratio pixels of the screen a CSS pixel, which change as one zooms or moves the window */
  constructor(private readonly screen_ratio_: () => number) {}

  /** Draws less from the first picture on, on a machine of which it is known that it is slow. */
  begin_low(): void {
    this.level_ = kDetails.findIndex(({ shadows }) => !shadows);
  }

  get detail(): Detail {
    return kDetails[this.level_] as Detail;
  }

  /** Whether less is drawn than the screen can show. */
  get coarse(): boolean {
    return !this.alike(this.level_, 0);
  }

  /**
   * @param picture_s since the picture before
   * @returns whether the detail has changed
   */
  see(picture_s: number): boolean {
    this.window_.push(picture_s);
    const time_s = this.window_.reduce((sum, one) => sum + one, 0);
    const pictures = this.window_.length;
    if (time_s < kWindow_s || pictures < kPictures) return false;
    // Of a window, the median: a page that was hidden, or compiles its shaders, is not slow.
    const median_s = this.window_.sort((a, b) => a - b)[pictures >> 1] as number;
    this.window_ = [];
    this.fast_s_ = median_s <= kFast_s ? this.fast_s_ + median_s * pictures : 0;
    if (median_s > kSlow_s) {
      const coarser = kDetails.findIndex((_, i) => i > this.level_ && !this.alike(i, this.level_));
      if (coarser < 0) return false;
      // Noted for the last of the levels that draw alike on this screen: on a screen with more pixels, too, that
      // level is the one that was tried.
      ++this.failures_[coarser - 1]!;
      return this.go(coarser);
    }
    const finer = kDetails.findIndex((_, i) => this.alike(i, this.level_)) - 1;
    return (
      this.fast_s_ >= kPatience_s &&
      finer >= 0 &&
      this.failures_[finer]! < kTries &&
      this.go(kDetails.findIndex((_, i) => this.alike(i, finer)))
    );
  }

  /** Whether two levels draw the same on the present screen. */
  private alike(a: number, b: number): boolean {
    const [one, other] = [kDetails[a] as Detail, kDetails[b] as Detail];
    const ratio = ({ pixel_ratio }: Detail) => Math.min(this.screen_ratio_(), pixel_ratio);
    return one.shadows === other.shadows && ratio(one) === ratio(other);
  }

  private go(level: number): true {
    this.level_ = level;
    this.fast_s_ = 0;
    return true;
  }
}

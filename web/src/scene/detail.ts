/** How finely pictures are drawn. */
export interface Detail {
  readonly pixel_ratio: number; // pixels a CSS pixel, along a side, at most
  readonly shadows: boolean;
}

const kDetails: readonly Detail[] = [
  { pixel_ratio: 2, shadows: true },
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
 * Draws less where pictures come slowly, as on a machine without a graphics card. What was too much twice is
 * not tried again, or the picture would change for ever.
 */
export class DetailChooser {
  private readonly finest_: number;
  private level_: number;
  private readonly failures_ = kDetails.map(() => 0);
  private window_: number[] = []; // s, of pictures
  private fast_s_ = 0;

  /** @param screen_ratio of the screen: a level that would draw more than that is left out */
  constructor(screen_ratio: number) {
    this.finest_ = screen_ratio > 1 ? 0 : 1;
    this.level_ = this.finest_;
  }

  get detail(): Detail {
    return kDetails[this.level_] as Detail;
  }

  get finest(): Detail {
    return kDetails[this.finest_] as Detail;
  }

  /**
   * @param picture_s since the picture before
   * @returns whether the detail has changed
   */
  see(picture_s: number): boolean {
    this.window_.push(picture_s);
    const time_s = this.window_.reduce((sum, one) => sum + one, 0);
    if (time_s < kWindow_s || this.window_.length < kPictures) return false;
    // Of a window, the median: a page that was hidden, or compiles its shaders, is not slow.
    const median_s = this.window_.sort((a, b) => a - b)[this.window_.length >> 1] as number;
    this.window_ = [];
    this.fast_s_ = median_s <= kFast_s ? this.fast_s_ + time_s : 0;
    if (median_s > kSlow_s && this.level_ + 1 < kDetails.length) {
      ++this.failures_[this.level_]!;
      return this.go(this.level_ + 1);
    }
    const finer = this.level_ - 1;
    return (
      this.fast_s_ >= kPatience_s &&
      finer >= this.finest_ &&
      this.failures_[finer]! < kTries &&
      this.go(finer)
    );
  }

  private go(level: number): true {
    this.level_ = level;
    this.fast_s_ = 0;
    return true;
  }
}

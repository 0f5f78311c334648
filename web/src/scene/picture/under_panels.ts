import type { Rect } from '../../state/picture/free_part';
import type { PictureFrame } from './picture_frame';

/** The part of the picture that panels leave free, and how its middle is shifted into that part. */
export class UnderPanels {
  private shift_: readonly [x: number, y: number, shrink: number] = [0, 0, 1];
  private centred_ = false;
  private free_: Rect | undefined; // undefined: all of it

  constructor(private readonly frame_: PictureFrame) {}

  /**
   * Shifts the picture's centre to the middle of the part that panels leave free.
   * @param x, y px to the right and down
   */
  set_shift(x: number, y: number, shrink = 1): void {
    this.shift_ = [x, y, shrink];
    if (!this.centred_) this.frame_.set_shift(x, y, shrink);
  }

  /** Whether the picture is drawn as if there were no panels. */
  set_centred(centred: boolean): void {
    this.centred_ = centred;
    this.frame_.set_shift(...(centred ? ([0, 0, 1] as const) : this.shift_));
  }

  /** The part of the picture that no panel covers, px from its upper left corner. */
  get free(): Rect {
    const { width, height } = this.frame_.size;
    return this.free_ ?? { left: 0, top: 0, right: width, bottom: height };
  }

  set_free(free: Rect): void {
    this.free_ = free;
  }
}

// The moving pictures of a sheet's tiles, on one canvas behind them.
import type { Skeleton } from '../../state/figure/skeleton';
import { type Loop, slowness, stride_of } from '../../state/gait/gait_take';
import { type PictureBox, TakePictures } from '../../scene/figure/take_pictures';

const kLongest_share = 0.25; // of the time that drawing may take, where no graphics card helps
const kMost_ratio = 2; // pixels for a px
const kBorder_px = 1; // of a tile's picture, which stays free
const kRound_px = 9; // of its corners, inside the border

export class TilePictures {
  private pictures_: TakePictures | undefined;
  private canvas_ = document.createElement('canvas');
  private tiles_: readonly HTMLElement[] = [];
  private slower_ = 1;
  private request_ = 0;
  private rest_until_ms_ = 0;
  private size_ = '';
  private clip_ = ''; // the canvas shows within the pictures' round corners only
  private readonly calm_ = matchMedia('(prefers-reduced-motion: reduce)');

  /** @param host_ of the tiles; the canvas lies over it and lets the pointer through */
  constructor(private readonly host_: HTMLElement) {}

  /** By how much strides are shown slower; 1: as they are. */
  get slower(): number {
    return this.slower_;
  }

  /** @param loops of the tiles, in their order; undefined where a take could not be read */
  set(
    skeleton: Skeleton,
    color: string,
    tiles: readonly HTMLElement[],
    loops: readonly Loop[],
  ): void {
    this.stop();
    this.tiles_ = tiles;
    this.slower_ = slowness(loops.map(stride_of));
    this.canvas_ = document.createElement('canvas');
    this.canvas_.className = 'variation-canvas';
    this.canvas_.setAttribute('aria-hidden', 'true');
    this.host_.append(this.canvas_);
    this.pictures_ = new TakePictures(this.canvas_, skeleton, color, loops);
    this.size_ = this.clip_ = '';
    this.go_on();
  }

  /** Frees what the pictures take. */
  stop(): void {
    cancelAnimationFrame(this.request_);
    this.pictures_?.dispose();
    this.pictures_ = undefined;
    this.canvas_.remove();
  }

  private go_on(): void {
    this.request_ = requestAnimationFrame((now_ms) => {
      if (now_ms >= this.rest_until_ms_ && this.host_.checkVisibility()) {
        const begun_ms = performance.now();
        this.draw(now_ms / 1000 / this.slower_);
        const took_ms = performance.now() - begun_ms;
        this.rest_until_ms_ = now_ms + took_ms / kLongest_share - took_ms;
      }
      if (this.pictures_) this.go_on();
    });
  }

  private draw(time_s: number): void {
    const { canvas_: canvas, pictures_: pictures } = this;
    if (!pictures) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = Math.min(kMost_ratio, devicePixelRatio);
    const style = getComputedStyle(canvas);
    const [ground, line] = ['--line', '--faint'].map((name) => style.getPropertyValue(name).trim());
    const size = `${width} ${height} ${ratio} ${ground}`;
    if (size !== this.size_) {
      this.size_ = size;
      pictures.resize(width, height, ratio);
      pictures.set_colors(ground ?? '#ccc', line ?? '#888');
    }
    const from = canvas.getBoundingClientRect();
    const view = this.host_.parentElement?.getBoundingClientRect() ?? from;
    pictures.clear();
    const boxes = this.tiles_.map((tile) => inside(tile.getBoundingClientRect(), from));
    const clip = `path('${boxes.map(rounded).join('')}')`;
    if (clip !== this.clip_) canvas.style.clipPath = this.clip_ = clip;
    this.tiles_.forEach((tile, i) => {
      const box = tile.getBoundingClientRect();
      if (box.bottom < view.top || box.top > view.bottom) return; // scrolled away
      const moves = !this.calm_.matches || tile.matches(':hover, :focus-visible');
      pictures.draw(i, moves ? time_s : 0, boxes[i] as PictureBox);
    });
  }
}

/** The part of a box within its border, px from the corner of the canvas. */
function inside(box: DOMRect, from: DOMRect): PictureBox {
  return {
    left: box.left - from.left + kBorder_px,
    top: box.top - from.top + kBorder_px,
    width: box.width - 2 * kBorder_px,
    height: box.height - 2 * kBorder_px,
  };
}

/** A box with round corners, for a path. */
function rounded({ left, top, width, height }: PictureBox): string {
  const r = kRound_px;
  const [wide, high] = [width - 2 * r, height - 2 * r].map((side) => side.toFixed(1));
  const corner = (x: number, y: number) => `a${r} ${r} 0 0 1 ${x} ${y}`;
  const start = `M${(left + r).toFixed(1)} ${top.toFixed(1)}`;
  return `${start}h${wide}${corner(r, r)}v${high}${corner(-r, r)}h-${wide}${corner(-r, -r)}v-${high}${corner(r, -r)}z`;
}

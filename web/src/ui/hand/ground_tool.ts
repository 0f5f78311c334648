// A tool that works on the ground of the picture, with a mouse or one finger. While it is in hand it takes the presses
// before the picture's own tools and its camera see them; two fingers, the wheel and the right button move the camera.
import type { Point } from '../../state/flow/flow';

export interface GroundWork {
  /** Whether a press here is the tool's; left out: each is. */
  takes?(event: PointerEvent): boolean;
  begin(p: Point): void;
  move(p: Point, event: PointerEvent): void;
  end(): void;
  /** Drops the act that was begun. */
  cancel(): void;
}

export class GroundTool {
  private readonly abort_ = new AbortController();
  private first_: PointerEvent | undefined; // the press that is followed
  private handed_: PointerEvent | undefined;
  private last_: PointerEvent | undefined;

  /**
   * @param canvas_ of the picture
   * @param ground_ where a point of the page, px, is on the ground; undefined: beside it
   */
  constructor(
    private readonly canvas_: HTMLElement,
    private readonly ground_: (x: number, y: number) => Point | undefined,
    private readonly work_: GroundWork,
  ) {
    const options = { signal: this.abort_.signal, capture: true };
    window.addEventListener('pointerdown', (event) => this.press(event), options);
    window.addEventListener('pointermove', (event) => this.move(event), options);
    window.addEventListener('pointerup', (event) => this.release(event), options);
    window.addEventListener('pointercancel', () => this.drop(), options);
  }

  dispose(): void {
    this.drop();
    this.abort_.abort();
  }

  private press(event: PointerEvent): void {
    if (event.target !== this.canvas_ || event === this.handed_ || event.button !== 0) return;
    if (this.first_ && event.pointerId !== this.first_.pointerId) {
      this.give_to_camera();
      return;
    }
    if (this.work_.takes && !this.work_.takes(event)) return;
    const p = this.ground_(event.clientX, event.clientY);
    if (!p) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.canvas_.focus({ preventScroll: true });
    this.first_ = this.last_ = event;
    this.work_.begin(p);
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.first_?.pointerId) return;
    event.stopImmediatePropagation();
    this.last_ = event;
    const p = this.ground_(event.clientX, event.clientY);
    if (p) this.work_.move(p, event);
  }

  private release(event: PointerEvent): void {
    if (event.pointerId !== this.first_?.pointerId) return;
    event.stopImmediatePropagation();
    this.first_ = undefined;
    this.work_.end();
  }

  private drop(): void {
    if (!this.first_) return;
    this.first_ = undefined;
    this.work_.cancel();
  }

  /** The camera has not seen the first finger. */
  private give_to_camera(): void {
    const { first_: first, last_: last } = this;
    this.drop();
    if (!first || !last) return;
    const { pointerId, pointerType, isPrimary, button } = first;
    this.handed_ = new PointerEvent('pointerdown', {
      ...{ pointerId, pointerType, isPrimary, button, bubbles: true },
      ...{ clientX: last.clientX, clientY: last.clientY },
    });
    this.canvas_.dispatchEvent(this.handed_);
  }
}

// The recording as a line that one drags along: where one is, what happened when, and the part that is repeated.
import { mark_text, type Mark, type MarkKind } from '../../state/recording/marks';
import type { Span } from '../../state/recording/lookback';
import { round_step } from '../../state/values/scale';
import { h, write } from '../parts/dom';
import { fit_canvas } from '../parts/plot';

export interface TrackPicture {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly now_ms: number;
  readonly marks: readonly Mark[];
  readonly loop: Span | undefined;
  /** Whether a mark is of a selected body, or none is selected. */
  readonly strong: (mark: Mark) => boolean;
}

export const kMarkColors: Readonly<Record<MarkKind, string>> = {
  push: '--plot-2',
  fall: '--bad',
  up: '--plot-4',
  edit: '--plot-3',
  join: '--soft',
  leave: '--soft',
  scene: '--ink',
};

const kEdge_px = 8;
const kNear_px = 6; // of a mark that a click goes to, and of an end of the loop
const kTick_px = 60; // between the marks of seconds, at least
const kMark_px = 5;
const kOthers = 0.6; // opacity of marks of bodies that are not selected

export class TimelineTrack {
  readonly element: HTMLElement;
  on_seek: (t_ms: number) => void = () => {};
  on_loop: (span: Span) => void = () => {};
  on_key: (key: string, shift: boolean) => boolean = () => false;
  private readonly canvas_ = h('canvas', {
    class: 'track-canvas',
    attributes: { 'aria-hidden': 'true' },
  });
  private readonly tip_ = h('output', { class: 'track-tip' });
  private picture_: TrackPicture | undefined;
  private dragged_: 'time' | 'from' | 'to' | undefined;
  private moved_ = false;

  constructor() {
    this.tip_.hidden = true;
    this.element = h(
      'div',
      {
        class: 'track',
        attributes: {
          role: 'slider',
          tabindex: '0',
          'aria-label': 'Moment shown',
          'data-test': 'timeline',
        },
      },
      this.canvas_,
      this.tip_,
    );
    this.element.addEventListener('pointerdown', (event) => this.press(event));
    this.element.addEventListener('pointermove', (event) => this.move(event));
    this.element.addEventListener('pointerup', (event) => this.release(event));
    this.element.addEventListener('pointerleave', () => (this.tip_.hidden = true));
    this.element.addEventListener('pointercancel', () => (this.dragged_ = undefined));
    this.element.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!this.on_key(event.key, event.shiftKey)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param told the moment in words, for visitors who cannot see the line */
  draw(picture: TrackPicture, told: string): void {
    this.picture_ = picture;
    const seconds = (t_ms: number) => ((t_ms - picture.to_ms) / 1000).toFixed(1);
    this.element.setAttribute('aria-valuemin', seconds(picture.from_ms));
    this.element.setAttribute('aria-valuemax', '0');
    this.element.setAttribute('aria-valuenow', seconds(picture.now_ms));
    this.element.setAttribute('aria-valuetext', told);
    const pen = fit_canvas(this.canvas_);
    if (!pen) return;
    const { clientWidth: width, clientHeight: height } = this.canvas_;
    const style = getComputedStyle(this.canvas_);
    const color = (name: string) => style.getPropertyValue(name);
    const x = (t_ms: number) => this.x_of(t_ms, width);
    const middle = height - 14;
    pen.clearRect(0, 0, width, height);
    this.draw_ruler(pen, picture, x, height, color);
    pen.lineWidth = 4;
    pen.lineCap = 'round';
    const bar = (from: number, to: number, name: string) => {
      pen.strokeStyle = color(name);
      pen.beginPath();
      pen.moveTo(x(from), middle);
      pen.lineTo(Math.max(x(from) + 0.1, x(to)), middle);
      pen.stroke();
    };
    pen.globalAlpha = 0.5;
    bar(picture.from_ms, picture.to_ms, '--faint');
    pen.globalAlpha = 1;
    bar(picture.from_ms, picture.now_ms, '--accent');
    if (picture.loop) {
      const [a, b] = [x(picture.loop.from_ms), x(picture.loop.to_ms)];
      pen.fillStyle = color('--focus');
      pen.globalAlpha = 0.22;
      pen.fillRect(a, 0, b - a, middle + 5);
      pen.globalAlpha = 1;
      for (const end of [a, b]) pen.fillRect(end - 1.5, 0, 3, middle + 5);
    }
    for (const mark of picture.marks) {
      pen.globalAlpha = picture.strong(mark) ? 1 : kOthers;
      draw_mark(pen, mark.kind, x(mark.t_ms), middle - 12, color(kMarkColors[mark.kind]));
    }
    pen.globalAlpha = 1;
    pen.fillStyle = color('--accent');
    pen.strokeStyle = color('--paper-solid');
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x(picture.now_ms), middle, 7, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }

  private draw_ruler(
    pen: CanvasRenderingContext2D,
    { from_ms, to_ms }: TrackPicture,
    x: (t_ms: number) => number,
    height: number,
    color: (name: string) => string,
  ): void {
    pen.font = '10px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.fillStyle = color('--soft');
    const room = Math.max(1, Math.floor(this.element.clientWidth / kTick_px));
    const tick_s = Math.max(1, round_step((to_ms - from_ms) / 1000 || 1, room));
    for (let ago = 0; to_ms - 1000 * ago >= from_ms; ago += tick_s) {
      const at = x(to_ms - 1000 * ago);
      pen.fillRect(at - 0.5, height - 14 - 5, 1, 10);
      // The last one would be cut off.
      if (ago > 0 && at > 14) pen.fillText(`−${ago} s`, at, height - 1);
    }
  }

  private x_of(t_ms: number, width: number): number {
    const { from_ms = 0, to_ms = 1 } = this.picture_ ?? {};
    const share = (t_ms - from_ms) / Math.max(1, to_ms - from_ms);
    return kEdge_px + share * (width - 2 * kEdge_px);
  }

  private time_at({ clientX }: PointerEvent): number {
    const { from_ms = 0, to_ms = 1 } = this.picture_ ?? {};
    const box = this.element.getBoundingClientRect();
    const share = (clientX - box.left - kEdge_px) / Math.max(1, box.width - 2 * kEdge_px);
    return from_ms + Math.min(1, Math.max(0, share)) * (to_ms - from_ms);
  }

  private near(event: PointerEvent, t_ms: number): boolean {
    const box = this.element.getBoundingClientRect();
    return Math.abs(event.clientX - box.left - this.x_of(t_ms, box.width)) <= kNear_px;
  }

  private mark_at(event: PointerEvent): Mark | undefined {
    const near = this.picture_?.marks.filter((mark) => this.near(event, mark.t_ms)) ?? [];
    return near.find((mark) => this.picture_?.strong(mark)) ?? near[0];
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const loop = this.picture_?.loop;
    const over_line = event.offsetY > this.element.clientHeight - 24;
    if (loop && !over_line && this.near(event, loop.to_ms)) this.dragged_ = 'to';
    else if (loop && !over_line && this.near(event, loop.from_ms)) this.dragged_ = 'from';
    else this.dragged_ = 'time';
    this.moved_ = false;
    this.element.setPointerCapture(event.pointerId);
    if (this.dragged_ === 'time') this.on_seek(this.time_at(event));
  }

  private move(event: PointerEvent): void {
    const t_ms = this.time_at(event);
    const loop = this.picture_?.loop;
    this.moved_ = true;
    if (this.dragged_ === 'time') this.on_seek(t_ms);
    else if (this.dragged_ === 'from' && loop) this.on_loop({ ...loop, from_ms: t_ms });
    else if (this.dragged_ === 'to' && loop) this.on_loop({ ...loop, to_ms: t_ms });
    this.tell(event, t_ms);
  }

  private release(event: PointerEvent): void {
    const mark = this.mark_at(event);
    if (this.dragged_ === 'time' && !this.moved_ && mark) this.on_seek(mark.t_ms);
    this.dragged_ = undefined;
  }

  private tell(event: PointerEvent, t_ms: number): void {
    const { to_ms = 0 } = this.picture_ ?? {};
    const mark = this.mark_at(event);
    const box = this.element.getBoundingClientRect();
    const ago = `−${((to_ms - (mark?.t_ms ?? t_ms)) / 1000).toFixed(1)} s`;
    write(this.tip_, mark ? `${ago} · ${mark_text(mark)}` : ago);
    this.tip_.hidden = false;
    const half = this.tip_.offsetWidth / 2;
    const x = Math.min(box.width - half, Math.max(half, event.clientX - box.left));
    this.tip_.style.transform = `translate(calc(${x.toFixed(0)}px - 50%), 0)`;
  }
}

/** Told apart by shape as well as by colour. */
export function draw_mark(
  pen: CanvasRenderingContext2D,
  kind: MarkKind,
  x: number,
  y: number,
  color: string,
): void {
  const r = kMark_px;
  pen.fillStyle = pen.strokeStyle = color;
  const shape = (...points: readonly (readonly [number, number])[]) => {
    pen.beginPath();
    for (const [dx, dy] of points) pen.lineTo(x + dx * r, y + dy * r);
    pen.closePath();
    pen.fill();
  };
  switch (kind) {
    case 'push':
      return shape([-1, -0.9], [1, 0], [-1, 0.9]);
    case 'fall':
      return shape([-1, -0.8], [1, -0.8], [0, 1]);
    case 'up':
      return shape([-1, 0.8], [1, 0.8], [0, -1]);
    case 'edit':
      return shape([0, -1], [1, 0], [0, 1], [-1, 0]);
    case 'join':
    case 'leave':
    case 'scene':
      return pen.fillRect(x - 1, y - r, 2, 2 * r);
  }
}

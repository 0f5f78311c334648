// Stills and clips of the picture, of any moment and part of the recording. They are drawn picture by picture, so that
// a clip has all of its pictures however slow the machine is.
import type { Viewport } from '../../scene/picture/viewport';
import type { Span } from '../../state/recording/lookback';
import { type ClipFrame, make_webm } from '../../state/recording/webm';
import type { World } from '../../state/room/world';
import { panels_picture } from './panels_picture';

export const kClip_hz = 30;
const kWidest_px = 1920; // of a clip
const kKeyEvery = 60; // frames
const kBits = 0.2; // a pixel and frame
const kPanelsEvery = 6; // frames: numbers that change faster cannot be read
const kMostQueued = 3;

export interface CaptureOptions {
  readonly world: World;
  readonly viewport: Viewport;
  /** The page, whose panels are in the picture; undefined: without. */
  readonly panels: HTMLElement | undefined;
}

export interface ClipOptions extends CaptureOptions {
  readonly span: Span;
  readonly speed: number; // seconds of the recording in a second of the clip
  /** Told how much is done, 0 to 1. @return whether to go on */
  readonly progress: (share: number) => boolean;
}

/** Whether this browser can make clips. */
export function makes_clips(): boolean {
  return typeof VideoEncoder !== 'undefined';
}

/** Puts picture and panels together. */
class Sheet {
  readonly canvas = document.createElement('canvas');
  private readonly pen_ = this.canvas.getContext('2d', { alpha: false });

  paint(picture: HTMLCanvasElement, panels: HTMLImageElement | undefined, widest: number): void {
    const scale = Math.min(1, widest / picture.width);
    // Encoders want even numbers.
    const even = (value: number) => 2 * Math.round((value * scale) / 2);
    const [width, height] = [even(picture.width), even(picture.height)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.pen_?.drawImage(picture, 0, 0, width, height);
    if (panels) this.pen_?.drawImage(panels, 0, 0, width, height);
  }
}

export async function make_still(options: CaptureOptions): Promise<Blob> {
  const apart = options.viewport.draw_apart(!options.panels);
  try {
    const sheet = new Sheet();
    const panels = options.panels && (await panels_picture(options.panels));
    // Drawn and read in one go: the browser may clear the canvas in between.
    sheet.paint(apart.draw(0), panels, Infinity);
    return await new Promise((resolve, reject) =>
      sheet.canvas.toBlob(
        (blob) =>
          blob ? resolve(blob) : reject(new Error('The browser could not make the picture.')),
        'image/png',
      ),
    );
  } finally {
    apart.end();
  }
}

/** @return undefined if it was cancelled */
export async function make_clip(options: ClipOptions): Promise<Blob | undefined> {
  const { world, viewport, span } = options;
  const { lookback } = world;
  const before = lookback.on.value ? lookback.t_ms : undefined;
  const playing = lookback.playing.value;
  if (!lookback.enter(span.from_ms)) throw new Error('Nothing has been recorded yet.');
  lookback.playing.set(false);
  const apart = viewport.draw_apart(!options.panels);
  try {
    return await encode(options, apart.draw);
  } finally {
    apart.end();
    if (before === undefined) lookback.live();
    else lookback.seek(before);
    lookback.playing.set(playing && before !== undefined);
  }
}

async function encode(
  { world, span, speed, panels, progress }: ClipOptions,
  draw: (elapsed_s: number) => HTMLCanvasElement,
): Promise<Blob | undefined> {
  const frame_ms = 1000 / kClip_hz;
  const count = Math.max(1, Math.round((span.to_ms - span.from_ms) / (frame_ms * speed)));
  const frames: ClipFrame[] = [];
  let failed: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, t_ms: chunk.timestamp / 1000, key: chunk.type === 'key' });
    },
    error: (error) => (failed = error),
  });
  const sheet = new Sheet();
  let over: HTMLImageElement | undefined;
  try {
    for (let i = 0; i < count; ++i) {
      world.lookback.move(span.from_ms + i * frame_ms * speed);
      if (panels && i % kPanelsEvery === 0) over = await panels_picture(panels);
      sheet.paint(draw(frame_ms / 1000), over, kWidest_px);
      const { width, height } = sheet.canvas;
      if (i === 0) {
        const bitrate = Math.round(kBits * width * height * kClip_hz);
        encoder.configure({ codec: 'vp8', width, height, bitrate, framerate: kClip_hz });
      }
      const timestamp = Math.round(1000 * i * frame_ms);
      const frame = new VideoFrame(sheet.canvas, { timestamp });
      encoder.encode(frame, { keyFrame: i % kKeyEvery === 0 });
      frame.close();
      if (!progress((i + 1) / count)) return undefined;
      // Lets the page answer, and the encoder catch up.
      do await new Promise((resolve) => setTimeout(resolve, 0));
      while (encoder.encodeQueueSize > kMostQueued && !failed);
      if (failed) throw failed;
    }
    await encoder.flush();
    const { width, height } = sheet.canvas;
    return new Blob([make_webm(frames, { width, height, frame_ms })], { type: 'video/webm' });
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
}

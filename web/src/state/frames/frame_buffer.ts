import type { FrameData } from '../../net/frame';
import type { Cast } from '../room/roster';

export interface BufferedFrame {
  readonly frame: FrameData;
  readonly cast: Cast;
}

/** Frames in the order of time, whichever they are: the last ones, or those of the recording. */
export interface Frames {
  readonly length: number;
  at(index: number): BufferedFrame | undefined;
  /** Index of the last frame at or before a server time, -1 if all are later. */
  find(server_time_ms: number): number;
}

const kCapacity = 64;

/** The last two seconds or so of frames, in order of server time. */
export class FrameBuffer implements Frames {
  private frames_: BufferedFrame[] = [];

  /** Keeps a frame, unless it is older than the newest one. */
  push(entry: BufferedFrame): void {
    const newest = this.newest();
    if (newest && entry.frame.server_time_ms <= newest.frame.server_time_ms) return;
    this.frames_.push(entry);
    if (this.frames_.length > kCapacity) this.frames_.shift();
  }

  clear(): void {
    this.frames_ = [];
  }

  newest(): BufferedFrame | undefined {
    return this.frames_[this.frames_.length - 1];
  }

  get length(): number {
    return this.frames_.length;
  }

  at(index: number): BufferedFrame | undefined {
    return this.frames_[index];
  }

  find(server_time_ms: number): number {
    let i = this.frames_.length - 1;
    while (i >= 0 && (this.frames_[i] as BufferedFrame).frame.server_time_ms > server_time_ms) --i;
    return i;
  }
}

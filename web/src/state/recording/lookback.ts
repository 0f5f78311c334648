import { Sampler, type WorldPose } from '../frames/interpolate';
import { RecordedFrames } from './recorded_frames';
import type { Recording, Take } from './recording';
import { Signal } from '../values/signal';

/** A part of the recording, on its clock. */
export interface Span {
  readonly from_ms: number;
  readonly to_ms: number;
}

export const kSpeeds = [0.1, 0.25, 0.5, 1, 2] as const;
const kLeastLoop_ms = 100;

/** Where in the recording one looks, and how it goes on from there, while the room goes on by itself. */
export class Lookback {
  /** Whether the past is shown. */
  readonly on = new Signal(false);
  readonly playing = new Signal(false);
  readonly speed = new Signal(1);
  readonly loop = new Signal<Span | undefined>(undefined);
  /** Counts the jumps, after which nothing that was drawn leads to what is drawn next. */
  readonly jumps = new Signal(0);
  readonly frames: RecordedFrames;

  private t_ms_ = 0;
  private take_: Take | undefined;
  private readonly sampler_: Sampler;

  constructor(private readonly recording_: Recording) {
    this.frames = new RecordedFrames(recording_);
    this.sampler_ = new Sampler(this.frames, this.frames.things);
  }

  /** The moment that is shown, on the recording's clock. */
  get t_ms(): number {
    return this.t_ms_;
  }

  /** The frame at that moment, or the last before it. */
  get take(): Take | undefined {
    return this.take_;
  }

  /** Shows the past, from a moment on. @return false where there is none */
  enter(t_ms: number): boolean {
    if (this.recording_.empty) return false;
    if (!this.on.value) {
      this.recording_.held = true;
      this.playing.set(false);
      this.sampler_.forget_drawn();
      this.on.set(true);
    }
    this.seek(t_ms);
    return true;
  }

  /** Shows the room as it is now again. */
  live(): void {
    if (!this.on.value) return;
    this.recording_.held = false;
    this.loop.set(undefined);
    this.playing.set(false);
    this.frames.clear();
    this.take_ = undefined;
    this.on.set(false);
    this.jumps.set(this.jumps.value + 1);
  }

  seek(t_ms: number): void {
    this.go(t_ms);
    this.jumps.set(this.jumps.value + 1);
  }

  /** As time does: what was drawn leads to what is drawn next. */
  move(t_ms: number): void {
    this.go(t_ms);
  }

  /** Goes by whole frames, and stays there. */
  step(frames: number): void {
    const { recording_: recording } = this;
    if (recording.empty) return;
    this.playing.set(false);
    const here = recording.find(this.t_ms_);
    // Between two frames the first step back leads to the one before.
    const between = this.t_ms_ > (recording.at(here)?.t_ms ?? 0);
    const wanted = here + frames + (between && frames < 0 ? 1 : 0);
    const to = Math.min(recording.end - 1, Math.max(recording.first, wanted));
    this.seek(recording.at(to)?.t_ms ?? this.t_ms_);
  }

  /** Repeats a part; one that is too short is made longer. */
  repeat(from_ms: number, to_ms: number): void {
    const [low, high] = [Math.min(from_ms, to_ms), Math.max(from_ms, to_ms)];
    this.loop.set({ from_ms: low, to_ms: Math.max(high, low + kLeastLoop_ms) });
  }

  /** Lets the time go on. */
  advance(elapsed_ms: number): void {
    if (!this.playing.value) return;
    const next = this.t_ms_ + elapsed_ms * this.speed.value;
    const loop = this.loop.value;
    if (loop && (next > loop.to_ms || next < loop.from_ms)) {
      const over = Math.max(0, next - loop.to_ms) % (loop.to_ms - loop.from_ms);
      this.seek(next > loop.to_ms ? loop.from_ms + over : loop.from_ms);
      return;
    }
    this.go(next);
    if (next >= this.recording_.to_ms && this.speed.value <= 1) return; // goes on as the room does
    if (next >= this.recording_.to_ms) this.playing.set(false);
  }

  /** Fills the pose with the moment that is shown. @return false where nothing is recorded */
  sample(out: WorldPose): boolean {
    // A moment that was forgotten meanwhile cannot be shown any more.
    this.t_ms_ = Math.max(this.t_ms_, this.recording_.from_ms);
    this.take_ = this.frames.focus(this.t_ms_);
    return this.take_ !== undefined && this.sampler_.sample(this.t_ms_, out);
  }

  /** To be called when another source has drawn into the pose. */
  forget_drawn(): void {
    this.sampler_.forget_drawn();
  }

  private go(t_ms: number): void {
    const { from_ms, to_ms } = this.recording_;
    this.t_ms_ = Math.min(to_ms, Math.max(from_ms, t_ms));
  }
}

// The frames of the live room, and which moment of them is drawn.
import type { FrameData, RestData } from '../../net/frame';
import { FrameBuffer } from '../frames/frame_buffer';
import { Sampler, type WorldPose } from '../frames/interpolate';
import { Playback } from '../frames/playback';
import type { Cast } from './roster';
import { ThingTracks } from './thing_tracks';

/** Buffers frames as they come, and draws the room a little behind the server, so that there is a later frame. */
export class LiveFrames {
  private readonly buffer_ = new FrameBuffer();
  private readonly tracks_ = new ThingTracks();
  private readonly sampler_ = new Sampler(this.buffer_, this.tracks_);
  private readonly playback_ = new Playback();
  private offset_ms_: number | undefined; // the server's time minus that of the page
  private delay_ms_ = 90;

  /** How far behind the server the page plays. */
  get delay_ms(): number {
    return this.delay_ms_;
  }

  /** @param cast the cast of the frame */
  push(frame: FrameData, cast: Cast): void {
    this.offset_ms_ ??= frame.server_time_ms - frame.received_ms;
    this.playback_.on_frame(
      frame.server_time_ms,
      frame.received_ms + this.offset_ms_ - frame.server_time_ms,
    );
    this.buffer_.push({ frame, cast });
    this.tracks_.push(frame.tick, frame.things, cast.thing_ids);
  }

  /** Takes in where things rest. */
  push_rest({ tick, things }: RestData, cast: Cast): void {
    this.tracks_.push(tick, things, cast.thing_ids);
  }

  /** Forgets the things that are not in a cast. */
  keep_things_of(cast: Cast): void {
    this.tracks_.keep((id) => cast.by_id.get(id)?.thing === true);
  }

  /** Drops frames that are waiting. */
  forget(): void {
    this.buffer_.clear();
    this.tracks_.forget_ways();
    this.playback_.reset();
  }

  /** Forgets where all things are. */
  forget_things(): void {
    this.tracks_.clear();
  }

  /** To be called when something else has drawn into the pose. */
  forget_drawn(): void {
    this.sampler_.forget_drawn();
  }

  /** @param offset_ms the server's time minus that of the page */
  set_clock(offset_ms: number): void {
    this.offset_ms_ = offset_ms;
  }

  /** Forgets the server's time, as for a new connection: the next frame tells about what it is. */
  forget_clock(): void {
    this.offset_ms_ = undefined;
  }

  /** Moves the delay to what the last frames ask for; to be called for each picture. */
  advance(elapsed_ms: number): void {
    this.delay_ms_ = this.playback_.delay_ms(elapsed_ms);
  }

  /** Brings a pose to what is to be drawn now. @return false before the first frame */
  sample(now_ms: number, pose: WorldPose): boolean {
    if (this.offset_ms_ === undefined) return false;
    return this.sampler_.sample(now_ms + this.offset_ms_ - this.delay_ms_, pose);
  }
}

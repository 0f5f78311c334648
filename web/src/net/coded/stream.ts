// One connection's coded frames: asks for them, tells where the camera is, and asks for one that needs no earlier one where
// the last could not be read.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ViewpointSchema } from '../../gen/promenade/v1/wire_pb';
import type { FrameNumbers } from '../decode';
import type { Viewpoint } from '../messages';
import type { CodedCrowd, CrowdDecoder } from './crowd_decoder';
import type { TrackedMember } from './tracks';

const kAskEvery_ms = 500;

type ViewpointInit = MessageInitShape<typeof ViewpointSchema>;
type Reader = typeof import('./reader');

/** A crowd, and the message of a whole frame that says the same, for the recording. */
export interface ReadCrowd extends CodedCrowd {
  readonly bytes: Uint8Array;
}

export class CodedStream {
  private reader_: Reader | undefined; // comes with the first viewpoint
  private decoder_: CrowdDecoder | undefined; // comes with the first viewpoint
  private coming_ = false;
  private members_: readonly TrackedMember[] = [];
  private viewpoint_: Viewpoint | undefined;
  private offered_ = false; // by the server of this connection
  private asked_ms_ = -Infinity;

  constructor(private readonly send_: (viewpoint: ViewpointInit) => void) {}

  /** A new connection. */
  restart(): void {
    this.offered_ = false;
    this.asked_ms_ = -Infinity;
    this.members_ = [];
    this.decoder_?.restart();
  }

  /** The server can code frames. */
  begin(): void {
    this.offered_ = true;
    this.tell(false);
  }

  look(viewpoint: Viewpoint): void {
    this.viewpoint_ = viewpoint;
    this.tell(false);
    if (!this.reader_ && !this.coming_) void this.fetch_reader();
  }

  follow(members: readonly TrackedMember[]): void {
    this.members_ = members.map(({ id, dof }) => ({ id, dof }));
    this.decoder_?.follow(this.members_);
  }

  /** Undefined: nothing can be drawn of it. */
  read(frame: FrameNumbers, now_ms: number): ReadCrowd | undefined {
    const crowd = this.decoder_?.decode(frame);
    if (crowd && this.reader_) return { ...crowd, bytes: this.reader_.write_frame(crowd.numbers) };
    if (now_ms - this.asked_ms_ >= kAskEvery_ms) {
      this.asked_ms_ = now_ms;
      this.tell(true);
    }
    return undefined;
  }

  /** Without it frames stay whole; the next viewpoint tries again. */
  private async fetch_reader(): Promise<void> {
    this.coming_ = true;
    try {
      this.reader_ = await import('./reader');
      this.decoder_ = new this.reader_.CrowdDecoder();
      this.decoder_.follow(this.members_);
      this.tell(false);
    } catch {
      // Said by the page itself where the server is gone.
    }
    this.coming_ = false;
  }

  private tell(key: boolean): void {
    if (!this.offered_ || !this.viewpoint_ || !this.decoder_) return;
    const { eye_m, forward, height_rad: heightRad, aspect } = this.viewpoint_;
    this.send_({ eyeM: [...eye_m], forward: [...forward], heightRad, aspect, key });
  }
}

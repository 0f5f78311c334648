// One connection's coded frames: asks for them, tells where the camera is, and asks for one that needs no earlier one where
// the last could not be read.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ViewpointSchema } from '../../gen/promenade/v1/wire_pb';
import type { FrameNumbers } from '../decode';
import type { Viewpoint } from '../messages';
import { type CodedCrowd, CrowdDecoder } from './crowd_decoder';
import type { TrackedMember } from './tracks';

const kAskEvery_ms = 500;

type ViewpointInit = MessageInitShape<typeof ViewpointSchema>;

export class CodedStream {
  private readonly decoder_ = new CrowdDecoder();
  private viewpoint_: Viewpoint | undefined;
  private offered_ = false; // by the server of this connection
  private asked_ms_ = -Infinity;

  constructor(private readonly send_: (viewpoint: ViewpointInit) => void) {}

  /** A new connection. */
  restart(): void {
    this.offered_ = false;
    this.asked_ms_ = -Infinity;
    this.decoder_.restart();
  }

  /** The server can code frames. */
  begin(): void {
    this.offered_ = true;
    this.tell(false);
  }

  look(viewpoint: Viewpoint): void {
    this.viewpoint_ = viewpoint;
    this.tell(false);
  }

  follow(members: readonly TrackedMember[]): void {
    this.decoder_.follow(members.map(({ id, dof }) => ({ id, dof })));
  }

  /** Undefined: nothing can be drawn of it. */
  read(frame: FrameNumbers, now_ms: number): CodedCrowd | undefined {
    const crowd = this.decoder_.decode(frame);
    if (!crowd && now_ms - this.asked_ms_ >= kAskEvery_ms) {
      this.asked_ms_ = now_ms;
      this.tell(true);
    }
    return crowd;
  }

  private tell(key: boolean): void {
    if (!this.offered_ || !this.viewpoint_) return;
    const { eye_m, forward, height_rad: heightRad, aspect } = this.viewpoint_;
    this.send_({ eyeM: [...eye_m], forward: [...forward], heightRad, aspect, key });
  }
}

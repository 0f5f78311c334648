import type { Frame } from '../gen/promenade/v1/wire_pb';
import type { FrameData } from '../state/frame';
import { kPoseSize } from '../state/kinematics';
import { decode_smallest_three } from '../state/smallest_three';

export interface Units {
  readonly position_m: number;
  readonly angle_rad: number;
}

/** A frame's integers as SI numbers. Throws when its arrays do not fit each other. */
export function decode_frame(frame: Frame, units: Units, received_ms: number): FrameData {
  const count = frame.rootRotation.length;
  if (frame.rootPosition.length !== 3 * count || frame.flags.length !== count) {
    throw new Error(
      `frame ${frame.tick}: ${count} rotations, ${frame.rootPosition.length} coordinates, ${frame.flags.length} flags`,
    );
  }
  const roots = new Float32Array(kPoseSize * count);
  for (let i = 0; i < count; ++i) {
    for (let k = 0; k < 3; ++k) {
      roots[kPoseSize * i + k] = (frame.rootPosition[3 * i + k] as number) * units.position_m;
    }
    decode_smallest_three(frame.rootRotation[i] as number, roots, kPoseSize * i + 3);
  }
  const joints = new Float32Array(frame.joint.length);
  for (let i = 0; i < joints.length; ++i) joints[i] = (frame.joint[i] as number) * units.angle_rad;
  return {
    tick: Number(frame.tick),
    server_time_ms: Number(frame.serverTimeUs) / 1000,
    received_ms,
    roster_version: Number(frame.rosterVersion),
    real_time_factor: frame.realTimeFactor,
    paused: frame.paused,
    time_scale: frame.timeScale,
    viewers: frame.viewers,
    dropped: frame.dropped,
    roots,
    joints,
    flags: Uint32Array.from(frame.flags),
  };
}

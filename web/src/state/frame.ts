// A frame as the worker hands it to the page: numbers in SI units, in typed arrays.

export const kFlag = {
  left_stance: 1,
  left_contact: 2,
  right_contact: 4,
  standing: 8,
  fallen: 16,
  quarantined: 32,
  pushed: 64,
} as const;

export interface FrameData {
  readonly tick: number;
  readonly server_time_ms: number;
  readonly received_ms: number; // local wall clock, see net/clock
  readonly roster_version: number;
  readonly real_time_factor: number;
  readonly paused: boolean;
  readonly time_scale: number;
  readonly viewers: number;
  readonly dropped: number;
  readonly roots: Float32Array; // [7 n] position m, rotation x y z w; world frame
  readonly joints: Float32Array; // [sum of DOF] rad
  readonly flags: Uint32Array; // [n] of kFlag
}

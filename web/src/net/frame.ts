// A frame as the worker hands it to the page: numbers in SI units, in typed arrays.

export const kFlag = {
  left_stance: 1,
  left_contact: 2,
  right_contact: 4,
  standing: 8,
  fallen: 16,
  quarantined: 32,
  pushed: 64,
  limp: 128, // its controller does not keep it up
  away: 256, // not in the scene at present: a person of the flow
  holding: 1024, // its controller holds a pose, and does nothing to stay on its feet
} as const;

/** How much was told of a character in frames that are coded for a camera: server/stream/coded/crowd_tracks.h. */
export const kTier = {
  near: 0, // all of it, in every frame
  middle: 1, // all of it, whenever it is not where it was expected
  far: 2, // no joints: where it is, how it is turned, the phase of its steps
  unseen: 3, // the same, seldom
} as const;

/** Numbers of a root: position x, y, z (m), then rotation x, y, z, w. World frame. */
export const kRootSize = 7;

/** Places of some of the things, by their index in Roster.things. */
export interface ThingsData {
  readonly index: Uint32Array; // [m] ascending
  readonly roots: Float32Array; // [7 m] as FrameData.roots
  readonly joints: Float32Array; // [sum of DOF] as FrameData.joints
  readonly first: Uint32Array; // [m] index in `joints` of each thing's first joint coordinate
}

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
  readonly joints: Float32Array; // [sum of DOF] rad; of sliders m
  readonly flags: Uint32Array; // [n] of kFlag
  readonly limb_contacts: Uint32Array; // [n] bit i: limb i presses on something; [0] from older servers
  readonly presence?: Uint8Array; // [n] of 255, how much of each there is to see; left out: all of all
  readonly things: ThingsData; // of the things that move
  /** [n] of kTier; left out in whole frames. Joints of the far and the unseen are those that were told last, 0 before. */
  readonly tiers?: Uint8Array;
  /** [n] of 256: how far each is in its stride, from one left stance to the next; left out in whole frames. */
  readonly phases?: Uint8Array;
}

/** Places of things that came to rest. */
export interface RestData {
  readonly tick: number;
  readonly roster_version: number;
  readonly things: ThingsData;
}

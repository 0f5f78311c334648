// A take of a gait: where the links of a creature were over two strides, as a loop that can be shown for ever on the spot.
import type { GaitTake } from '../../gen/promenade/v1/gait_study_pb';
import { kRootSize } from '../../net/frame';
import { heading_of } from '../values/quaternion';

const kRotation = 32767; // counts of a rotation's number, as in gait_study.proto
const kPose = kRootSize;

/** A take, unpacked. */
export interface Loop {
  readonly links: number;
  readonly frames: number; // without the one that ends it
  readonly seconds: number;
  readonly poses: Float32Array; // [frames + 1, links, 7] m and rotation x, y, z, w; it stays about where it begins
  readonly forward_m: number; // that it went along its heading in the loop
}

/**
 * Unpacks a take and takes its way out of it, so that the last frame is where the first is but for heights: what it went and
 * turned to over the loop, in equal parts of each frame.
 * undefined: it does not hold what it says.
 */
export function loop_of({ links, frameS, unitM, poses }: GaitTake): Loop | undefined {
  const size = kPose * links;
  const frames = links > 0 ? poses.length / 2 / size - 1 : 0;
  if (!Number.isInteger(frames) || frames < 2 || frameS <= 0) return undefined;
  const view = new DataView(poses.buffer, poses.byteOffset, poses.byteLength);
  const out = Float32Array.from({ length: size * (frames + 1) }, (_, i) => {
    const count = view.getInt16(2 * i, true);
    return i % kPose < 3 ? count * unitM : count / kRotation;
  });
  const last = size * frames;
  const [x0, y0, x1, y1] = [0, 1, last, last + 1].map((i) => out[i] as number) as Quad;
  const heading = heading_of(out, 3);
  const turned = wrapped(heading_of(out, last + 3) - heading);
  for (let frame = 0; frame <= frames; ++frame) {
    const share = frame / frames;
    const middle: Point = [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
    for (let i = size * frame; i < size * (frame + 1); i += kPose)
      stay(out, i, middle, -heading - share * turned);
  }
  const forward_m = Math.cos(heading) * (x1 - x0) + Math.sin(heading) * (y1 - y0);
  return { links, frames, seconds: frames * frameS, poses: out, forward_m };
}

type Point = readonly [x: number, y: number];
type Quad = [number, number, number, number];

const wrapped = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** Moves a pose so that a point of the ground comes to the origin, and turns it about that. */
function stay(poses: Float32Array, i: number, [mx, my]: Point, angle: number): void {
  const [x, y] = [(poses[i] as number) - mx, (poses[i + 1] as number) - my];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  poses[i] = c * x - s * y;
  poses[i + 1] = s * x + c * y;
  const [qx, qy, qz, qw] = poses.subarray(i + 3, i + 7) as unknown as Quad;
  const [w, z] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  poses[i + 3] = w * qx - z * qy;
  poses[i + 4] = w * qy + z * qx;
  poses[i + 5] = w * qz + z * qw;
  poses[i + 6] = w * qw - z * qz;
}

/** Where the links are at a time of the loop, which goes round. @param out [links, 7] */
export function place_at(
  { frames, links, poses, seconds }: Loop,
  time_s: number,
  out: Float32Array,
): void {
  const turn = time_s / seconds;
  const at = frames * (turn - Math.floor(turn));
  const first = Math.min(frames - 1, Math.floor(at));
  const share = at - first;
  const size = kPose * links;
  const [a, b] = [size * first, size * (first + 1)];
  for (let i = 0; i < size; i += kPose) {
    for (let k = 0; k < 3; ++k) out[i + k] = mixed(poses, a + i + k, b + i + k, share);
    let dot = 0;
    for (let k = 3; k < kPose; ++k)
      dot += (poses[a + i + k] as number) * (poses[b + i + k] as number);
    let square = 0;
    for (let k = 3; k < kPose; ++k) {
      const to = dot < 0 ? -(poses[b + i + k] as number) : (poses[b + i + k] as number);
      const value = (1 - share) * (poses[a + i + k] as number) + share * to;
      out[i + k] = value;
      square += value * value;
    }
    const scale = 1 / (Math.sqrt(square) || 1);
    for (let k = 3; k < kPose; ++k) out[i + k] = scale * (out[i + k] as number);
  }
}

function mixed(values: Float32Array, a: number, b: number, share: number): number {
  return (1 - share) * (values[a] as number) + share * (values[b] as number);
}

const kQuickest_s = 0.25; // of a stride that can be followed by eye
const kStrides = 2; // of a take

/** By which strides that are over too soon for the eye are shown slower; 1: as they are. */
export function slowness(strides: readonly number[]): number {
  const quickest = Math.min(...strides);
  return quickest > 0 && quickest < kQuickest_s ? Math.ceil(kQuickest_s / quickest) : 1;
}

/** Time of a stride, s. */
export const stride_of = ({ seconds }: Loop): number => seconds / kStrides;

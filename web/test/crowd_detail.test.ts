import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { kFlag } from '../src/net/frame';
import { CrowdDetail, kDrawn, type Sight } from '../src/state/picture/crowd_detail';
import { make_world_pose, type WorldPose } from '../src/state/frames/interpolate';
import { type Cast, make_cast, type Member } from '../src/state/room/roster';
import { make_skeleton } from '../src/state/figure/skeleton';
import { numbered } from './body';
import { human } from './room';

const skeleton = make_skeleton(human);
const kNobody: ReadonlySet<number> = new Set();
const kPicture_s = 1 / 60;
/** Looks along x with no borders, a thousand lines high. */
const kAhead: Sight = { eye: [0, 0, 1], pixel_m: 0.0006, planes: new Float64Array(0) };

function cast_of(ids: readonly number[], version = 1): Cast {
  const entries = ids.map((id) => ({ id, body: 0n, dof: skeleton.coordinates }));
  const roster = create(RosterSchema, { version: BigInt(version), entries });
  return make_cast(roster, numbered(skeleton));
}

function pose_at(cast: Cast, places: readonly number[]): WorldPose {
  const pose = make_world_pose(cast);
  cast.members.forEach(({ pose: p }, i) => pose.poses.set([places[i] ?? 0, 0, 1], p));
  return pose;
}

/** The tier and the share of own joints of a character at these distances, one after the other. */
function followed(distances: readonly number[], flags = 0) {
  const cast = cast_of([1]);
  const detail = new CrowdDetail();
  const [member] = cast.members as [Member];
  return distances.map((distance) => {
    const pose = pose_at(cast, [distance]);
    pose.flags[0] = flags;
    detail.choose(pose, kAhead, kNobody, kPicture_s, true);
    return { tier: detail.tier(member), own: detail.own_share(member) };
  });
}

function series(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
}

describe('how finely somebody is drawn', () => {
  test('goes by their size in the picture, through all tiers in order', () => {
    const tiers = followed(series(3, 600, 400)).map(({ tier }) => tier);
    expect(tiers[0]).toBe(kDrawn.parts);
    expect(tiers.at(-1)).toBe(kDrawn.tiny);
    expect([...tiers].sort((a, b) => a - b)).toEqual(tiers);
    expect(new Set(tiers).size).toBe(4);
  });

  test('does not change to and fro where somebody is about as far as the change', () => {
    const out = followed(series(3, 200, 800)).map(({ tier }) => tier);
    const at_m = series(3, 200, 800)[out.indexOf(kDrawn.round)] as number;
    const shaken = Array.from({ length: 120 }, (_, k) => at_m * (1 + 0.05 * Math.sin(k)));
    const tiers = followed([at_m * 0.9, ...shaken]).map(({ tier }) => tier);
    const changes = tiers.filter((tier, k) => k > 0 && tier !== tiers[k - 1]);
    expect(changes.length).toBeLessThanOrEqual(1);
  });

  test('own joints give way to the stride slowly, and at once for a character that comes into the picture', () => {
    const far = 400;
    const shares = followed([20, ...series(far, far, 60)]).map(({ own }) => own);
    expect(shares[0]).toBe(1);
    shares.slice(1).forEach((share, k) => expect(shares[k]! - share).toBeLessThan(0.1));
    expect(shares.at(-1)).toBe(0);
    expect(followed([far]).map(({ own }) => own)).toEqual([0]);
  });

  test('a lying character keeps its own joints further than a walking one', () => {
    const distances = series(3, 600, 400);
    const last = (flags: number) => distances.filter((m) => followed([m], flags)[0]?.own === 1);
    expect(last(kFlag.fallen).length).toBeGreaterThan(1.5 * last(0).length);
  });

  test('a selected character is drawn in full, and one behind the camera is not drawn', () => {
    const cast = cast_of([1, 2, 3]);
    const detail = new CrowdDetail();
    // Only what is in front of the eye is seen.
    const sight: Sight = { ...kAhead, planes: Float64Array.of(1, 0, 0, 0) };
    detail.choose(pose_at(cast, [500, 500, -20]), sight, new Set([2, 3]), kPicture_s, true);
    const tiers = cast.members.map((member) => detail.tier(member));
    expect(tiers).toEqual([kDrawn.tiny, kDrawn.parts, kDrawn.away]);
    expect(detail.by_parts.map(({ id }) => id)).toEqual([2]);
    expect(detail.as_one.map(({ id }) => id)).toEqual([1]);
  });

  test('of a dense crowd only so many are drawn in full: the nearest', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => i + 1);
    const cast = cast_of(ids);
    const detail = new CrowdDetail();
    const places = ids.map((id) => 4 + id * 0.004);
    detail.choose(pose_at(cast, places), kAhead, kNobody, kPicture_s, true);
    expect(detail.by_parts.length).toBeGreaterThan(200);
    expect(detail.by_parts.length).toBeLessThanOrEqual(360);
    const last = Math.max(...detail.by_parts.map(({ id }) => id));
    expect(last).toBe(detail.by_parts.length);
  });

  test('until anybody can be drawn as one, the nearest are drawn in full and nobody else', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => i + 1);
    const cast = cast_of(ids);
    const detail = new CrowdDetail();
    detail.choose(pose_at(cast, ids), kAhead, kNobody, kPicture_s, false);
    expect(detail.as_one).toEqual([]);
    expect(detail.by_parts.length).toBeGreaterThan(800);
    expect(detail.by_parts.length).toBeLessThanOrEqual(1000);
    const few = cast_of([1, 2]);
    detail.choose(pose_at(few, [10, 900]), kAhead, kNobody, kPicture_s, false);
    expect(detail.by_parts).toHaveLength(2);
  });

  test('says when so many are small that they should be drawn as one, and not before', () => {
    const crowded = (count: number, distance: number) => {
      const ids = Array.from({ length: count }, (_, i) => i + 1);
      const detail = new CrowdDetail();
      const pose = pose_at(
        cast_of(ids),
        ids.map(() => distance),
      );
      detail.choose(pose, kAhead, kNobody, kPicture_s, false);
      return detail.crowded;
    };
    expect(crowded(24, 200)).toBe(false);
    expect(crowded(100, 200)).toBe(true);
    expect(crowded(100, 10)).toBe(false);
    expect(crowded(500, 10)).toBe(true);
  });

  test('goes on when others come and go', () => {
    const detail = new CrowdDetail();
    const [first, second] = [cast_of([1, 2]), cast_of([2, 3], 2)];
    detail.choose(pose_at(first, [20, 20]), kAhead, kNobody, kPicture_s, true);
    detail.choose(pose_at(second, [400, 400]), kAhead, kNobody, kPicture_s, true);
    const [two, three] = second.members as [Member, Member];
    expect(detail.own_share(two)).toBeGreaterThan(0.9);
    expect(detail.own_share(three)).toBe(0);
  });
});

import { create } from '@bufbuild/protobuf';
import { expect, test, vi } from 'vitest';
import { CharacterDetailsSchema, RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import type { Marks } from '../src/scene/overlays/marks';
import { draw_details, type Note, type OverlayTools } from '../src/scene/overlays/overlays';
import type { Glimpse } from '../src/state/frames/details_buffer';
import { ground_forces } from '../src/state/gait/ground_forces';
import { make_cast, type Member } from '../src/state/room/roster';
import { kOverlays, type OverlayState } from '../src/state/room/settings';
import { SwingPaths } from '../src/state/gait/swing_paths';
import { numbered, pose_of, small_body } from './body';

const cast = make_cast(
  create(RosterSchema, { version: 1n, entries: [{ id: 1, body: 0n }] }),
  numbered(small_body()),
);
const member = cast.members[0] as Member;
const weight = member.skeleton.mass * 9.8;

/** Marks that only note what they are asked for. */
function noted() {
  return {
    ...{ sphere: vi.fn(), disc: vi.fn(), ring: vi.fn() },
    ...{ rod: vi.fn(), arrow: vi.fn(), line: vi.fn() },
  };
}

function tools(marks: ReturnType<typeof noted>): OverlayTools {
  const shown = Object.fromEntries(kOverlays.map(({ key }) => [key, true])) as OverlayState;
  const notes: Note[] = [];
  return {
    ...{ pose: pose_of(cast), tick_s: 1 / 60, shown, notes, swings: new SwingPaths() },
    marks: marks as unknown as Marks,
    areas: { add: vi.fn() } as never,
  };
}

function glimpse(details: object): Glimpse {
  return {
    details: create(CharacterDetailsSchema, { state: 'walking', ...details }),
    phase: 0.5,
    com: [0, 0, 0.9],
    capture_point: [0.2, 0],
    foot_target: [0.4, 0.1, 0.08],
    support_polygon: [0, 0, 0.2, 0, 0.2, 0.1],
    desired_velocity: [],
  };
}

test('an arrow of the force of the ground is as long as its share of the body weight', () => {
  const length = (share: number) => {
    const marks = noted();
    const drawing = tools(marks);
    const contactsMN = [0, 0, 0, 0, 0, share * weight];
    draw_details(glimpse({ contactsMN }), member, drawing);
    expect(drawing.notes.map(({ text }) => text)).toEqual([`${share.toFixed(1)} bw`]);
    const [from, to] = marks.arrow.mock.calls[0] as [number[], number[]];
    return (to[2] as number) - (from[2] as number);
  };
  expect(length(1)).toBeGreaterThan(0.3 * member.skeleton.reach);
  expect(length(2)).toBeCloseTo(2 * length(1), 6);
});

test('a standing character gets no arrow for swaying, and no target for a foot that goes nowhere', () => {
  const standing = noted();
  const still = glimpse({ state: 'standing', comVelocityMps: [0.04, 0.03, 0] });
  draw_details(still, member, tools(standing));
  expect(standing.arrow).not.toHaveBeenCalled();
  const spheres = (marks: typeof standing) => marks.sphere.mock.calls.map(([at]: unknown[]) => at);
  expect(spheres(standing)).toEqual([[0, 0, 0.9]]); // the centre of mass alone
  const walking = noted();
  draw_details(glimpse({ comVelocityMps: [0.8, 0, 0] }), member, tools(walking));
  expect(walking.arrow).toHaveBeenCalledTimes(1);
  expect(spheres(walking)).toContainEqual([0.4, 0.1, 0.08]);
});

test('contacts of a sole are one force at their centre of pressure; others stay by themselves', () => {
  const contacts = [0.1, 0, 0, 0, 0, 300, -0.1, 0, 0, 0, 0, 100, 2, 0, 0, 0, 10, 0];
  const [foot, other, ...more] = ground_forces(contacts, [[[0, 0, 0.03]], [[5, 0, 0]]], 40, 0.3);
  expect(more).toEqual([]);
  expect(foot?.point[0]).toBeCloseTo(0.05, 9);
  expect(foot?.force).toEqual([0, 0, 400]);
  expect(foot?.body_weights).toBeCloseTo(400 / (40 * 9.8), 9);
  expect(other?.force).toEqual([0, 10, 0]);
});

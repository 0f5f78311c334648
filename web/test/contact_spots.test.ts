import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { type ContactSpot, ContactSpots } from '../src/state/picture/contact_spots';
import { make_cast, type Member } from '../src/state/room/roster';
import { numbered, pose_of, small_body } from './body';

const leg = { index: 0, name: 'leg', kind: 'leg', links: [2, 3, 1], soles: [1] } as const;
const cast = make_cast(
  create(RosterSchema, { version: 1n, entries: [{ id: 1, body: 0n }] }),
  numbered({ ...small_body(), limbs: [leg] }),
);
const member = cast.members[0] as Member;

/** The spots of the small body at a height, the one of its foot first. */
function spots_at(spots: ContactSpots, z: number, down: boolean): ContactSpot[] {
  const pose = {
    ...pose_of(cast, [[0, 0, z, 0, 0, 0, 1]]),
    limb_contacts: new Uint32Array([down ? 1 : 0]),
  };
  const found: ContactSpot[] = [];
  spots.find(pose, member, (spot) => found.push({ ...spot }));
  return found;
}

test('a foot that stands throws a dark spot as large as its sole, where the sole is lowest', () => {
  const [foot, body] = spots_at(new ContactSpots(), 1, true) as [ContactSpot, ContactSpot];
  expect(foot.length).toBeGreaterThan(0.2);
  expect(foot.length).toBeLessThan(0.35);
  expect(foot.width).toBeLessThan(foot.length);
  expect(foot.strength).toBeGreaterThan(0.5);
  expect(body.z).toBe(foot.z);
  expect(body.width).toBeGreaterThan(foot.width);
  expect(body.strength).toBeLessThan(foot.strength);
});

test('as it lifts, the spot stays on the ground where it stood, and fades', () => {
  const spots = new ContactSpots();
  const [stands] = spots_at(spots, 1, true) as [ContactSpot];
  const [lifted] = spots_at(spots, 1.05, false) as [ContactSpot];
  expect(lifted.z).toBe(stands.z);
  expect(lifted.strength).toBeLessThan(0.6 * stands.strength);
  expect(lifted.strength).toBeGreaterThan(0);
  const high = spots_at(spots, 1.3, false);
  expect(high.every(({ width }) => width > stands.width)).toBe(true); // of the body alone
});

test('on a step its ground is the step', () => {
  const spots = new ContactSpots();
  const [below] = spots_at(spots, 1, true) as [ContactSpot];
  const [above] = spots_at(spots, 1.2, true) as [ContactSpot];
  expect(above.z - below.z).toBeCloseTo(0.2, 5);
  expect(above.strength).toBeCloseTo(below.strength, 6);
});

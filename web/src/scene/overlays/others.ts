// Other visitors in the picture: their pointers on the ground, their selections, their pushes.
import type { Company, Deed } from '../../state/visitors/company';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import { is_present, is_whole, link_at, type WorldPose } from '../../state/frames/interpolate';
import type { Label } from './labels';
import type { Marks } from './marks';
import type { Outlined } from '../picture/outline';
import { point_on } from '../hand/pointer_tools';

const kSpot_m = 0.07; // radius of a pointer's spot on the ground, and of the ring around it
const kRing_m = 0.2;
const kMostOutlined = 24; // bodies
const kOnePush_n = 400; // an arrow of this force is a metre long
const kShortest_m = 0.35;
const kLongest_m = 1.6;
const kPush_ms = 1200; // so long the arrow of a push is shown

/** The bodies that others have selected and this viewer has not, with the colour of the first visitor who selected them. */
export function outlined_by_others(
  company: Company,
  pose: WorldPose,
  own: (id: number) => boolean,
): readonly Outlined[] {
  const found = new Map<number, Outlined>();
  for (const visitor of company.others)
    for (const id of company.selected_by(visitor)) {
      const member = pose.cast.by_id.get(id);
      if (!member || found.has(id) || own(id) || !is_whole(pose, member)) continue;
      if (found.size >= kMostOutlined) return [...found.values()];
      found.set(id, { member, color: visitor.color });
    }
  return [...found.values()];
}

/**
 * Draws pointers and pushes. @return the names at them
 * @param top m over the root, of a body
 */
export function draw_others(
  company: Company,
  pose: WorldPose,
  marks: Marks,
  now_ms: number,
  top: (member: Member) => number,
): readonly Label[] {
  const cursors = company.cursors(now_ms).map(({ visitor, point }): Label => {
    marks.ring(point, kRing_m, visitor.color);
    marks.disc(point, 1.5 * kSpot_m, '#ffffff'); // seen on any ground
    marks.disc(point, kSpot_m, visitor.color);
    const [x, y, z] = point;
    const { name: text, color } = visitor;
    return {
      ...{ key: `pointer ${visitor.number}`, text, color, point: [x, y, z + 0.12] },
      ...{ first: true, kind: 'visitor' },
    };
  });
  const deeds = company.deeds(now_ms).flatMap((deed): Label[] => {
    const member = pose.cast.by_id.get(deed.character);
    if (!member || !is_present(pose, member)) return [];
    if (deed.push && now_ms - deed.received_ms < kPush_ms) draw_push(deed, member, pose, marks);
    const { poses } = pose;
    const place: Vec3 = [
      at(poses, member.pose),
      at(poses, member.pose + 1),
      at(poses, member.pose + 2) + top(member) + 0.3,
    ];
    const { name: text, color } = deed;
    const key = `deed ${deed.id} ${deed.character}`;
    return [{ key, text, color, point: place, first: true, kind: 'visitor' }];
  });
  return [...cursors, ...deeds];
}

/** An arrow whose head is at the point that is pushed. */
function draw_push({ push, color }: Deed, member: Member, pose: WorldPose, marks: Marks): void {
  const [x = 0, y = 0, z = 0] = push?.forceN ?? [];
  const force = Math.hypot(x, y, z);
  if (!push || force === 0) return;
  const { links } = member.skeleton;
  const named = links.findIndex(({ name }) => name === (push.link || 'torso'));
  const link = Math.max(0, named);
  const [px = 0, py = 0, pz = 0] = push.pointM;
  const head = point_on(pose, link_at(pose, member, link), [px, py, pz]);
  const length = Math.min(kLongest_m, Math.max(kShortest_m, force / kOnePush_n));
  const k = length / force;
  marks.arrow([head[0] - k * x, head[1] - k * y, head[2] - k * z], head, 0.03, color);
}

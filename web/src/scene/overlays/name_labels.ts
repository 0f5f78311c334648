import type { Scene } from '../../gen/promenade/v1/scene_pb';
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { WorldPose } from '../../state/frames/interpolate';
import { label_of, lineup_of } from '../../state/room/lineup';
import { at, type Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import { type Label, kFar_m } from './labels';

const kAbove_m = 0.12; // the head

/** Names over the heads of characters that are near enough to read them, or selected. */
export function name_labels(
  { cast, poses, presence }: WorldPose,
  eye: Vec3,
  scene: Scene | undefined,
  styles: readonly CatalogueEntry[],
  height_of: (member: Member) => number,
  is_selected: (id: number) => boolean,
): Label[] {
  const lineup = lineup_of(scene);
  const labels: Label[] = [];
  for (const member of cast.members) {
    const { id, index, pose: p } = member;
    const [x, y, z] = [at(poses, p), at(poses, p + 1), at(poses, p + 2)];
    const first = is_selected(id);
    const far = (x - eye[0]) ** 2 + (y - eye[1]) ** 2 + (z - eye[2]) ** 2 > kFar_m ** 2;
    if (far && !first) continue;
    labels.push({
      key: `name ${id}`,
      text: label_of(member, lineup, styles),
      point: [x, y, z + height_of(member) + kAbove_m],
      first,
      kind: 'name',
      presence: presence[index] ?? 1,
    });
  }
  return labels;
}

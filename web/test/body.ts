// A small body for the tests: a trunk with a leg of a ball, a hinge and a universal joint.
import { fromJson } from '@bufbuild/protobuf';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { make_world_pose, type WorldPose } from '../src/state/frames/interpolate';
import { forward_kinematics } from '../src/state/figure/kinematics';
import type { Cast, Known } from '../src/state/room/roster';
import { make_skeleton, type Skeleton } from '../src/state/figure/skeleton';
import { kFamilies } from './told_families';

export function small_body(): Skeleton {
  const capsule = { capsule: { fromM: [0, 0, 0.1], toM: [0, 0, -0.1], radiusM: 0.05 } };
  return make_skeleton(
    fromJson(CreatureSchema, {
      name: 'small',
      title: 'Small',
      color: '#336699',
      links: [
        { name: 'trunk', massKg: 10, shapes: [capsule] },
        {
          name: 'foot',
          massKg: 1,
          shapes: [{ box: { centerM: [0, 0, 0], halfM: [0.1, 0.04, 0.02] } }],
        },
        { name: 'thigh', massKg: 4, shapes: [capsule] },
        { name: 'shank', massKg: 3, shapes: [capsule] },
      ],
      joints: [
        {
          name: 'hip',
          parent: 'trunk',
          child: 'thigh',
          kind: 'BALL',
          atParentM: [0, 0.1, -0.2],
          atChildM: [0, 0, 0.2],
        },
        {
          name: 'knee',
          parent: 'thigh',
          child: 'shank',
          kind: 'HINGE',
          axis: [0, 1, 0],
          atParentM: [0, 0, -0.2],
          atChildM: [0, 0, 0.2],
        },
        {
          name: 'ankle',
          parent: 'shank',
          child: 'foot',
          kind: 'UNIVERSAL',
          atParentM: [0, 0, -0.2],
          atChildM: [-0.05, 0, 0.02],
        },
      ],
    }),
  );
}

/** Skeletons by the ids that tests give to bodies: 0, 1, ... in this order; and the families of a room. */
export function numbered(...skeletons: readonly Skeleton[]): Known {
  const by_id = skeletons.map((skeleton, i) => [BigInt(i), skeleton] as const);
  return { skeletons: new Map(by_id), families: kFamilies };
}

export const kSmallCoordinates = 6; // hip 3, knee 1, ankle 2

/** As SceneInfo and Roster give a pose to the page: everybody's links at the given roots. */
export function pose_of(cast: Cast, roots: readonly (readonly number[])[] = []): WorldPose {
  const pose = make_world_pose(cast);
  pose.present.fill(1);
  [...cast.members, ...cast.things].forEach(({ skeleton, pose: p }, i) => {
    const root = roots[i] ?? [0, 0, 0, 0, 0, 0, 1];
    const coordinates = new Float32Array(skeleton.coordinates);
    forward_kinematics(skeleton, root as number[], 0, coordinates, 0, pose.poses, p);
  });
  return pose;
}

// The families of a room and what can be done with bodies, as a server tells them: for scene infos and bodies of tests.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Creature } from '../src/gen/promenade/v1/creature_pb';
import {
  BodySchema,
  FamilyInfoSchema,
  type SceneInfo,
  SceneInfoSchema,
} from '../src/gen/promenade/v1/wire_pb';
import type { FromWorker } from '../src/net/messages';
import { Families } from '../src/state/room/families';
import type { HandLimits } from '../src/state/figure/skeleton';

const kStyled = { styled: true, walks: true, stands: true, needs: 'the limbs of a person' };
export const kFamilyInfos: MessageInitShape<typeof FamilyInfoSchema>[] = [
  { ...kStyled, name: 'gbwc', title: 'Walk', description: 'Walks on two legs', tasks: true },
  { ...kStyled, name: 'pendulum', title: 'Pendulum', description: 'Steps', light: true },
  { name: 'hold', title: 'Hold the pose', description: 'Holds the rest pose', stands: true },
  { name: 'limp', title: 'Limp', description: 'No muscles' },
  { name: 'rise', title: 'Getting up', description: 'Gets up', needs: kStyled.needs },
];
export const kFamilies = new Families(
  kFamilyInfos.map((family) => create(FamilyInfoSchema, family)),
);

/** The server's facts about a person's body, and about one that only holds its pose or falls. */
export const kPersonsFamilies = ['gbwc', 'pendulum', 'hold', 'limp', 'rise'];
export const kAnybodysFamilies = ['hold', 'limp'];
export const kPersonsHands: HandLimits = { lift_kg: 38.4, width_m: 0.96, reach_up_m: 2 };

export function scene_info(more: MessageInitShape<typeof SceneInfoSchema> = {}): SceneInfo {
  return create(SceneInfoSchema, { families: kFamilyInfos, ...more });
}

/** As the worker hands a body on. */
export function body_of(
  id: bigint,
  body: Creature,
  more: MessageInitShape<typeof BodySchema> = { families: kPersonsFamilies },
): FromWorker {
  const { families, hands } = create(BodySchema, more);
  return { kind: 'body', id, body, families, hands };
}

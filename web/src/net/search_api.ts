// The searches and studies of gaits beside a room, over HTTP. They and their messages come late: the first view does without them.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type GaitRecord, GaitRecordSchema } from '../gen/promenade/v1/api_pb';
import {
  type GaitStudy,
  GaitStudyOrderSchema,
  GaitStudySchema,
} from '../gen/promenade/v1/gait_study_pb';
import {
  type RoomSearch,
  RoomSearchOrderSchema,
  RoomSearch_State,
  RoomSearchSchema,
} from '../gen/promenade/v1/room_search_pb';
import { type Answer, type Api, text_of } from './api';

/** Of a room that has had none: undefined. */
function if_any<T extends { readonly state: RoomSearch_State }>(
  answer: Answer<T>,
): Answer<T | undefined> {
  const none = answer.kind === 'done' && answer.value.state === RoomSearch_State.NONE;
  return none ? { kind: 'done', value: undefined } : answer;
}

export async function search(api: Api): Promise<Answer<RoomSearch | undefined>> {
  return if_any(await api.beside(RoomSearchSchema, 'GET', 'search'));
}

export function begin_search(
  api: Api,
  order: MessageInitShape<typeof RoomSearchOrderSchema>,
): Promise<Answer<RoomSearch>> {
  return api.beside(RoomSearchSchema, 'POST', 'search', text_of(RoomSearchOrderSchema, order));
}

export function stop_search(api: Api): Promise<Answer<RoomSearch>> {
  return api.beside(RoomSearchSchema, 'DELETE', 'search');
}

/** @param cell of its map; undefined: the best */
export function searched_gait(api: Api, cell?: number): Promise<Answer<GaitRecord>> {
  const query = cell === undefined ? '' : `?cell=${cell}`;
  return api.beside(GaitRecordSchema, 'GET', `search/gait${query}`);
}

export async function gait_study(api: Api): Promise<Answer<GaitStudy | undefined>> {
  return if_any(await api.beside(GaitStudySchema, 'GET', 'gait-study'));
}

export function begin_study(
  api: Api,
  order: MessageInitShape<typeof GaitStudyOrderSchema>,
): Promise<Answer<GaitStudy>> {
  return api.beside(GaitStudySchema, 'POST', 'gait-study', text_of(GaitStudyOrderSchema, order));
}

export function stop_study(api: Api): Promise<Answer<GaitStudy>> {
  return api.beside(GaitStudySchema, 'DELETE', 'gait-study');
}

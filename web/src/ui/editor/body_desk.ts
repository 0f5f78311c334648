// The desk of bodies: how bodies are fetched, sent, saved and compared.
import { equals } from '@bufbuild/protobuf';
import type { BodyRecord } from '../../gen/promenade/v1/api_pb';
import { CreatureSchema, type Creature } from '../../gen/promenade/v1/creature_pb';
import { ErrorCode } from '../../gen/promenade/v1/wire_pb';
import type { Answer, Api } from '../../net/api';
import { editable, parse_body, print_body, with_name } from '../../state/edit/body_doc';
import { body_differences, merged_body } from '../../state/edit/merge';
import type { Skeleton } from '../../state/figure/skeleton';
import type { Context } from '../page/context';
import { BodyEditor, type Wearer } from './body_editor';
import { Desk } from './desk';
import { type DeskWork, loaded, refused, subject } from './desk_parts';
import type { Shelf } from './document_bar';
import type { Subject } from './live_document';

const kEvery_ms = 100;

export type BodyDesk = Desk<Creature, BodyEditor>;

const to_body = (answer: Answer<BodyRecord>) =>
  loaded<BodyRecord, Creature>(answer, (body, info) =>
    editable(body, (info?.builtIn ?? false) || (info?.version ?? 0) > 0),
  );

function shelf(api: Api): Shelf<Creature> {
  return {
    noun: 'body',
    load: async (name, version) => to_body(await api.body(name, version)),
    save: async (doc, based_on) => {
      if (doc.base !== doc.name) return api.save_body(doc, based_on);
      const message = `“${doc.name}” cannot be based on itself. Choose another name.`;
      return refused(ErrorCode.INVALID, message);
    },
    remove: (name, version) => api.remove('bodies', name, version),
    versions: (name) => api.versions('bodies', name),
    renamed: with_name,
    print: print_body,
    parse: parse_body,
  };
}

function bodies_of_characters(api: Api): Subject<Creature> {
  return subject<Creature>(
    (character, to) => ({
      case: 'setBody',
      value: 'name' in to ? { character, body: to.name } : { character, ...to },
    }),
    {
      fetch: async (character) => to_body(await api.body_of(character)),
      same: (a, b) => equals(CreatureSchema, a, b),
      merged: merged_body,
      differences: body_differences,
      every_ms: kEvery_ms,
    },
  );
}

/**
 * @param panel to be filled
 * @param wearer whose body is edited
 */
export function body_desk(
  context: Context,
  api: Api,
  panel: HTMLElement,
  wearer: () => Wearer | undefined,
  work: DeskWork,
): BodyDesk {
  const base_of = (name: string) => context.world.body_of(name);
  const walks = (body: Skeleton | undefined) =>
    context.world.families.that_drive(body).some((family) => family.walks);
  return new Desk<Creature, BodyEditor>(context, panel, {
    shelf: shelf(api),
    subject: bodies_of_characters(api),
    shown: ({ skeleton, body_edited, body_id }) => ({
      name: skeleton.name,
      edited: body_edited,
      id: body_id,
    }),
    editor: (current) => new BodyEditor(current, base_of, wearer, walks),
    ...work,
  });
}

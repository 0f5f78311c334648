// Common parts of the desks of styles and of bodies: how an answer becomes a document, and commands give one.
import { create } from '@bufbuild/protobuf';
import { type CatalogueEntry, ErrorCode, ErrorSchema } from '../../gen/promenade/v1/wire_pb';
import type { CommandOutcome } from '../../net/messages';
import type { Answer } from '../../net/api';
import type { CommandKind, Loaded, Subject } from './live_document';

/** The parts that a desk of the editors works with. */
export interface DeskWork {
  /** Sends a command to the room. */
  readonly ask: (kind: CommandKind) => Promise<CommandOutcome>;
  /** Called after each change of what a desk shows. */
  readonly changed: () => void;
}

/** A refusal as the server would send it. */
export function refused(code: ErrorCode, message: string): Answer<never> {
  return { kind: 'refused', error: create(ErrorSchema, { code, message }) };
}

/** The document in an answer of the server. @param make completes its definition */
export function loaded<
  R extends {
    info?: CatalogueEntry | undefined;
    definition?: D | undefined;
    id: bigint;
    tick: bigint;
  },
  D extends { name: string },
>(
  answer: Answer<R>,
  make: (definition: D, info: CatalogueEntry | undefined) => D,
): Answer<Loaded<D>> {
  if (answer.kind === 'refused') return answer;
  const { info, definition, id, tick } = answer.value;
  if (!definition) return refused(ErrorCode.INTERNAL, 'The server sent no definition. Try again.');
  return {
    kind: 'done',
    value: {
      doc: make(definition, info),
      id,
      tick: Number(tick),
      source: {
        name: info?.name || definition.name,
        title: info?.title ?? '',
        version: info?.version ?? 0,
        built_in: info?.builtIn ?? false,
      },
    },
  };
}

/** @param command makes the command that gives a character a definition, or a style or body by its name */
export function subject<Doc extends { name: string }>(
  command: (
    character: number,
    to: { definition: Doc; basedOn: Doc } | { name: string },
  ) => CommandKind,
  rest: Pick<Subject<Doc>, 'fetch' | 'same' | 'merged' | 'differences' | 'every_ms'>,
): Subject<Doc> {
  return {
    by_definition: (character, definition, basedOn) => command(character, { definition, basedOn }),
    by_name: (character, name) => command(character, { name }),
    name_of: ({ name }) => name,
    ...rest,
  };
}

// The server's store of styles and bodies, over HTTP.
import {
  create,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageShape,
  toJsonString,
} from '@bufbuild/protobuf';
import {
  BodyRecordSchema,
  CatalogueListSchema,
  SaveReplySchema,
  StyleRecordSchema,
  type BodyRecord,
  type StyleRecord,
} from '../gen/promenade/v1/api_pb';
import { CreatureSchema, type Creature } from '../gen/promenade/v1/creature_pb';
import { StyleSchema, type Style } from '../gen/promenade/v1/style_pb';
import {
  type CatalogueEntry,
  ErrorCode,
  ErrorSchema,
  type Error as WireError,
} from '../gen/promenade/v1/wire_pb';

export type Answer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: WireError };

type Shelf = 'styles' | 'bodies';

const kPatience_ms = 10_000;

function failed<T>(message: string): Answer<T> {
  const error = create(ErrorSchema, { code: ErrorCode.INTERNAL, message });
  return { kind: 'refused', error };
}

/** The server's error message in an answer that is no success. */
function reason(body: JsonValue | undefined, status: number): WireError {
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && body['error']) {
    try {
      return fromJson(ErrorSchema, body['error'], { ignoreUnknownFields: true });
    } catch {
      // not the server's JSON: the status is reported below
    }
  }
  return create(ErrorSchema, {
    code: ErrorCode.INTERNAL,
    message:
      status === 413
        ? 'This is larger than the 64 KB that the server takes.'
        : `The server answered with status ${status}; try again.`,
  });
}

export class Api {
  /**
   * @param room of the characters
   * @param token of this viewer; empty for a guest
   */
  constructor(
    private readonly room_: () => string,
    private readonly token_: () => string,
  ) {}

  style_of(character: number): Promise<Answer<StyleRecord>> {
    return this.ask(StyleRecordSchema, 'GET', this.character(character, 'style'));
  }
  body_of(character: number): Promise<Answer<BodyRecord>> {
    return this.ask(BodyRecordSchema, 'GET', this.character(character, 'body'));
  }

  /** @param version 0 for the newest */
  style(name: string, version: number): Promise<Answer<StyleRecord>> {
    return this.ask(StyleRecordSchema, 'GET', this.named('styles', name, version));
  }
  body(name: string, version: number): Promise<Answer<BodyRecord>> {
    return this.ask(BodyRecordSchema, 'GET', this.named('bodies', name, version));
  }

  async versions(shelf: Shelf, name: string): Promise<Answer<readonly CatalogueEntry[]>> {
    const path = `/api/v1/${shelf}/${encodeURIComponent(name)}/versions`;
    const answer = await this.ask(CatalogueListSchema, 'GET', path);
    return answer.kind === 'done' ? { kind: 'done', value: answer.value.entries } : answer;
  }

  /** @param based_on the newest version that is known; 0 for a new name */
  save_style(style: Style, based_on: number): Promise<Answer<CatalogueEntry>> {
    return this.save('styles', style.name, based_on, toJsonString(StyleSchema, style));
  }
  save_body(body: Creature, based_on: number): Promise<Answer<CatalogueEntry>> {
    return this.save('bodies', body.name, based_on, toJsonString(CreatureSchema, body));
  }

  remove(shelf: Shelf, name: string, version: number): Promise<Answer<CatalogueEntry>> {
    return this.saved(this.ask(SaveReplySchema, 'DELETE', this.named(shelf, name, version)));
  }

  private save(shelf: Shelf, name: string, based_on: number, definition: string) {
    const path = `/api/v1/${shelf}/${encodeURIComponent(name)}?version=${based_on}`;
    return this.saved(this.ask(SaveReplySchema, 'PUT', path, definition));
  }

  private async saved(
    asked: Promise<Answer<MessageShape<typeof SaveReplySchema>>>,
  ): Promise<Answer<CatalogueEntry>> {
    const answer = await asked;
    if (answer.kind !== 'done') return answer;
    const { saved, error } = answer.value;
    if (error) return { kind: 'refused', error };
    return saved ? { kind: 'done', value: saved } : failed('The server did not say what it saved.');
  }

  private character(id: number, what: 'style' | 'body'): string {
    return `/api/v1/rooms/${encodeURIComponent(this.room_())}/characters/${id}/${what}`;
  }

  private named(shelf: Shelf, name: string, version: number): string {
    const path = `/api/v1/${shelf}/${encodeURIComponent(name)}`;
    return version > 0 ? `${path}?version=${version}` : path;
  }

  private async ask<S extends DescMessage>(
    schema: S,
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    body?: string,
  ): Promise<Answer<MessageShape<S>>> {
    const token = this.token_();
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(kPatience_ms),
        ...(body === undefined ? {} : { body }),
      });
    } catch {
      return failed('The server cannot be reached; try again when the connection is back.');
    }
    let json: JsonValue | undefined;
    try {
      json = (await response.json()) as JsonValue;
    } catch {
      json = undefined;
    }
    if (!response.ok) return { kind: 'refused', error: reason(json, response.status) };
    try {
      return { kind: 'done', value: fromJson(schema, json ?? {}, { ignoreUnknownFields: true }) };
    } catch {
      return failed('The server answered with something that this page does not understand.');
    }
  }
}

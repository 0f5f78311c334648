// The server's store of styles, bodies and gaits, over HTTP.
import {
  create,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toJsonString,
} from '@bufbuild/protobuf';
import {
  BodyRecordSchema,
  CatalogueListSchema,
  GaitRecordSchema,
  RoomListSchema,
  SaveReplySchema,
  SceneListSchema,
  StyleRecordSchema,
  type BodyRecord,
  type GaitRecord,
  type RoomList,
  type SceneList,
  type StyleRecord,
} from '../gen/promenade/v1/api_pb';
import {
  InvitationSchema,
  PersonActionSchema,
  PersonListSchema,
  PersonSchema,
  RoomSpecSchema,
  type Invitation,
  type Person,
  type RoomSpec,
} from '../gen/promenade/v1/people_pb';
import { CommandSchema } from '../gen/promenade/v1/command_pb';
import { CreatureSchema, type Creature } from '../gen/promenade/v1/creature_pb';
import { GaitSchema, type Gait } from '../gen/promenade/v1/gait_pb';
import { StyleSchema, type Style } from '../gen/promenade/v1/style_pb';
import {
  type CatalogueEntry,
  ErrorCode,
  ErrorSchema,
  type Error as WireError,
} from '../gen/promenade/v1/wire_pb';
import type { CommandInit } from './messages';
import { base_path } from './base_path';

export type Answer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: WireError };

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
type Shelf = 'styles' | 'bodies' | 'gaits';

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
        ? 'This is too large: the server accepts at most 64 KB.'
        : `The server answered with status ${status}. Try again.`,
  });
}

export function text_of<S extends DescMessage>(schema: S, content: MessageInitShape<S>): string {
  return toJsonString(schema, create(schema, content));
}

export class Api {
  /**
   * @param room of the characters
   * @param token of this viewer; empty for a guest
   * @param visitor_key of this viewer, as in Join
   */
  constructor(
    private readonly room_: () => string,
    private readonly token_: () => string,
    private readonly visitor_key_: string,
  ) {}

  /** Headers that identify the visitor. */
  headers(): Readonly<Record<string, string>> {
    const token = this.token_();
    return {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      'promenade-visitor': this.visitor_key_,
    };
  }

  rooms(): Promise<Answer<RoomList>> {
    return this.ask(RoomListSchema, 'GET', '/api/v1/rooms');
  }
  make_room(spec: MessageInitShape<typeof RoomSpecSchema>): Promise<Answer<RoomSpec>> {
    return this.ask(RoomSpecSchema, 'POST', '/api/v1/rooms', text_of(RoomSpecSchema, spec));
  }
  room(id: string): Promise<Answer<RoomSpec>> {
    return this.ask(RoomSpecSchema, 'GET', `/api/v1/rooms/${encodeURIComponent(id)}`);
  }
  configure_room(spec: RoomSpec): Promise<Answer<RoomSpec>> {
    const path = `/api/v1/rooms/${encodeURIComponent(spec.id)}`;
    return this.ask(RoomSpecSchema, 'PUT', path, toJsonString(RoomSpecSchema, spec));
  }
  scenes(): Promise<Answer<SceneList>> {
    return this.ask(SceneListSchema, 'GET', '/api/v1/scenes');
  }
  close_room(id: string): Promise<Answer<RoomSpec>> {
    return this.ask(RoomSpecSchema, 'DELETE', `/api/v1/rooms/${encodeURIComponent(id)}`);
  }

  async people(): Promise<Answer<readonly Person[]>> {
    const answer = await this.ask(PersonListSchema, 'GET', this.in_room('people'));
    return answer.kind === 'done' ? { kind: 'done', value: answer.value.people } : answer;
  }
  act(
    visitor: string,
    action: MessageInitShape<typeof PersonActionSchema>,
  ): Promise<Answer<Person>> {
    const path = this.in_room(`people/${encodeURIComponent(visitor)}`);
    return this.ask(PersonSchema, 'POST', path, text_of(PersonActionSchema, action));
  }
  invite(wish: { role: string; seconds: number; uses: number }): Promise<Answer<Invitation>> {
    const body = text_of(InvitationSchema, { ...wish, room: this.room_() });
    return this.ask(InvitationSchema, 'POST', '/api/v1/invitations', body);
  }

  style_of(character: number): Promise<Answer<StyleRecord>> {
    return this.ask(StyleRecordSchema, 'GET', this.character(character, 'style'));
  }
  body_of(character: number): Promise<Answer<BodyRecord>> {
    return this.ask(BodyRecordSchema, 'GET', this.character(character, 'body'));
  }

  gait_of(character: number): Promise<Answer<GaitRecord>> {
    return this.ask(GaitRecordSchema, 'GET', this.character(character, 'gait'));
  }

  /** Work beside the room, whose messages come late: see search_api.ts. @param body of the schema's, as text */
  beside<S extends DescMessage>(
    schema: S,
    method: Method,
    what: string,
    body?: string,
  ): Promise<Answer<MessageShape<S>>> {
    return this.ask(schema, method, this.in_room(what), body);
  }

  /** Sends the room a command that arrives even where the page is closed at this moment. */
  part_with(command: CommandInit): void {
    void fetch(base_path() + this.in_room('commands'), {
      method: 'POST',
      keepalive: true,
      headers: { ...this.headers(), 'content-type': 'application/json' },
      body: text_of(CommandSchema, command),
    }).catch(() => {}); // nobody is there any more to be told
  }

  /** @param version 0 for the newest */
  style(name: string, version: number): Promise<Answer<StyleRecord>> {
    return this.ask(StyleRecordSchema, 'GET', this.named('styles', name, version));
  }
  body(name: string, version: number): Promise<Answer<BodyRecord>> {
    return this.ask(BodyRecordSchema, 'GET', this.named('bodies', name, version));
  }

  gait(name: string, version: number): Promise<Answer<GaitRecord>> {
    return this.ask(GaitRecordSchema, 'GET', this.named('gaits', name, version));
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

  save_gait(gait: Gait, based_on: number): Promise<Answer<CatalogueEntry>> {
    return this.save('gaits', gait.name, based_on, toJsonString(GaitSchema, gait));
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
    return saved
      ? { kind: 'done', value: saved }
      : failed('The server did not confirm the save. Try again.');
  }

  private character(id: number, what: 'style' | 'body' | 'gait'): string {
    return this.in_room(`characters/${id}/${what}`);
  }

  /** The path of a part of the room, below that of the page. */
  in_room(what: string): string {
    return `/api/v1/rooms/${encodeURIComponent(this.room_())}/${what}`;
  }

  private named(shelf: Shelf, name: string, version: number): string {
    const path = `/api/v1/${shelf}/${encodeURIComponent(name)}`;
    return version > 0 ? `${path}?version=${version}` : path;
  }

  private async ask<S extends DescMessage>(
    schema: S,
    method: Method,
    path: string,
    body?: string,
  ): Promise<Answer<MessageShape<S>>> {
    let response: Response;
    try {
      response = await fetch(base_path() + path, {
        method,
        headers: {
          ...this.headers(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(kPatience_ms),
        ...(body === undefined ? {} : { body }),
      });
    } catch {
      return failed('The server cannot be reached. Try again when the connection is back.');
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
      return failed(
        'The server sent an answer that this page does not understand. Reload the page.',
      );
    }
  }
}

// Messages between the page and its worker.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CommandSchema } from '../gen/promenade/v1/command_pb';
import type { Creature } from '../gen/promenade/v1/creature_pb';
import type {
  Act,
  Attention,
  Catalogue,
  CharacterDetails,
  Error as WireError,
  Event as WireEvent,
  Hands,
  Role,
  Roster,
  SceneInfo,
  Visitors,
} from '../gen/promenade/v1/wire_pb';
import type { Rights } from '../gen/promenade/v1/people_pb';
import type { FrameData, RestData } from './frame';

export type CommandInit = MessageInitShape<typeof CommandSchema>;
/** The content of a command: its name in the page, and its message. */
export type CommandKind = Extract<NonNullable<CommandInit['kind']>, { readonly case: string }>;

export interface OpenOptions {
  readonly url: string;
  readonly base_path: string; // below which the server's other addresses are: '' or '/sim/a'
  readonly room: string;
  readonly token: string;
  readonly visitor_key: string; // the same for as long as this is to be the same visitor
  readonly name: string; // by which others see this visitor; '' for one that the server makes up
  readonly client: string;
  readonly rate_hz: number;
  readonly choose?: boolean; // where there are several rooms none is joined, and `choice` is told
}

/** The attention of this visitor, for others to see. */
export interface Attending {
  readonly selected: readonly number[]; // ids
  readonly pointer: readonly number[]; // [3] m, world frame, on the ground; empty: elsewhere
}

/** The view of the page's camera: frames tell of each character as much as it sees. World frame. */
export interface Viewpoint {
  readonly eye_m: readonly number[]; // [3]
  readonly forward: readonly number[]; // [3] of length 1
  readonly height_rad: number; // vertical angle of the picture
  readonly aspect: number; // its width over its height
}

export type ToWorker =
  | { readonly kind: 'open'; readonly options: OpenOptions }
  | { readonly kind: 'command'; readonly request: number; readonly command: CommandInit }
  | { readonly kind: 'watch'; readonly characters: readonly number[] }
  | { readonly kind: 'rate'; readonly rate_hz: number }
  | { readonly kind: 'introduce'; readonly request: number; readonly name: string }
  | { readonly kind: 'attend'; readonly attending: Attending }
  | { readonly kind: 'viewpoint'; readonly viewpoint: Viewpoint }
  | { readonly kind: 'retry' };

export type ConnectionStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  | { readonly kind: 'waiting'; readonly reason: string; readonly retry_at_ms: number }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly missing: boolean; // there is no such room
    };

export interface HelloInfo {
  readonly version: string;
  readonly role: Role;
  readonly room: string;
  readonly epoch: number;
  readonly tick_s: number;
  readonly rate_hz: number;
}

/** A scene that the server is making, see Making in wire.proto. */
export interface SceneMaking {
  readonly scene: string; // its name
  readonly share: number; // of the work that is done, 0 to 1
  readonly doing: string; // for people
  readonly first: boolean; // the room has no scene yet
}

export interface LinkStats {
  readonly bytes_per_s: number;
  readonly frames_per_s: number;
  readonly latency_ms: number | undefined;
  readonly offset_ms: number | undefined; // server time minus local time
}

export type CommandOutcome =
  | {
      readonly kind: 'done';
      readonly tick: number;
      readonly character: number; // id of the character or thing that was spawned, else 0
      readonly tie: number; // id of the grip or tie that was made, else 0
      readonly before: bigint; // ids of the style, body or gait that was set, before and after it
      readonly after: bigint;
      readonly received_ms: number; // when the answer came, see net/clock
    }
  | { readonly kind: 'refused'; readonly error: WireError }
  | { readonly kind: 'lost'; readonly reason: string };

export type FromWorker =
  | { readonly kind: 'status'; readonly status: ConnectionStatus }
  | { readonly kind: 'hello'; readonly hello: HelloInfo }
  | { readonly kind: 'rights'; readonly rights: Rights }
  | { readonly kind: 'choice' } // there are several rooms
  | { readonly kind: 'room_closed'; readonly reason: string } // the default room is joined instead
  | { readonly kind: 'scene'; readonly scene: SceneInfo }
  | { readonly kind: 'making'; readonly making: SceneMaking | undefined } // undefined: none any more
  | { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
  | { readonly kind: 'roster'; readonly roster: Roster }
  | {
      readonly kind: 'body';
      readonly id: bigint;
      readonly body: Creature;
      readonly families: readonly string[]; // names of those that can drive it
      readonly hands: Hands | undefined; // what it can do with them; undefined: it has none
    }
  | { readonly kind: 'bodies_gone'; readonly ids: readonly bigint[] } // forgotten: they may come again
  | {
      readonly kind: 'frame';
      readonly frame: FrameData;
      readonly bytes: Uint8Array; // a message with all of it, which state/recording keeps
    }
  | { readonly kind: 'rest'; readonly rest: RestData }
  | {
      readonly kind: 'details';
      readonly characters: readonly CharacterDetails[];
      readonly tick: number;
      readonly received_ms: number;
      readonly bytes: Uint8Array; // as of a frame
    }
  | { readonly kind: 'event'; readonly event: WireEvent }
  | { readonly kind: 'visitors'; readonly visitors: Visitors }
  | { readonly kind: 'attention'; readonly attention: Attention; readonly received_ms: number }
  | { readonly kind: 'act'; readonly act: Act; readonly received_ms: number }
  | { readonly kind: 'error'; readonly error: WireError } // not an answer to a command
  | { readonly kind: 'outcome'; readonly request: number; readonly outcome: CommandOutcome }
  | { readonly kind: 'stats'; readonly stats: LinkStats };

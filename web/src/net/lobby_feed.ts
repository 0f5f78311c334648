// Asks the server for small pictures of the rooms that are looked at.
import { fromBinary } from '@bufbuild/protobuf';
import { LobbyPicturesSchema, type LobbyPicture } from '../gen/promenade/v1/lobby_pb';
import { base_path } from './base_path';

const kEvery_ms = 1000;
const kMostRooms = 8; // in one question
const kPatience_ms = 8000;

export interface LobbyWishes {
  /** The rooms whose pictures are wanted now: none while the page is hidden. */
  rooms(): readonly string[];
  /** Headers that identify the visitor. */
  headers(): Readonly<Record<string, string>>;
  receive(picture: LobbyPicture): void;
  /** The role that the server gives this page: viewer, player, operator or admin. */
  role(name: string): void;
}

/** Asks once a second, eight rooms at a time, and never again before the last answer has come. */
export class LobbyFeed {
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private readonly tags_ = new Map<string, string>(); // by address
  private running_ = false;

  constructor(private readonly wishes_: LobbyWishes) {}

  start(): void {
    if (this.running_) return;
    this.running_ = true;
    void this.round();
  }

  stop(): void {
    this.running_ = false;
    clearTimeout(this.timer_);
    this.tags_.clear();
  }

  /** Asks at once: other rooms have come into sight. */
  hurry(): void {
    if (!this.running_ || this.timer_ === undefined) return;
    clearTimeout(this.timer_);
    void this.round();
  }

  private async round(): Promise<void> {
    this.timer_ = undefined;
    const rooms = this.wishes_.rooms();
    const asked: Promise<void>[] = [];
    for (let i = 0; i < rooms.length; i += kMostRooms) {
      asked.push(this.ask(rooms.slice(i, i + kMostRooms)));
    }
    await Promise.allSettled(asked);
    if (this.running_) this.timer_ = setTimeout(() => void this.round(), kEvery_ms);
  }

  private async ask(rooms: readonly string[]): Promise<void> {
    const path = `/api/v1/lobby?rooms=${rooms.join(',')}`;
    const tag = this.tags_.get(path);
    const response = await fetch(base_path() + path, {
      headers: { ...this.wishes_.headers(), ...(tag ? { 'if-none-match': tag } : {}) },
      cache: 'no-store',
      signal: AbortSignal.timeout(kPatience_ms),
    });
    if (!response.ok || !this.running_) return; // not changed, or refused: there is another try
    const pictures = fromBinary(LobbyPicturesSchema, new Uint8Array(await response.arrayBuffer()));
    if (this.tags_.size > 64) this.tags_.clear();
    this.tags_.set(path, response.headers.get('etag') ?? '');
    this.wishes_.role(pictures.role);
    for (const picture of pictures.rooms) this.wishes_.receive(picture);
  }
}

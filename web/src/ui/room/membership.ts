// The room that this tab is in, and the visitor that it belongs to.
import { has_choice } from '../../net/arrival';
import { base_path } from '../../net/base_path';
import type { Client } from '../../net/client';
import { read_invitation } from '../page/address';
import { chosen_name } from '../visitors/here_now';

const kRate_hz = 30;
// A tab may go from one server to another below the same name, which must not get to know the token of the first.
const kTokenKey = `promenade.token${base_path()}`;
const kVisitorKey = `promenade.visitor${base_path()}`;

/** The key that makes this tab the same visitor again after a reload; nobody can guess it. */
function visitor_key(): string {
  const known = sessionStorage.getItem(kVisitorKey);
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(kVisitorKey, key);
  return key;
}

/** Takes the token of an invitation over, and out of the address, so that it is not passed on by accident. */
export function accept_invitation(): void {
  const token = read_invitation(location.hash);
  if (!token) return;
  sessionStorage.setItem(kTokenKey, token);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
}

/** The room that this tab is in or wants to be in, its visitor's key and token, and the rate of its frames. */
export class Membership {
  readonly visitor_key = visitor_key();
  private rate_hz_ = kRate_hz;

  /** @param room_ as the server names it; empty: the first one */
  constructor(
    private readonly client_: Client,
    private room_: string,
  ) {}

  get room(): string {
    return this.room_;
  }

  /** The access token of this visitor; empty for a guest. */
  get token(): string {
    return sessionStorage.getItem(kTokenKey) ?? '';
  }

  /** Joins the room. @param choose whether to ask first which room, where there are several */
  join(choose = false): void {
    this.client_.open({
      url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${base_path()}/ws`,
      base_path: base_path(),
      room: this.room_,
      token: this.token,
      visitor_key: this.visitor_key,
      name: chosen_name(),
      client: `promenade-web ${navigator.language}`,
      rate_hz: this.rate_hz_,
      choose,
    });
  }

  /** Joins the room anew with another token. */
  use_token(token: string): void {
    sessionStorage.setItem(kTokenKey, token);
    this.join();
  }

  go_to(room: string): void {
    this.room_ = room;
    this.join();
  }

  /** The room is closed; the connection goes on to the first one by itself. */
  forget_room(): void {
    this.room_ = '';
  }

  /** @param rate_hz how many frames a second the server sends; undefined: as many as usual */
  set_rate(rate_hz = kRate_hz): void {
    this.rate_hz_ = rate_hz;
    this.client_.set_rate(rate_hz);
  }

  /** Whether this visitor has more than one room to choose from. */
  has_choice(): Promise<boolean> {
    const { token, visitor_key } = this;
    return has_choice({ base_path: base_path(), token, visitor_key });
  }
}

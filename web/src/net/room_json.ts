// Requests to a room as JSON over HTTP, for parts of the page whose messages are not described in it.
import type { Api } from './api';
import { base_path } from './base_path';

const kPatience_ms = 10_000;

/** The server's answer to a command. */
export interface ReplyJson {
  readonly ack?: { readonly tick?: string };
  readonly error?: { readonly field?: string; readonly message?: string };
}

/**
 * @param what below the room's address
 * @return the answer, also a refusal, or why there is none
 */
export async function ask_room<T>(
  api: Api,
  method: 'GET' | 'POST',
  what: string,
  body?: unknown,
): Promise<T | string> {
  try {
    const response = await fetch(base_path() + api.in_room(what), {
      method,
      headers: { ...api.headers(), 'content-type': 'application/json' },
      signal: AbortSignal.timeout(kPatience_ms),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  } catch {
    return 'The server cannot be reached. Try again when the connection is back.';
  }
}

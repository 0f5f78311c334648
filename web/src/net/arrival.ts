// A visitor who opens the page without naming a room or a view is asked which room to enter, where there are several. The
// worker finds that out while the page is still setting up its picture.
import type { OpenOptions } from './messages';

const kPatience_ms = 3000; // then the visitor comes to the first room

/** Whether there is more than one room to choose from; not, where the server does not say. */
export async function has_choice({
  base_path,
  token,
  visitor_key,
}: Pick<OpenOptions, 'base_path' | 'token' | 'visitor_key'>): Promise<boolean> {
  try {
    const answer = await fetch(`${base_path}/api/v1/rooms`, {
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        'promenade-visitor': visitor_key,
      },
      signal: AbortSignal.timeout(kPatience_ms),
    });
    const { rooms } = (await answer.json()) as { rooms?: unknown };
    return answer.ok && Array.isArray(rooms) && rooms.length > 1;
  } catch {
    return false;
  }
}

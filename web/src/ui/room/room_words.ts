import type { RoomSummary } from '../../gen/promenade/v1/api_pb';
import { percent_of } from '../../state/room/making_words';

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** "2 watching · 56 characters · 1 thing", or "being made: 40 %" */
export function people_in({ viewers, characters, things, making }: RoomSummary): string {
  if (making) return `being made: ${percent_of(making.share)}`;
  const parts = [`${viewers} watching`, counted(characters, 'character', 'characters')];
  if (things > 0) parts.push(counted(things, 'thing', 'things'));
  return parts.join(' · ');
}

/** Whether the room is full, sleeps or is paused, in a word; empty: it just goes on. */
export function state_of(room: RoomSummary): '' | 'asleep' | 'paused' | 'full' {
  if (room.maxViewers > 0 && room.viewers >= room.maxViewers) return 'full';
  return room.asleep ? 'asleep' : room.paused ? 'paused' : '';
}

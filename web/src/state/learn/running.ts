// Whether a search runs. By its number, as the messages of searches come later than this.
import type { RoomSearch, RoomSearch_State } from '../../gen/promenade/v1/room_search_pb';

const kRunning: RoomSearch_State.RUNNING = 0;

export const is_running = (report: RoomSearch | undefined): report is RoomSearch =>
  report?.state === kRunning;

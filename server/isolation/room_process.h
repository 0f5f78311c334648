#pragma once

namespace promenade::isolation {

/// Runs the process of a room: it takes its settings from the socket at kRoomSocket, runs the room,
/// and ends when it is told to or when the socket closes.
/// @return the exit code of the program
int run_room_process();

}  // namespace promenade::isolation

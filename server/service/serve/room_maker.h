#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "net/server.h"
#include "promenade/v1/people.pb.h"
#include "service/rooms/rooms.h"
#include "service/serve/config.h"
#include "world/beside/side_thread.h"

namespace promenade::service {

/// The settings that rooms are made with, whenever that is.
struct HouseSettings {
  const ServeConfig& config;
  const std::filesystem::path& data_dir;
  /// The rooms of this process give it work that takes longer than a tick may.
  std::shared_ptr<world::SideThread> side;
};

/// Makes a room; it does not tick yet. Tells `rooms` how far it is. Throws world::RoomError.
/// @param why_here  why there is such a room, for the log
/// @param server  must outlive the room: its snapshots go out on the server's threads
std::shared_ptr<RoomHost> make_room(const HouseSettings& house, Rooms& rooms,
                                    const v1::RoomSpec& spec, const std::string& why_here,
                                    net::Server& server);

}  // namespace promenade::service

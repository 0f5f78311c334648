#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "service/room_host.h"

namespace promenade::service {

/// All rooms of the process; the first is the default one. Fixed once the server runs.
struct Rooms {
  std::shared_ptr<const Library> library;
  std::vector<std::unique_ptr<RoomHost>> hosts;

  /// @param id  empty: the default room. @return null if there is none
  RoomHost* find(std::string_view id) const {
    if (id.empty()) return hosts.front().get();
    for (const auto& host : hosts) {
      if (host->id() == id) return host.get();
    }
    return nullptr;
  }
  /// The error for an id that find() does not know.
  world::CommandError not_found(std::string field, std::string_view id) const;
};

}  // namespace promenade::service

#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "service/room_host.h"

namespace promenade::service {

/// All rooms of the process. Rooms may come and go while the server
/// runs: who uses one shares it, so that it lasts as long as it is used. Any thread.
class Rooms {
 public:
  explicit Rooms(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

  const std::shared_ptr<const Library>& library() const { return library_; }
  /// @return false: there is a room of that id already, and nothing has changed
  bool add(std::shared_ptr<RoomHost> room);
  /// Takes a room out; it runs on. Null if there is none.
  std::shared_ptr<RoomHost> take_out(std::string_view id);

  /// @param id  empty: the default room, the first that nobody needs a link for
  /// @return null if there is none
  std::shared_ptr<RoomHost> find(std::string_view id) const;
  std::vector<std::shared_ptr<RoomHost>> all() const;
  /// The id of a room, or for who may not know it (rooms that are entered by link are for admins
  /// and for who has the link) a name that is always the same while the server runs and tells
  /// nothing.
  static std::string name_for(const RoomHost& room, bool admin);
  /// The error for an id that find() does not know. Rooms that are entered by link are not named.
  world::CommandError not_found(std::string field, std::string_view id) const;

 private:
  const std::shared_ptr<const Library> library_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<RoomHost>> rooms_;
};

}  // namespace promenade::service

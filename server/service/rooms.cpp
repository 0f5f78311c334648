#include "service/rooms.h"

#include <algorithm>

#include "api/digest.h"
#include "api/replies.h"
#include "api/tokens.h"
#include "schema/refusal.h"

namespace promenade::service {

bool Rooms::add(std::shared_ptr<RoomHost> room) {
  const std::lock_guard lock(mutex_);
  for (const auto& one : rooms_) {
    if (one->id() == room->id()) return false;
  }
  rooms_.push_back(std::move(room));
  return true;
}

std::shared_ptr<RoomHost> Rooms::take_out(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(rooms_.begin(), rooms_.end(), [id](const auto& one) { return one->id() == id; });
  if (found == rooms_.end()) return nullptr;
  auto room = std::move(*found);
  rooms_.erase(found);
  return room;
}

std::shared_ptr<RoomHost> Rooms::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& one : rooms_) {
    if (id.empty() ? !one->spec()->by_link() : one->id() == id) return one;
  }
  return nullptr;
}

std::vector<std::shared_ptr<RoomHost>> Rooms::all() const {
  const std::lock_guard lock(mutex_);
  return rooms_;
}

std::string Rooms::name_for(const RoomHost& room, bool admin) {
  if (admin || !room.spec()->by_link()) return room.id();
  return "by-link-" + api::hex_of(api::digest_of(api::process_salt(), "room " + room.id()), 4);
}

world::CommandError Rooms::not_found(std::string field, std::string_view id) const {
  std::string ids;
  for (const auto& room : all()) {
    if (!room->spec()->by_link()) ids += (ids.empty() ? "" : ", ") + room->id();
  }
  if (id.empty()) {
    return api::make_error(world::CommandError::Code::kNotFound,
                           "every room here is entered by a link; ask for one", std::move(field),
                           "none", "a room that you have the link of");
  }
  return api::make_error(world::CommandError::Code::kNotFound,
                         "there is no room " + schema::in_quotes(id) + "; there is: " + ids,
                         std::move(field), schema::in_quotes(id), ids);
}

}  // namespace promenade::service

#include "service/rooms.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "api/replies.h"
#include "schema/refusal.h"

namespace promenade::service {

const Rooms::Place* Rooms::place(std::string_view id) const {
  for (const Place& one : places_) {
    if (id.empty() || one.id == id) return &one;
  }
  return nullptr;
}

bool Rooms::begin(const std::string& id, const std::string& scene) {
  const std::lock_guard lock(mutex_);
  if (!id.empty() && place(id)) return false;
  places_.push_back({id, nullptr, {scene, 0, ""}});
  return true;
}

bool Rooms::tell(const std::string& id, const Making& making) {
  const std::lock_guard lock(mutex_);
  for (Place& one : places_) {
    if (one.id == id && !one.room) one.making = making;
  }
  return !given_up_;
}

void Rooms::give_up(const std::string& id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(places_, [&id](const Place& one) { return one.id == id && !one.room; });
}

void Rooms::give_up_all() {
  const std::lock_guard lock(mutex_);
  given_up_ = true;
}

bool Rooms::given_up() const {
  const std::lock_guard lock(mutex_);
  return given_up_;
}

bool Rooms::add(std::shared_ptr<RoomHost> room) {
  const std::lock_guard lock(mutex_);
  for (Place& one : places_) {
    if (one.id != room->id()) continue;
    if (one.room) return false;
    one.room = std::move(room);
    return true;
  }
  const std::string id = room->id();
  places_.push_back({id, std::move(room), {}});
  return true;
}

std::shared_ptr<RoomHost> Rooms::take_out(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(places_.begin(), places_.end(), [id](const Place& one) { return one.id == id; });
  if (found == places_.end() || !found->room) return nullptr;
  auto room = std::move(found->room);
  places_.erase(found);
  return room;
}

std::shared_ptr<RoomHost> Rooms::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Place* found = place(id);
  return found ? found->room : nullptr;
}

std::vector<std::shared_ptr<RoomHost>> Rooms::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<RoomHost>> out;
  for (const Place& one : places_) {
    if (one.room) out.push_back(one.room);
  }
  return out;
}

std::optional<Rooms::InTheMaking> Rooms::making(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Place* found = place(id);
  if (!found || found->room) return std::nullopt;
  return InTheMaking{found->id, found->making};
}

std::vector<Rooms::InTheMaking> Rooms::all_making() const {
  const std::lock_guard lock(mutex_);
  std::vector<InTheMaking> out;
  for (const Place& one : places_) {
    if (!one.room) out.push_back({one.id, one.making});
  }
  return out;
}

std::string Rooms::text_of(const Making& making) {
  const std::string percent = std::to_string(std::lround(100 * making.share)) + " %";
  return "is being made: " + (making.doing.empty() ? percent : making.doing + " (" + percent + ")");
}

void Rooms::wait(std::function<bool()> look) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(look));
}

void Rooms::look_again() {
  std::vector<std::function<bool()>> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
  }
  std::erase_if(waiting, [](const auto& look) { return !look(); });
  const std::lock_guard lock(mutex_);
  waiting_.insert(waiting_.end(), std::make_move_iterator(waiting.begin()),
                  std::make_move_iterator(waiting.end()));
}

world::CommandError Rooms::not_found(std::string field, std::string_view id) const {
  if (const auto found = making(id)) {
    return api::make_error(
        world::CommandError::Code::kBusy,
        "the room " + found->id + " " + text_of(found->making) + "; try again in a moment",
        std::move(field), schema::in_quotes(found->id), "the same a moment later");
  }
  std::string ids;
  for (const auto& room : all()) {
    if (!room->spec()->by_link()) ids += (ids.empty() ? "" : ", ") + room->id();
  }
  return api::make_error(world::CommandError::Code::kNotFound,
                         "there is no room " + schema::in_quotes(id) + "; there is: " + ids,
                         std::move(field), schema::in_quotes(id), ids);
}

}  // namespace promenade::service

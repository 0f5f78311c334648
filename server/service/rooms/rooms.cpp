#include "service/rooms/rooms.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "api/digest.h"
#include "api/replies.h"
#include "api/tokens.h"
#include "schema/refusal.h"

namespace promenade::service {

std::string Making::text() const {
  const std::string percent = std::to_string(std::lround(100 * share)) + " %";
  return "is being made: " + (doing.empty() ? percent : doing + " (" + percent + ")");
}

v1::Making Making::message() const {
  v1::Making out;
  out.set_scene(spec.scene());
  out.set_share(share);
  out.set_doing(doing);
  out.set_first(true);
  return out;
}

const Rooms::Place* Rooms::place(std::string_view id) const {
  for (const Place& one : places_) {
    if (id.empty() ? !one.by_link() : one.id == id) return &one;
  }
  return nullptr;
}

bool Rooms::begin(const v1::RoomSpec& spec) {
  const std::lock_guard lock(mutex_);
  const auto is_it = [&spec](const Place& one) { return one.id == spec.id(); };
  if (std::any_of(places_.begin(), places_.end(), is_it)) return false;
  places_.push_back({spec.id(), nullptr, {spec, 0, ""}});
  return true;
}

bool Rooms::tell(const std::string& id, double share, const std::string& doing) {
  const std::lock_guard lock(mutex_);
  for (Place& one : places_) {
    if (one.id != id || one.room) continue;
    one.making.share = share;
    one.making.doing = doing;
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
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(places_.begin(), places_.end(),
                                    [&room](const Place& one) { return one.id == room->id(); });
    if (found == places_.end()) {
      const std::string id = room->id();
      places_.push_back({id, std::move(room), {}});
    } else if (found->room) {
      return false;
    } else {
      found->room = std::move(room);
    }
  }
  look_again();
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

std::optional<Making> Rooms::making(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Place* found = place(id);
  if (!found || found->room) return std::nullopt;
  return found->making;
}

std::vector<Making> Rooms::all_making() const {
  const std::lock_guard lock(mutex_);
  std::vector<Making> out;
  for (const Place& one : places_) {
    if (!one.room) out.push_back(one.making);
  }
  return out;
}

std::size_t Rooms::count() const {
  const std::lock_guard lock(mutex_);
  return places_.size();
}

std::string Rooms::name_for(const v1::RoomSpec& spec, bool admin) {
  if (admin || !spec.by_link()) return spec.id();
  return "by-link-" + api::hex_of(api::digest_of(api::process_salt(), "room " + spec.id()), 4);
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
    const std::string& name = found->spec.id();
    return api::make_error(world::CommandError::Code::kBusy,
                           "the room " + name + " " + found->text() + "; try again in a moment",
                           std::move(field), schema::in_quotes(name), "the same a moment later");
  }
  std::string ids, names;
  {
    const std::lock_guard lock(mutex_);
    for (const Place& one : places_) {
      const v1::RoomSpec spec = one.spec();
      if (spec.by_link()) continue;
      ids += (ids.empty() ? "" : ", ") + one.id;
      names += names.empty() ? "" : ", ";
      names += spec.title().empty() ? one.id : spec.title() + " (" + one.id + ")";
    }
  }
  if (ids.empty() || id.empty()) {
    const std::string text = id.empty() ? "every room here is entered by a link; ask for one"
                                        : "there is no room " + schema::in_quotes(id) +
                                              ", and every room here is entered by a link";
    return api::make_error(world::CommandError::Code::kNotFound, text, std::move(field),
                           id.empty() ? "none" : schema::in_quotes(id),
                           "a room that you have the link of");
  }
  return api::make_error(world::CommandError::Code::kNotFound,
                         "there is no room " + schema::in_quotes(id) + "; there is: " + names,
                         std::move(field), schema::in_quotes(id), ids);
}

}  // namespace promenade::service

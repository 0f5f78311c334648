// The acts of admins about visitors, and the work that People does from time to time.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "api/replies.h"
#include "schema/refusal.h"
#include "service/people/people.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::chrono::seconds kOut{60};         // of a kick, unless its length is given
constexpr std::chrono::seconds kRemembered{60};  // for a visitor of whom nothing must be kept

std::string because(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : what + ": " + reason;
}

}  // namespace

std::optional<Asker> People::find(const RoomHost& room, const std::string& visitor) const {
  const std::lock_guard lock(mutex_);
  const auto found = visitors_.find({room.id(), visitor});
  return found == visitors_.end() ? std::nullopt : std::optional(found->second.asker);
}

std::variant<v1::Person, CommandError> People::act(RoomHost& room, const std::string& visitor,
                                                   const v1::PersonAction& action) {
  const std::lock_guard lock(mutex_);
  const auto found = visitors_.find({room.id(), visitor});
  if (found == visitors_.end()) {
    return api::make_error(Code::kNotFound, "no visitor of this room has that id", "visitor",
                           schema::in_quotes(visitor),
                           "one that GET /api/v1/rooms/" + room.id() + "/people lists");
  }
  if (auto error = restrain(room, found->second, action)) return *std::move(error);
  return person_of(found->second, room, true);
}

std::optional<CommandError> People::restrain(RoomHost& room, Visitor& visitor,
                                             const v1::PersonAction& action) {
  const std::string& what = action.action();
  if (what == "hand_over") return hand_over(room, visitor, action.to());
  const auto now = net::Clock::now();
  const auto until = [&](std::chrono::seconds otherwise) {
    if (action.seconds() > 0) return now + std::chrono::seconds(action.seconds());
    return otherwise.count() > 0 ? now + otherwise : net::Clock::time_point::max();
  };
  const std::string& reason = action.reason();
  if (what == "mute" || what == "unmute") {
    visitor.muted = {what == "mute", until({}), reason};
    tell(visitor, room,
         what == "mute" ? because("an admin has muted you: you may only watch for now", reason)
                        : "you are no longer muted");
    return std::nullopt;
  }
  if (what == "freeze" || what == "unfreeze") {
    visitor.frozen = {what == "freeze", until({}), reason};
    tell(visitor, room,
         what == "freeze" ? because("an admin has frozen you: you may only watch", reason)
                          : "you are no longer frozen");
    if (const auto own = own_of(visitor, room); own != 0 && what == "freeze") {
      room.submit(world::Stop{own}, {});
    }
    return std::nullopt;
  }
  if (what == "kick" || what == "ban") {
    visitor.out = {true, until(kOut), reason};
    if (const auto own = own_of(visitor, room); own != 0 && visitor.own.made) {
      room.submit(world::Remove{own}, {});
    }
    visitor.own = {};
    const std::string text = because(
        what == "kick" ? "an admin has removed you from this room" : "an admin has banned you",
        reason);
    for (const Connection& one : visitor.connections) {
      if (const auto present = one.present.lock()) {
        present->send_out(net::CloseCode::kSentOut, text);
      }
    }
    return std::nullopt;
  }
  return world::refuse(Code::kInvalid, "action", schema::in_quotes(what),
                       "one of kick, ban, mute, unmute, freeze, unfreeze, hand_over");
}

std::optional<CommandError> People::hand_over(RoomHost& room, Visitor& visitor,
                                              const std::string& to) {
  const world::CharacterId own = own_of(visitor, room);
  if (own == 0) {
    return api::make_error(Code::kNotFound, "that visitor has no character of their own", "visitor",
                           schema::in_quotes(visitor.asker.visitor),
                           "a player who has a character");
  }
  const auto found = visitors_.find({room.id(), to});
  if (found == visitors_.end()) {
    return world::refuse(Code::kNotFound, "to", schema::in_quotes(to),
                         "the id of a player in this room");
  }
  Visitor& other = found->second;
  const api::Role role = role_in(other.asker.grant, room);
  if (role != api::Role::kPlayer || own_of(other, room) != 0) {
    return world::refuse(
        Code::kInvalid, "to",
        std::string("a ") + api::role_name(role) + (other.own.id != 0 ? " with a character" : ""),
        "a player without a character");
  }
  other.own = std::exchange(visitor.own, {});
  tell(visitor, room, "an admin has given your character to someone else");
  tell(other, room, "an admin has given you character " + std::to_string(own));
  return std::nullopt;
}

void People::tell_rights(const RoomHost& room, const std::string& text) {
  const std::lock_guard lock(mutex_);
  for (auto at = visitors_.lower_bound({room.id(), ""});
       at != visitors_.end() && at->first.first == room.id(); ++at) {
    tell(at->second, room, text);
  }
}

void People::send_out(const std::function<bool(const Asker&)>& banned, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, visitor] : visitors_) {
    if (!banned(visitor.asker)) continue;
    for (const Connection& one : visitor.connections) {
      if (const auto present = one.present.lock()) {
        present->send_out(net::CloseCode::kSentOut, reason);
      }
    }
  }
}

void People::review_tokens(
    const std::function<std::shared_ptr<RoomHost>(const std::string&)>& find_room) {
  const std::uint64_t revision = access_.revision();
  if (revision == reviewed_) return;
  reviewed_ = revision;
  for (auto& [key, visitor] : visitors_) {
    const auto room = find_room(key.first);
    if (!room) continue;
    bool changed = false;
    std::string text;
    for (Connection& one : visitor.connections) {
      const auto grant = access_.of_key(one.grant.key);
      if (grant && grant->role == one.grant.role && grant->room == one.grant.room) continue;
      changed = true;
      const bool gone = !grant;
      const bool unknown_host = one.grant.unknown_host;
      one.grant = gone ? *access_.of_key("") : *grant;
      one.grant.unknown_host = unknown_host;
      const char* now = api::role_name(role_in(one.grant, *room));
      text = std::string(gone ? "your token is no longer valid" : "your token was changed") +
             "; your role is now " + now;
      if (const auto present = one.present.lock()) present->set_grant(one.grant);
      visitor.asker.grant = one.grant;
    }
    if (changed) tell(visitor, *room, text);
  }
}

void People::look_after(
    const std::function<std::shared_ptr<RoomHost>(const std::string&)>& find_room) {
  const std::lock_guard lock(mutex_);
  review_tokens(find_room);
  for (auto at = visitors_.begin(); at != visitors_.end();) {
    const auto room = find_room(at->first.first);
    at = !room || look_after(at->second, *room) ? visitors_.erase(at) : std::next(at);
  }
}

bool People::look_after(Visitor& visitor, RoomHost& room) {
  const auto now = net::Clock::now();
  for (const auto& [restraint, what] :
       {std::pair{&visitor.muted, "muted"}, std::pair{&visitor.frozen, "frozen"}}) {
    if (!restraint->on || restraint->holds(now)) continue;
    restraint->on = false;
    tell(visitor, room, std::string("you are no longer ") + what);
  }
  if (!visitor.connections.empty()) {
    // A character may have gone with its scene: the player may have another one then.
    const bool had = visitor.own.id != 0;
    if (had && own_of(visitor, room) == 0) {
      tell(visitor, room, "your character is gone; you can add another one");
    }
    return false;
  }
  const double away_s = std::chrono::duration<double>(now - visitor.last_seen).count();
  if (away_s > allowance_.grace_s && visitor.own.id != 0) {
    const auto own = own_of(visitor, room);
    // This is tried again next time where the room's queue is full.
    if (own != 0 && visitor.own.made && !room.submit(world::Remove{own}, {})) return false;
    visitor.own = {};
  }
  return visitor.own.id == 0 && !visitor.muted.holds(now) && !visitor.frozen.holds(now) &&
         !visitor.out.holds(now) && now - visitor.last_seen > kRemembered;
}

void People::forget_room(const std::string& room) {
  limits_.forget_room(room);
  const std::lock_guard lock(mutex_);
  std::erase_if(visitors_, [&room](const auto& entry) { return entry.first.first == room; });
}

}  // namespace promenade::service

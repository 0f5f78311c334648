#include "service/people/people.h"

#include <algorithm>

#include "api/digest.h"
#include "api/replies.h"
#include "promenade/v1/wire.pb.h"
#include "schema/refusal.h"
#include "service/utc.h"
#include "world/command/command_codec.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::chrono::seconds kSpan{10};  // over which commands are counted

}  // namespace

Deed deed_of(const Asker& asker, const char* action, api::Role role, std::string room,
             std::string object, const CommandError* error) {
  return {.action = action,
          .visitor = asker.visitor,
          .name = asker.name,
          .token = asker.grant.name,
          .address = asker.address,
          .role = api::role_name(role),
          .room = std::move(room),
          .object = std::move(object),
          .outcome = error ? error->message : "done",
          .details = ""};
}

std::vector<std::string> Asker::savers() const {
  if (grant.guest()) return {payer()};
  if (!grant.invitation) return {"token " + grant.key};
  return {payer(), "visitor " + visitor + " " + grant.key};
}

std::string visitor_id(std::string_view visitor_key) {
  return api::hex_of(api::digest_of("visitor", visitor_key), 8);
}

api::Role People::guest_role(const api::Grant& grant, const std::string& of_room) const {
  if (grant.unknown_host) return api::Role::kViewer;
  return api::parse_role(of_room).value_or(access_.tokens()->guest());
}

api::Role People::role_in(const api::Grant& grant, const RoomHost& room) const {
  if (!grant.guest() && (grant.room.empty() || grant.room == room.id())) return grant.role;
  return guest_role(grant, room.spec()->guest_role());
}

api::Role People::role_anywhere(const api::Grant& grant) const {
  return !grant.guest() && grant.room.empty() ? grant.role : guest_role(grant, "");
}

People::Visitor& People::visitor(const Asker& asker, const RoomHost& room) {
  const Key key{room.id(), asker.visitor};
  auto found = visitors_.find(key);
  const auto now = net::Clock::now();
  if (found == visitors_.end()) {
    if (visitors_.size() >= kMaxVisitors) make_room();
    Visitor fresh{.asker = asker,
                  .since_ms = utc_now_ms(),
                  .connections = {},
                  .last_seen = now,
                  .own = {},
                  .spawning = false,
                  .pushes = {allowance_.pushes_hz, 2 * allowance_.pushes_hz, now},
                  .muted = {},
                  .frozen = {},
                  .out = {},
                  .commands = 0,
                  .commands_before = 0,
                  .span = now};
    found = visitors_.emplace(key, std::move(fresh)).first;
  }
  Visitor& one = found->second;
  one.last_seen = now;
  one.asker.grant = asker.grant;
  one.asker.address = asker.address;
  if (!asker.name.empty()) one.asker.name = asker.name;
  if (!asker.client.empty()) one.asker.client = asker.client;
  return one;
}

void People::make_room() {
  const auto now = net::Clock::now();
  std::erase_if(visitors_, [now](const auto& entry) {
    const Visitor& v = entry.second;
    return v.connections.empty() && v.own.id == 0 && !v.muted.holds(now) && !v.frozen.holds(now) &&
           !v.out.holds(now);
  });
  if (visitors_.size() < kMaxVisitors) return;
  visitors_.erase(std::min_element(
      visitors_.begin(), visitors_.end(),
      [](const auto& a, const auto& b) { return a.second.last_seen < b.second.last_seen; }));
}

std::optional<CommandError> People::enter(const Asker& asker, RoomHost& room,
                                          const std::shared_ptr<Present>& connection) {
  const std::lock_guard lock(mutex_);
  Visitor& one = visitor(asker, room);
  const api::Role role = role_in(asker.grant, room);
  const auto now = net::Clock::now();
  if (one.out.holds(now)) {
    const auto wait = std::chrono::ceil<std::chrono::seconds>(one.out.until - now).count();
    return api::make_error(Code::kForbidden,
                           "an admin has removed you from this room; you can come back in " +
                               std::to_string(wait) + " s" +
                               (one.out.reason.empty() ? "" : ": " + one.out.reason),
                           "join.room", room.id(), "another room, or this one later");
  }
  const std::uint32_t most = room.spec()->max_viewers();
  if (most > 0 && room.viewer_count() >= most && role != api::Role::kAdmin) {
    return api::make_error(Code::kBusy, "the room is full; try again later", "join.room",
                           std::to_string(room.viewer_count()) + " viewers",
                           "at most " + std::to_string(most) + " viewers in this room");
  }
  if (one.connections.empty()) one.since_ms = utc_now_ms();
  one.connections.push_back({connection.get(), connection, asker.grant});
  return std::nullopt;
}

void People::leave(const Asker& asker, const RoomHost& room, const Present* connection) {
  const std::lock_guard lock(mutex_);
  const auto found = visitors_.find({room.id(), asker.visitor});
  if (found == visitors_.end()) return;
  std::erase_if(found->second.connections,
                [connection](const Connection& one) { return one.id == connection; });
  found->second.last_seen = net::Clock::now();
}

void People::rename(const Asker& asker, const RoomHost& room) {
  const std::lock_guard lock(mutex_);
  visitor(asker, room);  // takes the name over
}

world::CharacterId People::own_of(Visitor& visitor, const RoomHost& room) const {
  Own& own = visitor.own;
  if (own.id == 0) return 0;
  const auto publication = room.current();
  const world::Snapshot& now = publication->snapshot();
  // A character made after the snapshot cannot be in it yet.
  const bool older = own.epoch != now.roster->epoch || own.tick < now.tick;
  if (older && !world::has_id(now.characters, own.id)) own = {};
  return own.id;
}

v1::Rights People::rights_of(Visitor& visitor, const api::Grant& grant,
                             const RoomHost& room) const {
  const auto now = net::Clock::now();
  const api::Role role = role_in(grant, room);
  const bool frozen = visitor.frozen.holds(now), muted = frozen || visitor.muted.holds(now);
  v1::Rights rights;
  rights.set_role(api::role_name(role));
  rights.set_visitor(visitor.asker.visitor);
  rights.set_muted(muted);
  rights.set_frozen(frozen);
  if (!muted) {
    for (std::string& name : api::commands_of(role)) *rights.add_commands() = std::move(name);
  }
  if (role == api::Role::kViewer) return rights;
  const bool player = role == api::Role::kPlayer;
  rights.set_push_force_n(player ? allowance_.push_force_n : world::kMaxPushForce);
  rights.set_push_duration_s(player ? allowance_.push_duration_s : world::kMaxPushDuration);
  if (player) {
    rights.set_own_character(own_of(visitor, room));
    rights.set_pushes_hz(allowance_.pushes_hz);
  }
  if (role != api::Role::kAdmin) {
    const VisitorAllowance& all = limits_.allowance();
    rights.set_commands_hz(all.commands_hz);
    rights.set_characters(player ? 1 : static_cast<std::uint32_t>(all.characters));
    rights.set_things(player ? 0 : static_cast<std::uint32_t>(all.things));
    rights.set_saves_a_minute(player ? 0 : static_cast<std::uint32_t>(all.saves_a_minute));
  }
  return rights;
}

v1::Rights People::rights(const Asker& asker, const RoomHost& room) {
  const std::lock_guard lock(mutex_);
  return rights_of(visitor(asker, room), asker.grant, room);
}

void People::tell(Visitor& visitor, const RoomHost& room, const std::string& text) const {
  for (const Connection& one : visitor.connections) {
    const auto present = one.present.lock();
    if (!present) continue;
    v1::ServerMessage message;
    *message.mutable_rights() = rights_of(visitor, one.grant, room);
    message.mutable_rights()->set_text(api::as_utf8(text));
    present->send(net::make_bytes(message.SerializeAsString()));
  }
}

std::optional<CommandError> People::restrained(const Visitor& visitor, bool save) const {
  const auto now = net::Clock::now();
  const bool frozen = visitor.frozen.holds(now);
  if (!frozen && (save || !visitor.muted.holds(now))) return std::nullopt;
  const Restraint& why = frozen ? visitor.frozen : visitor.muted;
  const std::string reason = why.reason.empty() ? "" : ": " + why.reason;
  return api::make_error(Code::kForbidden,
                         std::string("an admin has ") + (frozen ? "frozen" : "muted") +
                             " you in this room; you may only watch" + reason,
                         "visitor", frozen ? "frozen" : "muted",
                         "only watching, until this is lifted");
}

std::optional<CommandError> People::check(const Asker& asker, const RoomHost& room,
                                          const world::Command& command) {
  const std::lock_guard lock(mutex_);
  const api::Role role = role_in(asker.grant, room);
  if (role == api::Role::kViewer) return api::check_role(role, command);
  Visitor& one = visitor(asker, room);
  const auto now = net::Clock::now();
  if (now - one.span > kSpan) {
    one.commands_before = now - one.span > 2 * kSpan ? 0 : one.commands;
    one.commands = 0;
    one.span = now;
  }
  ++one.commands;
  if (auto error = restrained(one, false)) return error;
  const bool player = role == api::Role::kPlayer;
  const api::PlayerRights rights{allowance_.push_force_n, allowance_.push_duration_s,
                                 player ? own_of(one, room) : 0};
  if (auto error = api::check_role(role, command, rights)) return error;
  if (auto error = limits_.take_command(asker.payer(), role)) return error;
  if (std::holds_alternative<world::SetFlow>(command)) {
    if (auto error = limits_.take_flow(asker.payer(), role)) return error;
  }
  if (player && std::holds_alternative<world::Push>(command) && !one.pushes.take(now)) {
    return world::refuse(
        Code::kRateLimited, "push", "more pushes",
        "at most " + schema::number(allowance_.pushes_hz) + " pushes a second from a player");
  }
  const auto makes = world::rules_of(command).makes();
  if (makes == v1::CommandRules::NOTHING) return std::nullopt;
  const bool thing = makes == v1::CommandRules::THING;
  if (player && one.spawning) {
    return world::refuse(Code::kForbidden, "spawn", "a second character",
                         "one character for each player; yours is being added");
  }
  auto error = limits_.take_body(asker.payer(), role, room.id(), thing, room.current()->snapshot());
  if (!error && player) one.spawning = true;
  return error;
}

void People::done(const Asker& asker, const RoomHost& room, const world::Command& command,
                  const world::CommandResult* made) {
  const auto makes = world::rules_of(command).makes();
  if (makes == v1::CommandRules::NOTHING) return;
  const bool thing = makes == v1::CommandRules::THING;
  const world::CharacterId id = made && !made->error ? made->character : 0;
  const std::uint64_t tick = made ? made->tick : 0;
  const std::uint64_t epoch = room.current()->snapshot().roster->epoch;
  limits_.made_body(asker.payer(), room.id(), thing, id, tick, epoch);
  const std::lock_guard lock(mutex_);
  const auto found = visitors_.find({room.id(), asker.visitor});
  if (found == visitors_.end() || !found->second.spawning || thing) return;
  found->second.spawning = false;
  if (id == 0) return;
  found->second.own = {id, tick, epoch, true};
  tell(found->second, room, "");
}

std::optional<CommandError> People::check_save(const Asker& asker) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, visitor] : visitors_) {
    if (key.second != asker.visitor) continue;
    if (auto error = restrained(visitor, true)) return error;
  }
  return std::nullopt;
}

v1::Person People::person_of(const Visitor& visitor, const RoomHost& room, bool all) const {
  const auto now = net::Clock::now();
  const api::Grant& grant = visitor.asker.grant;
  v1::Person person;
  person.set_visitor(visitor.asker.visitor);
  person.set_name(api::as_utf8(visitor.asker.name));
  person.set_role(api::role_name(role_in(grant, room)));
  person.set_since(utc_text(visitor.since_ms));
  person.set_connections(static_cast<std::uint32_t>(visitor.connections.size()));
  const bool stale = now - visitor.span > 2 * kSpan;
  const double span_s = std::chrono::duration<double>(kSpan).count();
  const double elapsed_s = std::chrono::duration<double>(now - visitor.span).count();
  // The part of the last span that still is within ten seconds, and all of this one.
  const double before = std::max(0.0, 1 - elapsed_s / span_s);
  if (!stale) {
    person.set_commands_hz((before * static_cast<double>(visitor.commands_before) +
                            static_cast<double>(visitor.commands)) /
                           std::max(span_s, elapsed_s));
  }
  person.set_own_character(visitor.own.id);
  person.set_muted(visitor.muted.holds(now));
  person.set_frozen(visitor.frozen.holds(now));
  person.set_client(api::as_utf8(visitor.asker.client));
  if (!all) return person;
  person.set_address(visitor.asker.address);
  if (!grant.guest()) {
    person.set_token(api::as_utf8(grant.name + (grant.name.empty() ? "" : " ") + grant.key));
  }
  return person;
}

v1::PersonList People::list(const RoomHost& room, bool all) const {
  v1::PersonList list;
  const std::lock_guard lock(mutex_);
  const auto now = net::Clock::now();
  for (auto at = visitors_.lower_bound({room.id(), ""});
       at != visitors_.end() && at->first.first == room.id(); ++at) {
    const Visitor& one = at->second;
    const bool shown = !one.connections.empty() || one.own.id != 0 || one.muted.holds(now) ||
                       one.frozen.holds(now) || now - one.last_seen < kSpan;
    if (shown) *list.add_people() = person_of(one, room, all);
  }
  return list;
}

std::map<api::Role, std::size_t> People::count_by_role(const RoomHost& room) const {
  std::map<api::Role, std::size_t> counts;
  const std::lock_guard lock(mutex_);
  for (auto at = visitors_.lower_bound({room.id(), ""});
       at != visitors_.end() && at->first.first == room.id(); ++at) {
    if (!at->second.connections.empty()) ++counts[role_in(at->second.asker.grant, room)];
  }
  return counts;
}

}  // namespace promenade::service

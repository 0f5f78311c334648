#include "service/rooms/room_keeper.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <future>

#include "api/decode.h"
#include "api/replies.h"
#include "schema/check.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "schema/shown_text.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

const std::string kMadeOverApi = "made over the API and kept in the store";
const std::string kNoLongerNamed =
    "the settings no longer name this room; it is kept in the store because it was configured over "
    "the API; to close it: DELETE /api/v1/rooms/";
constexpr const char* kKind = "room";  // kind of the store's records

CommandError wrong_spec(std::string field, std::string value, std::string allowed) {
  return world::refuse(Code::kInvalid, std::move(field), std::move(value), std::move(allowed));
}

CommandError busy() {
  return api::make_error(Code::kBusy, "the server has too many jobs waiting; try again shortly",
                         "room", "more jobs than may wait", "the same a moment later");
}

// The changes in words; empty where nothing changes.
std::string changes_between(const v1::RoomSpec& before, const v1::RoomSpec& after) {
  std::string text;
  const auto add = [&text](const char* field, const std::string& was, const std::string& is) {
    if (was == is) return;
    text += std::string(text.empty() ? "" : ", ") + field + " " + was + " to " + is;
  };
  const auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  add("by_link", truth(before.by_link()), truth(after.by_link()));
  add("guest_role", schema::in_quotes(before.guest_role()), schema::in_quotes(after.guest_role()));
  add("max_viewers", std::to_string(before.max_viewers()), std::to_string(after.max_viewers()));
  add("title", schema::in_quotes(before.title()), schema::in_quotes(after.title()));
  return text;
}

}  // namespace

std::optional<CommandError> RoomKeeper::check(const v1::RoomSpec& spec) const {
  const schema::Source source;
  schema::Checker check(source);
  if (!check.name("id", spec.id())) return api::request_error(check.error());
  if (!rooms_.library()->find_scene(spec.scene())) {
    return world::refuse(Code::kNotFound, "scene", schema::in_quotes(spec.scene()),
                         schema::listed_names(rooms_.library()->scene_names()));
  }
  if (const auto fault = schema::text_fault(spec.title(), kMaxTitle)) {
    return wrong_spec("title", fault->value, fault->allowed);
  }
  if (!spec.guest_role().empty() && !api::parse_role(spec.guest_role())) {
    return wrong_spec("guest_role", schema::in_quotes(spec.guest_role()),
                      "one of " + api::role_names() + ", or empty for the server's guest role");
  }
  for (const auto& [field, value] : {std::pair{"max_viewers", spec.max_viewers()},
                                     std::pair{"max_characters", spec.max_characters()}}) {
    if (value > 100'000) return wrong_spec(field, std::to_string(value), "0 to 100000");
  }
  return std::nullopt;
}

void RoomKeeper::keep(const v1::RoomSpec& spec, const Reply& reply) {
  saved_.use_records(
      [spec, reply](store::Records& records) {
        records.put(kKind, spec.id(), schema::message_to_json(spec));
        reply(spec);
      },
      reply);
}

std::vector<store::Records::Entry> RoomKeeper::kept() const {
  std::promise<std::vector<store::Records::Entry>> read;
  saved_.use_records([&read](store::Records& records) { read.set_value(records.all(kKind)); },
                     [&read](const CommandError& error) {
                       spdlog::error("the rooms in the store cannot be read: {}", error.message);
                       read.set_value({});
                     });
  return read.get_future().get();
}

std::vector<RoomKeeper::Planned> RoomKeeper::plan(const std::vector<v1::RoomSpec>& of_settings,
                                                  const std::string& why_here) {
  std::vector<Planned> out;
  out.reserve(of_settings.size());
  for (const v1::RoomSpec& spec : of_settings) out.push_back({spec, why_here});
  for (const store::Records::Entry& entry : kept()) {
    auto spec = schema::parse_message<v1::RoomSpec>(entry.content);
    const auto ignore = [&entry](const std::string& why) {
      spdlog::warn("the room {} of the store is ignored: {}", entry.key, why);
    };
    if (!spec) {
      ignore(spec.error().what());
      continue;
    }
    // An earlier version of the program took any title: that is no reason to lose the room.
    if (schema::text_fault(spec->title(), kMaxTitle)) spec->clear_title();
    const auto there = std::find_if(out.begin(), out.end(), [&spec](const Planned& one) {
      return one.spec.id() == spec->id();
    });
    if (there != out.end()) {
      // One of the settings: these say its scene, the store what else it was configured with.
      spec->set_scene(there->spec.scene());
      spec->clear_max_characters();
      spec->set_permanent(true);
      there->spec = *std::move(spec);
      spdlog::info("room {}: configured as kept in the store", there->spec.id());
    } else if (const auto error = check(*spec)) {
      ignore(error->message);
    } else {
      const std::string why = spec->permanent() ? kNoLongerNamed + spec->id() : kMadeOverApi;
      spec->set_permanent(false);
      out.push_back({*std::move(spec), why});
    }
  }
  for (const Planned& one : out) rooms_.begin(one.spec);
  return out;
}

std::optional<std::string> RoomKeeper::take_up(const std::vector<Planned>& planned) {
  for (const Planned& one : planned) {
    if (rooms_.given_up()) break;
    const std::string& id = one.spec.id();
    try {
      const auto room = make_(one.spec, one.why_here);
      room->start();
      rooms_.add(room);
    } catch (const std::exception& wrong) {
      if (rooms_.given_up()) break;
      if (one.spec.permanent()) return "room \"" + id + "\": " + wrong.what();
      spdlog::warn("the room {} of the store is ignored: {}", id, wrong.what());
      rooms_.give_up(id);
    }
  }
  return std::nullopt;
}

void RoomKeeper::make(v1::RoomSpec spec, const Reply& reply) {
  if (spec.id().empty()) spec.set_id("room-" + api::random_hex(8));
  spec.set_permanent(false);
  if (auto error = check(spec)) return reply(*std::move(error));
  const bool queued = worker_.submit([this, spec, reply] {
    if (rooms_.count() >= kMaxRooms) {
      return reply(api::make_error(Code::kBusy,
                                   "there are as many rooms as allowed; close one first", "room",
                                   "more than " + std::to_string(kMaxRooms),
                                   "at most " + std::to_string(kMaxRooms) + " rooms"));
    }
    if (!rooms_.begin(spec)) {
      return reply(api::make_error(Code::kConflict, "there is already a room with that id", "id",
                                   schema::in_quotes(spec.id()), "an id that is free, or none"));
    }
    try {
      auto room = make_(spec, kMadeOverApi);
      room->start();
      const v1::RoomSpec made = *room->spec();
      rooms_.add(std::move(room));
      keep(made, reply);
    } catch (const world::RoomError& wrong) {
      rooms_.give_up(spec.id());
      reply(wrong_spec("room", wrong.what(), "what the message says"));
    }
  });
  if (!queued) reply(busy());
}

void RoomKeeper::configure(const v1::RoomSpec& spec, const Configured& reply) {
  const auto room = rooms_.find(spec.id());
  if (!room || spec.id().empty()) return reply(rooms_.not_found("id", spec.id()), "");
  const std::lock_guard lock(configuring_);
  const auto now = room->spec();
  if (!spec.scene().empty() && spec.scene() != now->scene()) {
    return reply(
        wrong_spec("scene", schema::in_quotes(spec.scene()),
                   schema::in_quotes(now->scene()) +
                       ", as the room was made; the command load_scene shows another scene in it"),
        "");
  }
  if (spec.has_max_characters() && spec.max_characters() != now->max_characters()) {
    return reply(wrong_spec("max_characters", std::to_string(spec.max_characters()),
                            std::to_string(now->max_characters()) + ", as the room was made"),
                 "");
  }
  v1::RoomSpec next = *now;
  if (spec.has_title()) next.set_title(spec.title());
  if (spec.has_by_link()) next.set_by_link(spec.by_link());
  if (spec.has_guest_role()) next.set_guest_role(spec.guest_role());
  if (spec.has_max_viewers()) next.set_max_viewers(spec.max_viewers());
  if (auto error = check(next)) return reply(*std::move(error), "");
  const std::string changes = changes_between(*now, next);
  room->set_spec(next);
  people_.tell_rights(*room, "the settings of the room were changed");
  keep(next, [reply, changes](const std::variant<v1::RoomSpec, CommandError>& kept) {
    reply(kept, changes);
  });
}

void RoomKeeper::close(const std::string& id, const Reply& reply) {
  const auto room = id.empty() ? nullptr : rooms_.find(id);
  if (!room) return reply(rooms_.not_found("id", id));
  if (room->spec()->permanent()) {
    return reply(api::make_error(Code::kConflict,
                                 "that room belongs to the server's settings and cannot be closed",
                                 "id", schema::in_quotes(id), "a room that was made over the API"));
  }
  const bool queued = worker_.submit([this, id, reply] {
    const auto closed = rooms_.take_out(id);
    if (!closed) return reply(rooms_.not_found("id", id));
    const std::string title = closed->spec()->title();
    closed->send_out(
        net::CloseCode::kRoomClosed,
        "the room " + schema::in_quotes(title.empty() ? id : title) + " has been closed");
    people_.forget_room(id);
    closed->stop();
    // The files go before the store forgets the room: a server killed in between has an empty room
    // of that id, and never one that goes on where a closed one was.
    if (const std::string why = put_away_(id); !why.empty()) {
      spdlog::error("the files of the closed room {} could not be moved away: {}", id, why);
    }
    saved_.use_records(
        [id, reply, spec = *closed->spec()](store::Records& records) {
          records.erase(kKind, id);
          reply(spec);
        },
        reply);
  });
  if (!queued) reply(busy());
}

}  // namespace promenade::service

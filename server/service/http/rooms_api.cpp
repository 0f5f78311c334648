#include "service/http/rooms_api.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "api/decode.h"
#include "api/replies.h"
#include "promenade/v1/api.pb.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "service/http/http_answers.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::string_view kRooms = "/api/v1/rooms";

// "" of /api/v1/rooms, "lab" of /api/v1/rooms/lab, nothing of other paths.
std::optional<std::string_view> id_in(std::string_view path) {
  if (path == kRooms) return std::string_view();
  if (path.substr(0, kRooms.size()) != kRooms || path[kRooms.size()] != '/') {
    return std::nullopt;
  }
  path.remove_prefix(kRooms.size() + 1);
  return path.empty() || path.find('/') != path.npos ? std::nullopt : std::optional(path);
}

}  // namespace

bool RoomsApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const auto id = id_in(request.path);
  if (!id) return false;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const char* const allowed = id->empty() ? "GET, HEAD, POST" : "GET, HEAD, PUT, DELETE";
  const bool known = id->empty() ? request.method == "POST"
                                 : request.method == "PUT" || request.method == "DELETE";
  if (!reads && !known) {
    reply(method_not_allowed(request, allowed));
  } else if (!reads) {
    change(request, *id, reply);
  } else if (id->empty()) {
    reply(list(request));
  } else {
    const auto room = context_.rooms.find(*id);
    reply(room ? json_response(200, *room->spec())
               : refusal(context_.rooms.not_found("room", *id)));
  }
  return true;
}

net::HttpResponse RoomsApi::list(const net::HttpRequest& request) const {
  const bool all = std::holds_alternative<Asker>(admin_of(request, context_, nullptr));
  v1::RoomList list;
  const auto under_way = context_.rooms.all_making();
  const auto there = context_.rooms.all();
  for (const auto& room : there) {
    const auto spec = room->spec();
    if (spec->by_link() && !all) continue;
    const auto publication = room->current();
    const world::Snapshot& snapshot = publication->snapshot();
    v1::RoomSummary* out = list.add_rooms();
    out->set_id(room->id());
    out->set_scene(snapshot.roster->scene);
    out->set_tick(snapshot.tick);
    out->set_characters(static_cast<std::uint32_t>(snapshot.characters.size()));
    out->set_things(static_cast<std::uint32_t>(snapshot.things.size()));
    out->set_viewers(static_cast<std::uint32_t>(room->viewer_count()));
    out->set_real_time_factor(snapshot.real_time_factor);
    out->set_paused(snapshot.paused);
    out->set_asleep(room->stats().asleep);
    out->set_title(spec->title());
    out->set_by_link(spec->by_link());
    out->set_max_viewers(spec->max_viewers());
    out->set_guest_role(api::role_name(context_.people.role_in(api::Grant(), *room)));
  }
  for (const Making& one : under_way) {
    if (one.spec.by_link() && !all) continue;
    // It may have come in between.
    const auto is_it = [&one](const auto& room) { return room->id() == one.spec.id(); };
    if (std::any_of(there.begin(), there.end(), is_it)) continue;
    v1::RoomSummary* out = list.add_rooms();
    out->set_id(one.spec.id());
    out->set_scene(one.spec.scene());
    out->set_title(one.spec.title());
    out->set_by_link(one.spec.by_link());
    out->set_max_viewers(one.spec.max_viewers());
    *out->mutable_making() = one.message();
  }
  return json_response(200, list);
}

void RoomsApi::change(const net::HttpRequest& request, std::string_view id,
                      const net::HttpReply& reply) const {
  const auto admin = admin_of(request, context_, nullptr);
  if (const auto* error = std::get_if<CommandError>(&admin)) return reply(refusal(*error));
  const char* const action = request.method == "POST"  ? "make_room"
                             : request.method == "PUT" ? "configure_room"
                                                       : "close_room";
  const auto answer =
      [this, reply, action, asker = std::get<Asker>(admin), named = std::string(id)](
          const std::variant<v1::RoomSpec, CommandError>& result, const std::string& details) {
        const auto* error = std::get_if<CommandError>(&result);
        const auto* spec = std::get_if<v1::RoomSpec>(&result);
        Deed deed = deed_of(asker, action, api::Role::kAdmin, spec ? spec->id() : named,
                            spec ? spec->scene() : "", error);
        deed.details = details;
        context_.audit.note(deed);
        reply(error ? refusal(*error) : json_response(200, *spec));
      };
  const auto plain = [answer](const std::variant<v1::RoomSpec, CommandError>& result) {
    answer(result, "");
  };
  if (request.method == "DELETE") return keeper_.close(std::string(id), plain);
  v1::RoomSpec spec;
  if (const auto wrong = schema::message_from_json(request.body, &spec)) {
    return plain(api::request_error(*wrong));
  }
  if (request.method == "POST") return keeper_.make(std::move(spec), plain);
  if (!spec.id().empty() && spec.id() != id) {
    return plain(world::refuse(Code::kInvalid, "id", schema::in_quotes(spec.id()),
                               schema::in_quotes(id) + " as in the address, or none"));
  }
  spec.set_id(std::string(id));
  keeper_.configure(spec, answer);
}

}  // namespace promenade::service

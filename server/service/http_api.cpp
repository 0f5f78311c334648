#include "service/http_api.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "api/decode.h"
#include "service/catalogue.h"
#include "service/command_metrics.h"
#include "service/http_answers.h"
#include "stream/details.h"
#include "world/command/command_codec.h"

namespace promenade::service {
namespace {

constexpr std::string_view kApi = "/api/";
constexpr std::string_view kRooms = "/api/v1/rooms/";

// The room's id and the rest: "main" and "state" of /api/v1/rooms/main/state.
std::optional<std::pair<std::string_view, std::string_view>> room_path(std::string_view path) {
  if (path.substr(0, kRooms.size()) != kRooms) return std::nullopt;
  path.remove_prefix(kRooms.size());
  const auto slash = path.find('/');
  if (slash == path.npos || slash == 0) return std::nullopt;
  return std::pair(path.substr(0, slash), path.substr(slash + 1));
}

void append(const Eigen::Ref<const Eigen::VectorXd>& vector,
            google::protobuf::RepeatedField<double>* out) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) out->Add(vector[i]);
}

}  // namespace

void HttpApi::handle(const net::HttpRequest& request, net::HttpReply reply) const {
  const auto parts = room_path(request.path);
  if (parts && parts->second == "commands") {
    if (request.method != "POST") return reply(method_not_allowed(request, "POST"));
    RoomHost* const room = rooms_.find(parts->first);
    if (!room) return reply(refusal(rooms_.not_found("room", parts->first)));
    return command(*room, request, std::move(reply));
  }
  if (checkpoints_.handle(request, reply)) return;
  if (definitions_.handle(request, reply)) return;
  if (request.method != "GET" && request.method != "HEAD") {
    return reply(method_not_allowed(request, "GET, HEAD"));
  }
  reply(get(request));
}

net::HttpResponse HttpApi::get(const net::HttpRequest& request) const {
  if (request.path == "/healthz") return text_response(200, "ok\n");
  if (request.path == "/readyz") return ready();
  if (request.path == "/metrics") {
    net::HttpResponse response = text_response(200, metrics_.text());
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return response;
  }
  if (request.path == "/ws") {
    net::HttpResponse response = net::error_response(
        426,
        {"INVALID", "Upgrade", "no WebSocket", "websocket, with the subprotocol promenade.v1"});
    response.headers.emplace_back("Upgrade", "websocket");
    return response;
  }
  if (request.path == "/api/v1/scenes") return json_response(200, scene_list(*rooms_.library));
  if (request.path == "/api/v1/rooms") return rooms();
  if (const auto parts = room_path(request.path); parts && parts->second == "state") {
    const RoomHost* room = rooms_.find(parts->first);
    return room ? state(*room) : refusal(rooms_.not_found("room", parts->first));
  }
  if (const auto parts = room_path(request.path);
      parts && parts->second.rfind("characters/", 0) == 0) {
    const RoomHost* room = rooms_.find(parts->first);
    return room ? definitions_.of_character(*room, request, parts->second)
                : refusal(rooms_.not_found("room", parts->first));
  }
  if (request.path.rfind(kApi, 0) == 0) {
    return not_served(request,
                      "/api/v1/scenes, /api/v1/rooms, /api/v1/styles, /api/v1/bodies and what "
                      "docs/protocol.md lists below them");
  }
  if (request.path == "/" && !files_.has_index()) {
    return not_served(request,
                      "/api/v1/...: the page has not been built; ./scripts/serve builds it, or "
                      "name it with --web-root");
  }
  return files_.serve(request);
}

net::HttpResponse HttpApi::ready() const {
  for (const auto& room : rooms_.hosts) {
    const auto publication = room->current();
    const world::Snapshot& snapshot = publication->snapshot();
    const auto now_us =
        std::chrono::duration_cast<std::chrono::microseconds>(net::Clock::now().time_since_epoch())
            .count();
    constexpr std::int64_t kStuckUs = 5'000'000;
    if (snapshot.paused) continue;
    if (now_us - static_cast<std::int64_t>(snapshot.server_time_us) > kStuckUs) {
      return text_response(503, "room " + room->id() + " has not ticked for 5 s\n");
    }
  }
  return text_response(200, "ready\n");
}

net::HttpResponse HttpApi::rooms() const {
  v1::RoomList list;
  for (const auto& room : rooms_.hosts) {
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
  }
  return json_response(200, list);
}

net::HttpResponse HttpApi::state(const RoomHost& room) const {
  const auto publication = room.current();
  const world::Snapshot& snapshot = publication->snapshot();
  v1::RoomState state;
  state.set_id(room.id());
  state.set_scene(snapshot.roster->scene);
  state.set_tick(snapshot.tick);
  state.set_time_s(static_cast<double>(snapshot.tick) * room.tick_seconds());
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(snapshot.state_hash));
  state.set_state_hash(hash);
  state.set_paused(snapshot.paused);
  state.set_time_scale(snapshot.time_scale);
  state.set_real_time_factor(snapshot.real_time_factor);
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    const world::CharacterSnapshot& character = snapshot.characters[i];
    const world::RosterEntry& entry = snapshot.roster->entries[i];
    v1::CharacterState* out = state.add_characters();
    out->set_id(character.id);
    out->set_body(snapshot.roster->bodies[static_cast<std::size_t>(entry.body)]->name);
    out->set_style(entry.style);
    out->set_controller(entry.controller);
    append(character.root.position, out->mutable_position_m());
    append(character.report.com_velocity, out->mutable_velocity_mps());
    out->set_heading_rad(character.report.heading);
    out->set_state(stream::state_name(character));
    append(character.desired_velocity, out->mutable_desired_velocity_mps());
    out->set_desired_heading_rad(character.desired_heading);
  }
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    const world::ThingSnapshot& thing = snapshot.things[i];
    v1::ThingState* out = state.add_things();
    out->set_id(thing.id);
    const int body = snapshot.roster->things[i].body;
    out->set_thing(snapshot.roster->bodies[static_cast<std::size_t>(body)]->name);
    append(thing.root.position, out->mutable_position_m());
    out->set_asleep(thing.asleep);
  }
  return json_response(200, state);
}

void HttpApi::command(RoomHost& room, const net::HttpRequest& request, net::HttpReply reply) const {
  const auto refuse = [&reply, this](const std::string& kind, world::CommandError error) {
    count_command(metrics_, kind, &error);
    reply(refusal(std::move(error)));
  };
  auto role = role_of(request, tokens_);
  if (auto* error = std::get_if<world::CommandError>(&role)) {
    return refuse("unread", std::move(*error));
  }
  auto decoded = api::decode_command_json(request.body);
  if (auto* error = std::get_if<world::CommandError>(&decoded)) {
    return refuse("invalid", std::move(*error));
  }
  auto& command = std::get<world::Command>(decoded);
  const std::string name = world::command_name(command);
  if (auto error = api::check_role(std::get<api::Role>(role), command)) {
    return refuse(name, std::move(*error));
  }
  if (auto error = world::resolve(command, saved_)) return refuse(name, std::move(*error));
  const bool queued =
      room.submit(std::move(command), [this, name, reply](const world::CommandResult& result) {
        count_command(metrics_, name, result.error ? &*result.error : nullptr);
        reply(command_response(result));
      });
  if (!queued) {
    refuse(name, room.queue_full(name));
  }
}

}  // namespace promenade::service

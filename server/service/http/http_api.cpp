#include "service/http/http_api.h"

#include <chrono>
#include <optional>
#include <utility>

#include "api/decode.h"
#include "service/commands/command_metrics.h"
#include "service/http/flow_api.h"
#include "service/http/http_answers.h"
#include "service/store/catalogue.h"

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

// The part of the server by which requests are counted.
const char* part_of(std::string_view path) {
  if (path == "/healthz" || path == "/readyz" || path == "/metrics") return "probe";
  return path.rfind(kApi, 0) == 0 ? "api" : "page";
}

void count_request(net::Metrics& metrics, const char* part, int status) {
  metrics
      .counter("promenade_http_requests_total", "HTTP answers, by part of the server and status.",
               {{"part", part}, {"status", std::to_string(status / 100) + "xx"}})
      .add();
}

}  // namespace

void HttpApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const auto counted = [this, part = part_of(request.path), reply](net::HttpResponse response) {
    count_request(context_.metrics, part, response.status);
    reply(std::move(response));
  };
  const auto wait = context_.door.wait(request);
  if (wait == net::Clock::duration{}) return answer(request, counted);
  later_(wait, [this, &request, counted] { answer(request, counted); });
}

void HttpApi::answer(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const auto parts = room_path(request.path);
  if (parts && parts->second == "commands") {
    if (request.method != "POST") return reply(method_not_allowed(request, "POST"));
    const auto room = rooms_.find(parts->first);
    if (!room) return reply(refusal(rooms_.not_found("room", parts->first)));
    return command(room, request, reply);
  }
  if (auto error = check_read(request)) return reply(refusal(*std::move(error)));
  if (rooms_api_.handle(request, reply)) return;
  if (lobby_.handle(request, reply)) return;
  if (people_.handle(request, reply)) return;
  if (invitations_.handle(request, reply)) return;
  if (checkpoints_.handle(request, reply)) return;
  if (searches_.handle(request, reply)) return;
  if (definitions_.handle(request, reply)) return;
  if (request.method != "GET" && request.method != "HEAD") {
    return reply(method_not_allowed(request, "GET, HEAD"));
  }
  reply(get(request));
}

double HttpApi::cost(const net::HttpRequest& head) const {
  // A page is many files that cost next to nothing, and probes of the server are never
  // refused.
  constexpr double kFile = 0.1;
  const bool token = !head.header("authorization").empty();
  if (!token && (head.path == "/healthz" || head.path == "/readyz")) return 0;
  return head.path == "/metrics" || head.path.rfind(kApi, 0) == 0 ? 1 : kFile;
}

std::optional<world::CommandError> HttpApi::check_read(const net::HttpRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  const auto below = [&request](std::string_view path) { return request.path.rfind(path, 0) == 0; };
  if (!below(kApi)) return std::nullopt;
  // All reads are checked alike, also those that guests may do: a wrong token is a mistake that its
  // sender wants to know of, and a banned visitor reads nothing.
  const auto who = context_.door.admit(request);
  if (const auto* error = std::get_if<world::CommandError>(&who)) return *error;
  if (!below(kRooms) && !below("/api/v1/styles") && !below("/api/v1/bodies") &&
      !below("/api/v1/gaits") && !below("/api/v1/lobby")) {
    return std::nullopt;
  }
  const Asker& asker = std::get<Asker>(who);
  return context_.limits.take_read(asker.payer(), context_.people.role_anywhere(asker.grant));
}

net::HttpResponse HttpApi::get(const net::HttpRequest& request) const {
  if (request.path == "/healthz") return text_response(200, "ok\n");
  // Probes are told how the server does also with a token that is wrong.
  if (request.path == "/readyz") return ready(is_admin(request));
  if (request.path == "/metrics") return metrics(request);
  if (request.path == "/ws") {
    net::HttpResponse response = net::error_response(
        426,
        {"INVALID", "Upgrade", "no WebSocket", "websocket, with the subprotocol promenade.v1"});
    response.headers.emplace_back("Upgrade", "websocket");
    return response;
  }
  if (request.path == "/api/v1/scenes") return json_response(200, scene_list(*rooms_.library()));
  if (const auto parts = room_path(request.path); parts && parts->second == "state") {
    const auto room = rooms_.find(parts->first);
    if (!room) return refusal(rooms_.not_found("room", parts->first));
    room->touch();
    return states_.of(*room);
  }
  if (const auto parts = room_path(request.path);
      parts && (parts->second == "flow" || parts->second == "flow/figures")) {
    const auto room = rooms_.find(parts->first);
    if (!room) return refusal(rooms_.not_found("room", parts->first));
    room->touch();
    return flow_report(*room, parts->second == "flow");
  }
  if (const auto parts = room_path(request.path);
      parts && parts->second.rfind("characters/", 0) == 0) {
    const auto room = rooms_.find(parts->first);
    return room ? definitions_.of_character(*room, request, parts->second)
                : refusal(rooms_.not_found("room", parts->first));
  }
  if (request.path.rfind(kApi, 0) == 0) {
    return not_served(
        request,
        "/api/v1/scenes, /api/v1/rooms, /api/v1/lobby, /api/v1/styles, /api/v1/bodies, "
        "/api/v1/gaits and what docs/protocol.md lists below them");
  }
  if (request.path == "/" && !files_.has_index()) {
    return not_served(request,
                      "/api/v1/...; the page is not built: run ./scripts/serve, or name a built "
                      "page with --web-root");
  }
  return files_.serve(request);
}

bool HttpApi::is_admin(const net::HttpRequest& request) const {
  return std::holds_alternative<Asker>(admin_of(request, context_, nullptr));
}

net::HttpResponse HttpApi::metrics(const net::HttpRequest& request) const {
  net::HttpResponse response = text_response(200, context_.metrics.text(is_admin(request)));
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

net::HttpResponse HttpApi::ready(bool admin) const {
  constexpr double kStuck = 5;  // s: a room silent or behind for longer is stuck
  std::string trouble, notes;
  if (!context_.saved.closed().empty()) {
    notes += "nothing can be saved, as there is no room on the disk of the store\n";
  }
  for (const Making& making : rooms_.all_making()) {
    trouble += "room " + Rooms::name_for(making.spec, admin) + " " + making.text() + "\n";
  }
  for (const auto& room : rooms_.all()) {
    const auto publication = room->current();
    const world::Snapshot& snapshot = publication->snapshot();
    const world::RunnerStats stats = room->stats();
    const std::string name = Rooms::name_for(*room, admin);
    if (stats.journal.failing) notes += "room " + name + " is not being recorded\n";
    if (stats.journal.state_failing) {
      notes +=
          "room " + name +
          " is recorded, but its newest state cannot be written, so a restart will take longer\n";
    }
    if (!stats.process.trouble.empty()) {
      trouble += "room " + name + " " + stats.process.trouble + "\n";
      continue;
    }
    if (!room->left_out().empty()) {
      notes += "room " + name + " was started without " + room->left_out() +
               ", as it could not be started with it\n";
    }
    if (snapshot.paused || stats.asleep) continue;
    const auto now_us =
        std::chrono::duration_cast<std::chrono::microseconds>(net::Clock::now().time_since_epoch())
            .count();
    const double silent_s =
        1e-6 * static_cast<double>(now_us - static_cast<std::int64_t>(snapshot.server_time_us));
    char text[96] = "";
    if (silent_s > kStuck) {
      std::snprintf(text, sizeof text, " has not ticked for %.0f s\n", silent_s);
    } else if (stats.behind > kStuck) {
      std::snprintf(text, sizeof text, " runs at %.2f of real time, for %.0f s now\n",
                    stats.real_time_factor, stats.behind);
    }
    if (*text) trouble += "room " + name + text;
  }
  if (!trouble.empty()) return text_response(503, trouble + notes);
  return text_response(200, "ready\n" + notes);
}

void HttpApi::command(const std::shared_ptr<RoomHost>& room, const net::HttpRequest& request,
                      const net::HttpReply& reply) const {
  const auto asker = context_.door.admit(request);
  if (const auto* error = std::get_if<world::CommandError>(&asker)) {
    count_command(context_.metrics, "unread", error);
    return reply(refusal(*error));
  }
  context_.gate.give(
      std::get<Asker>(asker), room, api::decode_command_json(request.body),
      [reply](const world::CommandResult& result) { reply(command_response(result)); });
}

}  // namespace promenade::service

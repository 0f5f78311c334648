#include "service/http/checkpoint_api.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "api/replies.h"
#include "service/http/http_answers.h"
#include "world/checkpoint/checkpoint.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

/// The room's id in the path of its checkpoint.
std::optional<std::string_view> room_of(std::string_view path) {
  constexpr std::string_view kBefore = "/api/v1/rooms/", kAfter = "/checkpoint";
  if (path.size() <= kBefore.size() + kAfter.size()) return std::nullopt;
  if (path.substr(0, kBefore.size()) != kBefore) return std::nullopt;
  path.remove_prefix(kBefore.size());
  if (path.substr(path.size() - kAfter.size()) != kAfter) return std::nullopt;
  path.remove_suffix(kAfter.size());
  return path.find('/') == path.npos ? std::optional(path) : std::nullopt;
}

}  // namespace

bool CheckpointApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const auto id = room_of(request.path);
  if (!id) return false;
  const bool puts = request.method == "PUT";
  if (!puts && request.method != "GET" && request.method != "HEAD") {
    reply(method_not_allowed(request, "GET, HEAD, PUT"));
    return true;
  }
  const auto room = context_.rooms.find(*id);
  if (!room) {
    reply(refusal(context_.rooms.not_found("room", *id)));
    return true;
  }
  const auto admin = admin_of(request, context_, room.get());
  if (const auto* error = std::get_if<world::CommandError>(&admin)) {
    reply(refusal(*error));
    return true;
  }
  bool queued;
  if (puts) {
    auto checkpoint = world::parse_checkpoint(request.body);
    if (!checkpoint) {
      reply(refusal(api::make_error(Code::kInvalid, "the body " + checkpoint.error().what(), "body",
                                    std::to_string(request.body.size()) + " bytes",
                                    "what GET of the same path gave")));
      return true;
    }
    queued = room->restore(
        std::move(checkpoint).value(),
        [this, reply, id = room->id(),
         asker = std::get<Asker>(admin)](const world::CommandResult& result) {
          context_.audit.note(deed_of(asker, "put_checkpoint", api::Role::kAdmin, id, "",
                                      result.error ? &*result.error : nullptr));
          reply(command_response(result));
        },
        std::get<Asker>(admin).payer());
  } else {
    queued = room->save(
        [reply](const std::variant<v1::Checkpoint, world::CommandError>& saved) {
          if (const auto* error = std::get_if<world::CommandError>(&saved)) {
            return reply(refusal(*error));
          }
          net::HttpResponse response;
          response.content_type = "application/x-protobuf";
          response.body = world::checkpoint_bytes(std::get<v1::Checkpoint>(saved));
          reply(std::move(response));
        },
        std::get<Asker>(admin).payer());
  }
  if (!queued) reply(refusal(room->queue_full("checkpoint")));
  return true;
}

std::size_t CheckpointApi::body_limit(const net::HttpRequest& head, std::size_t otherwise) const {
  const auto id = head.method == "PUT" ? room_of(head.path) : std::nullopt;
  const auto room = id ? context_.rooms.find(*id) : nullptr;
  // A limit that told a right token at once would let others be guessed as quickly.
  const bool known = room && context_.door.wait(head) == net::Clock::duration{};
  const bool puts = known && std::holds_alternative<Asker>(admin_of(head, context_, room.get()));
  return puts ? world::kMaxCheckpointBytes : otherwise;
}

}  // namespace promenade::service

#include "service/http/search_api.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/replies.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "service/commands/command_metrics.h"
#include "service/http/http_answers.h"
#include "service/store/catalogue.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

/// The room's id and what follows it, of the paths of searches and studies.
std::optional<std::pair<std::string_view, std::string_view>> search_path(std::string_view path) {
  constexpr std::string_view kBefore = "/api/v1/rooms/";
  if (!path.starts_with(kBefore)) return std::nullopt;
  path.remove_prefix(kBefore.size());
  const auto slash = path.find('/');
  if (slash == path.npos) return std::nullopt;
  const std::string_view rest = path.substr(slash);
  if (rest != "/search" && rest != "/search/gait" && rest != "/gait-study") return std::nullopt;
  return std::pair(path.substr(0, slash), rest);
}

using Text = std::shared_ptr<const std::string>;

net::HttpResponse answer_of(std::variant<Text, world::CommandError> result) {
  if (auto* error = std::get_if<world::CommandError>(&result)) return refusal(std::move(*error));
  return json_text(200, *std::get<Text>(result));
}

}  // namespace

bool SearchApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const auto path = search_path(request.path);
  if (!path) return false;
  const auto room = context_.rooms.find(path->first);
  if (!room) {
    reply(refusal(context_.rooms.not_found("room", path->first)));
    return true;
  }
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const bool study = path->second == "/gait-study";
  if (path->second == "/search/gait") {
    reply(reads ? gait(*room, request) : method_not_allowed(request, "GET, HEAD"));
  } else if (reads) {
    reply(json_text(200, study ? *studies_.report(*room) : *searches_.report(*room)));
  } else if (request.method == "POST" || request.method == "DELETE") {
    reply(change(*room, request, study));
  } else {
    reply(method_not_allowed(request, "GET, HEAD, POST, DELETE"));
  }
  return true;
}

net::HttpResponse SearchApi::gait(const RoomHost& room, const net::HttpRequest& request) const {
  std::optional<std::size_t> cell;
  if (!request.query.empty()) {
    constexpr std::string_view kCell = "cell=";
    std::string_view text = request.query;
    std::size_t number = 0;
    const bool named = text.starts_with(kCell);
    if (named) text.remove_prefix(kCell.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (!named || error != std::errc() || end != text.data() + text.size()) {
      return refusal(world::refuse(Code::kInvalid, "query", schema::in_quotes(request.query),
                                   "cell=N, or none for the best"));
    }
    cell = number;
  }
  auto found = searches_.gait(room, cell);
  if (auto* error = std::get_if<world::CommandError>(&found)) return refusal(std::move(*error));
  v1::GaitRecord record;
  *record.mutable_definition() = std::get<v1::Gait>(std::move(found));
  *record.mutable_info() = entry_of(record.definition());
  return json_response(200, record);
}

net::HttpResponse SearchApi::change(const RoomHost& room, const net::HttpRequest& request,
                                    bool study) const {
  const bool begins = request.method == "POST";
  const char* what = study ? (begins ? "begin_gait_study" : "stop_gait_study")
                           : (begins ? "begin_search" : "stop_search");
  const auto who = context_.door.admit(request);
  if (const auto* error = std::get_if<world::CommandError>(&who)) return refusal(*error);
  const Asker& asker = std::get<Asker>(who);
  const api::Role role = context_.people.role_in(asker.grant, room);
  std::variant<Text, world::CommandError> result =
      role < api::Role::kOperator
          ? api::make_error(Code::kForbidden,
                            "searches need the role operator or admin; send a token that gives it",
                            "Authorization", api::role_name(role), "operator or admin")
          : changed(room, request, study);
  const auto* error = std::get_if<world::CommandError>(&result);
  count_command(context_.metrics, what, error);
  context_.audit.note(deed_of(asker, what, role, room.id(), "", error));
  return answer_of(std::move(result));
}

GaitStudies::Report SearchApi::changed(const RoomHost& room, const net::HttpRequest& request,
                                       bool study) const {
  const auto as_text = [](GaitSearches::Report report) -> GaitStudies::Report {
    if (auto* error = std::get_if<world::CommandError>(&report)) return std::move(*error);
    return std::make_shared<const std::string>(
        schema::message_to_json(std::get<v1::RoomSearch>(report), true) + "\n");
  };
  if (request.method == "DELETE") {
    return study ? studies_.stop(room) : as_text(searches_.stop(room));
  }
  v1::RoomSearchOrder search;
  v1::GaitStudyOrder order;
  google::protobuf::Message& message =
      study ? static_cast<google::protobuf::Message&>(order) : search;
  if (const auto wrong = schema::message_from_json(request.body, &message)) {
    return api::make_error(Code::kInvalid, wrong->what(), wrong->key, wrong->value, wrong->allowed);
  }
  return study ? studies_.begin(room, order) : as_text(searches_.begin(room, search));
}

}  // namespace promenade::service

#include "service/http_answers.h"

#include <utility>

#include "api/replies.h"
#include "schema/message.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

}  // namespace

net::HttpResponse text_response(int status, std::string text) {
  net::HttpResponse response;
  response.status = status;
  response.body = std::move(text);
  return response;
}

net::HttpResponse json_response(int status, const google::protobuf::Message& message) {
  net::HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = schema::message_to_json(message, true) + "\n";
  return response;
}

net::HttpResponse command_response(const world::CommandResult& result) {
  net::HttpResponse response;
  response.status = api::http_status(result);
  response.content_type = "application/json";
  const v1::CommandReply reply = api::command_reply(result);
  response.body = schema::message_to_json(reply) + "\n";
  if (response.status == 503 || response.status == 429) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
}

net::HttpResponse refusal(world::CommandError error) {
  world::CommandResult result;
  result.error = std::move(error);
  return command_response(result);
}

net::HttpResponse method_not_allowed(const net::HttpRequest& request, const char* allowed) {
  net::HttpResponse response =
      net::error_response(405, {"INVALID", "method", request.method, allowed});
  response.headers.emplace_back("Allow", allowed);
  return response;
}

net::HttpResponse not_served(const net::HttpRequest& request, std::string allowed) {
  return net::error_response(404, {"NOT_FOUND", "path", request.path, std::move(allowed)});
}

std::variant<api::Role, world::CommandError> role_of(const net::HttpRequest& request,
                                                     const api::Tokens& tokens) {
  std::string_view token = request.header("authorization");
  if (!token.empty()) {
    constexpr std::string_view kBearer = "Bearer ";
    if (token.substr(0, kBearer.size()) != kBearer || token.size() == kBearer.size()) {
      return api::make_error(Code::kForbidden, "the header is not Bearer TOKEN", "Authorization",
                             "", "Bearer and a token");
    }
    token.remove_prefix(kBearer.size());
  }
  if (const auto role = tokens.role_of(token)) return *role;
  return api::make_error(Code::kForbidden, "the token is not known here", "Authorization", "",
                         "a token of this server, or no such header");
}

}  // namespace promenade::service

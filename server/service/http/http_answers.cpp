#include "service/http/http_answers.h"

#include <algorithm>
#include <utility>

#include "api/replies.h"
#include "schema/message.h"

namespace promenade::service {
net::HttpResponse text_response(int status, std::string text) {
  net::HttpResponse response;
  response.status = status;
  response.body = std::move(text);
  return response;
}

net::HttpResponse json_text(int status, std::string text) {
  net::HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(text);
  return response;
}

net::HttpResponse json_response(int status, const google::protobuf::Message& message) {
  return json_text(status, schema::message_to_json(message, true) + "\n");
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

std::variant<Asker, world::CommandError> admin_of(const net::HttpRequest& request,
                                                  const ApiContext& context, const RoomHost* room) {
  auto asker = context.door.admit(request);
  const auto* known = std::get_if<Asker>(&asker);
  if (!known) return asker;
  const api::Role role = room ? context.people.role_in(known->grant, *room)
                              : context.people.role_anywhere(known->grant);
  if (role == api::Role::kAdmin) return asker;
  return api::make_error(world::CommandError::Code::kForbidden,
                         "this needs the role admin; send a token that gives it", "Authorization",
                         api::role_name(role), "admin");
}

net::HttpResponse not_served(const net::HttpRequest& request, std::string allowed) {
  return net::error_response(404, {"NOT_FOUND", "path", request.path, std::move(allowed)});
}

}  // namespace promenade::service

#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <variant>

#include "net/http/http_types.h"
#include "service/viewers/api_context.h"
#include "world/command/command.h"

// Answers that the parts of the HTTP API have in common.
namespace promenade::service {

net::HttpResponse text_response(int status, std::string text);
net::HttpResponse json_text(int status, std::string text);
/// A message in protobuf's JSON mapping, fields at their defaults included.
net::HttpResponse json_response(int status, const google::protobuf::Message& message);
/// An Ack or Error as a CommandReply, with the status that belongs to it.
net::HttpResponse command_response(const world::CommandResult& result);
net::HttpResponse refusal(world::CommandError error);
/// @param allowed  as in the header: "GET, HEAD"
net::HttpResponse method_not_allowed(const net::HttpRequest& request, const char* allowed);
/// The admin who asks, or the error of one who is none.
/// @param room  the admin of it; null: of the server
std::variant<Asker, world::CommandError> admin_of(const net::HttpRequest& request,
                                                  const ApiContext& context, const RoomHost* room);
/// @param allowed  the paths that are served
net::HttpResponse not_served(const net::HttpRequest& request, std::string allowed);

}  // namespace promenade::service

#include "service/http/invitations_api.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "api/decode.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "service/http/http_answers.h"

namespace promenade::service {
namespace {

using world::CommandError;

constexpr std::string_view kInvitations = "/api/v1/invitations";

}  // namespace

bool InvitationsApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  if (request.path.rfind(kInvitations, 0) != 0) return false;
  const std::string_view rest = std::string_view(request.path).substr(kInvitations.size());
  if (!rest.empty() && (rest.front() != '/' || rest.size() == 1)) return false;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (rest.empty() ? !reads && request.method != "POST" : request.method != "DELETE") {
    reply(method_not_allowed(request, rest.empty() ? "GET, HEAD, POST" : "DELETE"));
    return true;
  }
  const auto who = admin_of(request, context_, nullptr);
  if (const auto* error = std::get_if<CommandError>(&who)) {
    reply(refusal(*error));
    return true;
  }
  const Asker& admin = std::get<Asker>(who);
  if (reads) {
    reply(json_response(200, invitations_.list()));
  } else if (rest.empty()) {
    make(request, admin, reply);
  } else {
    revoke(std::string(rest.substr(1)), admin, reply);
  }
  return true;
}

void InvitationsApi::make(const net::HttpRequest& request, const Asker& admin,
                          const net::HttpReply& reply) const {
  v1::Invitation wish;
  if (const auto wrong = schema::message_from_json(request.body, &wish)) {
    return reply(refusal(api::request_error(*wrong)));
  }
  const auto room = context_.rooms.find(wish.room());
  if (!room) return reply(refusal(context_.rooms.not_found("room", wish.room())));
  wish.set_room(room->id());
  const auto answer = [this, admin, reply, room = room->id(), role = wish.role(),
                       base = request.base_path](std::variant<v1::Invitation, CommandError> made) {
    const auto* error = std::get_if<CommandError>(&made);
    if (!error) {
      auto& invitation = std::get<v1::Invitation>(made);
      invitation.set_link(base + invitation.link());
    }
    context_.audit.note(deed_of(admin, "make_invitation", api::Role::kAdmin, room,
                                error ? role : role + " " + std::get<v1::Invitation>(made).id(),
                                error));
    reply(error ? refusal(*error) : json_response(200, std::get<v1::Invitation>(made)));
  };
  if (auto error = invitations_.add(wish, answer)) answer(*std::move(error));
}

void InvitationsApi::revoke(const std::string& id, const Asker& admin,
                            const net::HttpReply& reply) const {
  const auto answer = [this, admin, reply, id](const std::optional<CommandError>& error) {
    context_.audit.note(
        deed_of(admin, "revoke_invitation", api::Role::kAdmin, "", id, error ? &*error : nullptr));
    reply(error ? refusal(*error) : json_response(200, invitations_.list()));
  };
  if (!invitations_.remove(id, answer)) {
    answer(world::refuse(CommandError::Code::kNotFound, "invitation", schema::in_quotes(id),
                         "one that GET /api/v1/invitations lists"));
  }
}

}  // namespace promenade::service

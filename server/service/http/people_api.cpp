#include "service/http/people_api.h"

#include <optional>
#include <utility>
#include <variant>

#include "api/decode.h"
#include "api/replies.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "schema/shown_text.h"
#include "service/http/http_answers.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::string_view kBans = "/api/v1/bans";
constexpr std::size_t kMaxReason = 200;                   // bytes of a reason
constexpr std::uint32_t kLongestAct = 10 * 365 * 86'400;  // s, of a ban and the like

struct Place {
  std::string room, visitor;  // visitor empty: everybody
};

// The place in /api/v1/rooms/ROOM/people and /api/v1/rooms/ROOM/people/VISITOR.
std::optional<Place> place_in(std::string_view path) {
  constexpr std::string_view kBefore = "/api/v1/rooms/", kPeople = "/people";
  if (path.substr(0, kBefore.size()) != kBefore) return std::nullopt;
  path.remove_prefix(kBefore.size());
  const auto slash = path.find('/');
  if (slash == path.npos || path.substr(slash, kPeople.size()) != kPeople) return std::nullopt;
  const std::string_view rest = path.substr(slash + kPeople.size());
  if (rest.empty()) return Place{std::string(path.substr(0, slash)), ""};
  if (rest.size() < 2 || rest.front() != '/') return std::nullopt;
  return Place{std::string(path.substr(0, slash)), std::string(rest.substr(1))};
}

// The action as the trail names it: a word of ours, whatever was sent.
const char* deed_name(std::string_view action) {
  for (const char* known : {"kick", "mute", "unmute", "freeze", "unfreeze", "hand_over"}) {
    if (action == known) return known;
  }
  return "act";
}

/// How it was done, for the trail: `for 3600 s, by address, reason: too loud`.
std::string details_of(const v1::PersonAction& action) {
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const bool ban = action.action() == "ban";
  const bool ends = ban || action.action() == "mute" || action.action() == "freeze";
  if (action.seconds() > 0) {
    add("for " + std::to_string(action.seconds()) + " s");
  } else if (ends) {
    add(ban ? "until lifted" : "until lifted or until the server stops");
  }
  if (ban) add("by " + (action.by().empty() ? std::string("address") : action.by()));
  if (!action.to().empty()) add("to " + action.to());
  if (!action.reason().empty()) add("reason: " + action.reason());
  return text;
}

Deed deed_of_act(const Asker& admin, const char* name, const std::string& room,
                 const std::string& visitor, const v1::PersonAction& action,
                 const CommandError* error) {
  Deed deed = deed_of(admin, name, api::Role::kAdmin, room, visitor, error);
  deed.details = details_of(action);
  return deed;
}

std::optional<CommandError> check(const v1::PersonAction& action) {
  if (const auto fault = schema::text_fault(action.reason(), kMaxReason)) {
    return world::refuse(Code::kInvalid, "reason", fault->value, fault->allowed);
  }
  if (action.seconds() > kLongestAct) {
    return world::refuse(Code::kInvalid, "seconds", std::to_string(action.seconds()),
                         "0 to " + std::to_string(kLongestAct));
  }
  if (!action.by().empty() && action.by() != "address" && action.by() != "token") {
    return world::refuse(Code::kInvalid, "by", schema::in_quotes(action.by()),
                         "address or token, or empty for address");
  }
  return std::nullopt;
}

}  // namespace

bool PeopleApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.path.rfind(kBans, 0) == 0) {
    const std::string_view rest = std::string_view(request.path).substr(kBans.size());
    if (!rest.empty() && (rest.front() != '/' || rest.size() == 1)) return false;
    if (rest.empty() ? !reads : request.method != "DELETE") {
      reply(method_not_allowed(request, rest.empty() ? "GET, HEAD" : "DELETE"));
    } else {
      bans(request, std::string(rest.empty() ? rest : rest.substr(1)), reply);
    }
    return true;
  }
  const auto place = place_in(request.path);
  if (!place) return false;
  const auto room = context_.rooms.find(place->room);
  if (place->visitor.empty() ? !reads : request.method != "POST") {
    reply(method_not_allowed(request, place->visitor.empty() ? "GET, HEAD" : "POST"));
  } else if (!room) {
    reply(refusal(context_.rooms.not_found("room", place->room)));
  } else if (place->visitor.empty()) {
    reply(list(request, *room));
  } else {
    act(request, *room, place->visitor, reply);
  }
  return true;
}

net::HttpResponse PeopleApi::list(const net::HttpRequest& request, const RoomHost& room) const {
  const auto who = context_.door.admit(request);
  if (const auto* error = std::get_if<CommandError>(&who)) return refusal(*error);
  const api::Role role = context_.people.role_in(std::get<Asker>(who).grant, room);
  if (role < api::Role::kOperator) {
    return refusal(api::make_error(Code::kForbidden,
                                   "the list of visitors is for operators and admins; send a token "
                                   "that gives one of these roles",
                                   "Authorization", api::role_name(role), "operator or admin"));
  }
  return json_response(200, context_.people.list(room, role == api::Role::kAdmin));
}

void PeopleApi::act(const net::HttpRequest& request, RoomHost& room, const std::string& visitor,
                    const net::HttpReply& reply) const {
  const auto who = admin_of(request, context_, &room);
  if (const auto* error = std::get_if<CommandError>(&who)) return reply(refusal(*error));
  const Asker& admin = std::get<Asker>(who);
  v1::PersonAction action;
  if (const auto wrong = schema::message_from_json(request.body, &action)) {
    return reply(refusal(api::request_error(*wrong)));
  }
  if (auto error = check(action)) return reply(refusal(*std::move(error)));
  if (action.action() == "ban") return ban(admin, room, visitor, action, reply);
  const auto done = context_.people.act(room, visitor, action);
  const auto* error = std::get_if<CommandError>(&done);
  context_.audit.note(
      deed_of_act(admin, deed_name(action.action()), room.id(), visitor, action, error));
  reply(error ? refusal(*error) : json_response(200, std::get<v1::Person>(done)));
}

void PeopleApi::ban(const Asker& admin, RoomHost& room, const std::string& visitor,
                    const v1::PersonAction& action, const net::HttpReply& reply) const {
  const auto answer = [this, admin, reply, visitor, action,
                       id = room.id()](const std::variant<v1::Person, CommandError>& done) {
    const auto* error = std::get_if<CommandError>(&done);
    context_.audit.note(deed_of_act(admin, "ban", id, visitor, action, error));
    reply(error ? refusal(*error) : json_response(200, std::get<v1::Person>(done)));
  };
  if (context_.people.role_anywhere(admin.grant) != api::Role::kAdmin) {
    return answer(api::make_error(
        Code::kForbidden, "a ban applies to all rooms, but your token is only for one", "action",
        "ban", "kick, mute or freeze, or an admin's token for all rooms"));
  }
  const auto asker = context_.people.find(room, visitor);
  if (!asker) return answer(context_.people.act(room, visitor, action));  // says who is not there
  const bool by_token = action.by() == "token";
  if (by_token ? asker->grant.guest() : asker->grant.role == api::Role::kAdmin) {
    return answer(world::refuse(Code::kInvalid, "by", by_token ? "token" : "address",
                                by_token ? "address, as this visitor has no token"
                                         : "token, as an admin cannot be banned by address"));
  }
  v1::Ban ban;
  (by_token ? *ban.mutable_token() : *ban.mutable_address()) =
      by_token ? asker->grant.key : asker->address;
  ban.set_reason(action.reason());
  // The ban holds at once; its visitors are sent out, and the admin answered, when it is kept or
  // cannot be.
  const auto added = context_.door.bans().add(
      std::move(ban), action.seconds(),
      [this, answer, visitor, action,
       host = room.shared_from_this()](const std::optional<CommandError>& error) {
        const auto person = context_.people.act(*host, visitor, action);
        const std::string text = action.reason().empty() ? "" : ": " + action.reason();
        context_.people.send_out(
            [this](const Asker& one) {
              return context_.door.bans().check(one.address, one.grant).has_value();
            },
            "an admin has banned you" + text);
        error ? answer(*error) : answer(person);
      });
  if (const auto* error = std::get_if<CommandError>(&added)) answer(*error);
}

void PeopleApi::bans(const net::HttpRequest& request, const std::string& id,
                     const net::HttpReply& reply) const {
  const auto who = admin_of(request, context_, nullptr);
  if (const auto* error = std::get_if<CommandError>(&who)) return reply(refusal(*error));
  Bans& bans = context_.door.bans();
  if (id.empty()) return reply(json_response(200, bans.list()));
  const auto answer = [this, &bans, reply, id,
                       admin = std::get<Asker>(who)](const std::optional<CommandError>& error) {
    context_.audit.note(
        deed_of(admin, "unban", api::Role::kAdmin, "", id, error ? &*error : nullptr));
    reply(error ? refusal(*error) : json_response(200, bans.list()));
  };
  if (!bans.remove(id, answer)) {
    answer(world::refuse(Code::kNotFound, "ban", schema::in_quotes(id),
                         "one that GET /api/v1/bans lists"));
  }
}

}  // namespace promenade::service

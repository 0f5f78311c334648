#include "service/door.h"

#include "api/decode.h"
#include "api/replies.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::string_view kBearer = "Bearer ";
constexpr std::size_t kMinKey = 16;  // bytes of a visitor's key

}  // namespace

std::variant<Asker, CommandError> Door::admit(const Claim& claim) {
  if (!claim.visitor_key.empty() && (claim.visitor_key.size() < kMinKey ||
                                     claim.visitor_key.size() > api::kMaxVisitorKeyLength)) {
    return api::make_error(Code::kInvalid, "the visitor's key has the wrong length", "visitor_key",
                           std::to_string(claim.visitor_key.size()) + " bytes",
                           "16 to 64 bytes, or none");
  }
  auto grant = access_.admit(claim.token, claim.address);
  if (auto* error = std::get_if<CommandError>(&grant)) {
    audit_.note({.action = "refuse_token",
                 .visitor = "",
                 .name = "",
                 .token = "",
                 .address = claim.address,
                 .role = "",
                 .room = "",
                 .object = "",
                 .outcome = error->message,
                 .details = ""});
    return std::move(*error);
  }
  Asker asker;
  asker.grant = std::get<api::Grant>(std::move(grant));
  asker.grant.unknown_host = !claim.known_host;
  asker.address = claim.address;
  asker.name = claim.name.empty() ? asker.grant.name : claim.name;
  asker.client = claim.client;
  const std::string own_key =
      claim.visitor_key.empty() ? api::process_salt() + " " + claim.address + " " + asker.grant.key
                                : std::string(claim.visitor_key);
  asker.visitor = visitor_id(own_key);
  if (auto error = access_.use(asker.grant.key, asker.visitor)) return *std::move(error);
  if (auto error = bans_.check(asker.address, asker.grant)) {
    audit_.note(deed_of(asker, "refuse_banned", asker.grant.role, "", "", &*error));
    return *std::move(error);
  }
  return asker;
}

std::variant<Asker, CommandError> Door::admit(const net::HttpRequest& request) {
  std::string_view token = request.header("authorization");
  if (!token.empty()) {
    if (token.substr(0, kBearer.size()) != kBearer || token.size() == kBearer.size()) {
      return api::make_error(Code::kForbidden, "the header must be Bearer TOKEN", "Authorization",
                             std::to_string(token.size()) + " characters", "Bearer TOKEN");
    }
    token.remove_prefix(kBearer.size());
  }
  auto asker = admit({.token = token,
                      .visitor_key = request.header("promenade-visitor"),
                      .name = "",
                      .client = "HTTP",
                      .address = request.remote,
                      .known_host = request.known_host});
  if (auto* error = std::get_if<CommandError>(&asker)) {
    if (error->field == "token") error->field = "Authorization";
    if (error->field == "visitor_key") error->field = "Promenade-Visitor";
  }
  return asker;
}

}  // namespace promenade::service

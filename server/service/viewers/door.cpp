#include "service/viewers/door.h"

#include "api/decode.h"
#include "api/replies.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::string_view kBearer = "Bearer ";
constexpr std::size_t kMinKey = 16;  // bytes of a visitor's key

// The key by which a visitor is known again. With a token and no key a visitor is the same after a
// restart of the server, too: an invitation counts its visitors. Nobody can tell the address from
// its digest in the store, as the token is not there.
std::string own_key(const Door::Claim& claim) {
  if (!claim.visitor_key.empty()) return std::string(claim.visitor_key);
  const std::string address = net::visitor_key(claim.address);
  return claim.token.empty() ? api::process_salt() + " " + address
                             : "token " + std::string(claim.token) + " " + address;
}

// "TOKEN" of "Bearer TOKEN"; empty for a header of another kind.
std::string_view bearer_token(std::string_view authorization) {
  if (authorization.substr(0, kBearer.size()) != kBearer) return {};
  return authorization.substr(kBearer.size());
}

}  // namespace

std::variant<Asker, CommandError> Door::admit(const Claim& claim) {
  if (!claim.visitor_key.empty() && (claim.visitor_key.size() < kMinKey ||
                                     claim.visitor_key.size() > api::kMaxVisitorKeyLength)) {
    return api::make_error(Code::kInvalid, "the visitor's key has the wrong length", "visitor_key",
                           std::to_string(claim.visitor_key.size()) + " bytes",
                           "16 to 64 bytes, or none");
  }
  auto grant = access_.admit(claim.token, claim.visitor_key, claim.address);
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
  asker.visitor = visitor_id(own_key(claim));
  if (auto error = access_.use(asker.grant.key, asker.visitor)) return *std::move(error);
  if (auto error = bans_.check(asker.address, asker.grant)) {
    audit_.note(deed_of(asker, "refuse_banned", asker.grant.role, "", "", &*error));
    return *std::move(error);
  }
  return asker;
}

void Door::renew(api::Grant& grant, std::uint64_t& revision) const {
  const std::uint64_t newest =
      access_.revision();  // before the grant: what changes then is seen next time
  if (newest == revision) return;
  revision = newest;
  const bool unknown_host = grant.unknown_host;
  auto now = access_.of_key(grant.key);
  grant = now ? *std::move(now) : *access_.of_key("");
  grant.unknown_host = unknown_host;
}

net::Clock::duration Door::wait(const net::HttpRequest& request) const {
  return access_.wait(bearer_token(request.header("authorization")),
                      request.header("promenade-visitor"), request.remote);
}

std::variant<Asker, CommandError> Door::admit(const net::HttpRequest& request) {
  const std::string_view header = request.header("authorization");
  const std::string_view token = bearer_token(header);
  if (!header.empty() && token.empty()) {
    return api::make_error(Code::kForbidden, "the header must be Bearer TOKEN", "Authorization",
                           std::to_string(header.size()) + " characters", "Bearer TOKEN");
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

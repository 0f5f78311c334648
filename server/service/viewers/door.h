#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "net/http/http_types.h"
#include "service/people/access.h"
#include "service/people/audit.h"
#include "service/people/bans.h"
#include "service/people/people.h"

namespace promenade::service {

/// Where visitors of both ways in say who they are: tokens, bans and the trail of refusals. Any
/// thread.
class Door {
 public:
  Door(Access& access, Bans& bans, Audit& audit) : access_(access), bans_(bans), audit_(audit) {}

  /// The claim of a visitor.
  struct Claim {
    std::string_view token;        // empty: a guest
    std::string_view visitor_key;  // empty: a new visitor
    std::string name, client;
    std::string address;
    bool known_host = true;  // false: guests are at most viewers, see Grant::unknown_host
  };
  /// How long admit() is to be put off, so that tokens cannot be guessed quickly; zero: not at all.
  net::Clock::duration wait(const Claim& claim) const {
    return access_.wait(claim.token, claim.visitor_key, claim.address);
  }
  net::Clock::duration wait(const net::HttpRequest& request) const;
  /// The visitor, or why they are not let in; the error's `field` is `token` or `address`.
  std::variant<Asker, world::CommandError> admit(const Claim& claim);
  /// Admits the sender of a request by its headers Authorization and Promenade-Visitor. Requests
  /// without the latter that come from one address with one token are one visitor's.
  std::variant<Asker, world::CommandError> admit(const net::HttpRequest& request);

  Bans& bans() const { return bans_; }
  /// Makes a grant what its token gives now; that of a token that is not valid any more, a guest's.
  /// @param revision  of the tokens that the grant is of; 0 at first
  void renew(api::Grant& grant, std::uint64_t& revision) const;

 private:
  Access& access_;
  Bans& bans_;
  Audit& audit_;
};

}  // namespace promenade::service

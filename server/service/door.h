#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "net/http_types.h"
#include "service/access.h"
#include "service/audit.h"
#include "service/bans.h"
#include "service/people.h"

namespace promenade::service {

/// Where visitors of both ways in say who they are: tokens, bans and the trail of refusals. Any
/// thread.
class Door {
 public:
  Door(Access& access, Bans& bans, Audit& audit) : access_(access), bans_(bans), audit_(audit) {}

  /// What a visitor says.
  struct Claim {
    std::string_view token;        // empty: a guest
    std::string_view visitor_key;  // empty: a new visitor
    std::string name, client;
    std::string address;
    bool known_host = true;  // false: guests are at most viewers, see Grant::unknown_host
  };
  /// Who that is, or why they are not let in; the error's `field` is `token` or `address`.
  std::variant<Asker, world::CommandError> admit(const Claim& claim);
  /// The same for a request: its headers Authorization and Promenade-Visitor. Requests without the
  /// latter that come from one address with one token are one visitor's.
  std::variant<Asker, world::CommandError> admit(const net::HttpRequest& request);

  Bans& bans() const { return bans_; }
  /// To be called when a token's rights have changed but in the token file.
  void tokens_changed() { access_.changed(); }

 private:
  Access& access_;
  Bans& bans_;
  Audit& audit_;
};

}  // namespace promenade::service
